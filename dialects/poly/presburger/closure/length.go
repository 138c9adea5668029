package closure

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// Maps with a length have it as their last parameter.

// someLength forgets the length.
func someLength(m p.Map) p.Map {
	var out []p.Basic
	for _, b := range m.Basics() {
		np := len(b.Params) - 1
		dims := b.In.Len() + b.Out.Len()
		from := make([]int, 0, 1+np+dims+1+len(b.Divs))
		for i := range 1 + np {
			from = append(from, i)
		}
		for i := range dims {
			from = append(from, 1+np+1+i)
		}
		from = append(from, 1+np) // becomes the first variable that exists
		for i := range b.Divs {
			from = append(from, 1+np+1+dims+i)
		}
		c := moved(b, from)
		c.Params = b.Params[:np]
		c.Divs = append(unknown(1, len(from)), c.Divs...)
		out = append(out, c)
	}
	return p.MapOf(out...)
}

// lengthsHold proves by induction that the pairs of each length are paths: those of
// length 1 are steps of r, and the others one step of r after those one shorter.
func (c *closer) lengthsHold(r, sums p.Map) bool {
	params := sums.Params()
	if len(params) == 0 {
		return true // no pair at all
	}
	k := params[len(params)-1]
	if !c.subset(sums.FixParam(k, p.NewInt(1)), r) || c.err != nil {
		return false
	}
	var longer, shorter []p.Basic
	for _, b := range sums.Basics() {
		col := len(b.Params)
		l := b
		two := make([]p.Int, 1+len(b.Params)+b.In.Len()+b.Out.Len()+len(b.Divs))
		two[0], two[col] = p.NewInt(-2), p.NewInt(1)
		l.Ge = append(slices.Clone(b.Ge), two)
		longer = append(longer, l)
		shorter = append(shorter, oneLess(b, col))
	}
	return c.subset(p.MapOf(longer...), c.after(r, p.MapOf(shorter...)))
}

// oneLess puts the variable of a column less 1 in its place.
func oneLess(b p.Basic, col int) p.Basic {
	return withRows(b, func(r []p.Int) []p.Int {
		r = slices.Clone(r)
		r[0] = r[0].Sub(r[col])
		return r
	})
}
