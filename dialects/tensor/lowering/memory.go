package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
)

// An emit makes the memory and the loops that ops become; it knows nothing of the ops.
type emit struct{ *ir.Mirror }

func (e emit) info(n ir.Node) *ir.TypeInfo { return e.B.Ctx().Info(n.Type()) }

func (e emit) memoryOf(v ir.Value) ir.Value { return e.B.Op(tensor.Unpack, v) }

// given makes memory the value of an op.
func (e emit) given(mem ir.Value) ir.Value { return tensor.BuildKept(e.B, mem) }

// assert ends the program unless a condition holds.
func (e emit) assert(cond ir.Value, msg string) {
	c := e.B.Ctx()
	e.B.OpAttr(cf.Assert, c.Props([]ir.NamedAttr{{Name: "msg", Value: c.StringAttr(msg)}}, nil), cond)
}

// agree checks that two extents which types leave open are equal.
func (e emit) agree(a, b ir.Value, msg string) {
	if a != b {
		e.assert(arith.CmpI(e.B, arith.EQ, a, b), msg)
	}
}

// alloc is new memory for a tensor of a type, with the given extents.
func (e emit) alloc(t ir.Type, extents []ir.Value) ir.Value {
	t = tensor.MemoryOf(e.B.Ctx(), t)
	return memref.BuildOwned(e.B, t, 0, e.open(t, extents)...)
}

// local is memory that is given back where it is said, from the begin of a line of the caches on.
func (e emit) local(t ir.Type, extents []ir.Value) ir.Value {
	t = tensor.MemoryOf(e.B.Ctx(), t)
	return memref.BuildAlloc(e.B, t, 64, e.open(t, extents)...)
}

// open are the extents that a type leaves open.
func (e emit) open(t ir.Type, extents []ir.Value) []ir.Value {
	return memref.OpenExtents(e.B.Ctx(), t, func(d int) ir.Value { return extents[d] })
}

// load and store access an element.
func (e emit) load(mem ir.Value, index []ir.Value) ir.Value {
	return e.access(affine.Load, []ir.Value{mem}, index)
}

func (e emit) store(x, mem ir.Value, index []ir.Value) {
	e.access(affine.Store, []ir.Value{x, mem}, index)
}

func (e emit) access(def *ir.OpDef, args, index []ir.Value) ir.Value {
	c := e.B.Ctx()
	m := &expr.Map{Syms: 0, Dims: len(index)}
	for i := range index {
		m.Results = append(m.Results, expr.Dim(i))
	}
	return e.B.Must(ir.Call{Def: def, Args: append(args, index...), Attr: c.With(0, "map", m.Attr(c))})
}

// loop runs body for 0 <= i < n, with carried values.
func (e emit) loop(attr ir.Attr, n ir.Value, inits []ir.Value, body func(i ir.Value, carried []ir.Value) []ir.Value) []ir.Value {
	return e.loopTo(attr, 1, upTo(n), inits, body)
}

// upTo is one bound.
func upTo(n ir.Value) []affine.Point { return []affine.Point{affine.Just(n)} }

// loopTo runs body for each step from 0 on that is less than all bounds.
func (e emit) loopTo(attr ir.Attr, step int64, bounds []affine.Point, inits []ir.Value, body func(i ir.Value, carried []ir.Value) []ir.Value) []ir.Value {
	args, attr := affine.ForOf(e.B, attr, []affine.Point{affine.Number(0)}, bounds, step, inits)
	params := []ir.Type{ir.Index}
	for _, x := range inits {
		params = append(params, e.B.Graph().Type(x))
	}
	r := e.B.Region(ir.Loop, params, func(p []ir.Value) {
		e.B.Enter(affine.For, attr, args, 0, p)
		e.B.Op(affine.Yield, body(p[0], p[1:])...)
	})
	return e.B.Results(e.B.Must(ir.Call{Def: affine.For, Args: args, Attr: attr, Regions: []ir.Region{r}}))
}

// each runs body for each i from 0 on that is less than all bounds.
func (e emit) each(bounds []affine.Point, body func(i ir.Value)) {
	e.loopTo(0, 1, bounds, nil, func(i ir.Value, _ []ir.Value) []ir.Value { body(i); return nil })
}

// nest runs body for all places of a shape, the last index fastest.
func (e emit) nest(extents []ir.Value, body func(index []ir.Value)) {
	index := make([]ir.Value, 0, len(extents))
	var next func()
	next = func() {
		if len(index) == len(extents) {
			body(index)
			return
		}
		e.each(upTo(extents[len(index)]), func(i ir.Value) {
			index = append(index, i)
			next()
			index = index[:len(index)-1]
		})
	}
	next()
}

// zero fills memory of some extents with zeros.
func (e emit) zero(mem ir.Value, extents []ir.Value) {
	zero := arith.Zero(e.B, e.B.Ctx().Info(e.B.Graph().Type(mem)).Elem)
	e.nest(extents, func(index []ir.Value) { e.store(zero, mem, index) })
}

// count is the product of extents of memory.
func (e emit) count(extents []ir.Value) ir.Value {
	n := e.B.Index(1)
	for _, x := range extents {
		n = arith.MulI(e.B, n, x)
	}
	return n
}

// anyCount is count of any numbers, whose product may not fit: then it is none of memory.
func (e emit) anyCount(extents []ir.Value) ir.Value {
	n := e.B.Index(1)
	for _, x := range extents {
		n = arith.Size(e.B, n, x)
	}
	return n
}

// recast is memory of the identity layout under another type of such, with the given extents.
func (e emit) recast(mem ir.Value, t ir.Type, extents []ir.Value) ir.Value {
	c := e.B.Ctx()
	shape := c.Info(t).Shape
	strides, _, _ := layouts.Layout(c, t)
	var sizes, steps []ir.Value
	for i, n := range shape {
		if n == ir.Dynamic {
			sizes = append(sizes, extents[i])
		}
		if strides[i] == ir.Dynamic {
			steps = append(steps, e.count(extents[i+1:]))
		}
	}
	attr := c.Props([]ir.NamedAttr{
		{Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, 1, 0, int64(len(sizes)), int64(len(steps)))},
		{Name: "static_offsets", Value: c.DenseArray(ir.I64, 0)},
		{Name: "static_sizes", Value: c.DenseArray(ir.I64, shape...)},
		{Name: "static_strides", Value: c.DenseArray(ir.I64, strides...)},
	}, nil)
	return e.B.Must(ir.Call{Def: memref.ReinterpretCast, Attr: attr, Args: append(append([]ir.Value{mem}, sizes...), steps...), Type: t})
}

// known is memory that is cast to known extents as memory that has them, and so known strides: that it has is checked.
func (e emit) known(mem ir.Value) ir.Value {
	c, g := e.B.Ctx(), e.B.Graph()
	t := g.Type(mem)
	if g.Def(mem) != memref.Cast {
		return mem
	}
	source := g.Args(mem)[0]
	from, to := c.Info(g.Type(source)), c.Info(t)
	if from.Unranked || from.Layout != 0 || to.Layout != 0 || slices.Contains(to.Shape, ir.Dynamic) {
		return mem
	}
	for i, n := range from.Shape {
		if n == ir.Dynamic {
			e.agree(e.B.Op(memref.Dim, source, e.B.Index(int64(i))), e.B.Index(to.Shape[i]), "memory has other extents than it is cast to")
		}
	}
	return e.recast(source, t, nil)
}

// plus is a + k b, as an affine expression where these are indices of loops.
func (e emit) plus(a ir.Value, k int64, b ir.Value) ir.Value {
	p, ok := affine.Just(a).Plus(k, affine.Just(b))
	if !ok {
		return arith.AddI(e.B, a, arith.MulI(e.B, b, e.B.Index(k)))
	}
	return affine.BuildApply(e.B, p.Compact())
}

// wholeLanes is the attribute of a loop of n rounds that vectors are made of which divide them, where such ones do.
func (e emit) wholeLanes(n int64) ir.Attr {
	c := e.B.Ctx()
	for lanes := int64(usualLanes); lanes >= usualLanes/4; lanes /= 2 {
		if n > 0 && n%lanes == 0 {
			return c.WithDiscardable(0, scf.LanesAttr, c.IntAttr(lanes, ir.I64))
		}
	}
	return 0
}

// reshaped is a tensor under other extents, which are known.
func (e emit) reshaped(v ir.Value, shape []int64) ir.Value {
	c := e.B.Ctx()
	t := c.Tensor(shape, c.Info(e.B.Graph().Type(v)).Elem)
	if t == e.B.Graph().Type(v) {
		return v
	}
	return e.B.Must(ir.Call{Def: tensor.Reshape, Args: []ir.Value{v}, Type: t, Loc: e.B.Loc})
}
