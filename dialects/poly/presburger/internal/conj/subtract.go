package conj

import (
	"iter"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// Minus takes a union of conjunctions with known divs away from one, one after another.
func Minus(c *Conj, bs []*Conj, w *lp.Work) []*Conj {
	left := []*Conj{c}
	for _, b := range bs {
		var next []*Conj
		for _, a := range left {
			next = append(next, MinusOne(a, b, w)...)
		}
		left = next
	}
	return left
}

// Covered reports that a union holds every integer point of c.
func Covered(c *Conj, bs []*Conj, w *lp.Work) bool {
	if !c.HasPoint(w) {
		return true
	}
	return inUnion(c, DefinedAll(bs, w), w)
}

// inUnion is covered for c with a point and divs that are known.
func inUnion(c *Conj, bs []*Conj, w *lp.Work) bool {
	if len(bs) == 0 {
		return false
	}
	for p := range pieces(c, bs[0], w) {
		if (p == c || p.HasPoint(w)) && !inUnion(p, bs[1:], w) {
			return false
		}
	}
	return true
}

// MinusOne is a without b: for each constraint of b that a does not have, the
// points of a that break it and none before it. The divs of b are functions of the
// other variables, so adding their bounds to a loses nothing.
func MinusOne(a, b *Conj, w *lp.Work) []*Conj { return slices.Collect(pieces(a, b, w)) }

// pieces are those of MinusOne, made as they are asked for.
func pieces(a, b *Conj, w *lp.Work) iter.Seq[*Conj] {
	return func(yield func(*Conj) bool) {
		if b.Empty {
			yield(a)
			return
		}
		base, cuts := cutsOf(a, b)
		t := base.Tableau(w)
		defer t.Release()
		if t.Empty {
			return
		}
		u := t.Clone()
		apart := !addCuts(u, cuts)
		u.Release()
		if apart {
			yield(a)
			return
		}
		for _, k := range cuts {
			for _, side := range k.sides() {
				if t.Above(side, lp.NewInt(-1)) {
					continue
				}
				p := base.Clone()
				p.Ge = append(p.Ge, negation(side))
				if !p.Simplify().Empty && !yield(p) {
					return
				}
			}
			if k.eq {
				base.Eq = append(base.Eq, k.r.Clone())
				t.AddEq(k.r)
			} else {
				base.Ge = append(base.Ge, k.r.Clone())
				t.AddGe(k.r)
			}
			if t.Empty {
				return
			}
		}
	}
}

// cutsOf are the constraints of b that a does not have, and a with the divs of b.
func cutsOf(a, b *Conj) (base *Conj, cuts []cut) {
	both := a.Clone()
	both.Add(b)
	base = a.Clone()
	base.AddDivs(len(both.Divs) - len(a.Divs))
	for i := range base.Divs {
		base.Divs[i] = both.Divs[i]
		if i >= len(a.Divs) {
			base.BoundDiv(i)
		}
	}
	eqs, ges := both.Eq[len(a.Eq):], both.Ge[len(a.Ge):]
	for _, r := range eqs {
		cuts = append(cuts, cut{r, true})
	}
	for _, r := range ges {
		if !base.Floors().Definitional(r) {
			cuts = append(cuts, cut{r, false})
		}
	}
	return base, cuts
}

// cut is a constraint to be broken.
type cut struct {
	r  lp.Row
	eq bool
}

// sides are the inequalities of a constraint.
func (k cut) sides() []lp.Row {
	if k.eq {
		return []lp.Row{k.r, k.r.Negated()}
	}
	return []lp.Row{k.r}
}

// negation of r >= 0 is -r - 1 >= 0.
func negation(r lp.Row) lp.Row {
	out := r.Negated()
	out[0] = out[0].Sub(lp.NewInt(1))
	return out
}

// Tableau is the rational relaxation of a conjunction, divs being variables.
func (c *Conj) Tableau(w *lp.Work) *lp.Tableau {
	t := lp.NewTableau(c.Width()-1, w)
	for _, r := range c.Eq {
		if !t.AddEq(r) {
			return t
		}
	}
	for _, r := range c.Ge {
		if !t.AddGe(r) {
			return t
		}
	}
	return t
}

func addCuts(t *lp.Tableau, cuts []cut) bool {
	for _, k := range cuts {
		if k.eq && !t.AddEq(k.r) || !k.eq && !t.AddGe(k.r) {
			return false
		}
	}
	return true
}
