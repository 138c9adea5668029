package vector

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// Ops that move lanes. Those that do nothing else have an Eval by their mover.
var (
	Broadcast = ir.Define(&ir.OpDef{
		Name: "vector.broadcast", Doc: "Repeats a scalar, or a vector in leading dimensions and where its extent is 1.",
		Args: []string{"source"}, Infer: takes(1, 1, inferBroadcast), Eval: evalMove(broadcastLanes)})

	Splat = ir.Define(&ir.OpDef{
		Name: "vector.splat", Doc: "A vector whose every lane is the operand.",
		Args: []string{"input"}, Infer: takes(1, 1, inferSplat), Eval: evalMove(broadcastLanes)})

	FromElements = ir.Define(&ir.OpDef{
		Name: "vector.from_elements", Doc: "A vector of the operands, in row-major order.",
		Args: []string{"elements..."}, Infer: inferFromElements, Eval: evalMove(sameLanes)})

	ShapeCast = ir.Define(&ir.OpDef{
		Name: "vector.shape_cast", Doc: "The same lanes, in row-major order, in another shape.",
		Args: []string{"source"}, Infer: inferShapeCast, Eval: evalMove(sameLanes)})

	Shuffle = ir.Define(&ir.OpDef{
		Name: "vector.shuffle", Doc: "Rows of two vectors, in the order that the mask says: those of the second come after those of the first.",
		Args: []string{"v1", "v2"}, Attrs: []string{"mask"}, Infer: inferShuffle, Eval: evalMove(shuffleLanes), Poisons: isNowhere})

	Transpose = ir.Define(&ir.OpDef{
		Name: "vector.transpose", Doc: "The vector with its dimensions permuted.",
		Args: []string{"vector"}, Attrs: []string{"permutation"}, Infer: inferTranspose, Eval: evalMove(transposeLanes)})

	Extract = ir.Define(&ir.OpDef{
		Name: "vector.extract", Doc: "The element or the vector at a position in leading dimensions.",
		Args: []string{"vector", "dynamic_position..."}, Attrs: []string{"static_position"}, Infer: inferExtract, Eval: evalExtract, Poisons: isOutside(0, 1)})

	Insert = ir.Define(&ir.OpDef{
		Name: "vector.insert", Doc: "A vector with another element, or another vector, at a position in leading dimensions.",
		Args: []string{"source", "dest", "dynamic_position..."}, Attrs: []string{"static_position"}, Infer: inferInsert, Eval: evalInsert, Poisons: isOutside(1, 2)})

	ExtractStridedSlice = ir.Define(&ir.OpDef{
		Name: "vector.extract_strided_slice", Doc: "A rectangular part of a vector.",
		Args: []string{"vector"}, Attrs: []string{"offsets", "sizes", "strides"}, Infer: inferExtractStridedSlice, Eval: evalMove(sliceLanes)})

	InsertStridedSlice = ir.Define(&ir.OpDef{
		Name: "vector.insert_strided_slice", Doc: "A vector with another rectangular part.",
		Args: []string{"source", "dest"}, Attrs: []string{"offsets", "strides"}, Infer: inferInsertStridedSlice, Eval: evalMove(insertSliceLanes)})

	Interleave = ir.Define(&ir.OpDef{
		Name: "vector.interleave", Doc: "Lanes of two vectors in turns, in the last dimension.",
		Args: []string{"lhs", "rhs"}, Infer: inferInterleave, Eval: evalMove(interleaveLanes)})

	Deinterleave = ir.Define(&ir.OpDef{
		Name: "vector.deinterleave", Doc: "Every other lane in the last dimension, from the first on and from the second on.",
		Args: []string{"source"}, Infer: inferDeinterleave, Eval: evalMove(deinterleaveLanes)})

	FlatTranspose = ir.Define(&ir.OpDef{
		Name: "vector.flat_transpose", Doc: "A matrix, column by column in a vector of one dimension, with rows and columns exchanged.",
		Args: []string{"matrix"}, Attrs: []string{"columns", "rows"}, Infer: inferFlatTranspose, Eval: evalMove(flatTransposeLanes)})

	ExtractElement = ir.Define(&ir.OpDef{
		Name: "vector.extractelement", Doc: "The element at a position of a vector of one dimension, or of none.",
		Args: []string{"vector", "position?"}, Infer: inferExtractElement, Eval: evalExtractElement, Poisons: isOutside(0, 1)})

	InsertElement = ir.Define(&ir.OpDef{
		Name: "vector.insertelement", Doc: "A vector of one dimension, or of none, with another element at a position.",
		Args: []string{"source", "dest", "position?"}, Infer: inferInsertElement, Eval: evalInsertElement, Poisons: isOutside(1, 2)})

	Bitcast = ir.Define(&ir.OpDef{
		Name: "vector.bitcast", Doc: "The bits of each row as lanes of another type; the first lane has the lowest bits.",
		Args: []string{"source"}, Infer: inferBitcast, Eval: evalBitcast})
)

// Ops that compute.
var (
	FMA = ir.Define(&ir.OpDef{
		Name: "vector.fma", Doc: "The product of two vectors plus a third, rounded once.",
		Args: []string{"lhs", "rhs", "acc"}, Infer: inferFMA, Eval: math.Fma.Eval})

	Reduction = ir.Define(&ir.OpDef{
		Name: "vector.reduction", Doc: "Combines the lanes of a vector of one dimension, beginning with the accumulator, from the first to the last unless fastmath allows for another order.",
		Args: []string{"vector", "acc?"}, Attrs: []string{"fastmath", "kind"}, Infer: inferReduction, Eval: evalReduction, Poisons: elementwise.NotFinite})
)

// Sums and products over several dimensions.
var (
	MultiReduction = ir.Define(&ir.OpDef{
		Name: "vector.multi_reduction", Doc: "Combines the lanes of some dimensions, beginning with the accumulator, from the first to the last.",
		Args: []string{"source", "acc"}, Attrs: []string{"kind", "reduction_dims"}, Infer: inferMultiReduction, Eval: evalMultiReduction})

	Contract = ir.Define(&ir.OpDef{
		Name: "vector.contract", Doc: "Combines products of lanes of two vectors, which maps choose, beginning with the accumulator, from the first point of the reduced dimensions to the last; sums of floats round once in each step.",
		Args: []string{"lhs", "rhs", "acc"}, Attrs: []string{"indexing_maps", "iterator_types", "kind"}, Infer: takes(3, 3, inferContract), Eval: evalContract})

	OuterProduct = ir.Define(&ir.OpDef{
		Name: "vector.outerproduct", Doc: "All products of lanes of two vectors, or of a vector and a scalar, combined with an accumulator.",
		Args: []string{"lhs", "rhs", "acc?"}, Attrs: []string{"kind"}, Infer: inferOuterProduct, Eval: evalOuterProduct})

	Scan = ir.Define(&ir.OpDef{
		Name: "vector.scan", Doc: "What a reduction of one dimension gives after each of its steps, and in the end. An exclusive one begins with the initial value, an inclusive one with the first lanes.",
		Args: []string{"source", "initial_value"}, Attrs: []string{"inclusive", "kind", "reduction_dim"}, Infer: inferScan, Eval: evalScan})
)

// Masks and indices.
var (
	ConstantMask = ir.Define(&ir.OpDef{
		Name: "vector.constant_mask", Doc: "A mask that is set in a box which begins at the first lane.",
		Attrs: []string{"mask_dim_sizes"}, Infer: inferConstantMask, Eval: evalConstantMask})

	CreateMask = ir.Define(&ir.OpDef{
		Name: "vector.create_mask", Doc: "A mask that is set in a box which begins at the first lane; a size below 0 is 0, and one above the extent the extent.",
		Args: []string{"operands..."}, Infer: inferCreateMask, Eval: evalCreateMask})

	Step = ir.Define(&ir.OpDef{
		Name: "vector.step", Doc: "The numbers of the lanes: 0, 1, 2 and so on.",
		Infer: inferStep, Eval: evalStep})

	Mask = ir.Define(&ir.OpDef{
		Name: "vector.mask", Doc: "Runs the op in its region on the lanes that the mask sets; of the others it gives the pass-through value.",
		Args: []string{"mask", "passthru?"}, Traits: ir.SingleRegion, Body: ir.Barrier, Infer: takes(1, 2, inferMask)})

	Yield = ir.Define(&ir.OpDef{
		Name: "vector.yield", Doc: "Ends the region of vector.mask.",
		Args: []string{"operands..."}, Traits: ir.Terminator, Infer: func(*ir.Call) (ir.Type, error) { return ir.Void, nil }})
)

// Accesses to memory.
var (
	MaskedLoad    = masked("vector.maskedload", "Reads the lanes that the mask sets, as vector.load does; the others are those of the pass-through value.", maskForm{})
	MaskedStore   = masked("vector.maskedstore", "Writes the lanes that the mask sets, as vector.store does.", maskForm{write: true})
	ExpandLoad    = masked("vector.expandload", "Reads elements one behind the other into the lanes that the mask sets; the others are those of the pass-through value.", maskForm{packed: true})
	CompressStore = masked("vector.compressstore", "Writes the lanes that the mask sets one behind the other.", maskForm{packed: true, write: true})

	Gather = masked("vector.gather", "Reads, for each lane that the mask sets, the element whose last index has the lane's of the index vector added; the others are those of the pass-through value.", maskForm{indexed: true})

	Scatter = masked("vector.scatter", "Writes, from the first lane to the last, those that the mask sets to the elements whose last index has the lane's of the index vector added.", maskForm{indexed: true, write: true})

	TransferRead = ir.Define(&ir.OpDef{
		Name: "vector.transfer_read", Doc: "Reads a rectangular part of memory whose dimensions a map permutes, drops and repeats; what lies out of bounds, or the mask leaves out, is the padding.",
		Args: []string{"source", "indices...", "padding", "mask?"}, Attrs: []string{"in_bounds", "operandSegmentSizes", "permutation_map"},
		Traits: ir.NoCapture | ir.Partial, Infer: inferTransferRead, Effects: reads(0), Poisons: ir.Always, Harmless: isPadding})

	TransferWrite = ir.Define(&ir.OpDef{
		Name: "vector.transfer_write", Doc: "Writes a rectangular part of memory whose dimensions a map permutes and drops, but what lies out of bounds, or the mask leaves out.",
		Args: []string{"vector", "source", "indices...", "mask?"}, Attrs: []string{"in_bounds", "operandSegmentSizes", "permutation_map"},
		Traits: ir.NoCapture | ir.Partial, Infer: inferTransferWrite, Effects: writes(1), Harmless: ir.First})

	Load = ir.Define(&ir.OpDef{
		Name: "vector.load", Doc: "Reads a rectangular part of memory that begins at an element; its last dimension is the last one of memory.",
		Args: []string{"base", "indices..."}, Attrs: []string{"nontemporal"},
		Traits: ir.NoCapture | ir.Partial, Infer: takes(1, -1, inferLoad), Effects: reads(0), Poisons: ir.Always,
		Traps: func(c *ir.Call) bool { return accessTraps(c, 0, c.Type) }})

	Store = ir.Define(&ir.OpDef{
		Name: "vector.store", Doc: "Writes a vector to a rectangular part of memory that begins at an element.",
		Args: []string{"valueToStore", "base", "indices..."}, Attrs: []string{"nontemporal"},
		Traits: ir.NoCapture | ir.Partial, Infer: takes(2, -1, inferStore), Effects: writes(1), Overwrites: overwrites, Harmless: ir.First,
		Traps: func(c *ir.Call) bool { return accessTraps(c, 1, c.ArgType(0)) }})
)

// A maskForm says what an access with a mask does: it writes, goes by a vector of indices, or to
// elements one behind the other for the lanes that are set.
type maskForm struct{ write, indexed, packed bool }

// masked defines an access of lanes with a mask.
func masked(name, doc string, f maskForm) *ir.OpDef {
	d := &ir.OpDef{Name: name, Doc: doc, Args: []string{"base", "indices...", "mask", "pass_thru"},
		Traits: ir.NoCapture | ir.Partial, Infer: inferMasked(f), Effects: reads(0), Poisons: ir.Always,
		Harmless: func(c *ir.Call, i int) bool { return i == len(c.Args)-1 }}
	if f.indexed {
		d.Args = []string{"base", "indices...", "index_vec", "mask", "pass_thru"}
	}
	if f.write {
		d.Effects, d.Args[len(d.Args)-1] = writes(0), "valueToStore"
	}
	return ir.Define(d)
}
