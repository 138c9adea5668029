// Package inputs reads the test inputs of isl's source (of Debian: the source package isl)
// for its code generator, test_inputs/codegen, and for its schedulers,
// test_inputs/schedule, and runs isl on them. What isl prints is not looked at: testdata/oracle.c,
// a program over libisl, executes the code that isl generates and takes times.
package inputs
