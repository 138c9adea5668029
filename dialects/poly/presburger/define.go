package presburger

import "slices"

// defined is the same set as a union of conjunctions whose divs are all known.
//
// An unknown div is eliminated where that is exact and adds few constraints.
// Otherwise its least value is, in some point, one of the roundings of its lower
// bounds (or its greatest, of its upper bounds), so that it is made known: once for
// each bound of one side. Where the bounds use other unknown divs too, integer
// programming finds contexts in which all have least values.
func (c *conj) defined(w *work) []*conj {
	if c.empty {
		return nil
	}
	best := c.unknown()
	if best == nil {
		return []*conj{c}
	}
	w.step((1 + len(c.ge)) * c.width())
	// What holds no point is not taken apart: with coefficients that have no common measure its parts are without end.
	if (best.cost >= inexact || best.defs != nil) && !c.hasPoint(w) {
		return nil
	}
	var parts []*conj
	switch {
	case best.cost >= inexact:
		return c.contexts(w)
	case best.defs != nil:
		for _, r := range best.defs {
			if p := c.clone().known(r, best.div); !p.simplify().empty {
				parts = append(parts, p)
			}
		}
	default:
		parts = c.clone().without(best.div, w)
	}
	var out []*conj
	for _, p := range parts {
		out = append(out, p.defined(w)...)
	}
	return out
}

// inexact is more than the cost of any other way.
const inexact = 100_000

// contexts are the parts of the projection on what is known, disjoint: the known
// divs are parameters and the others are minimized.
func (c *conj) contexts(w *work) (out []*conj) {
	c = c.clone()
	known := 0
	for i := 0; i < len(c.divs); {
		if c.divs[i].known() {
			known, i = i+1, i+1
		} else if c.moveKnown(i) == i {
			break
		}
	}
	whole := &conj{n: c.n + known, divs: c.divs[known:], eq: c.eq, ge: c.ge}
	for _, s := range whole.lexmin(whole.n, w) {
		p := s.c.clone()
		p.n = c.n
		divs := make([]div, 0, known+len(p.divs))
		for _, d := range c.divs[:known] {
			divs = append(divs, div{d.num[:1+whole.n].grown(len(p.divs)), d.den})
		}
		p.divs = append(divs, p.divs...)
		if !p.simplify().empty {
			out = append(out, p)
		}
	}
	return out
}

// unknownDiv is a way to be rid of an unknown div: by elimination, or defined by each
// of some bounds in turn.
type unknownDiv struct {
	div  int
	defs []row
	cost int
}

// unknown is the cheapest way with an unknown div, or nil. c is simplified, so no
// equation uses it.
func (c *conj) unknown() *unknownDiv {
	var best *unknownDiv
	for i, d := range c.divs {
		if d.known() {
			continue
		}
		if u := c.choices(i); best == nil || u.cost < best.cost {
			best = u
		}
	}
	return best
}

// choices picks one for div i.
func (c *conj) choices(i int) *unknownDiv {
	col := c.divCol(i)
	low, high, _ := bounds(c.ge, col)
	u := &unknownDiv{div: i, cost: len(low)*len(high) - len(low) - len(high)}
	if len(low) == 0 || len(high) == 0 || unit(low, col) || unit(high, col) {
		return u
	}
	u.cost += inexact + 1 // of one bound on a side it was -1
	for _, side := range [][]row{low, high} {
		if cost := 1000 * len(side); cost < u.cost && !slices.ContainsFunc(side, func(r row) bool { return !c.definable(r, i) }) {
			u = &unknownDiv{i, side, cost}
		}
	}
	return u
}

// only is a bound that leaves one value at most: its opposite is less than its
// coefficient away.
func (c *conj) only(low, high []row, i int) row {
	col := c.divCol(i)
	for _, l := range low {
		if !c.definable(l, i) {
			continue
		}
		for _, h := range high {
			if parallel(l, h) < 0 && l[0].Add(h[0]).Cmp(l[col]) < 0 {
				return l
			}
		}
	}
	return nil
}

// onlyValues makes unknown divs known that two opposite bounds leave one value at most;
// changed reports that there was one.
func (c *conj) onlyValues() (changed bool) {
	for i := 0; i < len(c.divs); i++ {
		if c.divs[i].known() {
			continue
		}
		low, high, _ := bounds(c.ge, c.divCol(i))
		if r := c.only(low, high, i); r != nil {
			c.known(r, i)
			changed = true
		}
	}
	return changed
}

// definable reports that a bound of div i uses no other unknown div.
func (c *conj) definable(r row, i int) bool {
	for k, d := range c.divs {
		if k != i && !d.known() && !r[c.divCol(k)].isZero() {
			return false
		}
	}
	return true
}

// known makes unknown div i the rounding of its bound r.
func (c *conj) known(r row, i int) *conj {
	r = r.clone()
	to := c.moveKnown(i)
	// the row is as those of c are now
	x := r[c.divCol(i)]
	r = slices.Insert(slices.Delete(r, c.divCol(i), c.divCol(i)+1), c.divCol(to), x)
	col := c.divCol(to)
	num, a := r.clone(), r[col]
	num[col] = Int{}
	if a.Sign() > 0 { // a e + f >= 0: e is ceil(-f / a)
		num.negate()
		num[0] = num[0].Add(a).Sub(Int{v: 1})
	}
	c.divs[to] = div{num, a.Abs()}
	c.boundDiv(to)
	return c
}
