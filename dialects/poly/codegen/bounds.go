package codegen

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// bounds are those that the conjunctions of a set have in common where one of these is a
// bound of one of them, not a looser one; else with the loosest of theirs: the least of the lower
// ones, whose sign is 1, or the greatest of the upper ones. There is none where one of
// them has none.
func (g *generator) bounds(exact presburger.Set, s shape, d int, sc scope, common []Expr, sign int, bound func(sum) sum) []Expr {
	if len(common) > 0 && len(exact.Basics()) < 2 {
		return common
	}
	tightest, loosest := Max, Min
	if sign < 0 {
		tightest, loosest = Min, Max
	}
	var all []Expr
	seen := map[string]bool{}
	for _, c := range exact.Basics() {
		var own []Expr
		for _, b := range must(g.set(c).OuterFloors(d)).Basics() {
			b = equationsHalved(b)
			for _, r := range b.Ge {
				k := r[g.entry(d)]
				if k.Sign() != sign {
					continue
				}
				key, con := g.parallels(b, r, d, sc)
				if h, ok := s.hull[key]; ok && h.Cmp(con) <= 0 {
					return common
				}
				own = append(own, bound(g.rowSum(b, r, sc.values).floor(k.Abs())).expr())
			}
			if len(own) == 0 {
				return common
			}
		}
		if len(own) == 0 {
			continue
		}
		if e := apply(tightest, own...); !seen[Text(e)] {
			seen[Text(e)] = true
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return common
	}
	return append(common, apply(loosest, all...))
}

// parallels is the constant of a bound of dimension d, and a key that it has in common with
// those that differ in the constant alone.
func (g *generator) parallels(b presburger.Basic, r []integer, d int, sc scope) (key string, con integer) {
	s := g.rowSum(b, r, sc.values)
	con, s.con = s.con, zero
	return r[g.entry(d)].String() + " " + Text(s.expr()), con
}

// equationsHalved has two inequalities for each equation.
func equationsHalved(b presburger.Basic) presburger.Basic {
	for _, e := range b.Eq {
		b.Ge = append(b.Ge, e, without(e, -1, true))
	}
	b.Eq = nil
	return b
}
