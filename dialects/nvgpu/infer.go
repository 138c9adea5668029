package nvgpu

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
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
)

// shapeOf is the shape of a product.
func shapeOf(c *ir.Context, attr ir.Attr) (shape, bool) {
	list := c.AttrInfo(c.Get(attr, "mmaShape")).List
	got := lists.Map(list, func(a ir.Attr) int64 { return c.AttrInfo(a).Int })
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
	if err := checkMma(c); err != nil {
		return 0, err
	}
	a, b, d := c.ArgType(0), c.ArgType(1), c.ArgType(2)
	elem := ctx.ElemOrSelf(a)
	switch s, ok := shapeOf(ctx, c.Attr); {
	case !ok || !slices.Contains(s.elems, elem) || !isFragment(ctx, a, s.a) || !isFragment(ctx, b, s.b) || ctx.ElemOrSelf(d) != ir.F32:
		c.NoMeaning("is no product of 16 x 8 x 16 of f16 or bf16, or 16 x 8 x 8 of f32 as tf32, that adds f32")
	case elem == ir.F32 && c.Get("tf32Enabled") == 0:
		c.NoMeaning("multiplies f32, and does not say by the attribute tf32Enabled that this is as tf32, with 10 bits behind the point")
	}
	return d, nil
}

// checkMma checks the fragments as MLIR does: a product is made of those of 8 x 8 and 128 bits (f64: 256) of each row, of which a
// thread has 32 bits of A and B, and two numbers of C.
func checkMma(c *ir.Call) error {
	ctx := c.Ctx()
	var mnk []int64
	if a := c.Get("mmaShape"); a != 0 && ctx.AttrInfo(a).Kind == ir.AttrArray {
		for _, e := range ctx.AttrInfo(a).List {
			mnk = append(mnk, ctx.AttrInfo(e).Int)
		}
	}
	if len(mnk) != 3 || slices.Min(mnk) <= 0 || slices.Max(mnk) > 1<<16 {
		return c.Errorf("requires attribute 'mmaShape', a list of three numbers")
	}
	elem := ctx.ElemOrSelf(c.ArgType(0))
	row, lanes := int64(4), int64(1)
	switch w := int64(ctx.Info(elem).Width); {
	case elem == ir.F64:
	case elem == ir.F32, elem == ir.F16, elem == ir.BF16, ctx.IsInt(elem) && (w == 8 || w == 4):
		row, lanes = 128/w, 32/w
	default:
		return c.Errorf("multiplies i4, i8, f16, bf16, f32 as tf32 and f64, not %s", elementwise.Quote(ctx, elem))
	}
	m, n, k := mnk[0]/8, mnk[1]/8, mnk[2]/row
	for i, want := range [][]int64{{m * k, lanes}, {k * n, lanes}, {m * n, 2}} {
		if t := c.ArgType(i); !isFragment(ctx, t, want) || i == 1 && ctx.ElemOrSelf(t) != elem {
			return c.Errorf("wants the fragment of %c to be vector<%dx%dx...> for mmaShape = %d, not %s", "ABC"[i], want[0], want[1], mnk, elementwise.Quote(ctx, t))
		}
	}
	if c.Get("tf32Enabled") != 0 && elem != ir.F32 {
		return c.Errorf("has the attribute tf32Enabled, which is for f32")
	}
	return nil
}

// shared reports shared memory; by another name than a number it takes the op its meaning.
func shared(c *ir.Call, t ir.Type) bool {
	space, ok := device.Space(c.Ctx(), t)
	if a := c.Ctx().Info(t).Space; !ok && c.Ctx().AttrInfo(a).Str == "gpu.address_space<workgroup>" {
		c.NoMeaning("has shared memory by the name #gpu.address_space<workgroup>; as memory space %d it runs", device.SharedSpace)
		return true
	}
	return ok && space == device.SharedSpace
}

func inferLdmatrix(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	if len(c.Args) == 0 || ctx.Info(c.ArgType(0)).Kind != ir.KindMemRef {
		return 0, c.Errorf("wants memory to load from")
	}
	info := ctx.Info(c.ArgType(0))
	if info.Layout != 0 {
		c.NoMeaning("loads from memory of a layout that is not the identity")
	}
	if !shared(c, c.ArgType(0)) {
		return 0, c.Errorf("wants shared memory: memref<32x40xf16, 3>")
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
	width := int64(ctx.Info(info.Elem).Width)
	transposes := ctx.AttrInfo(c.Get("transpose")).Int != 0
	switch {
	case width < 1 || width > 32 || 32%width != 0 || !ctx.IsFloat(info.Elem) && !ctx.IsInt(info.Elem):
		return 0, c.Errorf("loads elements of up to 32 bits, not %s", elementwise.Quote(ctx, info.Elem))
	case c.Type == ir.NoType || !isFragment(ctx, c.Type, []int64{n, 32 / width}) || ctx.ElemOrSelf(c.Type) != info.Elem:
		return 0, c.Errorf("loads %s, and gives vector<%dx%d> of them", elementwise.Quote(ctx, info.Elem), n, 32/width)
	case transposes && width != 16:
		return 0, c.Errorf("transposes elements of 16 bits, not %s", elementwise.Quote(ctx, info.Elem))
	case info.Elem != ir.F16 && info.Elem != ir.BF16 && info.Elem != ir.F32:
		c.NoMeaning("loads %s, and not f16, bf16 or f32", elementwise.Quote(ctx, info.Elem))
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
		c.NoMeaning("copies memory of a layout that is not the identity")
	}
	if !shared(c, to) {
		return 0, c.Errorf("copies to shared memory, memory space %d", device.SharedSpace)
	}
	if space, ok := device.Space(ctx, from); !ok || space == device.SharedSpace {
		c.NoMeaning("copies from memory that is not global")
	}
	n := int64(0)
	if a := c.Get("dstElements"); a != 0 {
		n = ctx.AttrInfo(a).Int
	}
	width := int64(ctx.Info(dst.Elem).Width)
	if bytes := n * width / 8; bytes != 4 && bytes != 8 && bytes != 16 {
		return 0, c.Errorf("copies 4, 8 or 16 bytes, not %d", bytes)
	}
	if width%8 != 0 {
		c.NoMeaning("copies elements of %d bits", width)
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
