package vector

import (
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// Ops that move lanes. Those that do nothing else have an Eval by their mover.
var (
	Broadcast = ir.Define(&ir.OpDef{
		Name: "vector.broadcast", Doc: "Repeats a scalar, or a vector in leading dimensions and where its extent is 1.",
		Args: []string{"source"}, Infer: inferBroadcast, Eval: evalMove(broadcastLanes)})

	Splat = ir.Define(&ir.OpDef{
		Name: "vector.splat", Doc: "A vector whose every lane is the operand.",
		Args: []string{"input"}, Infer: inferSplat, Eval: evalMove(broadcastLanes)})

	ShapeCast = ir.Define(&ir.OpDef{
		Name: "vector.shape_cast", Doc: "The same lanes, in row-major order, in another shape.",
		Args: []string{"source"}, Infer: inferShapeCast, Eval: evalMove(sameLanes)})

	Shuffle = ir.Define(&ir.OpDef{
		Name: "vector.shuffle", Doc: "Rows of two vectors, in the order that the mask says: those of the second come after those of the first.",
		Args: []string{"v1", "v2"}, Attrs: []string{"mask"}, Infer: inferShuffle, Eval: evalMove(shuffleLanes)})

	Transpose = ir.Define(&ir.OpDef{
		Name: "vector.transpose", Doc: "The vector with its dimensions permuted.",
		Args: []string{"vector"}, Attrs: []string{"permutation"}, Infer: inferTranspose, Eval: evalMove(transposeLanes)})

	Extract = ir.Define(&ir.OpDef{
		Name: "vector.extract", Doc: "The element or the vector at a position in leading dimensions.",
		Args: []string{"vector", "dynamic_position..."}, Attrs: []string{"static_position"}, Infer: inferExtract, Eval: evalExtract})

	Insert = ir.Define(&ir.OpDef{
		Name: "vector.insert", Doc: "A vector with another element, or another vector, at a position in leading dimensions.",
		Args: []string{"source", "dest", "dynamic_position..."}, Attrs: []string{"static_position"}, Infer: inferInsert, Eval: evalInsert})

	ExtractElement = ir.Define(&ir.OpDef{
		Name: "vector.extractelement", Doc: "The element at a position of a vector of one dimension, or of none.",
		Args: []string{"vector", "position?"}, Infer: inferExtractElement, Eval: evalExtractElement})

	InsertElement = ir.Define(&ir.OpDef{
		Name: "vector.insertelement", Doc: "A vector of one dimension, or of none, with another element at a position.",
		Args: []string{"source", "dest", "position?"}, Infer: inferInsertElement, Eval: evalInsertElement})

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
		Args: []string{"vector", "acc?"}, Attrs: []string{"fastmath", "kind"}, Infer: inferReduction, Eval: evalReduction})
)

// Accesses to memory.
var (
	Load = ir.Define(&ir.OpDef{
		Name: "vector.load", Doc: "Reads a rectangular part of memory that begins at an element; its last dimension is the last one of memory.",
		Args: []string{"base", "indices..."}, Attrs: []string{"nontemporal"},
		Traits: ir.NoCapture | ir.Partial, Infer: inferLoad, Effects: reads(0),
		Traps: func(c *ir.Call) bool { return accessTraps(c, 0, c.Type) }})

	Store = ir.Define(&ir.OpDef{
		Name: "vector.store", Doc: "Writes a vector to a rectangular part of memory that begins at an element.",
		Args: []string{"valueToStore", "base", "indices..."}, Attrs: []string{"nontemporal"},
		Traits: ir.NoCapture | ir.Partial, Infer: inferStore, Effects: writes(1), Overwrites: overwrites,
		Traps: func(c *ir.Call) bool { return accessTraps(c, 1, c.ArgType(0)) }})
)
