package presburger

import "slices"

// A tuple names the dimensions of one side of a map, or of a set. A wrapped map has
// two tuples instead of dimensions of its own.
type tuple struct {
	name    string
	dims    []string // may be empty strings
	in, out *tuple   // both or neither
}

func (t *tuple) len() int {
	if t == nil {
		return 0
	}
	if t.in != nil {
		return t.in.len() + t.out.len()
	}
	return len(t.dims)
}

// equal compares names and structure; the names of dimensions do not matter.
func (t *tuple) equal(u *tuple) bool {
	if t == nil || u == nil {
		return t == u
	}
	if t.name != u.name || (t.in != nil) != (u.in != nil) {
		return false
	}
	if t.in != nil {
		return t.in.equal(u.in) && t.out.equal(u.out)
	}
	return len(t.dims) == len(u.dims)
}

// names lists the names of all dimensions.
func (t *tuple) names() []string {
	if t == nil {
		return nil
	}
	if t.in != nil {
		return append(t.in.names(), t.out.names()...)
	}
	return slices.Clone(t.dims)
}

// space is a pair of tuples; a set has no in, a set of parameters alone none at all.
type space struct{ in, out *tuple }

func (s space) isParams() bool { return s.out == nil }

func (s space) equal(t space) bool { return s.in.equal(t.in) && s.out.equal(t.out) }

func (s space) numIn() int {
	if s.in == nil {
		return 0
	}
	return s.in.len()
}

func (s space) numOut() int { return s.out.len() }

func (s space) dims() int { return s.numIn() + s.numOut() }

// part is what a relation holds in one space.
type part struct {
	space
	conjs []*conj
}

// relation is a set, or a map, over parameters and any number of spaces.
type relation struct {
	params []string
	parts  []part
	budget allowance
}

// find is the part in a space, or nil.
func (r *relation) find(s space) *part {
	for i := range r.parts {
		if r.parts[i].equal(s) {
			return &r.parts[i]
		}
	}
	return nil
}

// put adds conjunctions in a space; empty ones only name it.
func (r *relation) put(s space, cs ...*conj) {
	p := r.find(s)
	if p == nil {
		r.parts = append(r.parts, part{space: s})
		p = &r.parts[len(r.parts)-1]
	}
	for _, c := range cs {
		switch {
		case c.empty:
		case len(c.eq)+len(c.ge) == 0:
			p.conjs = []*conj{c} // everything
		case len(p.conjs) == 1 && len(p.conjs[0].eq)+len(p.conjs[0].ge) == 0:
		default:
			p.conjs = append(p.conjs, c)
		}
	}
}

// align gives two relations the same parameters.
func align(a, b *relation) (*relation, *relation) {
	if slices.Equal(a.params, b.params) {
		return a, b
	}
	all := slices.Clone(a.params)
	for _, p := range b.params {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return a.withParams(all), b.withParams(all)
}

// withParams reorders and adds parameters; all of r's must be among them.
func (r *relation) withParams(all []string) *relation {
	if slices.Equal(r.params, all) {
		return r
	}
	out := &relation{params: all, budget: r.budget}
	for _, p := range r.parts {
		q := part{space: p.space}
		for _, c := range p.conjs {
			q.conjs = append(q.conjs, c.reparam(r.params, all))
		}
		out.parts = append(out.parts, q)
	}
	return out
}

// reparam moves the parameters of a conjunction to their places among others.
func (c *conj) reparam(old, all []string) *conj {
	out := c.clone()
	n := c.n - len(old)
	out.insert(0, len(all))
	from := make([]int, 0, len(all)+n)
	for i, p := range all {
		if k := slices.Index(old, p); k >= 0 {
			from = append(from, len(all)+k)
		} else {
			from = append(from, i)
		}
	}
	for i := range n {
		from = append(from, len(all)+len(old)+i)
	}
	return out.permute(from)
}

// each makes a relation by a function of the parts.
func (r *relation) each(f func(p part) (space, []*conj)) *relation {
	out := &relation{params: r.params, budget: r.budget}
	for _, p := range r.parts {
		s, cs := f(p)
		out.put(s, cs...)
	}
	return out
}
