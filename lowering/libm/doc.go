// Package libm lowers elementary and special functions to arithmetic: for targets
// without a mathematical library (PTX), and for loops that are to be vectorised.
//
//	g, err := libm.Lower(g, libm.Options{})     // all of Table, in child graphs too
//	rules := libm.Rules(libm.Options{Only: []string{"exp", "log"}}) // for a phase of your own
//
// or the pass lower-math. Rules rewrite ops on f32 and f64, and vectors and tensors
// of them, elementwise; f16 and bf16 are computed as f32. What comes out are ops of
// arith (select, bitcast, integers of the width of the float; for f32 angles beyond
// 1000, i64) and of math what hardware has exactly: fma, sqrt, absf, floor, copysign.
// The backend must not contract or reassociate what carries no licence. There are no
// branches, but that the reduction of large angles on a scalar is an scf.if. f32
// computes in f32 throughout: where it needs more it takes two of them (dd.go), as
// f64 runs at 1/2 to 1/64 of the rate on GPUs.
//
// Subnormal numbers count: a target must not flush them.
//
// Table says what error each function keeps; docs/libm.md is made of it. Coefficients
// are derived by tests/libm/fit (go run ./tests/libm/fit -write lowering/libm/coefs.go)
// from the references in tests/libm/ref, to which the tests hold the results.
package libm
