package conj

import "github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"

// Irredundant drops inequalities that the rest implies, but for the bounds of divs
// that something uses.
func (c *Conj) Irredundant(w *lp.Work) *Conj {
	if c.Empty || len(c.Ge) == 0 {
		return c
	}
	r := newRedundancy(c, w)
	defer r.t.Release()
	if r.t.Empty {
		return Void(c.N)
	}
	keep := r.unimplied()
	if len(keep) == len(c.Ge) {
		return c
	}
	return &Conj{N: c.N, Divs: c.Divs, Eq: c.Eq, Ge: keep}
}

// A redundancy finds the inequalities of a conjunction that the others imply.
type redundancy struct {
	c     *Conj
	t     *lp.Tableau // of all
	first int         // from which number on it has the inequalities
}

func newRedundancy(c *Conj, w *lp.Work) redundancy {
	t := lp.NewTableau(c.Width()-1, w)
	for _, r := range c.Eq {
		t.AddEq(r)
	}
	first := len(t.At)
	for _, r := range c.Ge {
		t.AddGe(r)
	}
	return redundancy{c, t, first}
}

// unimplied lists the inequalities that the others do not imply, and the bounds of divs.
func (x redundancy) unimplied() (keep []lp.Row) {
	c, floors := x.c, x.c.Floors()
	gone := make([]bool, len(c.Ge))
	n := len(c.Ge)
	for i := len(c.Ge) - 1; i >= 0; i-- {
		if !floors.Definitional(c.Ge[i]) && x.t.Redundant(x.first+i) {
			gone[i] = true
			n--
		}
	}
	if n == len(c.Ge) {
		return c.Ge
	}
	keep = make([]lp.Row, 0, n)
	for i, r := range c.Ge {
		if !gone[i] {
			keep = append(keep, r)
		}
	}
	return keep
}

// WithEqualities adds the equations of the affine hull of the integer points: an
// inequality that is tight at all points of the rational relaxation becomes one,
// until no more do.
func (c *Conj) WithEqualities(w *lp.Work) *Conj {
	out := c.Clone()
	for {
		if out.Simplify(); out.Empty || len(out.Ge) == 0 {
			return out
		}
		t := out.Tableau(w)
		if t.Empty {
			t.Release()
			return Void(c.N)
		}
		found := false
		for i := 0; i < len(out.Ge); i++ {
			// r <= 0 everywhere, or r < 1: it is 0 on integers
			max, ok := t.Minimum(out.Ge[i].Negated())
			if !ok || max.Cmp(lp.Rat{Num: lp.NewInt(-1), Den: lp.NewInt(1)}) <= 0 {
				continue
			}
			out.Eq = append(out.Eq, out.Ge[i])
			out.Ge = append(out.Ge[:i], out.Ge[i+1:]...)
			found = true
			i--
		}
		t.Release()
		if !found {
			return out
		}
	}
}

// Hits reports that a conjunction meets a union.
func Hits(c *Conj, bs []*Conj, w *lp.Work) bool {
	for _, b := range bs {
		if Meet(c, b).HasPoint(w) {
			return true
		}
	}
	return false
}

// Gist drops the constraints of c that b and the others imply: equations one by one,
// those with integers in mind, then inequalities on one tableau of all that is left.
func (c *Conj) Gist(b *Conj, w *lp.Work) *Conj {
	if m := Meet(c, b); !m.HasPoint(w) {
		return Void(c.N)
	}
	for _, d := range b.Divs {
		if !d.Known() {
			return c // what exists for b need not be what c means
		}
	}
	all := b.Clone() // b, with the divs of c and its constraints
	eqs, ges := len(b.Eq), len(b.Ge)
	all.Add(c)
	out := &Conj{N: c.N, Divs: c.Divs}
	t := lp.NewTableau(all.Width()-1, w)
	defer func() { t.Release() }()
	for _, r := range all.Eq[:eqs] {
		t.AddEq(r)
	}
	for _, r := range all.Ge[:ges] {
		t.AddGe(r)
	}
	var left []int // inequalities of c
	for i := range c.Ge {
		if c.Floors().Definitional(c.Ge[i]) {
			t.AddGe(all.Ge[ges+i])
		} else {
			left = append(left, i)
		}
	}
	k := &knowledge{&Conj{N: all.N, Divs: all.Divs, Eq: all.Eq[:eqs:eqs], Ge: all.Ge[:ges:ges]}, t, w}
	for i := range k.c.Divs {
		k.c.BoundDiv(i)
	}
	for i, r := range c.Eq {
		if e := all.Eq[eqs+i]; !k.implies(e) {
			out.Eq = append(out.Eq, r)
			k.c.Eq = append(k.c.Eq, e)
			t.AddEq(e)
		}
	}
	first := len(t.At)
	for _, i := range left {
		t.AddGe(all.Ge[ges+i])
	}
	gone := make([]bool, len(c.Ge))
	for k := len(left) - 1; k >= 0; k-- {
		gone[left[k]] = t.Empty || t.Redundant(first+k)
	}
	for i, r := range c.Ge {
		if !gone[i] {
			out.Ge = append(out.Ge, r)
		}
	}
	return out.Clone().Simplify()
}

// knowledge is a conjunction that grows, with its tableau: what is known when a constraint is looked at.
type knowledge struct {
	c *Conj
	t *lp.Tableau
	w *lp.Work
}

// implies reports that e = 0 at all integer points.
func (k *knowledge) implies(e lp.Row) bool {
	c, t := k.c, k.t
	if t.Empty || t.AtLeast(e) && t.AtLeast(e.Negated()) {
		return true
	}
	if e.Last() <= c.N || !c.Floors().allKnown() {
		return false
	}
	for _, side := range []lp.Row{e, e.Negated()} {
		d := c.Clone()
		d.Ge = append(d.Ge, negation(side))
		if !d.Simplify().Empty && d.HasPoint(k.w) {
			return false
		}
	}
	return true
}
