package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lower"
)

// Table: at level affine tensors become memory.
var Table = lower.Table{
	{Level: tensor.Level, New: rules, Of: []*ir.OpDef{tensor.Einsum, tensor.Map, tensor.Reduce, tensor.Transpose, tensor.Reshape, tensor.Fill, tensor.Iota, tensor.Dim, tensor.Extract, tensor.Write,
		tensor.Argmax, tensor.Softmax, tensor.LogSumExp, tensor.LayerNorm, tensor.Slice, tensor.Pad, tensor.Concat, tensor.Conv,
		tensor.Pool, tensor.Extend, tensor.Gather, tensor.GatherElements, tensor.Scatter, tensor.ScatterElements, tensor.Pack}},
	{Level: tensor.Level, Name: "ten.elementwise", Optional: true, Of: elementwise, New: elementwiseRules, Module: globals},
}

// Order: this level comes before that of structured loops.
var Order = lower.Order{tensor.Level: "scf"}

// elementwise are the ops of lower dialects that work on each element of a tensor, and constants.
var elementwise = func() (out []*ir.OpDef) {
	for _, d := range []*ir.Dialect{arith.Dialect, math.Dialect, special.Dialect} {
		for _, op := range d.Ops {
			if op.Has(ir.Elementwise) || op == arith.Constant {
				out = append(out, op)
			}
		}
	}
	return out
}()

// A down lowers one graph.
type down struct {
	*ir.Mirror
	*plan
}

type rule = func(m *ir.Mirror, n ir.Node) ir.Value

func rules(e *lower.Env) ir.Rules {
	p := newPlan(e)
	on := func(f func(d down, n ir.Node) ir.Value) rule {
		return func(m *ir.Mirror, n ir.Node) ir.Value { return f(down{m, p}, n) }
	}
	rows := on(func(d down, n ir.Node) ir.Value { d.checkRows(n); return d.filled(n) })
	return ir.Rules{
		tensor.Einsum: on(down.lowerEinsum), tensor.Map: on(down.lowerMap), tensor.Reduce: on(down.filled),
		tensor.Transpose: on(down.lowerMoved), tensor.Fill: on(down.lowerMoved), tensor.Iota: on(down.lowerMoved),
		tensor.Conv: on(down.lowerConv), tensor.Argmax: rows, tensor.LayerNorm: rows, tensor.Softmax: on(down.filled), tensor.LogSumExp: on(down.filled), tensor.Pad: on(down.filled),
		tensor.Concat: on(func(d down, n ir.Node) ir.Value { d.checkConcat(n); return d.filled(n) }), tensor.Slice: on(down.lowerMoved),
		tensor.Pool: on(down.lowerPool), tensor.Extend: on(down.lowerExtend),
		tensor.Gather: on(down.lowerIndexed), tensor.GatherElements: on(down.lowerIndexed), tensor.Scatter: on(down.lowerIndexed), tensor.ScatterElements: on(down.lowerIndexed),
		tensor.Reshape: on(down.lowerReshape), tensor.Dim: on(down.lowerDim), tensor.Extract: on(down.lowerExtract), tensor.Write: on(down.lowerWrite), tensor.Pack: on(down.lowerPack),
	}
}

func elementwiseRules(e *lower.Env) ir.Rules {
	p := newPlan(e)
	out := ir.Rules{}
	for _, op := range elementwise {
		out[op] = func(m *ir.Mirror, n ir.Node) ir.Value {
			if !tensor.Takes(m.B.Ctx(), n.Type()) {
				return 0
			}
			d := down{m, p}
			if n.Def() == arith.Constant {
				return d.lowerConstant(n)
			}
			return d.lowerMap(n)
		}
	}
	return out
}

func (d down) info(n ir.Node) *ir.TypeInfo { return d.B.Ctx().Info(n.Type()) }

// memory is what holds the elements of an op that is not virtual.
func (d down) memory(n ir.Node) ir.Value { return d.memoryOf(d.Of(n)) }

func (d down) memoryOf(v ir.Value) ir.Value { return d.B.Op(tensor.Unpack, v) }

// given makes memory the value of an op.
func (d down) given(mem ir.Value) ir.Value { return tensor.BuildKept(d.B, mem) }

// assert ends the program unless a condition holds.
func (d down) assert(cond ir.Value, msg string) {
	c := d.B.Ctx()
	d.B.OpAttr(cf.Assert, c.Props([]ir.NamedAttr{{Name: "msg", Value: c.StringAttr(msg)}}, nil), cond)
}

// agree checks that two extents which types leave open are equal.
func (d down) agree(a, b ir.Value, msg string) {
	if a != b {
		d.assert(arith.CmpI(d.B, arith.EQ, a, b), msg)
	}
}

// alloc is new memory for a tensor of a type, with the given extents.
func (d down) alloc(t ir.Type, extents []ir.Value) ir.Value {
	c := d.B.Ctx()
	return d.allocWith(t, extents, func(attr ir.Attr) ir.Attr { return c.WithDiscardable(attr, memref.OwnedAttr, c.UnitAttr()) })
}

// local is memory that is given back where it is said, from the begin of a line of the caches on.
func (d down) local(t ir.Type, extents []ir.Value) ir.Value {
	c := d.B.Ctx()
	return d.allocWith(t, extents, func(attr ir.Attr) ir.Attr { return c.With(attr, "alignment", c.IntAttr(64, ir.I64)) })
}

func (d down) allocWith(t ir.Type, extents []ir.Value, with func(ir.Attr) ir.Attr) ir.Value {
	c := d.B.Ctx()
	var dynamic []ir.Value
	for i, n := range tensor.Shape(c, t) {
		if n == ir.Dynamic {
			dynamic = append(dynamic, extents[i])
		}
	}
	attr := with(c.Props([]ir.NamedAttr{{Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, int64(len(dynamic)), 0)}}, nil))
	return d.B.Must(ir.Call{Def: memref.Alloc, Args: dynamic, Attr: attr, Type: tensor.MemoryOf(c, t)})
}

// load and store access an element.
func (d down) load(mem ir.Value, index []ir.Value) ir.Value {
	return d.access(affine.Load, []ir.Value{mem}, index)
}

func (d down) store(x, mem ir.Value, index []ir.Value) {
	d.access(affine.Store, []ir.Value{x, mem}, index)
}

func (d down) access(def *ir.OpDef, args, index []ir.Value) ir.Value {
	c := d.B.Ctx()
	m := &expr.Map{Syms: 0, Dims: len(index)}
	for i := range index {
		m.Results = append(m.Results, expr.Dim(i))
	}
	return d.B.Must(ir.Call{Def: def, Args: append(args, index...), Attr: c.With(0, "map", m.Attr(c))})
}

// loop runs body for 0 <= i < n, with carried values.
func (d down) loop(attr ir.Attr, n ir.Value, inits []ir.Value, body func(i ir.Value, carried []ir.Value) []ir.Value) []ir.Value {
	return d.loopTo(attr, 1, []affine.Point{affine.Just(n)}, inits, body)
}

// loopTo runs body for each step from 0 on that is less than all bounds.
func (d down) loopTo(attr ir.Attr, step int64, bounds []affine.Point, inits []ir.Value, body func(i ir.Value, carried []ir.Value) []ir.Value) []ir.Value {
	args, attr := affine.ForOf(d.B, attr, []affine.Point{affine.Number(0)}, bounds, step, inits)
	params := []ir.Type{ir.Index}
	for _, x := range inits {
		params = append(params, d.B.Graph().Type(x))
	}
	r := d.B.Region(ir.Loop, params, func(p []ir.Value) {
		d.B.Enter(affine.For, attr, args, 0, p)
		d.B.Op(affine.Yield, body(p[0], p[1:])...)
	})
	return d.B.Results(d.B.Must(ir.Call{Def: affine.For, Args: args, Attr: attr, Regions: []ir.Region{r}}))
}

// nest runs body for all places of a shape, the last index fastest.
func (d down) nest(extents []ir.Value, body func(index []ir.Value)) {
	index := make([]ir.Value, 0, len(extents))
	var next func()
	next = func() {
		if len(index) == len(extents) {
			body(index)
			return
		}
		d.loop(0, extents[len(index)], nil, func(i ir.Value, _ []ir.Value) []ir.Value {
			index = append(index, i)
			next()
			index = index[:len(index)-1]
			return nil
		})
	}
	next()
}

// filled gives an op memory that fill fills with its elements. If all that happens to them is that they are written
// to memory, that is done there, in the place of this.
func (d down) filled(n ir.Node) ir.Value {
	if d.isWritten(n) || d.isWrittenReshaped(n) {
		return 0
	}
	mem := d.alloc(n.Type(), d.extents(n))
	d.fill(n, mem)
	return d.given(mem)
}

// fill computes the elements of an op in memory.
func (d down) fill(n ir.Node, mem ir.Value) {
	if f := d.finishOf(n); f != nil {
		d.fillFinished(f, mem)
		return
	}
	switch {
	case n.Def() == tensor.Einsum:
		d.fillEinsum(n, mem)
	case n.Def() == tensor.Reduce:
		d.fillReduce(n, mem)
	case n.Def() == tensor.Conv:
		d.fillConv(n, mem, nil)
	case n.Def() == tensor.Softmax:
		d.fillSoftmax(n, mem)
	case n.Def() == tensor.LogSumExp:
		d.fillLogSumExp(n, mem)
	case n.Def() == tensor.LayerNorm:
		d.fillLayerNorm(n, mem)
	case n.Def() == tensor.Argmax:
		d.fillArgmax(n, mem)
	case n.Def() == tensor.Pad:
		d.fillPad(n, mem)
	case n.Def() == tensor.Concat:
		d.fillConcat(n, mem)
	case n.Def() == tensor.Pool:
		d.fillPool(n, mem)
	case n.Def() == tensor.Extend:
		d.fillExtend(n, mem)
	case isGather(n):
		d.fillGather(n, mem)
	case isScatter(n):
		d.fillScatter(n, mem)
	default:
		d.nest(d.extents(n), func(index []ir.Value) { d.store(d.makeElement(n, index), mem, index) })
	}
}

// lowerWrite computes a tensor in the memory that it is written to, or copies it there.
func (d down) lowerWrite(n ir.Node) ir.Value {
	if d.padsFirst(n.Arg(0)) || d.isSplit(n.Arg(0)) || d.waits(n.Arg(0)) {
		return 0 // what is made of it is written
	}
	if v := d.writeReshaped(n); v != 0 {
		return v
	}
	from, mem := n.Arg(0), d.known(d.Of(n.Arg(1)))
	for i, x := range d.extents(from) {
		d.agree(d.B.Op(memref.Dim, mem, d.B.Index(int64(i))), x, "a tensor written to memory of other extents")
	}
	switch {
	case d.isWritten(from):
		d.fill(from, mem)
	case d.isVirtual(from):
		d.nest(d.extents(from), func(index []ir.Value) { d.store(d.element(from, index), mem, index) })
	default:
		d.B.Op(memref.Copy, d.memory(from), mem)
	}
	return d.B.Pack()
}

// writeReshaped writes what is reshaped to the memory under the extents that it had.
func (d down) writeReshaped(n ir.Node) ir.Value {
	c, from := d.B.Ctx(), n.Arg(0)
	if !d.writesReshaped(n) {
		return 0
	}
	mem := d.recast(d.known(d.Of(n.Arg(1))), tensor.MemoryOf(c, from.Arg(0).Type()), nil)
	return d.B.Must(ir.Call{Def: tensor.Write, Args: []ir.Value{d.Of(from.Arg(0)), mem}, Type: ir.Void, Loc: d.B.Loc})
}

// writesReshaped reports a write of what is reshaped, all of known extents, to memory of the identity layout.
func (d down) writesReshaped(n ir.Node) bool {
	from, to := n.Arg(0), d.B.Ctx().Info(n.Arg(1).Type())
	return from.Def() == tensor.Reshape && from.NumUses() == 1 && to.Layout == 0 && !slices.Contains(to.Shape, ir.Dynamic) && isKnown(from.Arg(0)) && isKnown(from)
}

// isWrittenReshaped reports an op that will be computed where it is written to, once that is memory under the extents that it has.
func (d down) isWrittenReshaped(n ir.Node) bool {
	if n.NumUses() != 1 || n.Users()[0].Def() != tensor.Reshape {
		return false
	}
	u := n.Users()[0]
	return u.NumUses() == 1 && u.Users()[0].Def() == tensor.Write && d.writesReshaped(u.Users()[0]) && d.together(n, []ir.Node{u}) && d.together(u, u.Users())
}

func (d down) lowerDim(n ir.Node) ir.Value {
	return d.extents(n.Arg(0))[d.B.Ctx().AttrInfo(n.Attr("dim")).Int]
}

// lowerExtract checks the indices, which are any, and reads the element.
func (d down) lowerExtract(n ir.Node) ir.Value {
	index, extents := d.All(n.Args()[1:]), d.extents(n.Arg(0))
	for i, x := range index {
		d.assert(arith.CmpI(d.B, arith.ULT, x, extents[i]), "an index outside of a tensor")
	}
	if d.isVirtual(n.Arg(0)) {
		return d.element(n.Arg(0), index)
	}
	return d.B.Op(memref.Load, append([]ir.Value{d.memory(n.Arg(0))}, index...)...)
}

// lowerReshape: the memory is that of the operand, under other extents.
func (d down) lowerReshape(n ir.Node) ir.Value {
	if f := d.finishBehind(n); f != nil && f.under.Old() == n.Old() {
		return 0
	}
	to := d.extents(n)
	if tensorTraps(n) {
		d.agree(d.count(d.extents(n.Arg(0))), d.anyCount(to), "a reshape to another number of elements")
	}
	return d.given(d.recast(d.memory(n.Arg(0)), tensor.MemoryOf(d.B.Ctx(), n.Type()), to))
}

// count is the product of extents of memory.
func (d down) count(extents []ir.Value) ir.Value {
	n := d.B.Index(1)
	for _, x := range extents {
		n = arith.MulI(d.B, n, x)
	}
	return n
}

// anyCount is count of any numbers, whose product may not fit: then it is none of memory.
func (d down) anyCount(extents []ir.Value) ir.Value {
	n := d.B.Index(1)
	for _, x := range extents {
		n = arith.Size(d.B, n, x)
	}
	return n
}

// recast is memory of the identity layout under another type of such, with the given extents.
func (d down) recast(mem ir.Value, t ir.Type, extents []ir.Value) ir.Value {
	c := d.B.Ctx()
	shape := c.Info(t).Shape
	strides, _, _ := memref.Layout(c, t)
	var sizes, steps []ir.Value
	for i, n := range shape {
		if n == ir.Dynamic {
			sizes = append(sizes, extents[i])
		}
		if strides[i] == ir.Dynamic {
			steps = append(steps, d.count(extents[i+1:]))
		}
	}
	attr := c.Props([]ir.NamedAttr{
		{Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, 1, 0, int64(len(sizes)), int64(len(steps)))},
		{Name: "static_offsets", Value: c.DenseArray(ir.I64, 0)},
		{Name: "static_sizes", Value: c.DenseArray(ir.I64, shape...)},
		{Name: "static_strides", Value: c.DenseArray(ir.I64, strides...)},
	}, nil)
	return d.B.Must(ir.Call{Def: memref.ReinterpretCast, Attr: attr, Args: append(append([]ir.Value{mem}, sizes...), steps...), Type: t})
}

// tensorTraps reports an op that may trap as it is.
func tensorTraps(n ir.Node) bool { return n.Graph().MayTrap(n.Old()) }
