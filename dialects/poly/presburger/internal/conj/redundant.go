package conj

import "github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"

// Irredundant drops inequalities that the rest implies, but for the bounds of divs
// that something uses.
func (c *Conj) Irredundant(w *lp.Work) *Conj {
	if c.Empty || len(c.Ge) == 0 {
		return c
	}
	t, first := c.numbered(w)
	defer t.Release()
	if t.Empty {
		return Void(c.N)
	}
	keep := c.unimplied(t, first)
	if len(keep) == len(c.Ge) {
		return c
	}
	return &Conj{N: c.N, Divs: c.Divs, Eq: c.Eq, Ge: keep}
}

// numbered is the tableau of c, in which the inequalities have the numbers from first on.
func (c *Conj) numbered(w *lp.Work) (t *lp.Tableau, first int) {
	t = lp.NewTableau(c.Width()-1, w)
	for _, r := range c.Eq {
		t.AddEq(r)
	}
	first = len(t.At)
	for _, r := range c.Ge {
		t.AddGe(r)
	}
	return t, first
}

// unimplied lists the inequalities that the others in t do not imply, and the bounds
// of divs. Those of c are numbered from first on.
func (c *Conj) unimplied(t *lp.Tableau, first int) (keep []lp.Row) {
	gone := make([]bool, len(c.Ge))
	n := len(c.Ge)
	for i := len(c.Ge) - 1; i >= 0; i-- {
		if !c.Definitional(c.Ge[i]) && t.Redundant(first+i) {
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
		if c.Definitional(c.Ge[i]) {
			t.AddGe(all.Ge[ges+i])
		} else {
			left = append(left, i)
		}
	}
	known := &Conj{N: all.N, Divs: all.Divs, Eq: all.Eq[:eqs:eqs], Ge: all.Ge[:ges:ges]}
	for i := range known.Divs {
		known.BoundDiv(i)
	}
	for i, r := range c.Eq {
		if e := all.Eq[eqs+i]; !known.implies(e, t, w) {
			out.Eq = append(out.Eq, r)
			known.Eq = append(known.Eq, e)
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

// implies reports that e = 0 at all integer points of c, whose tableau is t.
func (c *Conj) implies(e lp.Row, t *lp.Tableau, w *lp.Work) bool {
	if t.Empty || t.AtLeast(e) && t.AtLeast(e.Negated()) {
		return true
	}
	if e.Last() <= c.N || !c.allKnown() {
		return false
	}
	for _, side := range []lp.Row{e, e.Negated()} {
		d := c.Clone()
		d.Ge = append(d.Ge, negation(side))
		if !d.Simplify().Empty && d.HasPoint(w) {
			return false
		}
	}
	return true
}
