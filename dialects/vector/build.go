package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/vector/made"
	"github.com/irc-lang/irc/ir"
)

// kindFor is the kind that combines as an op of arith does; nil if none does.
func kindFor(op *ir.OpDef) *kind {
	i := slices.IndexFunc(kinds, func(k *kind) bool { return op != nil && (k.int == op || k.float == op) })
	if i < 0 {
		return nil
	}
	return kinds[i]
}

// Combines reports an op of arith by which reductions combine lanes.
func Combines(op *ir.OpDef) bool { return kindFor(op) != nil }

// CombinerOf is the op of arith by which a reduction or a scan with these attributes combines elements of a type; nil where the
// property kind is missing or combines no such elements.
func CombinerOf(c *ir.Context, attr ir.Attr, elem ir.Type) *ir.OpDef {
	if k := kindOf(c, attr); k != nil {
		return k.op(c, elem)
	}
	return nil
}

// BuildReduction combines the lanes of a vector by an op of arith, and an accumulator before them. It panics unless the op
// Combines.
func BuildReduction(b *ir.Builder, op *ir.OpDef, flags arith.FastMath, v, acc ir.Value) ir.Value {
	c := b.Ctx()
	return b.OpAttr(Reduction, c.Props([]ir.NamedAttr{{Name: "kind", Value: kindAttr(c, kindFor(op).name)},
		{Name: "fastmath", Value: elementwise.FastMathAttr(c, uint8(flags))}}, nil), v, acc)
}

// BuildBroadcast repeats a scalar in each of so many lanes.
func BuildBroadcast(b *ir.Builder, x ir.Value, lanes int64) ir.Value {
	return cast(b, Broadcast, x, b.Ctx().Vector([]int64{lanes}, b.Graph().Type(x)))
}

// BuildLane is a lane of a vector of one dimension.
func BuildLane(b *ir.Builder, v ir.Value, lane int64) ir.Value {
	return b.OpAttr(Extract, positionAttr(b.Ctx(), lane), v)
}

// BuildWithLane is a vector of one dimension with another lane.
func BuildWithLane(b *ir.Builder, x, v ir.Value, lane int64) ir.Value {
	return b.OpAttr(Insert, positionAttr(b.Ctx(), lane), x, v)
}

// BuildTake makes a vector of lanes of another, both of one dimension.
func BuildTake(b *ir.Builder, v ir.Value, lanes []int) ir.Value { return take(b, v, lanes) }

// BuildShuffle makes a vector of lanes of two, those of the second after those of the first.
func BuildShuffle(b *ir.Builder, x, y ir.Value, lanes []int) ir.Value {
	c := b.Ctx()
	list := make([]ir.Attr, len(lanes))
	for i, k := range lanes {
		list[i] = c.IntAttr(int64(k), ir.I64)
	}
	return b.OpAttr(Shuffle, c.Props([]ir.NamedAttr{{Name: "mask", Value: c.ArrayAttr(list...)}}, nil), x, y)
}

// BuildJoin puts the lanes of a vector behind those of another.
func BuildJoin(b *ir.Builder, x, y ir.Value) ir.Value {
	n, _ := lanes(b.Ctx(), b.Graph().Type(x))
	m, _ := lanes(b.Ctx(), b.Graph().Type(y))
	lanes := make([]int, n+m)
	for i := range lanes {
		lanes[i] = i
	}
	return BuildShuffle(b, x, y, lanes)
}

// Lift makes, for so many elements at once, what a body of pure elementwise ops yields for one: have are the vectors of its
// parameters, each op becomes one on vectors, and what depends on no parameter is repeated.
func Lift(m *ir.Mirror, body ir.Block, have map[ir.Node]ir.Value, lanes int64) ir.Value {
	params, at := body.Params(), m.B.Loc
	depends := made.Of(params)
	m.BodyWithout(body, depends, make([]ir.Value, len(params))...)
	m.B.Loc = at
	var lift func(n ir.Node) ir.Value
	lift = func(n ir.Node) ir.Value {
		if v := have[n]; v != 0 {
			return v
		}
		if !depends(n) {
			have[n] = BuildBroadcast(m.B, m.Of(n), lanes)
			return have[n]
		}
		args := make([]ir.Value, n.NumArgs())
		for i, a := range n.Args() {
			args[i] = lift(a)
		}
		have[n] = m.B.Must(ir.Call{Def: n.Def(), Args: args, Attr: n.Attrs(), Type: m.B.Ctx().Vector([]int64{lanes}, n.Type()), Loc: at})
		return have[n]
	}
	return lift(body.Yields()[0])
}
