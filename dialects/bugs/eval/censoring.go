package eval

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// intervals lists the observed intervals of parameters, by variable and element. It is
// computed once.
func Intervals(m *model.Model) map[*model.Var]map[int][]model.Censoring {
	if m.Censored != nil {
		return m.Censored
	}
	m.Censored = map[*model.Var]map[int][]model.Censoring{}
	for _, s := range m.Statements {
		if s.Sample == nil || !s.Dist.Law.Censors || !s.Var.Has(model.Observed) || m.Abstract() {
			continue
		}
		r, ok := s.Sample.Args[0].(*syntax.Ref)
		if !ok || m.Bindings[r].Var == nil || !m.Bindings[r].Var.Has(model.Parameter) {
			continue
		}
		v := m.Bindings[r].Var
		of := m.Censored[v]
		if of == nil {
			of = map[int][]model.Censoring{}
			m.Censored[v] = of
		}
		f := &Frame{Model: m, Loops: s.Loops}
		s.EachElement(func(i, k int) bool {
			f.At = s.At(i)
			if t, err := f.Element(r, v); err == nil && s.Var.KnownAt(k) {
				of[t] = append(of[t], model.Censoring{Stmt: s, Iter: i, K: k})
			}
			return true
		})
	}
	return m.Censored
}

// within are the limits lo <= x <= hi of an element that intervals give it, as far as
// their cuts have values in the store; infinite ones are none.
func Within(m *model.Model, store State, v *model.Var, k int) (lo, hi float64) {
	lo, hi = -function.Inf, function.Inf
	for _, x := range Intervals(m)[v][k] {
		f := &Frame{Model: m, Store: store, Loops: x.Stmt.Loops, At: x.Stmt.At(x.Iter)}
		if cuts, err := f.Array(x.Stmt.Sample.Args[1]); err == nil {
			below, above := interspace(cuts.V, x.Stmt.Var.Value[x.K])
			lo, hi = math.Max(lo, below), math.Min(hi, above)
		}
	}
	return lo, hi
}

// interspace is the range of numbers above n of the cuts: its lower end is the next
// number above a cut.
func interspace(cuts []float64, n float64) (lo, hi float64) {
	lo, hi = -function.Inf, function.Inf
	if slices.ContainsFunc(cuts, math.IsNaN) || !kit.IsInteger(n) || n < 0 || n > float64(len(cuts)) {
		return lo, hi
	}
	cuts = slices.Sorted(slices.Values(cuts))
	if n > 0 {
		lo = math.Nextafter(cuts[int(n)-1], function.Inf)
	}
	if int(n) < len(cuts) {
		hi = cuts[int(n)]
	}
	return lo, hi
}

// narrowed are the bounds of a node that gets a value, with its intervals.
func (b Bounds) narrowed(lo, hi float64) Bounds {
	return Bounds{Lo: math.Max(b.Lo, lo), Hi: math.Min(b.Hi, hi)}
}
