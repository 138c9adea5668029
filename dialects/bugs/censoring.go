package bugs

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir/diag"
)

// An observed node dinterval(t, cut[]) says between which of the cuts t lies: it is how
// JAGS writes censoring. So the cuts limit t where t gets a value: its transform, its
// starting value, and a draw of it. The density knows them by the dinterval's factor.

// A censoring is an observed node of a dinterval.
type censoring struct {
	s       *Statement
	iter, k int // the instance, and its element
}

// intervals lists the observed intervals of parameters, by variable and element. It is
// computed once.
func (m *Model) intervals() map[*Var]map[int][]censoring {
	if m.censored != nil {
		return m.censored
	}
	m.censored = map[*Var]map[int][]censoring{}
	for _, s := range m.Statements {
		if s.Sample == nil || !s.Dist.Law.Censors || !s.v.Has(Observed) || m.Abstract() {
			continue
		}
		r, ok := s.Sample.Args[0].(*syntax.Ref)
		if !ok || m.bind[r].v == nil || !m.bind[r].v.Has(Parameter) {
			continue
		}
		v := m.bind[r].v
		of := m.censored[v]
		if of == nil {
			of = map[int][]censoring{}
			m.censored[v] = of
		}
		f := &frame{m: m, loops: s.Loops}
		s.eachElement(func(i, k int) bool {
			f.at = s.at(i)
			if t, err := f.element(r, v); err == nil && s.v.knownAt(k) {
				of[t] = append(of[t], censoring{s, i, k})
			}
			return true
		})
	}
	return m.censored
}

// within are the limits lo <= x <= hi of an element that intervals give it, as far as
// their cuts have values in the store; infinite ones are none.
func (m *Model) within(store State, v *Var, k int) (lo, hi float64) {
	lo, hi = -inf, inf
	for _, x := range m.intervals()[v][k] {
		f := &frame{m: m, store: store, loops: x.s.Loops, at: x.s.at(x.iter)}
		if cuts, err := f.array(x.s.Sample.Args[1]); err == nil {
			below, above := interspace(cuts.V, x.s.v.Value[x.k])
			lo, hi = math.Max(lo, below), math.Min(hi, above)
		}
	}
	return lo, hi
}

// interspace is the range of numbers above n of the cuts: its lower end is the next
// number above a cut.
func interspace(cuts []float64, n float64) (lo, hi float64) {
	lo, hi = -inf, inf
	if slices.ContainsFunc(cuts, math.IsNaN) || !prob.IsInteger(n) || n < 0 || n > float64(len(cuts)) {
		return lo, hi
	}
	cuts = slices.Sorted(slices.Values(cuts))
	if n > 0 {
		lo = math.Nextafter(cuts[int(n)-1], inf)
	}
	if int(n) < len(cuts) {
		hi = cuts[int(n)]
	}
	return lo, hi
}

// narrowed are the bounds of a node that gets a value, with its intervals.
func (b bounds) narrowed(lo, hi float64) bounds {
	return bounds{lo: math.Max(b.lo, lo), hi: math.Min(b.hi, hi)}
}

// nodes says how many of the nodes of a statement have something.
type nodes uint8

const (
	noNode nodes = iota
	someNodes
	allNodes
)

// cutLimits says which nodes of a statement have limits by intervals whose cuts are data.
type cutLimits struct{ lower, upper nodes }

func (u *Unconstrained) cutLimits(s *Statement) (out cutLimits) {
	if u.Model.intervals()[s.v] == nil {
		return out
	}
	kept, below, above := 0, 0, 0
	s.eachElement(func(i, k int) bool {
		if u.keeps(s, i) {
			lo, hi := u.Model.within(u.data, s.v, k)
			kept++
			below += int(truth(!math.IsInf(lo, -1)))
			above += int(truth(!math.IsInf(hi, 1)))
		}
		return true
	})
	count := func(n int) nodes {
		switch n {
		case 0:
			return noNode
		case kept:
			return allNodes
		}
		return someNodes
	}
	return cutLimits{count(below), count(above)}
}

// unknownCuts warns of intervals that limit no node of a statement: those whose cuts are
// nodes, and those of elements of a vector.
func (u *Unconstrained) unknownCuts(pl *plan) (list diag.List) {
	of, said := u.Model.intervals()[pl.s.v], map[*Statement]bool{}
	if of == nil {
		return nil
	}
	pl.s.eachElement(func(i, k int) bool {
		if pl.s.v.ClassAt(k) != Parameter {
			return true
		}
		for _, x := range of[k] {
			cuts, why := x.s.Sample.Args[1], "depend on nodes"
			if pl.joint {
				why = "are those of elements of a " + pl.s.Sample.Dist + " vector"
			} else if u.Model.fromData(cuts) {
				continue
			}
			if !said[x.s] {
				said[x.s] = true
				d := diag.Warningf(cuts.Span(), "the cuts of %s %s, and do not limit %s on the unconstrained scale: on their wrong side its density is 0", x.s.v.Name, why, pl.s.v.Name)
				if d.WithFix("instead of %s ~ dinterval(...) write C(lower, upper) at the distribution of %s: its limits may be nodes", x.s.v.Name, pl.s.v.Name); pl.joint {
					d.WithFix("draw the elements of %s one by one, each given those before it", pl.s.v.Name)
				}
				list = append(list, d)
			}
		}
		return true
	})
	return list
}
