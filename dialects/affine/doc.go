// Package affine is MLIR's dialect of affine loops, conditionals and accesses: bounds,
// conditions and subscripts are affine expressions of dimensions and symbols. With it one
//
//   - makes expressions of values: Just, Number, Point.Plus, and BuildApply for their value;
//   - builds loops with such bounds: ForOf, ParallelOf;
//   - reads bounds, conditions and subscripts: Ranges, Conditions, Subscripts.
//
// A symbol is an index that is the same throughout a function: a constant, a value that needs
// nothing but the function's arguments, or what affine.apply makes of symbols. A dimension is a
// symbol, the index of an affine loop, or what affine.apply makes of dimensions. A text that
// breaks this is refused. A rewrite may break it all the same, such as inlining into a loop of
// scf: then what is not affine any more becomes the op of scf, memref or arith that it means.
//
// Maps and operands are kept in one form: affine.apply is composed into what uses it, constants
// are part of the map, a value is an operand once, and symbols are symbols. Numbers are
// integers without bound, as in MLIR: what does not fit in 64 bits is poison, and rewriting
// may compute in another order. A divisor that is not positive is undefined.
package affine

import "github.com/irc-lang/irc/ir"

// ContractionAttr marks an affine.for around two others whose body adds a product of two factors to an element:
// one factor depends on the first and the third index, the other on the second and the third, and the
// order in which sums are taken is free.
const ContractionAttr = "affine.contraction"

// Dialect is the affine dialect.
var Dialect = &ir.Dialect{
	Name: "affine", Clean: true,
	Doc: "Affine loops, conditionals and accesses.",
	Ops: []*ir.OpDef{Apply, DelinearizeIndex, DmaStart, DmaWait, For, If, Load, Max, Min, Parallel,
		Prefetch, Store, VectorLoad, VectorStore, Yield},
	Folds:  folds,
	Tables: tables,
}
