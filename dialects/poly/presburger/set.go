package presburger

import (
	"fmt"
	"slices"
)

// A Set is a set of tuples of integers, for each value of its parameters: in each
// of its spaces a union of conjunctions of affine constraints. It does not change;
// goroutines may share it. The zero Set is empty.
type Set struct{ r *relation }

// A Map is a relation between tuples of integers, for each value of its parameters.
type Map struct{ r *relation }

var nothing = &relation{}

func (s Set) rel() *relation {
	if s.r == nil {
		return nothing
	}
	return s.r
}

func (m Map) rel() *relation {
	if m.r == nil {
		return nothing
	}
	return m.r
}

// WithBudget returns the set with another bound on the work of each operation on
// it and on what comes of it; the first operand's counts.
func (s Set) WithBudget(steps int64) Set { return Set{s.rel().withBudget(steps)} }

// WithTotal returns the set with a budget for all operations on it, on what comes of it
// and on others that have b: together they do as much as is left of it.
func (s Set) WithTotal(b *Budget) Set { return Set{s.rel().within(allowance{total: b.w})} }

// WithTotal returns the map with a budget for all operations together.
func (m Map) WithTotal(b *Budget) Map { return Map{m.rel().within(allowance{total: b.w})} }

// WithBudget returns the map with another bound on the work of each operation.
func (m Map) WithBudget(steps int64) Map { return Map{m.rel().withBudget(steps)} }

func (r *relation) withBudget(steps int64) *relation { return r.within(allowance{steps: steps}) }

func (r *relation) within(a allowance) *relation {
	out := *r
	out.budget = a
	return &out
}

// Params lists the parameters.
func (s Set) Params() []string { return slices.Clone(s.rel().params) }

// Params lists the parameters.
func (m Map) Params() []string { return slices.Clone(m.rel().params) }

// do runs an operation that makes a relation within the budget of its first operand.
func (r *relation) do(f func(w *work) *relation) (*relation, error) {
	return run(r.budget, f)
}

func (r *relation) asks(f func(w *work) bool) (bool, error) { return run(r.budget, f) }

func set(r *relation, err error) (Set, error) { return Set{r}, err }

func mapOf(r *relation, err error) (Map, error) { return Map{r}, err }

// Intersect returns what is in both sets.
func (s Set) Intersect(t Set) (Set, error) { return set(intersect(s.rel(), t.rel())) }

// Intersect returns what is in both maps.
func (m Map) Intersect(n Map) (Map, error) { return mapOf(intersect(m.rel(), n.rel())) }

func intersect(a, b *relation) (*relation, error) {
	a, b = align(a, b)
	return a.do(func(w *work) *relation {
		out := &relation{params: a.params, budget: a.budget}
		for _, p := range a.parts {
			if q := b.find(p.space); q != nil {
				out.put(p.space, intersectAll(p.conjs, q.conjs, w)...)
			}
		}
		return out
	})
}

func intersectAll(as, bs []*conj, w *work) (out []*conj) {
	for _, a := range as {
		for _, b := range bs {
			w.step(len(a.ge) + len(b.ge))
			if c := meet(a, b); !c.empty {
				out = append(out, c)
			}
		}
	}
	return out
}

// Union returns what is in one of the sets.
func (s Set) Union(t Set) Set { return Set{union(s.rel(), t.rel())} }

// Union returns what is in one of the maps.
func (m Map) Union(n Map) Map { return Map{union(m.rel(), n.rel())} }

func union(a, b *relation) *relation {
	a, b = align(a, b)
	out := &relation{params: a.params, budget: a.budget}
	for _, p := range slices.Concat(a.parts, b.parts) {
		out.put(p.space)
		q := out.find(p.space)
		for _, c := range p.conjs {
			if !slices.ContainsFunc(q.conjs, c.same) {
				q.conjs = append(q.conjs, c)
			}
		}
	}
	return out
}

// same reports equal texts, not equal sets.
func (c *conj) same(d *conj) bool {
	if c == d {
		return true
	}
	if c.n != d.n || len(c.divs) != len(d.divs) || len(c.eq) != len(d.eq) || len(c.ge) != len(d.ge) {
		return false
	}
	for i := range c.divs {
		if !c.divs[i].den.equal(d.divs[i].den) || !c.divs[i].num.equal(d.divs[i].num) {
			return false
		}
	}
	return slices.EqualFunc(c.eq, d.eq, row.equal) && slices.EqualFunc(c.ge, d.ge, row.equal)
}

// Subtract returns what is in s and not in t.
func (s Set) Subtract(t Set) (Set, error) { return set(subtract(s.rel(), t.rel())) }

// Subtract returns what is in m and not in n.
func (m Map) Subtract(n Map) (Map, error) { return mapOf(subtract(m.rel(), n.rel())) }

func subtract(a, b *relation) (*relation, error) {
	a, b = align(a, b)
	return a.do(func(w *work) *relation {
		return a.each(func(p part) (space, []*conj) {
			if q := b.find(p.space); q != nil {
				return p.space, subtractAll(p.conjs, q.conjs, w)
			}
			return p.space, p.conjs
		})
	})
}

// IsEmpty reports that there is no point, for any value of the parameters.
func (s Set) IsEmpty() (bool, error) { return isEmpty(s.rel()) }

// IsEmpty reports that there is no pair, for any value of the parameters.
func (m Map) IsEmpty() (bool, error) { return isEmpty(m.rel()) }

func isEmpty(r *relation) (bool, error) {
	return r.asks(func(w *work) bool {
		for _, p := range r.parts {
			for _, c := range p.conjs {
				if c.hasPoint(w) {
					return false
				}
			}
		}
		return true
	})
}

// IsSubset reports that every point of s is one of t.
func (s Set) IsSubset(t Set) (bool, error) { return isSubset(s.rel(), t.rel()) }

// IsSubset reports that every pair of m is one of n.
func (m Map) IsSubset(n Map) (bool, error) { return isSubset(m.rel(), n.rel()) }

func isSubset(a, b *relation) (bool, error) {
	a, b = align(a, b)
	return a.asks(func(w *work) bool { return within(a, b, w) })
}

func within(a, b *relation, w *work) bool {
	for _, p := range a.parts {
		var other []*conj
		if q := b.find(p.space); q != nil {
			other = q.conjs
		}
		for _, c := range p.conjs {
			if !c.covered(other, w) {
				return false
			}
		}
	}
	return true
}

// IsEqual reports that two sets have the same points.
func (s Set) IsEqual(t Set) (bool, error) { return isEqual(s.rel(), t.rel()) }

// IsEqual reports that two maps have the same pairs.
func (m Map) IsEqual(n Map) (bool, error) { return isEqual(m.rel(), n.rel()) }

func isEqual(a, b *relation) (bool, error) {
	a, b = align(a, b)
	return a.asks(func(w *work) bool { return within(a, b, w) && within(b, a, w) })
}

// IsDisjoint reports that no point is in both.
func (s Set) IsDisjoint(t Set) (bool, error) {
	r, err := s.Intersect(t)
	if err != nil {
		return false, err
	}
	return r.IsEmpty()
}

// ProjectOut removes dimensions [first, first+n) of a set in one space: a point
// stays if some value of theirs makes one.
func (s Set) ProjectOut(first, n int) (Set, error) {
	r := s.rel()
	if len(r.parts) != 1 {
		return Set{}, fmt.Errorf("presburger: ProjectOut wants a set in one space, not %d", len(r.parts))
	}
	t := r.parts[0].out
	if first < 0 || n < 0 || first+n > t.len() {
		return Set{}, fmt.Errorf("presburger: dimensions %d to %d of %d", first, first+n-1, t.len())
	}
	names := slices.Delete(t.names(), first, first+n)
	return set(r.do(func(w *work) *relation {
		return r.each(func(p part) (space, []*conj) {
			return space{out: &tuple{dims: names}}, projectAll(p.conjs, len(r.params)+first, n)
		})
	}))
}

// projectAll makes variables existential.
func projectAll(cs []*conj, at, n int) (out []*conj) {
	for _, c := range cs {
		if d := c.exist(at, n).simplify(); !d.empty {
			out = append(out, d)
		}
	}
	return out
}

// Domain returns what is related to something.
func (m Map) Domain() Set {
	r := m.rel()
	return Set{r.each(func(p part) (space, []*conj) {
		return space{out: p.in}, projectAll(p.conjs, len(r.params)+p.numIn(), p.numOut())
	})}
}

// Range returns what something is related to.
func (m Map) Range() Set {
	r := m.rel()
	return Set{r.each(func(p part) (space, []*conj) {
		return space{out: p.out}, projectAll(p.conjs, len(r.params), p.numIn())
	})}
}

// Inverse exchanges the two sides.
func (m Map) Inverse() Map {
	r := m.rel()
	return Map{r.each(func(p part) (space, []*conj) {
		np, ni, no := len(r.params), p.numIn(), p.numOut()
		from := make([]int, 0, np+ni+no)
		for i := range np {
			from = append(from, i)
		}
		for i := range no {
			from = append(from, np+ni+i)
		}
		for i := range ni {
			from = append(from, np+i)
		}
		cs := make([]*conj, len(p.conjs))
		for i, c := range p.conjs {
			cs[i] = c.permute(from)
		}
		return space{in: p.out, out: p.in}, cs
	})}
}

// Apply returns the images of the points of s.
func (s Set) Apply(m Map) (Set, error) {
	a, b := align(s.rel(), m.rel())
	return set(a.do(func(w *work) *relation {
		out := &relation{params: a.params, budget: a.budget}
		np := len(a.params)
		for _, p := range a.parts {
			for _, q := range b.parts {
				if !p.out.equal(q.in) {
					continue
				}
				var cs []*conj
				for _, c := range p.conjs {
					c = c.clone()
					c.insert(c.n, q.numOut())
					for _, d := range q.conjs {
						w.step(len(c.ge) + len(d.ge))
						cs = append(cs, projectAll([]*conj{meet(c, d)}, np, p.numOut())...)
					}
				}
				out.put(space{out: q.out}, cs...)
			}
		}
		return out
	}))
}

// Compose returns m after n: x is related to z where n relates x to some y that m
// relates to z.
func (m Map) Compose(n Map) (Map, error) {
	a, b := align(n.rel(), m.rel())
	return mapOf(a.do(func(w *work) *relation {
		out := &relation{params: a.params, budget: a.budget}
		np := len(a.params)
		for _, p := range a.parts {
			for _, q := range b.parts {
				if !p.out.equal(q.in) {
					continue
				}
				var cs []*conj
				for _, c := range p.conjs { // params, x, y, z
					c = c.clone()
					c.insert(c.n, q.numOut())
					for _, d := range q.conjs {
						w.step(len(c.ge) + len(d.ge))
						d = d.clone()
						d.insert(np, p.numIn())
						cs = append(cs, projectAll([]*conj{meet(c, d)}, np+p.numIn(), p.numOut())...)
					}
				}
				out.put(space{in: p.in, out: q.out}, cs...)
			}
		}
		return out
	}))
}

// Deltas returns the differences of the two sides, second minus first, of pairs in
// the same space.
func (m Map) Deltas() Set {
	r := m.rel()
	out := &relation{params: r.params, budget: r.budget}
	np := len(r.params)
	for _, p := range r.parts {
		if !p.in.equal(p.out) {
			continue
		}
		n := p.numIn()
		var cs []*conj
		for _, c := range p.conjs { // params, delta, x, y
			c = c.clone()
			c.insert(np, n)
			for i := range n {
				e := c.row()
				e[1+np+i], e[1+np+n+i], e[1+np+2*n+i] = Int{v: 1}, Int{v: 1}, Int{v: -1}
				c.eq = append(c.eq, e)
			}
			cs = append(cs, projectAll([]*conj{c}, np+n, 2*n)...)
		}
		out.put(space{out: p.out}, cs...)
	}
	return Set{out}
}
