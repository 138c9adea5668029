package nvgpu

import (
	"slices"

	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/ir"
)

// A shape is one of a product, and of the fragments of its matrices.
type shape struct {
	m, n, k int64
	elems   []ir.Type // of a and b
	a, b    []int64
}

var (
	half = shape{16, 8, 16, []ir.Type{ir.F16, ir.BF16}, []int64{4, 2}, []int64{2, 2}}
	tf32 = shape{16, 8, 8, []ir.Type{ir.F32}, []int64{4, 1}, []int64{2, 1}}
	sums = []int64{2, 2} // the fragment of C
)

// shapeOf is the shape of a product.
func shapeOf(c *ir.Context, attr ir.Attr) (shape, bool) {
	list := c.AttrInfo(c.Get(attr, "mmaShape")).List
	var got []int64
	for _, a := range list {
		got = append(got, c.AttrInfo(a).Int)
	}
	for _, s := range []shape{half, tf32} {
		if slices.Equal(got, []int64{s.m, s.n, s.k}) {
			return s, true
		}
	}
	return shape{}, false
}

func isFragment(c *ir.Context, t ir.Type, shape []int64) bool {
	info := c.Info(t)
	return info.Kind == ir.KindVector && info.Scalable == nil && slices.Equal(info.Shape, shape)
}

func inferMma(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	if len(c.Args) != 3 {
		return 0, c.Errorf("expects 3 operands, has %d", len(c.Args))
	}
	if a := c.Get("mmaShape"); a == 0 || ctx.AttrInfo(a).Kind != ir.AttrArray {
		return 0, c.Errorf("requires attribute 'mmaShape', a list of three numbers")
	}
	s, ok := shapeOf(ctx, c.Attr)
	if !ok {
		return 0, c.Errorf("has a shape that there is no instruction for here: mmaShape = [16, 8, 16] of f16 and bf16, [16, 8, 8] of f32 as tf32")
	}
	a, b, d := c.ArgType(0), c.ArgType(1), c.ArgType(2)
	elem := ctx.ElemOrSelf(a)
	switch {
	case !isFragment(ctx, a, s.a) || !isFragment(ctx, b, s.b) || ctx.ElemOrSelf(b) != elem || !slices.Contains(s.elems, elem):
		return 0, c.Errorf("wants the fragments of A and B to be vector<%dx%d> and vector<%dx%d> of one element type for this shape", s.a[0], s.a[1], s.b[0], s.b[1])
	case !isFragment(ctx, d, sums) || ctx.ElemOrSelf(d) != ir.F32:
		return 0, c.Errorf("wants the fragment of C to be vector<2x2xf32>")
	case elem == ir.F32 && c.Get("tf32Enabled") == 0:
		return 0, c.Errorf("multiplies f32 as tf32, with 10 bits behind the point: say so with the attribute tf32Enabled")
	}
	return d, nil
}

func inferLdmatrix(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	if len(c.Args) == 0 || ctx.Info(c.ArgType(0)).Kind != ir.KindMemRef {
		return 0, c.Errorf("wants memory to load from")
	}
	info := ctx.Info(c.ArgType(0))
	if space, ok := device.Space(ctx, c.ArgType(0)); !ok || space != device.SharedSpace || info.Layout != 0 {
		return 0, c.Errorf("wants shared memory of the identity layout: memref<32x40xf16, 3>")
	}
	if len(c.Args) != 1+len(info.Shape) {
		return 0, c.Errorf("incorrect number of indices: %d for a memref of rank %d", len(c.Args)-1, len(info.Shape))
	}
	n := int64(0)
	if a := c.Get("numTiles"); a != 0 {
		n = ctx.AttrInfo(a).Int
	}
	if n != 1 && n != 2 && n != 4 {
		return 0, c.Errorf("attribute 'numTiles' must be 1, 2 or 4")
	}
	if c.Get("transpose") == 0 {
		return 0, c.Errorf("requires attribute 'transpose'")
	}
	words := int64(2) // elements of 32 bits
	if info.Elem == ir.F32 {
		words = 1
	}
	if info.Elem != ir.F16 && info.Elem != ir.BF16 && info.Elem != ir.F32 || c.Type == ir.NoType || !isFragment(ctx, c.Type, []int64{n, words}) || ctx.ElemOrSelf(c.Type) != info.Elem {
		return 0, c.Errorf("loads f16 or bf16, and gives vector<%[1]dx2> of them, or f32, and gives vector<%[1]dx1>", n)
	}
	if info.Elem == ir.F32 && ctx.AttrInfo(c.Get("transpose")).Int != 0 {
		return 0, c.Errorf("transposes elements of 16 bits, not f32")
	}
	return c.Type, nil
}

func inferAsyncCopy(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	seg, err := c.Segments(5)
	if err != nil {
		return 0, err
	}
	if len(seg[0]) != 1 || len(seg[2]) != 1 || len(seg[4]) > 1 {
		return 0, c.Errorf("wants one memory to copy to and one to copy from")
	}
	to, from := c.Graph().Type(seg[0][0]), c.Graph().Type(seg[2][0])
	dst, src := ctx.Info(to), ctx.Info(from)
	switch {
	case dst.Kind != ir.KindMemRef || src.Kind != ir.KindMemRef || dst.Elem != src.Elem:
		return 0, c.Errorf("copies between memrefs of one element type")
	case len(seg[1]) != len(dst.Shape) || len(seg[3]) != len(src.Shape):
		return 0, c.Errorf("has %d and %d indices for memory of %d and %d dimensions", len(seg[1]), len(seg[3]), len(dst.Shape), len(src.Shape))
	case dst.Layout != 0 || src.Layout != 0:
		return 0, c.Errorf("copies memory of the identity layout")
	}
	if space, ok := device.Space(ctx, to); !ok || space != device.SharedSpace {
		return 0, c.Errorf("copies to shared memory, memory space %d", device.SharedSpace)
	}
	if space, ok := device.Space(ctx, from); !ok || space == device.SharedSpace {
		return 0, c.Errorf("copies from global memory")
	}
	n := int64(0)
	if a := c.Get("dstElements"); a != 0 {
		n = ctx.AttrInfo(a).Int
	}
	if bytes := n * int64(ctx.ElemSize(dst.Elem)); bytes != 4 && bytes != 8 && bytes != 16 {
		return 0, c.Errorf("copies 4, 8 or 16 bytes, not %d", bytes)
	}
	return Token(ctx), nil
}

func inferGroup(c *ir.Call) (ir.Type, error) {
	for i := range c.Args {
		if c.ArgType(i) != Token(c.Ctx()) {
			return 0, c.Errorf("groups copies")
		}
	}
	return Token(c.Ctx()), nil
}

func inferWait(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 || c.ArgType(0) != Token(c.Ctx()) {
		return 0, c.Errorf("waits for one group")
	}
	return ir.Void, nil
}
