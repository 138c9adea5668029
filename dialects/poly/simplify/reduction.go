package simplify

import (
	"fmt"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
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
func (r *reduction) answers() (p.Set, error) {
	a, err := r.domain.Apply(r.write)
	if err != nil {
		return a, err
	}
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
func (r *reduction) along(v []p.Int) (*move, error) {
	m := &move{vector: v, step: times(r.to.linear(), v)}
	shifted, err := r.domain.Apply(translation(r.domain.Tuple(), v))
	if err != nil {
		return nil, err
	}
	both, err := shifted.Intersect(r.domain)
	if err != nil {
		return nil, err
	}
	if none, err := both.IsEmpty(); err != nil || none {
		return nil, err
	}
	if m.reuse, err = both.Apply(r.write); err != nil {
		return nil, err
	}
	if m.reuse, err = m.reuse.Coalesce(); err != nil {
		return nil, err
	}
	if ok, err := r.subtracted(m, shifted); err != nil || !ok {
		return nil, err
	}
	added, err := r.domain.Subtract(shifted)
	if err != nil {
		return nil, err
	}
	if m.added, err = conjunctions(added); err != nil {
		return nil, err
	}
	if m.roots, err = added.Apply(r.write); err != nil {
		return nil, err
	}
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
func (r *reduction) subtracted(m *move, shifted p.Set) (ok bool, err error) {
	gone, err := shifted.Subtract(r.domain)
	if err != nil {
		return false, err
	}
	asked, err := m.reuse.Apply(r.write.Inverse())
	if err != nil {
		return false, err
	}
	if gone, err = gone.Intersect(asked); err != nil {
		return false, err
	}
	if !r.op.HasInverse() {
		return gone.IsEmpty()
	}
	if gone, err = gone.Apply(translation(r.domain.Tuple(), negated(m.vector))); err != nil {
		return false, err
	}
	m.removed, err = conjunctions(gone)
	return err == nil, err
}

// conjunctions are disjoint, and together a set.
func conjunctions(s p.Set) (out []p.Set, err error) {
	empty, err := s.IsEmpty()
	if err != nil || empty {
		return nil, err
	}
	if s, err = s.Coalesce(); err != nil {
		return nil, err
	}
	if s, err = s.MakeDisjoint(); err != nil {
		return nil, err
	}
	for _, b := range s.Basics() {
		c := p.SetOf(b).WithBudget(s.Budget())
		if c, err = c.DetectEqualities(); err != nil {
			return nil, err
		}
		if c, err = c.RemoveRedundancies(); err != nil {
			return nil, err
		}
		if empty, err = c.IsEmpty(); err != nil {
			return nil, err
		}
		if !empty {
			out = append(out, c)
		}
	}
	return out, nil
}

// rootOf relates answers to the roots that they are reached from by steps.
func rootOf(m *move, t p.Tuple) (*p.Map, error) {
	n := t.Len()
	b := p.Basic{In: t, Out: t, Divs: []p.Div{{Num: make([]p.Int, 2+2*n)}}}
	for i := range n {
		r := make([]p.Int, 2+2*n)
		r[1+i], r[1+n+i], r[1+2*n] = p.NewInt(1), p.NewInt(-1), m.step[i].Neg()
		b.Eq = append(b.Eq, r)
	}
	b.Ge = [][]p.Int{append(make([]p.Int, 1+2*n), p.NewInt(1))}
	root, err := p.MapOf(b).IntersectRange(m.roots)
	if err != nil {
		return nil, err
	}
	if root, err = root.IntersectDomain(m.reuse.Union(m.roots)); err != nil {
		return nil, err
	}
	one, err := root.IsSingleValued()
	if err != nil || !one {
		return nil, err
	}
	if root, err = root.Coalesce(); err != nil {
		return nil, err
	}
	return &root, nil
}
