// Package vector is MLIR's dialect of vectors of several dimensions: what moves their lanes,
// combines them, and brings them from memory and back. With it one
//
//   - makes vectors of numbers and of vectors: BuildBroadcast, BuildJoin, BuildShuffle;
//   - takes lanes out, puts them in and combines them: BuildLane, BuildWithLane, BuildReduction;
//   - makes code on numbers code on vectors: Lift.
//
// A vector is its lanes in row-major order, in a running program (ir.Vector) as in LLVM, where
// it is one long vector. So an op that only moves lanes is a list of numbers: for each lane of a
// result, which lane of the operands it is, all of them counted one behind the other. That list
// (see Moves) is the meaning of the op for the interpreter, for folds and for the backend.
//
// What always holds:
//
//   - Poison is a matter of a single lane: an op that moves lanes moves poison, and one that
//     computes gives poison in the lanes that depend on it. A position that is known only when
//     the program runs and lies outside of the vector reads poison, and a vector into which
//     something is inserted there is poison.
//   - Reductions of floats run from the accumulator through the lanes from the first to the last,
//     unless fastmath<reassoc> says that the order is free. Without an accumulator a sum begins
//     with 0.0 and a product with 1.0, as in MLIR's lowering to LLVM. vector.contract and
//     vector.outerproduct round once in each step of a sum of floats (vector.fma), and so does
//     vector.matrix_multiply.
//   - vector.load and vector.store are accesses to all their elements: one out of bounds traps.
//     A lane that a mask leaves out touches no memory, wherever its index points. A mask that
//     is poison traps in an access.
//   - vector.transfer_read gives its padding for what lies out of bounds, and
//     vector.transfer_write leaves it out, in the dimensions that it transfers and does not say
//     to be in bounds; in all others an index out of bounds traps.
//   - Vectors whose number of lanes is known only when the program runs (scalable ones) are read,
//     checked and printed, and not run.
//
// Lowering has one level, "vector": ops that are sums, products and accesses of others become
// these, and what is left is what a machine has instructions for (see lower.go).
package vector

import "github.com/irc-lang/irc/ir"

// AlignmentAttr is the discardable attribute of a load or a store of a vector whose first element lies at
// a multiple of so many bytes: it is a single access then, where the machine has one so wide. It is undefined what
// happens elsewhere.
const AlignmentAttr = "alignment"

// Dialect is the vector dialect.
var Dialect = &ir.Dialect{
	Name: "vector", Clean: true,
	Doc: "Vectors of several dimensions: moves and reductions of their lanes, and accesses to memory.",
	Ops: append([]*ir.OpDef{Bitcast, Broadcast, CompressStore, ConstantMask, Contract, CreateMask, Deinterleave, ExpandLoad, Extract,
		ExtractElement, ExtractStridedSlice, FlatTranspose, FMA, FromElements, Gather, Insert, InsertElement, InsertStridedSlice, Interleave,
		Load, Mask, MaskedLoad, MaskedStore, MatrixMultiply, MultiReduction, OuterProduct, Print, Reduction, ScalableExtract,
		ScalableInsert, Scan, Scatter, ShapeCast, Shuffle, Splat, Step, Store, TransferRead, TransferWrite, Transpose, TypeCast,
		VScale, Yield}, onlyOps...),
	Folds:  folds,
	Tables: tables,
}
