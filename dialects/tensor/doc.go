// Package tensor is the dialect of tensors: ops on whole arrays of numbers, of any rank, whose
// extents are known or open (`?`). Its ops are called ten.*, as MLIR has a dialect of the name.
//
// A tensor is a value: nothing writes to it, so that folds, sharing and dead code see all that
// is computed. The type is MLIR's tensor<4x?xf32>, whose elements here are numbers of at most 64
// bits; arith and math work on tensors element by element, and arith.constant makes them.
//
// There are few ops, and what others have names for is said with them:
//
//	ten.einsum     sums of products over named indices: products of matrices, of batches, traces,
//	               diagonals, sums along dimensions, outer products (numpy.einsum, ONNX Einsum)
//	ten.map        a region of scalar ops, for each place of its operands, which are stretched as
//	               ONNX's multidirectional broadcasting has it
//	ten.reduce     the greatest or least, or the product, along dimensions
//
// Extents that must agree and are open are compared when the op runs; where they differ it traps. An
// extent that is to be stretched is written 1 in its type: one that is open is never stretched.
//
// Rounding: floats of a sum are added in any order, in at least f32, and rounded to the type of
// the result at the end; products may be fused with sums. A sum of n terms is therefore within n+1 units in
// the last place of the sum of the magnitudes of its terms. The unit is that of f32 or of the element's type,
// whichever is finer. Integers wrap around at the width of the result. Products are taken in any order, and
// factors out of sums: where one is infinite or not a number, the others may be multiplied by it or left out
// before.
//
// From level affine on (package lowering) a tensor is the memory that holds it, with the identity layout. It
// is new for each op unless it is a view or written in place.
package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// Level is the level at which tensors become memory and loops.
const Level = "affine"

// Dialect is the tensor dialect.
var Dialect = &ir.Dialect{
	Name: "ten", Clean: true,
	Doc: "Tensors: sums of products over named indices, maps with broadcasting, reductions, and what moves elements.",
	Ops: []*ir.OpDef{Argmax, Concat, Conv, Dim, Einsum, Extend, Extract, Fill, Gather, GatherElements, Gelu, Iota, LayerNorm, LogSumExp, Map, Pack, Pad, Pool,
		Reduce, Relu, Reshape, Scatter, ScatterElements, Slice, Softmax, Transpose, Unpack, Write, Yield},
	Folds:    slices.Concat(folds, einsumFolds, moveFolds),
	Cleanups: slices.Concat(controlCleanups, cleanups),
	Tables:   []any{syntax, table, typeLowering, takesPacked, elsewhere, derivatives, noDerivative, accesses, tapes},
}

var elsewhere lower.Elsewhere = func(op *ir.OpDef) string {
	switch op {
	case Relu, Gelu:
		return "a fold makes a ten.map of it"
	case Pack, Unpack:
		return "it is what joins and parts the memory of a tensor where types are lowered"
	}
	return ""
}
