// Package polybench is sixteen kernels of PolyBench (Pouchet and Yuki, PolyBench/C 4.2): affine
// loops in examples/affine beside the same in C, in testdata, for tests and for `make bench`.
//
// A kernel has three functions, @init, @kernel and @check, of which each takes its arrays, and
// @kernel then a number of rounds if it has one; @main allocates arrays of given sizes, calls
// all three and gives the sum that the C prints.
package polybench
