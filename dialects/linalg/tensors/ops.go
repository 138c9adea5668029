package tensors

import "github.com/irc-lang/irc/ir"

var sliceAttrs = []string{"operandSegmentSizes", "static_offsets", "static_sizes", "static_strides"}

// What makes tensors.
var (
	Empty = ir.Define(&ir.OpDef{Name: "tensor.empty", Doc: "A tensor of a shape, whose elements are poison.",
		Args: []string{"dynamicSizes..."}, Traits: ir.Partial, Infer: inferEmpty, Traps: hasSizes(0)})

	FromElements = ir.Define(&ir.OpDef{Name: "tensor.from_elements", Doc: "A tensor of these elements, in row-major order.",
		Args: []string{"elements..."}, Infer: inferFromElements})

	Splat = ir.Define(&ir.OpDef{Name: "tensor.splat", Doc: "A tensor whose elements are all one number.",
		Args: []string{"input", "dynamicSizes..."}, Traits: ir.Partial, Infer: inferSplat, Traps: hasSizes(1), Harmless: ir.First})

	Generate = ir.Define(&ir.OpDef{Name: "tensor.generate", Doc: "A tensor whose elements a region makes of their indices.",
		Args: []string{"dynamicExtents..."}, Traits: ir.Partial | ir.SingleRegion, Body: ir.Loop, Infer: inferGenerate, Traps: hasSizes(0)})

	Yield = ir.Define(&ir.OpDef{Name: "tensor.yield", Doc: "Ends a region with the element that it makes.",
		Args: []string{"value"}, Traits: ir.Terminator, Infer: func(*ir.Call) (ir.Type, error) { return ir.Void, nil }})
)

// Elements and parts.
var (
	Extract = ir.Define(&ir.OpDef{Name: "tensor.extract", Doc: "An element.",
		Args: []string{"tensor", "indices..."}, Traits: ir.Partial, Infer: inferExtract, Poisons: ir.Always})

	Insert = ir.Define(&ir.OpDef{Name: "tensor.insert", Doc: "A tensor with another element at one place.",
		Args: []string{"scalar", "dest", "indices..."}, Traits: ir.Partial, Infer: inferInsert, Harmless: ir.First})

	ExtractSlice = ir.Define(&ir.OpDef{Name: "tensor.extract_slice", Doc: "A rectangular part; dimensions of one may be left out.",
		Args: []string{"source", "offsets...", "sizes...", "strides..."}, Attrs: sliceAttrs, Traits: ir.Partial, Infer: inferExtractSlice})

	InsertSlice = ir.Define(&ir.OpDef{Name: "tensor.insert_slice", Doc: "A tensor with another rectangular part.",
		Args: []string{"source", "dest", "offsets...", "sizes...", "strides..."}, Attrs: sliceAttrs, Traits: ir.Partial, Infer: inferInsertSlice})

	Pad = ir.Define(&ir.OpDef{Name: "tensor.pad", Doc: "A tensor with more at the ends of its dimensions, which a region makes of the indices.",
		Args: []string{"source", "low...", "high..."}, Attrs: []string{"nofold", "operandSegmentSizes", "static_high", "static_low"},
		Traits: ir.Partial | ir.SingleRegion, Body: ir.Loop, Infer: inferPad})

	Concat = ir.Define(&ir.OpDef{Name: "tensor.concat", Doc: "Tensors one after the other along a dimension.",
		Args: []string{"inputs..."}, Attrs: []string{"dim"}, Traits: ir.Partial, Infer: inferConcat})
)

// Shapes.
var (
	Cast = ir.Define(&ir.OpDef{Name: "tensor.cast", Doc: "The same tensor under a type that knows more or less of its shape.",
		Args: []string{"source"}, Traits: ir.Partial, Infer: inferCast})

	Dim = ir.Define(&ir.OpDef{Name: "tensor.dim", Doc: "The extent of a dimension.",
		Args: []string{"source", "index"}, Traits: ir.Partial, Infer: inferDim})

	Rank = ir.Define(&ir.OpDef{Name: "tensor.rank", Doc: "The number of dimensions.",
		Args: []string{"tensor"}, Infer: inferRank})

	ExpandShape = ir.Define(&ir.OpDef{Name: "tensor.expand_shape", Doc: "Splits dimensions.",
		Args: []string{"src", "output_shape..."}, Attrs: []string{"reassociation", "static_output_shape"}, Traits: ir.Partial, Infer: inferExpandShape})

	CollapseShape = ir.Define(&ir.OpDef{Name: "tensor.collapse_shape", Doc: "Joins neighbouring dimensions.",
		Args: []string{"src"}, Attrs: []string{"reassociation"}, Infer: inferCollapseShape})

	Reshape = ir.Define(&ir.OpDef{Name: "tensor.reshape", Doc: "The elements under the shape that another tensor holds.",
		Args: []string{"source", "shape"}, Traits: ir.Partial, Infer: inferReshape})
)

// hasSizes: an extent that is an operand may be negative; the operands before are no extents.
func hasSizes(before int) func(*ir.Call) bool {
	return func(c *ir.Call) bool { return len(c.Args) > before }
}
