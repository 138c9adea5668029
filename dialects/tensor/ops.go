package tensor

import (
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// The ops of the dialect.
var (
	Einsum = ir.Define(&ir.OpDef{Name: "ten.einsum", Doc: "The sums of products of elements over the indices that the spec does not keep: \"ij,jk->ik\" is the product of two matrices. An index that occurs twice in one operand takes its diagonal; `...` stands for the dimensions that have no name, stretched to one another. As ONNX Einsum; the elements of the result may be wider than those of the operands.",
		Args: []string{"operands..."}, Attrs: []string{"spec"}, Traits: ir.Partial, Infer: noRegions(inferEinsum), Traps: einsumTraps})

	Map = ir.Define(&ir.OpDef{Name: "ten.map", Doc: "What its region gives for the elements of its operands at each place. Dimensions are aligned at the last one, and those of extent 1 are stretched, as ONNX broadcasts.",
		Args: []string{"operands..."}, Traits: ir.Partial | ir.SingleRegion | ir.EffectFree, Body: ir.Loop, Infer: inferMap, Traps: mapTraps})
	Yield = ir.Define(&ir.OpDef{Name: "ten.yield", Doc: "Ends a region and gives the element.",
		Args: []string{"value"}, Traits: ir.Terminator, Infer: noRegions(func(*ir.Call) (ir.Type, error) { return ir.Void, nil })})

	Reduce = ir.Define(&ir.OpDef{Name: "ten.reduce", Doc: "The sum, product, least or greatest of the elements along dimensions, which the result does not have; of none the identity. The least and the greatest of numbers with a NaN are NaN. As ONNX ReduceSum, ReduceProd, ReduceMin and ReduceMax with keepdims=0.",
		Args: []string{"operand"}, Attrs: []string{"kind", "dims"}, Infer: takes(1, inferReduce)})

	Transpose = ir.Define(&ir.OpDef{Name: "ten.transpose", Doc: "The operand with its dimensions in another order: dimension i of the result is dimension perm[i] of the operand. As ONNX Transpose.",
		Args: []string{"operand"}, Attrs: []string{"perm"}, Infer: takes(1, inferTranspose)})
	Reshape = ir.Define(&ir.OpDef{Name: "ten.reshape", Doc: "The elements in row-major order, under other extents: those that the type of the result leaves open are operands. As ONNX Reshape without 0 and -1.",
		Args: []string{"operand", "extents..."}, Traits: ir.Partial, Infer: noRegions(inferReshape), Traps: reshapeTraps})

	Fill = ir.Define(&ir.OpDef{Name: "ten.fill", Doc: "A tensor of one number throughout; the extents that its type leaves open are operands. As ONNX ConstantOfShape.",
		Args: []string{"value", "extents..."}, Traits: ir.Partial, Infer: noRegions(inferFill), Traps: hasOpenExtents, Harmless: ir.First})
	Iota = ir.Define(&ir.OpDef{Name: "ten.iota", Doc: "At each place the index along one dimension, as a number; the extents that its type leaves open are operands.",
		Args: []string{"extents..."}, Attrs: []string{"dim"}, Traits: ir.Partial, Infer: noRegions(inferIota), Traps: hasOpenExtents})

	Dim = ir.Define(&ir.OpDef{Name: "ten.dim", Doc: "The extent of a dimension.",
		Args: []string{"operand"}, Attrs: []string{"dim"}, Infer: takes(1, inferDim), Eval: evalDim})
	Extract = ir.Define(&ir.OpDef{Name: "ten.extract", Doc: "An element.",
		Args: []string{"operand", "indices..."}, Traits: ir.Partial, Infer: noRegions(inferExtract), Eval: evalExtract, Poisons: ir.Always})

	Pack = ir.Define(&ir.OpDef{Name: "ten.pack", Doc: "The tensor that memory of the identity layout holds when the op runs. Where that memory, or a view of it, is written to later, or the function returns the tensor, the tensor has a copy, as it has with the attribute ten.copy. Without that it does not change under another name, as the memory of another argument, as long as the tensor is used.",
		Args: []string{"memory"}, Infer: noRegions(inferPack), Eval: evalPack, Effects: memref.ReadsArg(0)})
	Unpack = ir.Define(&ir.OpDef{Name: "ten.unpack", Doc: "The memory that holds a tensor.",
		Args: []string{"operand"}, Infer: takes(1, inferUnpack), Eval: evalUnpack})
)

// Write stores a tensor.
var Write = ir.Define(&ir.OpDef{Name: "ten.write", Doc: "Stores the elements of a tensor in memory of the same extents. A tensor that was packed from it, under the same name or a view, stays what it was.",
	Args: []string{"operand", "memory"}, Traits: ir.Partial | ir.NoCapture, Infer: noRegions(inferWrite), Effects: memref.WritesArg(1)})

// noRegions is the check of an op that has none.
func noRegions(f func(c *ir.Call) (ir.Type, error)) func(c *ir.Call) (ir.Type, error) {
	return func(c *ir.Call) (ir.Type, error) {
		if len(c.Regions) > 0 {
			return 0, c.Errorf("has no regions")
		}
		return f(c)
	}
}

// takes is the check of an op of n tensors.
func takes(n int, f func(c *ir.Call) (ir.Type, error)) func(c *ir.Call) (ir.Type, error) {
	return noRegions(func(c *ir.Call) (ir.Type, error) {
		if err := checkOperands(c, n, n); err != nil {
			return 0, err
		}
		return f(c)
	})
}

// hasOpenExtents: an extent that is an operand may be negative.
func hasOpenExtents(c *ir.Call) bool { return isOpen(c.Ctx().Info(c.Type).Shape) }
