package conj

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// Defined is the same set as a union of conjunctions whose divs are all known.
//
// An unknown div is eliminated where that is exact and adds few constraints.
// Otherwise its least value is, in some point, one of the roundings of its lower
// bounds (or its greatest, of its upper bounds), so that it is made known: once for
// each bound of one side. Where the bounds use other unknown divs too, integer
// programming finds contexts in which all have least values.
func (c *Conj) Defined(w *lp.Work) []*Conj {
	if c.Empty {
		return nil
	}
	best := c.Unknown()
	if best == nil {
		return []*Conj{c}
	}
	w.Step((1 + len(c.Ge)) * c.Width())
	// What holds no point is not taken apart: with coefficients that have no common measure its parts are without end.
	if (best.cost >= inexact || best.defs != nil) && !c.HasPoint(w) {
		return nil
	}
	var parts []*Conj
	switch {
	case best.cost >= inexact:
		return c.contexts(w)
	case best.defs != nil:
		for _, r := range best.defs {
			if p := c.Clone().known(r, best.div); !p.Simplify().Empty {
				parts = append(parts, p)
			}
		}
	default:
		parts = newElimination(c.Clone(), best.div, w).union()
	}
	var out []*Conj
	for _, p := range parts {
		out = append(out, p.Defined(w)...)
	}
	return out
}

// inexact is more than the cost of any other way.
const inexact = 100_000

// contexts are the parts of the projection on what is known, disjoint: the known
// divs are parameters and the others are minimized.
func (c *Conj) contexts(w *lp.Work) (out []*Conj) {
	c = c.Clone()
	known := 0
	for i := 0; i < len(c.Divs); {
		if c.Divs[i].Known() {
			known, i = i+1, i+1
		} else if c.moveKnown(i) == i {
			break
		}
	}
	whole := &Conj{N: c.N + known, Divs: c.Divs[known:], Eq: c.Eq, Ge: c.Ge}
	for _, s := range whole.LexMin(whole.N, w) {
		p := s.C.Clone()
		p.N = c.N
		divs := make([]Div, 0, known+len(p.Divs))
		for _, d := range c.Divs[:known] {
			divs = append(divs, Div{d.Num[:1+whole.N].Grown(len(p.Divs)), d.Den})
		}
		p.Divs = append(divs, p.Divs...)
		if !p.Simplify().Empty {
			out = append(out, p)
		}
	}
	return out
}

// unknownDiv is a way to be rid of an unknown div: by elimination, or defined by each
// of some bounds in turn.
type unknownDiv struct {
	div  int
	defs []lp.Row
	cost int
}

// Unknown is the cheapest way with an unknown div, or nil. c is simplified, so no
// equation uses it.
func (c *Conj) Unknown() *unknownDiv {
	var best *unknownDiv
	for i, d := range c.Divs {
		if d.Known() {
			continue
		}
		if u := newElimination(c, i, nil).choice(i); best == nil || u.cost < best.cost {
			best = u
		}
	}
	return best
}

// choice picks one for the div, which is div i.
func (e elimination) choice(i int) *unknownDiv {
	u := &unknownDiv{div: i, cost: len(e.low)*len(e.high) - len(e.low) - len(e.high)}
	if e.isExact() {
		return u
	}
	f := e.c.Floors()
	u.cost += inexact + 1 // of one bound on a side it was -1
	for _, side := range [][]lp.Row{e.low, e.high} {
		if cost := 1000 * len(side); cost < u.cost && !slices.ContainsFunc(side, func(r lp.Row) bool { return !f.definable(r, i) }) {
			u = &unknownDiv{i, side, cost}
		}
	}
	return u
}

// only is a bound that leaves one value at most: its opposite is less than its
// coefficient away.
func (f Floors) only(low, high []lp.Row, i int) lp.Row {
	col := f.col(i)
	for _, l := range low {
		if !f.definable(l, i) {
			continue
		}
		for _, h := range high {
			if lp.Parallel(l, h) < 0 && l[0].Add(h[0]).Cmp(l[col]) < 0 {
				return l
			}
		}
	}
	return nil
}

// onlyValues makes unknown divs known that two opposite bounds leave one value at most;
// changed reports that there was one.
func (c *Conj) onlyValues() (changed bool) {
	for i := 0; i < len(c.Divs); i++ {
		if c.Divs[i].Known() {
			continue
		}
		low, high, _ := Bounds(c.Ge, c.DivCol(i))
		if r := c.Floors().only(low, high, i); r != nil {
			c.known(r, i)
			changed = true
		}
	}
	return changed
}

// known makes unknown div i the rounding of its bound r.
func (c *Conj) known(r lp.Row, i int) *Conj {
	r = r.Clone()
	to := c.moveKnown(i)
	// the row is as those of c are now
	x := r[c.DivCol(i)]
	r = slices.Insert(slices.Delete(r, c.DivCol(i), c.DivCol(i)+1), c.DivCol(to), x)
	col := c.DivCol(to)
	num, a := r.Clone(), r[col]
	num[col] = lp.Int{}
	if a.Sign() > 0 { // a e + f >= 0: e is ceil(-f / a)
		num.Negate()
		num[0] = num[0].Add(a).Sub(lp.NewInt(1))
	}
	c.Divs[to] = Div{num, a.Abs()}
	c.BoundDiv(to)
	return c
}
