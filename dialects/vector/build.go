package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// KindFor is the kind that combines as an op of arith does; nil if none does.
func KindFor(op *ir.OpDef) *Kind {
	i := slices.IndexFunc(Kinds, func(k *Kind) bool { return op != nil && (k.Int == op || k.Float == op) })
	if i < 0 {
		return nil
	}
	return Kinds[i]
}

// BuildReduction combines the lanes of a vector, and an accumulator before them.
func BuildReduction(b *ir.Builder, k *Kind, flags arith.FastMath, v, acc ir.Value) ir.Value {
	c := b.Ctx()
	return b.OpAttr(Reduction, c.Props([]ir.NamedAttr{{Name: "kind", Value: kindAttr(c, k.Name)},
		{Name: "fastmath", Value: arith.FastMathAttr(c, flags)}}, nil), v, acc)
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
	n, _ := Lanes(b.Ctx(), b.Graph().Type(x))
	m, _ := Lanes(b.Ctx(), b.Graph().Type(y))
	lanes := make([]int, n+m)
	for i := range lanes {
		lanes[i] = i
	}
	return BuildShuffle(b, x, y, lanes)
}
