package hull

import (
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// SimpleHull is bounded by constraints of the conjunctions alone: each at its lowest value
// on the others.
func SimpleHull(cs []*conj.Conj, n int, w *lp.Work) *conj.Conj {
	if len(cs) == 1 {
		return cs[0].WithEqualities(w).Irredundant(w)
	}
	var parts []*conj.Conj
	for _, c := range conj.Alive(cs, w) {
		parts = append(parts, c.WithEqualities(w).Irredundant(w))
	}
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	wide := conj.Universe(n) // the floors of all
	for _, c := range parts {
		wide.Add(c)
	}
	if wide.Empty {
		return nil
	}
	hull := &conj.Conj{N: n, Divs: wide.Divs}
	for i := range hull.Divs {
		hull.BoundDiv(i)
	}
	var spread []*conj.Conj
	for _, c := range parts {
		spread = append(spread, c.Spread(hull))
	}
	hull = hull.Clone()
	seen := &conj.Conj{N: n, Divs: wide.Divs} // directions
	try := func(r lp.Row) {
		for _, s := range seen.Ge {
			if lp.Parallel(s, r) > 0 {
				return
			}
		}
		seen.Ge = append(seen.Ge, r)
		if low, ok := lowest(spread, r, w); ok {
			r = r.Clone()
			r[0] = r[0].Sub(low)
			hull.Ge = append(hull.Ge, r)
		}
	}
	for _, c := range spread {
		for _, r := range c.Eq {
			try(r)
			try(r.Negated())
		}
		for _, r := range c.Ge {
			if !c.Floors().Definitional(r) {
				try(r)
			}
		}
	}
	return hull.Simplify().WithEqualities(w).Irredundant(w)
}

// lowest is the least value of a function at the integer points of a union.
func lowest(cs []*conj.Conj, r lp.Row, w *lp.Work) (low lp.Int, ok bool) {
	for i, c := range cs {
		status, v, _ := c.IntegerMinimum(r.Grown(c.Width()-len(r)), w)
		if status != conj.Optimal {
			return low, false
		}
		if i == 0 || v.Num.Cmp(low) < 0 {
			low = v.Num
		}
	}
	return low, true
}
