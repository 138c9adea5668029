package loops

import (
	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// A cut divides the iterations of a loop in two: how many come first. Of affine bounds that is an expression; of others it
// is computed of the number of iterations, without a sum that might wrap.
type cut struct {
	// affine is where the second part begins, for one lower and one upper bound.
	affine func(lower, upper affinedialect.Point, step int64) (affinedialect.Point, bool)
	// first is the number of iterations of the first part, of how many there are, which run so far.
	first func(m *ir.Mirror, t ir.Type, trips, far ir.Value) ir.Value
	// within says that affine is never beyond the upper bound; else it is never before the lower one.
	within bool
}

// spans are what the two parts of a loop run over. A loop of affine with several bounds is cut as one of scf is.
func (x cut) spans(m *ir.Mirror, like ir.Node, s span) (before, after span) {
	if like.Def() == affinedialect.For && len(s.lower) == 1 && len(s.upper) == 1 {
		if at, ok := x.affine(s.lower[0], s.upper[0], s.step); ok {
			before, after = s, s
			before.upper, after.lower = []affinedialect.Point{at}, []affinedialect.Point{at}
			// The other bound is kept where affine may lie beyond it, so that both parts stay in the loop.
			if x.within {
				after.lower = append(after.lower, s.lower...)
			} else {
				before.upper = append(before.upper, s.upper...)
			}
			return before, after
		}
	}
	t := indexType(m, like)
	lower, upper := affinedialect.ComputeGreatest(m.B, s.lower), affinedialect.ComputeLeast(m.B, s.upper)
	at := affinedialect.Just(x.at(m, t, lower, upper, s.step))
	before, after = s, s
	before.lower, before.upper = []affinedialect.Point{affinedialect.Just(lower)}, []affinedialect.Point{at}
	after.lower, after.upper = []affinedialect.Point{at}, []affinedialect.Point{affinedialect.Just(upper)}
	return before, after
}

// inGroups are the groups of n iterations of a loop, by their first ones, and the iterations that are left over.
func (s span) inGroups(m *ir.Mirror, like ir.Node, n int64) (whole, rest span) {
	whole, rest = cut{
		within: true,
		affine: func(lower, upper affinedialect.Point, step int64) (affinedialect.Point, bool) {
			return roundsOf(lower, upper, step*n, step-1, step*n, 0)
		},
		first: func(m *ir.Mirror, t ir.Type, trips, _ ir.Value) ir.Value {
			k := m.B.Const(t, ir.IntVal(n, widthOf(m, t)))
			return arith.MulI(m.B, m.B.Op(arith.Divui, trips, k), k)
		},
	}.spans(m, like, s)
	whole.step *= n
	return whole, rest
}

// at is where the second part begins: at the upper bound if it has no iterations, for the index after the last one may be
// no number any more. Nothing in it traps: the difference is taken without a sign, and only if there is one.
func (x cut) at(m *ir.Mirror, t ir.Type, lower, upper ir.Value, step int64) ir.Value {
	b := m.B
	num := func(n int64) ir.Value { return b.Const(t, ir.IntVal(n, widthOf(m, t))) }
	runs := arith.CmpI(b, arith.SLT, lower, upper)
	far := arith.Choose(b, runs, arith.SubI(b, upper, lower), num(1))
	trips := tripsOf(m, t, far, step)
	first := x.first(m, t, trips, far)
	end := arith.Choose(b, arith.CmpI(b, arith.EQ, first, trips), upper, arith.AddI(b, lower, arith.MulI(b, first, num(step))))
	return arith.Choose(b, runs, end, lower)
}

// tripsOf is the number of iterations of a loop that runs so far, which is at least one.
func tripsOf(m *ir.Mirror, t ir.Type, far ir.Value, step int64) ir.Value {
	b := m.B
	one := b.Const(t, ir.IntVal(1, widthOf(m, t)))
	return arith.AddI(b, b.Op(arith.Divui, arith.SubI(b, far, one), b.Const(t, ir.IntVal(step, widthOf(m, t)))), one)
}

// indexType is that of the index of a loop.
func indexType(m *ir.Mirror, like ir.Node) ir.Type {
	if like.Def() == affinedialect.For {
		return ir.Index
	}
	return m.Type(like.Arg(0).Type())
}
