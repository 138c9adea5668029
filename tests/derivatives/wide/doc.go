// Package wide runs programs of func, scf, memref, arith, math and special a second time, for tests of derivatives: with numbers of
// 256 bits (tests/libm/ref), or in f64 with errors of a chosen size in each operation. With it one
//
//   - compiles a module: New;
//   - runs a function: Machine.Call, in a Mode;
//   - compares the decisions of two runs: Run.Decisions.
//
// Floats are f64. A decision is which of two numbers is the greater one, in a comparison or a maximum, and which sign a number
// has that loses it. Two runs with the same decisions took the same branches and the same arms of choices: between them
// the function is smooth.
//
// Derivative rules have constants that stand for irrational numbers, as log(2). Where an exact run meets one it takes the
// number.
package wide
