// Package ub is MLIR's dialect of undefined behaviour: the poison value, and ub.freeze. With it one
//
//   - makes poison: Of;
//   - freezes what may be poison, before something branches on it: Frozen, AllFrozen;
//   - says that an op of poison is poison: the fold Strict.
//
// Poison is what the interpreter calls so: a value that may be stored, passed and yielded, and that makes
// poison of what is computed with it. It is immediate undefined behaviour (a trap there) as condition, bound,
// index, divisor or address, and as an argument of a public function. Package ir says what follows for where
// ops stand.
//
// ub.freeze is LLVM's freeze: of poison it makes some number, and what a pass wants to
// branch on earlier than the program does it freezes first. MLIR 19 has no such op, and
// mlir-opt-19 refuses it: it is the one op here under a name of MLIR's that MLIR has not.
package ub
