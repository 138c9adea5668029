package device

import (
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
)

// The ops of the dialect.
var (
	Kernel = ir.Define(&ir.OpDef{Name: "device.kernel", Doc: "A function without results that device.launch runs for each thread of a grid.",
		Attrs:  []string{"sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"},
		Traits: ir.Symbol | ir.Isolated | ir.Carries, Infer: inferKernel,
		Begin: func(b *ir.Builder, attr ir.Attr) { funcs.Prepare(b, attr) }})

	Return = ir.Define(&ir.OpDef{Name: "device.return", Doc: "Ends a kernel.",
		Traits: ir.Terminator | ir.ReturnLike | ir.Carries, Infer: inferReturn})

	Launch = ir.Define(&ir.OpDef{Name: "device.launch",
		Doc: "Runs a kernel over a grid of blocks of threads and waits for its end. Grid and block have one to three extents: x, y, z; " +
			"those left out are 1, and nothing runs where one is 0.",
		Args: []string{"grid...", "block...", "operands..."}, Attrs: []string{"kernel", "operandSegmentSizes"},
		Traits: ir.Partial | ir.Carries | ir.NoCapture, Infer: inferLaunch, Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.World}} }})

	ThreadID = id("device.thread_id", "The number of the thread in its block.")
	BlockID  = id("device.block_id", "The number of the block in the grid.")
	BlockDim = id("device.block_dim", "The extent of the block in threads.")
	GridDim  = id("device.grid_dim", "The extent of the grid in blocks.")

	Barrier = ir.Define(&ir.OpDef{Name: "device.barrier", Doc: "Waits until all threads of the block are here; what they have written before is seen after.",
		Traits: ir.Partial, Infer: inferBarrier, Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.Memory}} }})

	Shared = ir.Define(&ir.OpDef{Name: "device.shared", Doc: "Memory that all threads of a block see, in memory space 3; it holds nothing at first.",
		Attrs: []string{"alignment"}, Traits: ir.Unique, Infer: inferShared})

	Shuffle = ir.Define(&ir.OpDef{Name: "device.shuffle",
		Doc: "The value that another thread of the warp has here: the one whose number in the warp is this one's xor, minus (up) or plus (down) the operand, or the operand itself (idx); " +
			"its own where there is none. All 32 threads of the warp run it together.",
		Args: []string{"value", "lane"}, Attrs: []string{"mode"}, Traits: ir.Partial, Infer: inferShuffle, Poisons: ir.Always, Harmless: ir.First,
		Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} }})

	AtomicCAS = ir.Define(&ir.OpDef{Name: "device.atomic_cas",
		Doc:  "Replaces an element if its bits are those expected, atomically, and returns what it was before.",
		Args: []string{"expected", "desired", "memref", "indices..."}, Traits: ir.NoCapture | ir.Partial, Infer: inferCAS, Poisons: ir.Always,
		Effects: func(c *ir.Call) []ir.Effect {
			return []ir.Effect{{Kind: ir.Write, On: c.Builder().ResourceOf(c.Args[2])}}
		}})
)

// id defines an op that tells a thread where it is.
func id(name, doc string) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: name, Doc: doc, Attrs: []string{"dimension"}, Infer: inferID})
}

// dimensions are the values of the property dimension.
var dimensions = []string{"x", "y", "z"}

// Dimension returns 0, 1 or 2 for x, y or z, or -1.
func Dimension(c *ir.Context, dimension ir.Attr) int {
	if dimension == 0 || c.AttrInfo(dimension).Kind != ir.AttrString {
		return -1
	}
	for i, d := range dimensions {
		if c.AttrInfo(dimension).Str == d {
			return i
		}
	}
	return -1
}

// IDProps returns the properties of an id of dimension i.
func IDProps(c *ir.Context, i int) ir.Attr {
	return c.Props([]ir.NamedAttr{{Name: "dimension", Value: c.StringAttr(dimensions[i])}}, nil)
}

// KernelOf returns the name of the kernel of a launch.
func KernelOf(c *ir.Context, op ir.Attr) string { return c.AttrInfo(c.Get(op, "kernel")).Str }

// LaunchProps returns the properties of a launch of grid, block and other operands.
func LaunchProps(c *ir.Context, kernel string, grid, block, args int) ir.Attr {
	return c.Props([]ir.NamedAttr{{Name: "kernel", Value: c.SymbolAttr(kernel)},
		{Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, int64(grid), int64(block), int64(args))}}, nil)
}
