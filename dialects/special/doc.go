// Package special is what MLIR's math dialect lacks: special functions, as
// log densities need them, and print. With it one
//
//   - builds a function's op: Builder.Op with Lgamma, Phi and so on;
//   - computes one in Go, as programs do: Value;
//   - lets programs print numbers: Print.
//
// Functions take floats, and work elementwise. Eval computes in float64 and rounds
// to the format of the op; for f64 the tests hold it to 1e-14 relative, and most
// functions to 2e-15. Arguments outside the domain give NaN.
//
// The lowerings (to level "math") leave lgamma and erfc, which a backend takes from the C library. The
// incomplete gamma and beta functions and their inverses have no lowering yet: they run in the interpreter
// only.
package special
