package codegen

import "github.com/irc-lang/irc/dialects/poly/presburger"

// maxCopies is how many values a loop may have that is unrolled.
const maxCopies = 4096

// unrolled makes a copy for each value of a dimension that is at most a constant more than
// one of its lower bounds, the one with the fewest. ok is false if there is none.
func (g *generator) unrolled(e element, stmts []stmt, d int, b band, sc scope) (out []Node, ok bool) {
	s, ok := g.shapeOf(e.exact, d, sc)
	if !ok {
		return nil, true
	}
	if _, _, ok := g.value(s, d, sc); ok {
		return g.loop(e.exact, stmts, d, b, sc), true
	}
	all := must(must(e.exact.Intersect(s.full)).Intersect(s.known))
	col := g.entry(d)
	best, count := -1, presburger.NewInt(0)
	for i, r := range s.bounds.Ge {
		if r[col].Sign() <= 0 {
			continue
		}
		n, ok := g.above(all, s.bounds, r, d)
		if ok && (best < 0 || n.Cmp(count) < 0) {
			best, count = i, n
		}
	}
	step, isSmall := s.stride.Int64()
	n, fits := count.Int64()
	if best < 0 || !fits || !isSmall || n/max(step, 1) > maxCopies {
		return nil, false
	}
	r := s.bounds.Ge[best]
	for k := int64(0); k <= n; {
		slice := must(e.exact.Intersect(g.slice(s.bounds, r, k, d)))
		if must(must(slice.Intersect(all)).IsEmpty()) {
			k++
			continue
		}
		var part []stmt
		for _, x := range stmts {
			x.set = must(x.set.Intersect(must(slice.InsertDims(d+1, dimsOf(x.set)-d-1))))
			if !must(x.set.IsEmpty()) {
				part = append(part, x)
			}
		}
		out = append(out, g.loop(slice, part, d, b, sc)...)
		k++
		if constantOffset(s, r, g, d, sc) {
			k += step - 1
		}
	}
	return out, true
}

// constantOffset reports that a lower bound is a constant more than a value of the class,
// so that values are a stride apart, counted from it.
func constantOffset(s shape, r []integer, g *generator, d int, sc scope) bool {
	if s.stride.Cmp(one) <= 0 || r[g.entry(d)].Cmp(one) != 0 {
		return false
	}
	low := sum{}.plus(one.Neg(), g.rowSum(s.bounds, r, sc.values))
	diff := low.plus(one.Neg(), g.offset(s, d, sc))
	for _, t := range diff.terms {
		if t.times.Mod(s.stride).Sign() != 0 {
			return false
		}
	}
	return true
}

// above is the most by which dimension d is more than the lower bound r.
func (g *generator) above(all presburger.Set, b presburger.Basic, r []integer, d int) (n integer, ok bool) {
	k := r[g.entry(d)]
	low, err := presburger.AffOf(all, without(r, g.entry(d), false), k, b.Divs)
	if err != nil {
		return n, false
	}
	unit := make([]integer, len(r)-len(b.Divs))
	unit[g.entry(d)] = one
	x := must(presburger.AffOf(all, unit, one, nil))
	o := must(all.MaxVal(must(x.Add(low.Floor()))))
	if o.Status != presburger.Optimal {
		return n, o.Status == presburger.Empty
	}
	return o.Value.Num, true
}

// slice is the set in which dimension d is k more than the lower bound r.
func (g *generator) slice(b presburger.Basic, r []integer, k int64, d int) presburger.Set {
	x := r[g.entry(d)]
	v := without(r, g.entry(d), true) // ceil(-rest / x) + k = floor((-rest + x - 1 + k x) / x)
	v[0] = v[0].Add(x).Sub(one).Add(x.Mul(presburger.NewInt(k)))
	return g.assign(b, v, x, d)
}
