package presburger

import (
	"iter"
	"slices"
)

// subtractAll takes a union away from each of a union.
func subtractAll(as, bs []*conj, w *work) (out []*conj) {
	known := definedAll(bs, w)
	for _, a := range as {
		out = append(out, a.minus(known, w)...)
	}
	return out
}

func definedAll(cs []*conj, w *work) (out []*conj) {
	for _, c := range cs {
		out = append(out, c.defined(w)...)
	}
	return out
}

// minus takes a union of conjunctions with known divs away, one after another.
func (c *conj) minus(bs []*conj, w *work) []*conj {
	left := []*conj{c}
	for _, b := range bs {
		var next []*conj
		for _, a := range left {
			next = append(next, a.minusOne(b, w)...)
		}
		left = next
	}
	return left
}

// covered reports that a union holds every integer point of c.
func (c *conj) covered(bs []*conj, w *work) bool {
	if !c.hasPoint(w) {
		return true
	}
	return c.inUnion(definedAll(bs, w), w)
}

// inUnion is covered for c with a point and divs that are known.
func (c *conj) inUnion(bs []*conj, w *work) bool {
	if len(bs) == 0 {
		return false
	}
	for p := range c.pieces(bs[0], w) {
		if (p == c || p.hasPoint(w)) && !p.inUnion(bs[1:], w) {
			return false
		}
	}
	return true
}

// minusOne is a without b: for each constraint of b that a does not have, the
// points of a that break it and none before it. The divs of b are functions of the
// other variables, so adding their bounds to a loses nothing.
func (a *conj) minusOne(b *conj, w *work) []*conj { return slices.Collect(a.pieces(b, w)) }

// pieces are those of minusOne, made as they are asked for.
func (a *conj) pieces(b *conj, w *work) iter.Seq[*conj] {
	return func(yield func(*conj) bool) {
		if b.empty {
			yield(a)
			return
		}
		base, cuts := a.cuts(b)
		t := base.tableau(w)
		defer t.release()
		if t.empty {
			return
		}
		u := t.clone()
		apart := !u.addCuts(cuts)
		u.release()
		if apart {
			yield(a)
			return
		}
		for _, k := range cuts {
			for _, side := range k.sides() {
				if t.above(side, Int{v: -1}) {
					continue
				}
				p := base.clone()
				p.ge = append(p.ge, negation(side))
				if !p.simplify().empty && !yield(p) {
					return
				}
			}
			if k.eq {
				base.eq = append(base.eq, k.r.clone())
				t.addEq(k.r)
			} else {
				base.ge = append(base.ge, k.r.clone())
				t.addGe(k.r)
			}
			if t.empty {
				return
			}
		}
	}
}

// cuts are the constraints of b that a does not have, and a with the divs of b.
func (a *conj) cuts(b *conj) (base *conj, cuts []cut) {
	both := a.clone()
	both.add(b)
	base = a.clone()
	base.addDivs(len(both.divs) - len(a.divs))
	for i := range base.divs {
		base.divs[i] = both.divs[i]
		if i >= len(a.divs) {
			base.boundDiv(i)
		}
	}
	eqs, ges := both.eq[len(a.eq):], both.ge[len(a.ge):]
	for _, r := range eqs {
		cuts = append(cuts, cut{r, true})
	}
	for _, r := range ges {
		if !base.definitional(r) {
			cuts = append(cuts, cut{r, false})
		}
	}
	return base, cuts
}

// cut is a constraint to be broken.
type cut struct {
	r  row
	eq bool
}

// sides are the inequalities of a constraint.
func (k cut) sides() []row {
	if k.eq {
		return []row{k.r, k.r.negated()}
	}
	return []row{k.r}
}

func (t *tableau) addCuts(cuts []cut) bool {
	for _, k := range cuts {
		if k.eq && !t.addEq(k.r) || !k.eq && !t.addGe(k.r) {
			return false
		}
	}
	return true
}

// negation of r >= 0 is -r - 1 >= 0.
func negation(r row) row {
	out := r.negated()
	out[0] = out[0].Sub(Int{v: 1})
	return out
}

// tableau is the rational relaxation of a conjunction, divs being variables.
func (c *conj) tableau(w *work) *tableau {
	t := newTableau(c.width()-1, w)
	for _, r := range c.eq {
		if !t.addEq(r) {
			return t
		}
	}
	for _, r := range c.ge {
		if !t.addGe(r) {
			return t
		}
	}
	return t
}

// definitional reports one of the bounds of a div.
func (c *conj) definitional(r row) bool {
	for i := range c.divs {
		if !r[c.divCol(i)].isZero() && c.isBound(r, i) {
			return true
		}
	}
	return false
}
