package nvgpu

import (
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// ordered: it stays where it is among ops of the warp.
func ordered(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} }

// The ops of the dialect.
var (
	MmaSync = ir.Define(&ir.OpDef{Name: "nvgpu.mma.sync",
		Doc:  "The product of two matrices plus a third, each spread over the threads of a warp, all 32 of which run it together.",
		Args: []string{"matrixA", "matrixB", "matrixC"}, Attrs: []string{"mmaShape", "tf32Enabled"}, Traits: ir.Partial, Infer: inferMma, Effects: ordered})

	Ldmatrix = ir.Define(&ir.OpDef{Name: "nvgpu.ldmatrix",
		Doc: "Loads matrices of 8 x 8 elements of 16 bits from shared memory and spreads them over the threads of a warp: thread 8 m + r says where row r of matrix m begins, and has two " +
			"elements of each, of row lane / 4, or of column lane / 4 if they are transposed. Of f32, for products as tf32, a matrix is 8 x 4, and a thread has one element of each.",
		Args: []string{"srcMemref", "indices..."}, Attrs: []string{"numTiles", "transpose"}, Traits: ir.Partial | ir.NoCapture, Infer: inferLdmatrix,
		Effects: func(c *ir.Call) []ir.Effect { return append(memref.ReadsArg(0)(c), ordered(c)...) }})

	AsyncCopy = ir.Define(&ir.OpDef{Name: "nvgpu.device_async_copy",
		Doc:  "Begins to copy elements to shared memory, 4, 8 or 16 bytes of them; of the source the first srcElements, and zeros behind.",
		Args: []string{"dst", "dstIndices...", "src", "srcIndices...", "srcElements?"}, Attrs: []string{"dstElements", "bypassL1", "operandSegmentSizes"}, Traits: ir.Partial | ir.NoCapture, Infer: inferAsyncCopy,
		Effects: func(c *ir.Call) []ir.Effect {
			n := c.Ctx().Ints(c.Get("operandSegmentSizes"))
			return append(append(memref.ReadsArg(int(n[0]+n[1]))(c), memref.WritesArg(0)(c)...), ordered(c)...)
		}})

	AsyncGroup = ir.Define(&ir.OpDef{Name: "nvgpu.device_async_create_group", Doc: "Makes a group of the copies that the thread has begun and that are in none.",
		Args: []string{"inputTokens..."}, Infer: inferGroup, Effects: ordered})

	AsyncWait = ir.Define(&ir.OpDef{Name: "nvgpu.device_async_wait", Doc: "Waits for the thread's groups, but for the last numGroups.",
		Args: []string{"asyncDependencies"}, Attrs: []string{"numGroups"}, Infer: inferWait,
		Effects: func(c *ir.Call) []ir.Effect { return append(ordered(c), ir.Effect{Kind: ir.Write, On: ir.Memory}) }})
)

var accesses = ir.Interface[ir.AccessLike]{
	Ldmatrix: func(n ir.Node) ir.AccessLike {
		return ir.AccessLike{Accesses: []ir.Access{{Memory: n.Arg(0).Old(), Reads: true}}}
	},
	AsyncCopy: func(n ir.Node) ir.AccessLike {
		k := n.Graph().Ctx.Ints(n.Attr("operandSegmentSizes"))
		return ir.AccessLike{Accesses: []ir.Access{{Memory: n.Arg(int(k[0] + k[1])).Old(), Reads: true}, {Memory: n.Arg(0).Old(), Writes: true}}}
	},
}
