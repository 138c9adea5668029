package simplify

import (
	"fmt"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A reduction is what the search works on: all instances of a conjunction accumulate their value
// into the answers that they belong to.
type reduction struct {
	op     Operator
	domain p.Set
	to     affine // the answer of an instance
	write  p.Map  // to as a relation
	body   *Expr
	up     *p.Map     // from answers to the elements of the array that they are parts of; nil if they are these
	splits int        // how often it was split
	own    *temporary // that it accumulates in instead of the target; nil if it does so there
	text   string     // see key
}

func (r *reduction) dims() int { return r.domain.Tuple().Len() }

// key tells reductions apart.
func (r *reduction) key() string {
	if r.text == "" {
		r.text = fmt.Sprintf("%s %s %s %p", r.op, r.domain, r.write, r.body)
		if r.own != nil {
			r.text += " " + r.own.name
		}
	}
	return r.text
}

// newReduction has its function as a relation, too.
func newReduction(op Operator, d p.Set, to affine, body *Expr) *reduction {
	return &reduction{op: op, domain: d, to: to, write: to.graph(), body: body}
}

// into is the reduction into other answers.
func (r *reduction) into(to affine) *reduction {
	c := *r
	c.to, c.write, c.text = to, to.graph(), ""
	return &c
}

// of is the reduction of another value.
func (r *reduction) of(body *Expr) *reduction {
	c := *r
	c.body, c.text = body, ""
	return &c
}

// over is the reduction over another domain.
func (r *reduction) over(d p.Set) *reduction {
	c := *r
	c.domain, c.text = d, ""
	return &c
}

// answers are the elements into which something accumulates.
func (r *reduction) answers() (_ p.Set, err error) {
	defer unwind.To(&err)
	a := unwind.Must(r.domain.Apply(r.write))
	return a.Coalesce()
}

// A move is what a vector of reuse makes of a reduction.
type move struct {
	vector  []p.Int
	step    []p.Int // by which answers move
	reuse   p.Set   // the answers that have what another has
	added   []p.Set // conjunctions of the domain: what has nothing to reuse
	removed []p.Set // conjunctions of the domain: what is too much where it is reused
	to      affine  // the answers that removed is too much in
	roots   p.Set   // answers of added
	root    *p.Map  // from each answer to the root whose value it has if nothing is added on the way; nil if that is not one
}

// along finds what a vector of reuse makes of a reduction; nil if nothing is reused, or something would have
// to be subtracted that cannot be.
func (r *reduction) along(v []p.Int) (_ *move, err error) {
	defer unwind.To(&err)
	m := &move{vector: v, step: times(r.to.linear(), v)}
	shifted := unwind.Must(r.domain.Apply(translation(r.domain.Tuple(), v)))
	both := unwind.Must(shifted.Intersect(r.domain))
	if unwind.Must(both.IsEmpty()) {
		return nil, nil
	}
	m.reuse = unwind.Must(both.Apply(r.write))
	m.reuse = unwind.Must(m.reuse.Coalesce())
	if !r.subtracted(m, shifted) {
		return nil, nil
	}
	added := unwind.Must(r.domain.Subtract(shifted))
	m.added = unwind.Must(conjunctions(added))
	m.roots = unwind.Must(added.Apply(r.write))
	m.to = r.to
	m.to.rows = nil
	for i, row := range r.to.rows {
		row = slices.Clone(row)
		row[0] = row[0].Add(m.step[i])
		m.to.rows = append(m.to.rows, row)
	}
	return m, nil
}

// subtracted finds what is too much where a move reuses, which is in the moved domain alone; ok says
// that there is nothing, or that it can be taken away.
func (r *reduction) subtracted(m *move, shifted p.Set) (ok bool) {
	gone := unwind.Must(shifted.Subtract(r.domain))
	gone = unwind.Must(gone.Intersect(unwind.Must(m.reuse.Apply(r.write.Inverse()))))
	if !r.op.HasInverse() {
		return unwind.Must(gone.IsEmpty())
	}
	gone = unwind.Must(gone.Apply(translation(r.domain.Tuple(), negated(m.vector))))
	m.removed = unwind.Must(conjunctions(gone))
	return true
}

// conjunctions are disjoint, and together a set.
func conjunctions(s p.Set) (out []p.Set, err error) {
	defer unwind.To(&err)
	empty := unwind.Must(s.IsEmpty())
	if empty {
		return nil, nil
	}
	s = unwind.Must(s.Coalesce())
	s = unwind.Must(s.MakeDisjoint())
	for _, b := range s.Basics() {
		c := p.SetOf(b).WithBudget(s.Budget())
		c = unwind.Must(c.DetectEqualities())
		c = unwind.Must(c.RemoveRedundancies())
		empty = unwind.Must(c.IsEmpty())
		if !empty {
			out = append(out, c)
		}
	}
	return out, nil
}

// rootOf relates answers to the roots that they are reached from by steps.
func rootOf(m *move, t p.Tuple) *p.Map {
	n := t.Len()
	b := p.Basic{In: t, Out: t, Divs: []p.Div{{Num: make([]p.Int, 2+2*n)}}}
	for i := range n {
		r := make([]p.Int, 2+2*n)
		r[1+i], r[1+n+i], r[1+2*n] = p.NewInt(1), p.NewInt(-1), m.step[i].Neg()
		b.Eq = append(b.Eq, r)
	}
	b.Ge = [][]p.Int{append(make([]p.Int, 1+2*n), p.NewInt(1))}
	root := unwind.Must(p.MapOf(b).IntersectRange(m.roots))
	root = unwind.Must(root.IntersectDomain(m.reuse.Union(m.roots)))
	if !unwind.Must(root.IsSingleValued()) {
		return nil
	}
	root = unwind.Must(root.Coalesce())
	return &root
}
