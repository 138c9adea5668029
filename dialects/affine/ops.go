package affine

import (
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

var mapAttr = []string{"map"}

// Index arithmetic.
var (
	Apply = ir.Define(&ir.OpDef{
		Name: "affine.apply", Doc: "The result of an affine map.",
		Args: []string{"mapOperands..."}, Attrs: mapAttr, Traits: ir.Partial,
		Infer: inferApply, Eval: evalApply, Traps: divides, Poisons: overflows})

	Min = ir.Define(&ir.OpDef{
		Name: "affine.min", Doc: "The least of the results of an affine map.",
		Args: []string{"operands..."}, Attrs: mapAttr, Traits: ir.Partial,
		Infer: inferExtreme, Eval: evalMin, Traps: divides, Poisons: overflows})

	Max = ir.Define(&ir.OpDef{
		Name: "affine.max", Doc: "The greatest of the results of an affine map.",
		Args: []string{"operands..."}, Attrs: mapAttr, Traits: ir.Partial,
		Infer: inferExtreme, Eval: evalMax, Traps: divides, Poisons: overflows})

	DelinearizeIndex = ir.Define(&ir.OpDef{
		Name: "affine.delinearize_index", Doc: "The indices in a box, row-major, of a number: the first is not bounded.",
		Args: []string{"linear_index", "basis..."}, Traits: ir.Partial, Infer: inferDelinearize, Eval: evalDelinearize, Traps: basisTraps, Poisons: ir.Always})
)

// Loops and conditionals.
var (
	For = ir.Define(&ir.OpDef{
		Name: "affine.for", Doc: "Runs its region from the greatest of its lower bounds up to the least of its upper bounds, by a constant step; values are carried from one iteration to the next.",
		Args:   []string{"lowerBoundOperands...", "upperBoundOperands...", "inits..."},
		Attrs:  []string{"lowerBoundMap", "operandSegmentSizes", "step", "upperBoundMap"},
		Traits: ir.Partial | ir.SingleRegion | ir.Carries, Body: ir.Loop,
		Infer: inferFor, Enter: enterFor, Traps: boundsTrap, Harmless: isInit})

	If = ir.Define(&ir.OpDef{
		Name: "affine.if", Doc: "Runs its first region at the points of a set, else the second, if there is one.",
		Args: []string{"operands..."}, Body: ir.Branch, Traits: ir.Partial | ir.Carries,
		Infer: inferIf, Refs: branches, Traps: conditionTraps})

	Parallel = ir.Define(&ir.OpDef{
		Name: "affine.parallel", Doc: "Runs its region for all points of a box, in any order, and reduces what the iterations give, from the identity on, in the order of scf.reduce.",
		Args:   []string{"mapOperands..."},
		Attrs:  []string{"lowerBoundsGroups", "lowerBoundsMap", "reductions", "steps", "upperBoundsGroups", "upperBoundsMap"},
		Traits: ir.Partial | ir.SingleRegion, Body: ir.Loop,
		Infer: inferParallel, Enter: enterParallel, Traps: boxTraps})

	Yield = ir.Define(&ir.OpDef{
		Name: "affine.yield", Doc: "Ends a region and gives the values of its op, or of the next iteration.",
		Args: []string{"operands..."}, Traits: ir.Terminator | ir.Carries, Infer: noResult})
)

// Accesses.
var (
	Load = ir.Define(&ir.OpDef{
		Name: "affine.load", Doc: "Reads an element, at the results of an affine map.",
		Args: []string{"memref", "indices..."}, Attrs: mapAttr,
		Traits: ir.NoCapture | ir.Partial | ir.EachPart, Infer: inferLoad, Effects: memref.ReadsArg(0), Traps: loadTraps, Poisons: ir.Always})

	Store = ir.Define(&ir.OpDef{
		Name: "affine.store", Doc: "Writes an element, at the results of an affine map.",
		Args: []string{"value", "memref", "indices..."}, Attrs: mapAttr,
		Traits: ir.NoCapture | ir.Partial | ir.EachPart, Infer: inferStore, Effects: memref.WritesArg(1), Overwrites: storeOverwrites, Traps: storeTraps, Harmless: ir.First})

	Prefetch = ir.Define(&ir.OpDef{
		Name: "affine.prefetch", Doc: "Says that an element will soon be accessed.",
		Args: []string{"memref", "indices..."}, Attrs: []string{"isDataCache", "isWrite", "localityHint", "map"},
		Traits: ir.NoCapture | ir.EachPart, Infer: inferPrefetch, Effects: memref.Hint})

	VectorLoad = ir.Define(&ir.OpDef{
		Name: "affine.vector_load", Doc: "Reads a vector of elements.",
		Args: []string{"memref", "indices..."}, Attrs: mapAttr,
		Traits: ir.NoCapture | ir.Partial, Infer: inferVectorLoad, Effects: memref.ReadsArg(0), Poisons: ir.Always})

	VectorStore = ir.Define(&ir.OpDef{
		Name: "affine.vector_store", Doc: "Writes a vector of elements.",
		Args: []string{"value", "memref", "indices..."}, Attrs: mapAttr,
		Traits: ir.NoCapture | ir.Partial, Infer: inferVectorStore, Effects: memref.WritesArg(1), Harmless: ir.First})

	DmaStart = ir.Define(&ir.OpDef{
		Name: "affine.dma_start", Doc: "Starts a transfer between memories.",
		Args: []string{"operands..."}, Traits: ir.TextOnly, Infer: inferDmaStart, Effects: writesMemory})

	DmaWait = ir.Define(&ir.OpDef{
		Name: "affine.dma_wait", Doc: "Waits for a transfer to end.",
		Args: []string{"operands..."}, Traits: ir.TextOnly, Infer: inferDmaWait, Effects: writesMemory})
)

func writesMemory(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.Memory}} }
