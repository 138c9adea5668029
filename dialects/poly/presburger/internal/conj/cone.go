package conj

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// Cone are the directions in which the rational relaxation goes on, parameters fixed:
// variables are the dimensions, then the divs.
func (c *Conj) Cone(np int) *Conj {
	out := &Conj{N: c.Width() - 1 - np}
	cut := func(rs []lp.Row) (cuts []lp.Row) {
		for _, r := range rs {
			s := make(lp.Row, 1, 1+out.N)
			cuts = append(cuts, append(s, r[1+np:]...))
		}
		return cuts
	}
	out.Eq, out.Ge = cut(c.Eq), cut(c.Ge)
	return out
}

// Bounded looks at the directions in which the set goes on: with all constants and
// parameters 0 there must be none.
func (c *Conj) Bounded(np int, w *lp.Work) bool {
	cone := c.Clone()
	homogeneous := func(r lp.Row) {
		for i := range 1 + np {
			r[i] = lp.Int{}
		}
	}
	for _, r := range slices.Concat(cone.Eq, cone.Ge) {
		homogeneous(r)
	}
	t := cone.Tableau(w)
	defer t.Release()
	for i := np; i < c.N; i++ {
		r := c.Row()
		r[1+i] = lp.NewInt(1)
		if !t.AtLeast(r) || !t.AtLeast(r.Negated()) {
			return false
		}
	}
	return true
}
