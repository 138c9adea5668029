package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
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

// A down makes what an op's elements are of those of others: of what has memory, and of what the plan says has none.
type down struct {
	emit
	*plan
}

type rule = func(m *ir.Mirror, n ir.Node) ir.Value

func rules(e *lower.Env) ir.Rules {
	p := newPlan(e)
	on := func(f func(d down, n ir.Node) ir.Value) rule {
		return func(m *ir.Mirror, n ir.Node) ir.Value { return f(down{emit{m}, p}, n) }
	}
	rows := on(func(d down, n ir.Node) ir.Value { d.rows(n).check(); return d.filled(n) })
	byIndex := on(func(d down, n ir.Node) ir.Value { return indexed{d, n}.lowerIndexed() })
	return ir.Rules{
		tensor.Einsum: on(down.lowerEinsum), tensor.Map: on(down.lowerMap), tensor.Reduce: on(down.filled),
		tensor.Transpose: on(down.lowerMoved), tensor.Fill: on(down.lowerMoved), tensor.Iota: on(down.lowerMoved),
		tensor.Conv: on(func(d down, n ir.Node) ir.Value { return d.windowed(n).lowerConv() }), tensor.Argmax: rows, tensor.LayerNorm: rows, tensor.Softmax: on(down.filled), tensor.LogSumExp: on(down.filled), tensor.Pad: on(down.filled),
		tensor.Concat: on(func(d down, n ir.Node) ir.Value { d.checkConcat(n); return d.filled(n) }), tensor.Slice: on(down.lowerMoved),
		tensor.Pool: on(func(d down, n ir.Node) ir.Value { return d.windowed(n).lowerPool() }), tensor.Extend: on(func(d down, n ir.Node) ir.Value { return d.extending(n).lowerExtend() }),
		tensor.Gather: byIndex, tensor.GatherElements: byIndex, tensor.Scatter: byIndex, tensor.ScatterElements: byIndex,
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
			d := down{emit{m}, p}
			if n.Def() == arith.Constant {
				return d.lowerConstant(n)
			}
			return d.lowerMap(n)
		}
	}
	return out
}

// memory is what holds the elements of an op that is not virtual.
func (d down) memory(n ir.Node) ir.Value { return d.memoryOf(d.Of(n)) }

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
	if fill := d.fillers[n.Def()]; fill != nil {
		fill(d, n, mem)
		return
	}
	d.nest(d.extents(n), func(index []ir.Value) { d.store(d.makeElement(n, index), mem, index) })
}

// A filler computes the elements of an op in memory.
type filler = func(d down, n ir.Node, mem ir.Value)

// fillers are those of ops whose elements are not made one by one.
func fillers() map[*ir.OpDef]filler {
	gather := func(d down, n ir.Node, mem ir.Value) { indexed{d, n}.fillGather(mem) }
	scatter := func(d down, n ir.Node, mem ir.Value) { indexed{d, n}.fillScatter(mem) }
	inRows := func(fill func(x rows, mem ir.Value)) filler {
		return func(d down, n ir.Node, mem ir.Value) { fill(d.rows(n), mem) }
	}
	return map[*ir.OpDef]filler{
		tensor.Einsum: down.fillEinsum, tensor.Reduce: down.fillReduce, tensor.Softmax: inRows(rows.fillSoftmax),
		tensor.LogSumExp: inRows(rows.fillLogSumExp), tensor.LayerNorm: inRows(rows.fillLayerNorm), tensor.Argmax: inRows(rows.fillArgmax),
		tensor.Pad: down.fillPad, tensor.Concat: down.fillConcat,
		tensor.Extend: func(d down, n ir.Node, mem ir.Value) { d.extending(n).fillExtend(mem) },
		tensor.Conv:   func(d down, n ir.Node, mem ir.Value) { d.fillConv(n, mem, nil) },
		tensor.Pool:   func(d down, n ir.Node, mem ir.Value) { d.windowed(n).fillPool(mem) },
		tensor.Gather: gather, tensor.GatherElements: gather, tensor.Scatter: scatter, tensor.ScatterElements: scatter,
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

// tensorTraps reports an op that may trap as it is.
func tensorTraps(n ir.Node) bool { return n.Graph().MayTrap(n.Old()) }
