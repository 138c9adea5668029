package conj

import "github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"

// Two equations that each give a div, such as i = 2e + 1 and 3i = 2f + 3, may say the
// same: with i put into the second it is f = 3e, and f is not needed.

// mergeStrides looks for such pairs: one equation has a coefficient of one at a
// variable, and the other gives a div with a coefficient of one once that is put in.
// changed reports that it found one, which gauss can use up.
func (c *Conj) mergeStrides() (changed bool) {
	for i, p := range c.Eq {
		if p.Last() <= c.N {
			continue
		}
		for col := 1; col <= c.N; col++ {
			if !p[col].IsUnit() {
				continue
			}
			for j, q := range c.Eq {
				if i == j || q[col].IsZero() || q.Last() <= c.N {
					continue
				}
				r := q.Clone()
				r.Eliminate(col, p)
				if drop, bad := NormalizeEq(r); bad || drop || givesDiv(r, c.N) {
					c.Eq[j] = r
					return true
				}
			}
			if c.roundFloor(p, col) {
				return true
			}
		}
	}
	return false
}

// givesDiv reports that the last variable of an equation, over n and divs, is a div with the coefficient
// one.
func givesDiv(r lp.Row, n int) bool {
	l := r.Last()
	return l > n && r[l].IsUnit()
}

// roundFloor looks for a div whose bounds leave it one value once equation p is put in
// for column col, such as floor(i/2) where i = 2e + 1, and adds the equation.
func (c *Conj) roundFloor(p lp.Row, col int) bool {
	for i, d := range c.Divs {
		if !d.Known() || d.Num[col].IsZero() || d.Den.Divides(p[p.Last()]) && c.DivCol(i) == p.Last() {
			continue
		}
		low := d.Num.Clone() // low >= 0 and den - 1 - low >= 0
		low[c.DivCol(i)] = d.Den.Neg()
		low.Eliminate(col, p)
		g := low.Content(1)
		if g.IsZero() || g.Cmp(d.Den) < 0 {
			continue
		}
		// low = g x + con, so x is between -con/g and (den - 1 - con)/g.
		con := low[0]
		least := con.Neg().CeilDiv(g)
		if most := d.Den.Sub(lp.NewInt(1)).Sub(con).FloorDiv(g); !least.Equal(most) {
			continue
		}
		low[0] = lp.Int{}
		low.Divide(g)
		low[0] = least.Neg()
		if !givesDiv(low, c.N) || low.Last() != c.DivCol(i) {
			continue
		}
		c.Eq = append(c.Eq, low)
		return true
	}
	return false
}
