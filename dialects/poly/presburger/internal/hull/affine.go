package hull

import (
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// LatticeHull adds differences of points to a lattice until it holds all. Each makes
// its dimension larger or divides its index by 2 at least.
func LatticeHull(cs []*conj.Conj, n int, w *lp.Work) *conj.Conj {
	x, ok := conj.AnyPoint(cs, w)
	if !ok {
		return nil
	}
	x = x[:n]
	var gens [][]lp.Int
	for {
		l := Lattice(x, gens)
		if l.Unknown() != nil {
			panic("presburger: a lattice has a definition for every variable")
		}
		y, ok := pointOutside(cs, l, w)
		if !ok {
			return l
		}
		d := make([]lp.Int, n)
		for i := range d {
			d[i] = y[i].Sub(x[i])
		}
		gens = lp.HermiteNormalForm(append(gens, d))
	}
}

// Lattice is base + integer combinations of vectors.
func Lattice(base []lp.Int, gens [][]lp.Int) *conj.Conj {
	n := len(base)
	c := conj.Universe(n)
	c.AddDivs(len(gens))
	for i := range n {
		e := c.Row()
		e[0], e[1+i] = base[i].Neg(), lp.NewInt(1)
		for j, g := range gens {
			e[1+n+j] = g[i].Neg()
		}
		c.Eq = append(c.Eq, e)
	}
	return c.Simplify()
}

func pointOutside(cs []*conj.Conj, l *conj.Conj, w *lp.Work) (x []lp.Int, ok bool) {
	for _, c := range cs {
		for _, p := range conj.MinusOne(c, l, w) {
			if x, ok := p.Sample(w); ok {
				return x, true
			}
		}
	}
	return nil, false
}
