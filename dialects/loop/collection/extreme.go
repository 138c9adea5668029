package collection

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// MinIndex is the least number of an array and where it first stands, a struct of value and
// index, or null of none: for i < len(xs), reduce of (xs[i], i, true) that keeps of two the
// lesser one. Integers are signed; NaN is greater than all numbers.
func MinIndex(b *ir.Builder, xs ir.Value) ir.Value {
	return extreme(b, xs, arith.SLT, arith.OLT)
}

// MaxIndex is MinIndex for the greatest number; NaN is less than all.
func MaxIndex(b *ir.Builder, xs ir.Value) ir.Value {
	return extreme(b, xs, arith.SGT, arith.OGT)
}

func extreme(b *ir.Builder, xs ir.Value, ints arith.CmpIPredicate, floats arith.CmpFPredicate) ir.Value {
	elem, _ := loop.ElemOf(b.Ctx(), b.Graph().Type(xs))
	if loop.IsNullable(b.Ctx(), elem) {
		fields, _ := loop.Fields(b.Ctx(), elem)
		elem = fields[0].Type
	}
	yes := arith.ConstBool(b, true)
	o := output{
		Generator: loop.Generator{Kind: loop.ReduceKind, Types: []ir.Type{elem, ir.Index, ir.I1}},
		identity:  []ir.Value{arith.Zero(b, elem), b.Index(0), arith.ConstBool(b, false)},
		combine: func(p []ir.Value) []ir.Value {
			x, y := p[:3], p[3:]
			takes := b.Op(arith.Andi, y[2], b.Op(arith.Ori, b.Op(arith.Xori, x[2], yes), better(b, y[0], x[0], ints, floats)))
			out := make([]ir.Value, 3)
			for k := range out[:2] {
				out[k] = arith.Choose(b, takes, y[k], x[k])
			}
			out[2] = b.Op(arith.Ori, x[2], y[2])
			return out
		},
	}
	r := each(b, loop.Size(b, xs), []output{o}, func(i ir.Value) []output {
		o.gives = present(b, loop.Element(b, xs, i), func(x ir.Value) []ir.Value { return []ir.Value{x, i, yes} })
		return []output{o}
	})
	pair := Record(b, []string{"value", "index"}, r[0], r[1])
	return loop.MakeStruct(b, loop.Nullable(b.Ctx(), b.Graph().Type(pair)), pair, r[2])
}

// better says whether y is to be taken for x: it is the lesser one, or the only number.
func better(b *ir.Builder, y, x ir.Value, ints arith.CmpIPredicate, floats arith.CmpFPredicate) ir.Value {
	if !b.Ctx().IsFloat(b.Graph().Type(x)) {
		return arith.CmpI(b, ints, y, x)
	}
	only := b.Op(arith.Andi, arith.CmpF(b, arith.UNO, x, x), arith.CmpF(b, arith.ORD, y, y))
	return b.Op(arith.Ori, arith.CmpF(b, floats, y, x), only)
}
