package tensors

import (
	"slices"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lower"
)

var lowerings = lower.Table{{Level: tensor.Level, Rules: ir.Rules{
	Cast: lowerCast, CollapseShape: lowerCollapse, Concat: lowerConcat, Dim: lowerDim, Empty: lowerEmpty, ExpandShape: lowerExpand,
	Extract: lowerExtract, ExtractSlice: lowerExtractSlice, FromElements: lowerFromElements, Generate: lowerGenerate,
	Insert: lowerInsert, InsertSlice: lowerInsertSlice, Pad: lowerPad, Reshape: lowerReshape, Splat: lowerSplat}}}

func sizesOf(m *ir.Mirror, args []ir.Node) []ir.Value {
	sizes := m.All(args)
	for _, n := range sizes {
		natural(m.B, n)
	}
	return sizes
}

func lowerEmpty(m *ir.Mirror, n ir.Node) ir.Value {
	return FromMemory(m.B, New(m.B, n.Type(), sizesOf(m, n.Args())))
}

// filled stores what element makes at each place of new memory.
func filled(m *ir.Mirror, t ir.Type, sizes []ir.Value, element func(at []ir.Value) ir.Value) ir.Value {
	to := New(m.B, t, sizes)
	extents := extentsOf(m.B, to)
	Loops(m.B, extents, func(at []ir.Value) { Store(m.B, element(at), to, expr.Identity(len(at)), at) })
	return to
}

func lowerSplat(m *ir.Mirror, n ir.Node) ir.Value {
	x := m.Of(n.Arg(0))
	return FromMemory(m.B, filled(m, n.Type(), sizesOf(m, n.Args()[1:]), func([]ir.Value) ir.Value { return x }))
}

func lowerGenerate(m *ir.Mirror, n ir.Node) ir.Value {
	return FromMemory(m.B, filled(m, n.Type(), sizesOf(m, n.Args()), func(at []ir.Value) ir.Value { return m.Body(n.Region(0), at...)[0] }))
}

func lowerFromElements(m *ir.Mirror, n ir.Node) ir.Value {
	to := New(m.B, n.Type(), nil)
	shape, k := m.B.Ctx().Info(n.Type()).Shape, 0
	each(shape, func(index []int64) error { //nolint: it gives no error
		Store(m.B, m.Of(n.Arg(k)), to, expr.Constants(index...), nil)
		k++
		return nil
	})
	return FromMemory(m.B, to)
}

func lowerExtract(m *ir.Mirror, n ir.Node) ir.Value {
	return m.B.Op(memref.Load, append([]ir.Value{Memory(m, n.Arg(0))}, m.All(n.Args()[1:])...)...)
}

func lowerInsert(m *ir.Mirror, n ir.Node) ir.Value {
	to := Destination(m, n, n.Arg(1), true)
	m.B.Op(memref.Store, append([]ir.Value{m.Of(n.Arg(0)), to}, m.All(n.Args()[2:])...)...)
	return FromMemory(m.B, to)
}

// values are numbers and operands, as values.
func values(m *ir.Mirror, n ir.Node, bs []ir.Bound) (out []ir.Value) {
	for _, b := range bs {
		if b.Value == 0 {
			out = append(out, m.B.Index(b.Const))
		} else {
			out = append(out, m.Of(n.Graph().NodeOf(b.Value)))
		}
	}
	return out
}

func points(b *ir.Builder, vs []ir.Value) (out []affine.Point) {
	for _, v := range vs {
		if x, ok := b.Graph().Const(v); ok {
			out = append(out, affine.Number(int64(x.Bits)))
		} else {
			out = append(out, affine.Just(v))
		}
	}
	return out
}

// onSlice runs body for all elements of a part: with its indices, of the dimensions that a shape keeps, and those in the whole.
func onSlice(m *ir.Mirror, n ir.Node, before int, sizes []ir.Value, shape []int64, body func(part, whole []ir.Value)) {
	c := m.B.Ctx()
	s, _ := sliceOf(c, n.Attrs(), n.Graph().Args(n.Old()), before)
	dims, _ := keptDims(c.Ints(n.Attr("static_sizes")), shape)
	offsets, strides := values(m, n, s.offsets), values(m, n, s.strides)
	Loops(m.B, points(m.B, sizes), func(at []ir.Value) {
		var part, whole []ir.Value
		for _, d := range dims {
			part = append(part, at[d])
		}
		for d, i := range at {
			whole = append(whole, arith.AddI(m.B, offsets[d], arith.MulI(m.B, i, strides[d])))
		}
		body(part, whole)
	})
}

// checkPart ends the program where the part of a tensor that n takes or replaces is not all in it,
// whichever of its elements are used, and returns the part's sizes. A part without elements is in every tensor.
func checkPart(m *ir.Mirror, n ir.Node, before int, whole ir.Value) []ir.Value {
	b := m.B
	s, _ := sliceOf(b.Ctx(), n.Attrs(), n.Graph().Args(n.Old()), before)
	offsets, sizes, strides := values(m, n, s.offsets), values(m, n, s.sizes), values(m, n, s.strides)
	zero, none, all := b.Index(0), arith.ConstBool(b, false), arith.ConstBool(b, true)
	for d, size := range sizes {
		if s.sizes[d].Value != 0 {
			natural(b, size)
		}
		none = b.Op(arith.Ori, none, arith.CmpI(b, arith.EQ, size, zero))
		all = b.Op(arith.Andi, all, arith.Reaches(b, offsets[d], size, strides[d], affine.Compute(b, Extent(b, whole, d))))
	}
	assert(b, b.Op(arith.Ori, none, all), "a part is not in its tensor")
	return sizes
}

func lowerExtractSlice(m *ir.Mirror, n ir.Node) ir.Value {
	c := m.B.Ctx()
	from, shape := Memory(m, n.Arg(0)), c.Info(n.Type()).Shape
	dims, _ := keptDims(c.Ints(n.Attr("static_sizes")), shape)
	sizes := checkPart(m, n, 1, from)
	var open []ir.Value
	for i, d := range dims {
		if shape[i] == ir.Dynamic {
			open = append(open, sizes[d])
		}
	}
	to := New(m.B, n.Type(), open)
	onSlice(m, n, 1, sizes, shape, func(part, whole []ir.Value) {
		Store(m.B, load(m.B, from, whole), to, expr.Identity(len(part)), part)
	})
	return FromMemory(m.B, to)
}

func load(b *ir.Builder, memory ir.Value, at []ir.Value) ir.Value {
	return b.Op(memref.Load, append([]ir.Value{memory}, at...)...)
}

func lowerInsertSlice(m *ir.Mirror, n ir.Node) ir.Value {
	from, shape := Memory(m, n.Arg(0)), m.B.Ctx().Info(n.Arg(0).Type()).Shape
	to := Destination(m, n, n.Arg(1), true)
	sizes := checkPart(m, n, 2, to)
	dims, _ := keptDims(m.B.Ctx().Ints(n.Attr("static_sizes")), shape)
	for i, d := range dims {
		assert(m.B, arith.CmpI(m.B, arith.EQ, sizes[d], affine.Compute(m.B, Extent(m.B, from, i))), "a part has other sizes than are replaced")
	}
	onSlice(m, n, 2, sizes, shape, func(part, whole []ir.Value) {
		x := Load(m.B, from, expr.Identity(len(part)), part)
		m.B.Op(memref.Store, append([]ir.Value{x, to}, whole...)...)
	})
	return FromMemory(m.B, to)
}

func lowerPad(m *ir.Mirror, n ir.Node) ir.Value {
	l, h, _ := padding(m.B.Ctx(), n.Attrs(), n.Graph().Args(n.Old()))
	low, high, from := values(m, n, l), values(m, n, h), Memory(m, n.Arg(0))
	extents := extentsOf(m.B, from)
	var open []ir.Value
	for d, k := range m.B.Ctx().Info(n.Type()).Shape {
		if l[d].Value != 0 {
			natural(m.B, low[d])
		}
		if h[d].Value != 0 {
			natural(m.B, high[d])
		}
		whole := arith.AddI(m.B, arith.AddI(m.B, low[d], affine.Compute(m.B, extents[d])), high[d])
		if k == ir.Dynamic {
			open = append(open, whole)
		} else if x, ok := m.B.Graph().Const(whole); !ok || int64(x.Bits) != k {
			assert(m.B, arith.CmpI(m.B, arith.EQ, whole, m.B.Index(k)), "a tensor is padded to another shape than its type says")
		}
	}
	to := filled(m, n.Type(), open, func(at []ir.Value) ir.Value { return m.Body(n.Region(0), at...)[0] })
	Loops(m.B, extents, func(at []ir.Value) {
		f, args := shifted(len(at), at, low)
		Store(m.B, Load(m.B, from, expr.Identity(len(at)), at), to, f, args)
	})
	return FromMemory(m.B, to)
}

// shifted is the map of so many indices to these and what is added to each, with its operands.
func shifted(n int, at, by []ir.Value) (*expr.Map, []ir.Value) {
	f := &expr.Map{Dims: 2 * n}
	for d := range n {
		f.Results = append(f.Results, expr.Add(expr.Dim(d), expr.Dim(n+d)))
	}
	return f, slices.Concat(at, by)
}

func lowerConcat(m *ir.Mirror, n ir.Node) ir.Value {
	c, dim := m.B.Ctx(), int(m.B.Ctx().AttrInfo(n.Attr("dim")).Int)
	var parts, lengths []ir.Value
	total := m.B.Index(0)
	for _, a := range n.Args() {
		parts = append(parts, Memory(m, a))
		lengths = append(lengths, affine.Compute(m.B, Extent(m.B, parts[len(parts)-1], dim)))
		total = arith.AddI(m.B, total, lengths[len(lengths)-1])
	}
	var open []ir.Value
	for d, k := range c.Info(n.Type()).Shape {
		whole := total
		if d != dim {
			whole = affine.Compute(m.B, Extent(m.B, parts[0], d))
			for _, p := range parts[1:] {
				if x := affine.Compute(m.B, Extent(m.B, p, d)); x != whole {
					assert(m.B, arith.CmpI(m.B, arith.EQ, x, whole), "tensors that are joined differ along another dimension")
				}
			}
		}
		if k == ir.Dynamic {
			open = append(open, whole)
		} else if x, ok := m.B.Graph().Const(whole); !ok || int64(x.Bits) != k {
			assert(m.B, arith.CmpI(m.B, arith.EQ, whole, m.B.Index(k)), "tensors are joined to another shape than the type says")
		}
	}
	to, start := New(m.B, n.Type(), open), m.B.Index(0)
	for i, p := range parts {
		Loops(m.B, extentsOf(m.B, p), func(at []ir.Value) {
			by := slices.Repeat([]ir.Value{m.B.Index(0)}, len(at))
			by[dim] = start
			f, args := shifted(len(at), at, by)
			Store(m.B, Load(m.B, p, expr.Identity(len(at)), at), to, f, args)
		})
		start = arith.AddI(m.B, start, lengths[i])
	}
	return FromMemory(m.B, to)
}

// viewed makes a view of the memory of the operand.
func viewed(m *ir.Mirror, n ir.Node, def *ir.OpDef, more ...ir.Value) ir.Value {
	args := append([]ir.Value{Memory(m, n.Arg(0))}, more...)
	return FromMemory(m.B, m.B.Must(ir.Call{Def: def, Args: args, Attr: n.Attrs(), Type: tensor.MemoryOf(m.B.Ctx(), n.Type())}))
}

func lowerCast(m *ir.Mirror, n ir.Node) ir.Value {
	from := Memory(m, n.Arg(0))
	c := m.B.Ctx()
	old := c.Info(n.Arg(0).Type()).Shape
	for d, k := range c.Info(n.Type()).Shape {
		if k != ir.Dynamic && old[d] == ir.Dynamic {
			assert(m.B, arith.CmpI(m.B, arith.EQ, m.B.Op(memref.Dim, from, m.B.Index(int64(d))), m.B.Index(k)), "a tensor is cast to a shape that it does not have")
		}
	}
	return viewed(m, n, memref.Cast)
}

func lowerCollapse(m *ir.Mirror, n ir.Node) ir.Value { return viewed(m, n, memref.CollapseShape) }

// lowerExpand checks what the types leave open of each dimension that is split.
func lowerExpand(m *ir.Mirror, n ir.Node) ir.Value {
	c, from := m.B.Ctx(), Memory(m, n.Arg(0))
	shape, sizes := c.Info(n.Type()).Shape, m.All(n.Args()[1:])
	gs, _ := groups(c, n.Attr("reassociation"), len(shape))
	rest := sizes
	for d, g := range gs {
		whole, known := m.B.Index(1), true
		for _, k := range g {
			x := m.B.Index(shape[k])
			if shape[k] == ir.Dynamic {
				natural(m.B, rest[0])
				x, rest, known = rest[0], rest[1:], false
			}
			whole = arith.Size(m.B, whole, x)
		}
		if !known {
			assert(m.B, arith.CmpI(m.B, arith.EQ, whole, affine.Compute(m.B, Extent(m.B, from, d))), "a dimension is expanded to others than it is")
		}
	}
	return viewed(m, n, memref.ExpandShape, sizes...)
}

func lowerReshape(m *ir.Mirror, n ir.Node) ir.Value {
	return viewed(m, n, memref.Reshape, Memory(m, n.Arg(1)))
}

func lowerDim(m *ir.Mirror, n ir.Node) ir.Value {
	return m.B.Op(memref.Dim, Memory(m, n.Arg(0)), m.Of(n.Arg(1)))
}
