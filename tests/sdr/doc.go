// Package sdr compares programs of equations with the same computations in C: the eleven
// benchmarks of Yang, Atkinson and Carbin, "Simplifying dependent reductions in the polyhedral
// model" (POPL 2021, Table 1), whose equations are in examples/eq and whose C is in testdata.
package sdr
