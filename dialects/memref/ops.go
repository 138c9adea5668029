package memref

import "github.com/irc-lang/irc/ir"

var offsetSizesStrides = []string{"operandSegmentSizes", "static_offsets", "static_sizes", "static_strides"}

const view = ir.View | ir.NoCapture

// Allocations and their end.
var (
	Alloc = ir.Define(&ir.OpDef{
		Name: "memref.alloc", Doc: "Allocates memory that lives until memref.dealloc.",
		Args: []string{"dynamicSizes...", "symbolOperands..."}, Attrs: []string{"alignment", "operandSegmentSizes"},
		Traits: ir.Unique | ir.Partial | ir.EachPart, Infer: inferAlloc, Traps: sizeTraps})

	Alloca = ir.Define(&ir.OpDef{
		Name: "memref.alloca", Doc: "Allocates memory that lives until the function, loop or scope around it ends.",
		Args: []string{"dynamicSizes...", "symbolOperands..."}, Attrs: []string{"alignment", "operandSegmentSizes"},
		Traits: ir.Unique | ir.Partial | ir.EachPart, Infer: inferAlloc, Traps: sizeTraps})

	Realloc = ir.Define(&ir.OpDef{
		Name: "memref.realloc", Doc: "Moves what one-dimensional memory holds to memory of another size, and frees it.",
		Args: []string{"source", "dynamicResultSize?"}, Attrs: []string{"alignment"},
		Traits: ir.Unique | ir.Partial | ir.NoCapture | ir.EachPart, Infer: inferRealloc, Effects: freesArg})

	Dealloc = ir.Define(&ir.OpDef{
		Name: "memref.dealloc", Doc: "Frees what memref.alloc allocated.",
		Args: []string{"memref"}, Traits: ir.NoCapture | ir.Partial | ir.EachPart, Infer: inferDealloc, Effects: freesArg, Overwrites: deallocOverwrites})

	AllocaScope = ir.Define(&ir.OpDef{
		Name: "memref.alloca_scope", Doc: "Runs its region once and frees what memref.alloca allocated in it.",
		Traits: ir.Carries, Infer: inferAllocaScope})

	AllocaScopeReturn = ir.Define(&ir.OpDef{
		Name: "memref.alloca_scope.return", Doc: "Ends the region of memref.alloca_scope.",
		Args: []string{"results..."}, Traits: ir.Terminator | ir.Carries, Infer: void})

	Global = ir.Define(&ir.OpDef{
		Name: "memref.global", Doc: "Memory of a module, under a name.",
		Attrs:  []string{"alignment", "constant", "initial_value", "sym_name", "sym_visibility", "type"},
		Traits: ir.Symbol, Infer: inferGlobal})

	GetGlobal = ir.Define(&ir.OpDef{
		Name: "memref.get_global", Doc: "The memory of a global.",
		Attrs: []string{"name"}, Infer: inferGetGlobal, Refers: globalName})
)

// Accesses.
var (
	Load = ir.Define(&ir.OpDef{
		Name: "memref.load", Traps: func(c *ir.Call) bool { return accessTraps(c, 0) }, Doc: "Reads an element.",
		Args: []string{"memref", "indices..."}, Attrs: []string{"nontemporal"},
		Traits: ir.NoCapture | ir.Partial | ir.EachPart, Infer: inferLoad, Effects: ReadsArg(0), Poisons: ir.Always})

	Store = ir.Define(&ir.OpDef{
		Name: "memref.store", Traps: func(c *ir.Call) bool { return accessTraps(c, 1) }, Doc: "Writes an element.",
		Args: []string{"value", "memref", "indices..."}, Attrs: []string{"nontemporal"},
		Traits: ir.NoCapture | ir.Partial | ir.EachPart, Infer: inferStore, Effects: WritesArg(1), Overwrites: storeOverwrites, Harmless: ir.First})

	Copy = ir.Define(&ir.OpDef{
		Name: "memref.copy", Doc: "Copies all elements to memory of the same shape.",
		Args: []string{"source", "target"}, Traits: ir.NoCapture | ir.Partial | ir.EachPart, Infer: inferCopy, Effects: copyEffects})

	AtomicRMW = ir.Define(&ir.OpDef{
		Name: "memref.atomic_rmw", Doc: "Combines an element with a value, atomically, and returns what it was before.",
		Args: []string{"value", "memref", "indices..."}, Attrs: []string{"kind"},
		Traits: ir.NoCapture | ir.Partial, Infer: inferAtomicRMW, Effects: WritesArg(1), Poisons: ir.Always, Harmless: ir.First})

	GenericAtomicRMW = ir.Define(&ir.OpDef{
		Name: "memref.generic_atomic_rmw", Doc: "Replaces an element by what its region makes of it, atomically, and returns what it was before.",
		Args: []string{"memref", "indices..."}, Traits: ir.NoCapture | ir.Partial | ir.EffectFree, Infer: inferGenericAtomicRMW, Effects: WritesArg(0), Poisons: ir.Always})

	AtomicYield = ir.Define(&ir.OpDef{
		Name: "memref.atomic_yield", Doc: "Ends the region of memref.generic_atomic_rmw.",
		Args: []string{"result"}, Traits: ir.Terminator, Infer: inferAtomicYield})

	Prefetch = ir.Define(&ir.OpDef{
		Name: "memref.prefetch", Doc: "Says that an element will soon be accessed.",
		Args: []string{"memref", "indices..."}, Attrs: []string{"isDataCache", "isWrite", "localityHint"},
		Traits: ir.NoCapture | ir.EachPart, Infer: inferPrefetch, Effects: Hint})

	AssumeAlignment = ir.Define(&ir.OpDef{
		Name: "memref.assume_alignment", Doc: "Says that memory is aligned.",
		Args: []string{"memref"}, Attrs: []string{"alignment"}, Traits: ir.NoCapture, Infer: inferAssumeAlignment, Effects: Hint})

	DmaStart = ir.Define(&ir.OpDef{
		Name: "memref.dma_start", Doc: "Starts a transfer between memories.",
		Args: []string{"operands..."}, Traits: ir.TextOnly, Infer: inferDmaStart, Effects: writesMemory})

	DmaWait = ir.Define(&ir.OpDef{
		Name: "memref.dma_wait", Doc: "Waits for a transfer to end.",
		Args: []string{"tagMemRef", "tagIndices...", "numElements"}, Traits: ir.TextOnly, Infer: inferDmaWait, Effects: writesMemory})
)

// Views and what is known of a memref.
var (
	Cast = ir.Define(&ir.OpDef{
		Name: "memref.cast", Doc: "The same memory under a type that knows more or less of its shape.",
		Args: []string{"source"}, Traits: view | ir.EachPart, Infer: inferCast})

	MemorySpaceCast = ir.Define(&ir.OpDef{
		Name: "memref.memory_space_cast", Doc: "The same memory seen from another memory space.",
		Args: []string{"source"}, Traits: view | ir.EachPart, Infer: inferMemorySpaceCast})

	ReinterpretCast = ir.Define(&ir.OpDef{
		Name: "memref.reinterpret_cast", Doc: "The memory of its operand with an offset, sizes and strides of its own, which do not lead out of it.",
		Args: []string{"source", "offsets...", "sizes...", "strides..."}, Attrs: offsetSizesStrides,
		Traits: view | ir.Partial | ir.EachPart, Infer: inferReinterpretCast, Traps: reinterpretTraps})

	Subview = ir.Define(&ir.OpDef{
		Name: "memref.subview", Doc: "A rectangular part of memory, which lies in it.",
		Args: []string{"source", "offsets...", "sizes...", "strides..."}, Attrs: offsetSizesStrides,
		Traits: view | ir.Partial | ir.EachPart, Infer: inferSubview, Traps: subviewTraps})

	View = ir.Define(&ir.OpDef{
		Name: "memref.view", Doc: "Bytes from a shift on, aligned to the elements, as contiguous memory of another element type; with bits beyond the width of an integer (of i1, i17) they are poison.",
		Args: []string{"source", "byte_shift", "sizes..."}, Traits: view | ir.Partial, Infer: inferView})

	ExpandShape = ir.Define(&ir.OpDef{
		Name: "memref.expand_shape", Doc: "Splits dimensions.",
		Args: []string{"src", "output_shape..."}, Attrs: []string{"reassociation", "static_output_shape"},
		Traits: view | ir.Partial | ir.EachPart, Infer: inferExpandShape, Traps: expandTraps})

	CollapseShape = ir.Define(&ir.OpDef{
		Name: "memref.collapse_shape", Doc: "Joins neighbouring contiguous dimensions.",
		Args: []string{"src"}, Attrs: []string{"reassociation"}, Traits: view | ir.EachPart, Infer: inferCollapseShape})

	Reshape = ir.Define(&ir.OpDef{
		Name: "memref.reshape", Doc: "Contiguous memory under the shape that another memref holds.",
		Args: []string{"source", "shape"}, Traits: view | ir.Partial | ir.EachPart, Infer: inferReshape, Effects: ReadsArg(1)})

	Transpose = ir.Define(&ir.OpDef{
		Name: "memref.transpose", Doc: "The same memory with its dimensions permuted.",
		Args: []string{"in"}, Attrs: []string{"permutation"}, Traits: view | ir.EachPart, Infer: inferTranspose})

	Dim = ir.Define(&ir.OpDef{
		Name: "memref.dim", Doc: "The extent of a dimension.",
		Args: []string{"source", "index"}, Traits: ir.NoCapture | ir.Partial | ir.EachPart, Infer: inferDim, Traps: dimTraps})

	Rank = ir.Define(&ir.OpDef{
		Name: "memref.rank", Doc: "The number of dimensions.",
		Args: []string{"memref"}, Traits: ir.NoCapture | ir.EachPart, Infer: inferRank})

	ExtractAlignedPointer = ir.Define(&ir.OpDef{
		Name: "memref.extract_aligned_pointer_as_index", Doc: "The address of the memory as a number, without the offset of a view: equal for values of one allocation, and different for two that are not freed.",
		Args: []string{"source"}, Traits: ir.NoCapture, Infer: inferExtractAlignedPointer})

	ExtractStridedMetadata = ir.Define(&ir.OpDef{
		Name: "memref.extract_strided_metadata", Doc: "The underlying buffer, the offset, the sizes and the strides.",
		Args: []string{"source"}, Infer: inferExtractStridedMetadata})
)
