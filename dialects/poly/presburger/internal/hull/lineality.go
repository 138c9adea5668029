package hull

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// BothWays is the lineality space of the sum of cones, projected on their first n
// variables: the r with r and -r in the sum. The equations of that space are found as
// those of an affine hull are, by linear programs: the relaxation being rational and
// homogeneous, a rational point has an integer multiple.
func BothWays(cones []*conj.Conj, n int, w *lp.Work) [][]lp.Int {
	c := &conj.Conj{N: n}
	for _, sign := range []int64{1, -1} {
		sum := make([]lp.Row, n)
		for i := range sum {
			sum[i] = c.Row()
			sum[i][1+i] = lp.NewInt(-sign)
		}
		for _, k := range cones {
			at := c.N
			c.Insert(c.N, k.N)
			for i := range sum {
				sum[i] = sum[i].Grown(k.N)
				sum[i][1+at+i] = lp.NewInt(1)
			}
			into := func(r lp.Row) lp.Row {
				s := c.Row()
				copy(s[1+at:], r[1:])
				return s
			}
			for _, r := range k.Eq {
				c.Eq = append(c.Eq, into(r))
			}
			for _, r := range k.Ge {
				c.Ge = append(c.Ge, into(r))
			}
		}
		c.Eq = append(c.Eq, sum...)
	}
	t := c.Tableau(w)
	var open, proved []lp.Row
	for i := range n {
		e := make(lp.Row, 1+n)
		e[1+i] = lp.NewInt(1)
		open = append(open, e)
	}
	for len(open) > 0 {
		r := open[0].Grown(c.N - n)
		r[0] = lp.NewInt(-1)
		u := t.Clone()
		if !u.AddGe(r) {
			proved, open = append(proved, open[0]), open[1:]
			continue
		}
		open = conj.Dropped(open, integerMultiple(u, n))
	}
	return lp.Kernel(proved, n, n)
}

// integerMultiple is a multiple of the first n values of a tableau.
func integerMultiple(t *lp.Tableau, n int) []lp.Int {
	den, out := lp.NewInt(1), make([]lp.Int, n)
	for i := range n {
		den = den.LCM(t.Value(i).Den)
	}
	for i := range n {
		v := t.Value(i)
		out[i] = v.Num.Mul(den.Quo(v.Den))
	}
	return out
}

// ShareSpace solves for moves of the n dimensions after np parameters, and of the
// divs with them: equations have to hold on; so have inequalities that the values or
// unknown divs take part in, which then stay as they are; the others say where x is.
func ShareSpace(c *conj.Conj, np, n int) [][]lp.Int {
	cut := func(r lp.Row) lp.Row {
		out := make(lp.Row, 1, 1+n+len(c.Divs))
		out = append(out, r[1+np:1+np+n]...)
		return append(out, r[1+c.N:]...)
	}
	var eqs []lp.Row
	for _, r := range c.Eq {
		eqs = append(eqs, cut(r))
	}
	for _, r := range c.Ge {
		tied := !lp.Row(r[1+np+n : 1+c.N]).IsZero(0)
		for i, d := range c.Divs {
			tied = tied || !d.Known() && !r[c.DivCol(i)].IsZero()
		}
		if tied && !c.Floors().Definitional(r) {
			eqs = append(eqs, cut(r))
		}
	}
	for i := len(c.Divs) - 1; i >= 0; i-- { // those that a later one uses come before it
		uses := func(e lp.Row) bool { return !e[1+n+i].IsZero() }
		if d := c.Divs[i]; d.Known() && slices.ContainsFunc(eqs, uses) {
			e := cut(d.Num)
			e[1+n+i] = d.Den.Neg()
			eqs = append(eqs, e)
		}
	}
	return lp.Kernel(eqs, n+len(c.Divs), n)
}
