package conj

import "github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"

// AffineHull starts from the equations of one point. Each is tried: a point of the
// union off it removes it, and what that point says of the others with it (as in
// Karr, "Affine relationships among variables of a program", 1976); where there is
// none it holds everywhere.
func AffineHull(cs []*Conj, n int, w *lp.Work) *Conj {
	x, ok := AnyPoint(cs, w)
	if !ok {
		return nil
	}
	var open, proved []lp.Row
	for i := range n {
		e := make(lp.Row, 1+n)
		e[0], e[1+i] = x[i].Neg(), lp.NewInt(1)
		open = append(open, e)
	}
	for len(open) > 0 {
		e := open[0]
		y, ok := pointOff(cs, e, w)
		if !ok {
			proved, open = append(proved, e), open[1:]
			continue
		}
		open = Dropped(open, y[:n])
	}
	out := &Conj{N: n, Eq: proved}
	return out.Simplify()
}

// Dropped are the combinations of equations that hold at a point, too, at which the
// first does not.
func Dropped(eqs []lp.Row, y []lp.Int) (out []lp.Row) {
	at := func(e lp.Row) lp.Int { return e[0].Add(lp.Dot(e[1:], y)) }
	first := at(eqs[0])
	for _, e := range eqs[1:] {
		if v := at(e); !v.IsZero() {
			e = e.Clone()
			e.Combine(first, v.Neg(), eqs[0])
			e.Reduce()
		}
		out = append(out, e)
	}
	return out
}

// AnyPoint is a point of a union, divs included.
func AnyPoint(cs []*Conj, w *lp.Work) (x []lp.Int, ok bool) {
	for _, c := range cs {
		if x, ok := c.Sample(w); ok {
			return x, true
		}
	}
	return nil, false
}

// pointOff is a point of a union at which a function of its variables is not 0.
func pointOff(cs []*Conj, e lp.Row, w *lp.Work) (x []lp.Int, ok bool) {
	for _, c := range cs {
		for _, sign := range []int{1, -1} {
			d := signed(c, e, sign)
			if d.Empty {
				continue
			}
			if x, ok := d.Sample(w); ok {
				return x, true
			}
		}
	}
	return nil, false
}
