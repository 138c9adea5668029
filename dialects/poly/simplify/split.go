package simplify

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// mostSplits bounds how often a domain is split on the way to a plan.
const mostSplits = 2

// split divides the domain of a reduction whose operator has no inverse by a hyperplane: through the
// meeting of two facets, along the answers or along what is shared (Narmour, Yuki and Rajopadhye
// show that such splits suffice), so that on either side one of the facets is left.
func (t *trial) split() (err error) {
	defer unwind.To(&err)
	if t.red.op.HasInverse() || t.red.splits == mostSplits {
		return nil
	}
	if len(p.MeetLattices(t.share, t.shape.moves, t.red.dims())) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for i, a := range t.shape.bounds {
		for k, b := range t.shape.bounds[:i] {
			for _, v := range slices.Concat(t.fibre, t.share) {
				h := between(a, b, dot(t.shape.facets[i], v), dot(t.shape.facets[k], v))
				if h == nil || isZero(h[1+len(t.red.to.params):]) || seen[vectorText(h)] || seen[vectorText(negated(h))] {
					continue
				}
				seen[vectorText(h)] = true
				t.at(h)
				if t.done() {
					return nil
				}
			}
		}
	}
	return nil
}

// between is the hyperplane through the meeting of two others that a vector lies in; x and y are
// what it moves by from these.
func between(a, b []p.Int, x, y p.Int) []p.Int {
	if x.Sign() == 0 || y.Sign() == 0 {
		return nil // it is one of the two
	}
	h := make([]p.Int, len(a))
	for i := range a {
		h[i] = a[i].Mul(y).Sub(b[i].Mul(x))
	}
	return primitive(h)
}

// at splits the domain: where a row is at least 0, and where it is less.
func (t *trial) at(h []p.Int) {
	params, tuple := t.red.to.params, t.red.domain.Tuple()
	below := negated(h)
	below[0] = below[0].Sub(p.NewInt(1))
	var parts []*reduction
	for _, row := range [][]p.Int{h, below} {
		d := unwind.Must(t.red.domain.Intersect(p.SetOf(p.Basic{Params: params, Out: tuple, Ge: [][]p.Int{row}})))
		ds := unwind.Must(conjunctions(d))
		if len(ds) == 0 {
			return
		}
		for _, d := range ds {
			r := t.red.over(d)
			r.splits++
			parts = append(parts, r)
		}
	}
	for _, r := range parts {
		o := t.outlineOf(r)
		if t.enables(r, o) {
			t.offer(&plan{how: splitUp}, nil, parts)
			return
		}
	}
}
