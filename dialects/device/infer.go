package device

import (
	"slices"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
)

func inferKernel(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	if a := c.Get("function_type"); a != 0 && ctx.AttrInfo(a).Kind == ir.AttrType && len(ctx.Info(ctx.AttrInfo(a).Type).Types) > ctx.Info(ctx.AttrInfo(a).Type).NumIn {
		return 0, c.Errorf("has results; a kernel writes to memory instead")
	}
	if _, err := funcs.InferFunction(c, Return); err != nil {
		return 0, err
	}
	g, t := c.Graphs[0], funcs.TypeOf(ctx, c.Attr)
	for i, in := range t.Types {
		if !passes(ctx, in) {
			return 0, c.Errorf("argument #%d is neither a number nor a ranked memref in global memory", i)
		}
	}
	if !g.HasBlock(ir.Root) {
		return 0, c.Errorf("has no body: a kernel is defined where it is named")
	}
	if term := g.Term(ir.Root); term != 0 && g.Def(term).Registered() && g.Def(term) != Return {
		return 0, c.Errorf("ends with '%s', expected '%s'", g.Def(term).Name, Return.Name)
	}
	return ir.Void, nil
}

// passes reports types that a launch hands to a kernel.
func passes(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	if info.Kind == ir.KindMemRef {
		space, ok := Space(c, t)
		return !info.Unranked && ok && space != SharedSpace
	}
	return c.IsInt(t) || c.IsFloat(t)
}

// Space returns the memory space of a memref type as a number, 0 for none.
func Space(c *ir.Context, t ir.Type) (int64, bool) {
	a := c.Info(t).Space
	if a == 0 {
		return 0, true
	}
	return c.AttrInfo(a).Int, c.AttrInfo(a).Kind == ir.AttrInt
}

func inferReturn(c *ir.Call) (ir.Type, error) {
	if c.Builder().Depth() != 0 {
		return 0, c.Errorf("expects parent op '%s'", "device.kernel")
	}
	return ir.Void, wantArgs(c, 0)
}

func wantArgs(c *ir.Call, n int) error {
	if len(c.Args) != n {
		return c.Errorf("expects %d operands, has %d", n, len(c.Args))
	}
	return nil
}

func inferBarrier(c *ir.Call) (ir.Type, error) { return ir.Void, wantArgs(c, 0) }

func inferID(c *ir.Call) (ir.Type, error) {
	if Dimension(c.Ctx(), c.Get("dimension")) < 0 {
		return 0, c.Errorf(`attribute 'dimension' must be "x", "y" or "z"`)
	}
	return ir.Index, wantArgs(c, 0)
}

func inferShuffle(c *ir.Call) (ir.Type, error) {
	if a := c.Get("mode"); a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrString || !slices.Contains(modes, c.Ctx().AttrInfo(a).Str) {
		return 0, c.Errorf("attribute 'mode' must be xor, up, down or idx")
	}
	if err := wantArgs(c, 2); err != nil {
		return 0, err
	}
	t := c.ArgType(0)
	if info := c.Ctx().Info(t); !c.Ctx().IsInt(t) && !c.Ctx().IsFloat(t) || info.Width != 32 && info.Width != 64 {
		return 0, c.Errorf("the value must be a number of 32 or 64 bits")
	}
	if c.ArgType(1) != ir.I32 {
		return 0, c.Errorf("the lane must be of type i32")
	}
	return t, nil
}

func inferLaunch(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	if a := c.Get("kernel"); a == 0 || ctx.AttrInfo(a).Kind != ir.AttrSymbol || len(ctx.AttrInfo(a).List) != 0 {
		return 0, c.Errorf("requires attribute 'kernel', the symbol of a kernel in the same module")
	}
	seg := ctx.Ints(c.Get("operandSegmentSizes"))
	if len(seg) != 3 || seg[0]+seg[1]+seg[2] != int64(len(c.Args)) {
		return 0, c.Errorf("'operandSegmentSizes' do not add up to its %d operands", len(c.Args))
	}
	for i, what := range []string{"grid", "block"} {
		if seg[i] < 1 || seg[i] > 3 {
			return 0, c.Errorf("the %s has %d extents, wants 1 to 3", what, seg[i])
		}
	}
	for i := range int(seg[0] + seg[1]) {
		if c.ArgType(i) != ir.Index {
			return 0, c.Errorf("extents of grid and block must be of type index")
		}
	}
	return ir.Void, nil
}

func inferShared(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	if c.Type == ir.NoType || ctx.Info(c.Type).Kind != ir.KindMemRef || ctx.Info(c.Type).Unranked {
		return 0, c.Errorf("result must be a ranked memref")
	}
	if space, ok := Space(ctx, c.Type); !ok || space != SharedSpace {
		return 0, c.Errorf("result must be in memory space %d: memref<64xf32, %d>", SharedSpace, SharedSpace)
	}
	info := ctx.Info(c.Type)
	for _, n := range info.Shape {
		if n == ir.Dynamic {
			return 0, c.Errorf("result must have a static shape: the size of shared memory is known before a launch")
		}
	}
	if info.Layout != 0 {
		return 0, c.Errorf("result must have the identity layout: take a view of it")
	}
	if !ctx.IsInt(info.Elem) && !ctx.IsFloat(info.Elem) && ctx.Info(info.Elem).Kind != ir.KindVector {
		return 0, c.Errorf("elements must be numbers or vectors")
	}
	if c.Builder().Depth() != 0 {
		return 0, c.Errorf("must stand at the top of a kernel, not in a loop or branch: all threads share it")
	}
	return c.Type, wantArgs(c, 0)
}

func inferCAS(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	if len(c.Args) < 3 || ctx.Info(c.ArgType(2)).Kind != ir.KindMemRef || ctx.Info(c.ArgType(2)).Unranked {
		return 0, c.Errorf("operand #2 must be a ranked memref")
	}
	info := ctx.Info(c.ArgType(2))
	if len(c.Args) != 3+len(info.Shape) {
		return 0, c.Errorf("incorrect number of indices: %d for a memref of rank %d", len(c.Args)-3, len(info.Shape))
	}
	for i := range info.Shape {
		if c.ArgType(3+i) != ir.Index {
			return 0, c.Errorf("indices must be of type index")
		}
	}
	if c.ArgType(0) != info.Elem || c.ArgType(1) != info.Elem {
		return 0, c.Errorf("the values must have the element type of the memref")
	}
	if !ctx.IsInt(info.Elem) && !ctx.IsFloat(info.Elem) || ctx.Info(info.Elem).Width > 64 {
		return 0, c.Errorf("elements must be numbers of up to 64 bits")
	}
	return info.Elem, nil
}
