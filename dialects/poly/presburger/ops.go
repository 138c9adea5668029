package presburger

import (
	"fmt"
	"maps"
	"slices"
)

// Universe returns all points of the spaces of a set.
func (s Set) Universe() Set { return Set{s.rel().universes()} }

// Universe returns all pairs of the spaces of a map.
func (m Map) Universe() Map { return Map{m.rel().universes()} }

func (r *relation) universes() *relation {
	return r.each(func(p part) (space, []*conj) {
		return p.space, []*conj{universe(len(r.params) + p.dims())}
	})
}

// Complement returns what is not in s, of the spaces that it has.
func (s Set) Complement() (Set, error) {
	return Set{s.Universe().rel().within(s.rel().budget)}.Subtract(s)
}

// Complement returns what is not in m, of the spaces that it has.
func (m Map) Complement() (Map, error) {
	return Map{m.Universe().rel().within(m.rel().budget)}.Subtract(m)
}

// Product returns the pairs of a point of s and one of t, as wrapped tuples.
func (s Set) Product(t Set) Set { return Set{product(s.rel(), t.rel(), pairTuples)} }

// FlatProduct returns the concatenations of a point of s and one of t.
func (s Set) FlatProduct(t Set) Set {
	return Set{product(s.rel(), t.rel(), func(p, q part) space {
		return space{out: &tuple{dims: append(p.out.names(), q.out.names()...)}}
	})}
}

// CrossMap relates every point of s to every one of t.
func (s Set) CrossMap(t Set) Map {
	return Map{product(s.rel(), t.rel(), func(p, q part) space { return space{in: p.out, out: q.out} })}
}

func pairTuples(p, q part) space { return space{out: &tuple{in: p.out, out: q.out}} }

func product(a, b *relation, join func(p, q part) space) *relation {
	a, b = align(a, b)
	out := &relation{params: a.params, budget: a.budget}
	np := len(a.params)
	for _, p := range a.parts {
		for _, q := range b.parts {
			var cs []*conj
			for _, c := range p.conjs {
				c = c.clone()
				c.insert(c.n, q.dims())
				for _, d := range q.conjs {
					d = d.clone()
					d.insert(np, p.dims())
					cs = append(cs, meet(c, d))
				}
			}
			out.put(join(p, q), cs...)
		}
	}
	return out
}

// Product relates pairs to pairs: (a, b) to (c, d) where m relates a to c and n
// relates b to d.
func (m Map) Product(n Map) Map {
	a, b := align(m.rel(), n.rel())
	out := &relation{params: a.params, budget: a.budget}
	np := len(a.params)
	for _, p := range a.parts {
		for _, q := range b.parts {
			var cs []*conj
			for _, c := range p.conjs { // params, a, b, c, d
				c = c.clone()
				c.insert(np+p.numIn(), q.numIn())
				c.insert(c.n, q.numOut())
				for _, d := range q.conjs {
					d = d.clone()
					d.insert(np+q.numIn(), p.numOut())
					d.insert(np, p.numIn())
					cs = append(cs, meet(c, d))
				}
			}
			out.put(space{in: &tuple{in: p.in, out: q.in}, out: &tuple{in: p.out, out: q.out}}, cs...)
		}
	}
	return Map{out}
}

// Identity relates each point of s to itself.
func (s Set) Identity() Map {
	r := s.rel()
	return Map{r.each(func(p part) (space, []*conj) {
		np, n := len(r.params), p.numOut()
		var cs []*conj
		for _, c := range p.conjs {
			c = c.clone()
			c.insert(c.n, n)
			for i := range n {
				e := c.row()
				e[1+np+i], e[1+np+n+i] = Int{v: 1}, Int{v: -1}
				c.eq = append(c.eq, e)
			}
			cs = append(cs, c.simplify())
		}
		return space{in: p.out, out: p.out}, cs
	})}
}

// LexLT relates points of s to those of t, in the same space, that are
// lexicographically greater.
func (s Set) LexLT(t Set) Map { return Map{lexOrder(s.rel(), t.rel(), false)} }

// LexLE relates points of s to those of t that are not less.
func (s Set) LexLE(t Set) Map { return Map{lexOrder(s.rel(), t.rel(), true)} }

// LexGT relates points of s to those of t that are less.
func (s Set) LexGT(t Set) Map { return t.LexLT(s).Inverse() }

// LexGE relates points of s to those of t that are not greater.
func (s Set) LexGE(t Set) Map { return t.LexLE(s).Inverse() }

func lexOrder(a, b *relation, orEqual bool) *relation {
	a, b = align(a, b)
	out := &relation{params: a.params, budget: a.budget}
	np := len(a.params)
	for _, p := range a.parts {
		q := b.find(p.space)
		if q == nil {
			continue
		}
		n := p.numOut()
		var cs []*conj
		for _, c := range p.conjs {
			c = c.clone()
			c.insert(c.n, n)
			for _, d := range q.conjs {
				d = d.clone()
				d.insert(np, n)
				cs = append(cs, meet(c, d).lexSplit(np, n, orEqual)...)
			}
		}
		out.put(space{in: p.out, out: p.out}, cs...)
	}
	return out
}

// lexSplit adds that variables [at, at+n) come before the n that follow them.
func (c *conj) lexSplit(at, n int, orEqual bool) (out []*conj) {
	for i := range n {
		less := c.clone()
		r := less.row()
		r[0], r[1+at+i], r[1+at+n+i] = Int{v: -1}, Int{v: -1}, Int{v: 1}
		less.ge = append(less.ge, r)
		out = append(out, less.simplify())
		c = c.clone()
		e := c.row()
		e[1+at+i], e[1+at+n+i] = Int{v: -1}, Int{v: 1}
		c.eq = append(c.eq, e)
	}
	if orEqual {
		out = append(out, c.simplify())
	}
	return out
}

// MakeDisjoint returns the same points as conjunctions that have none in common.
func (s Set) MakeDisjoint() (Set, error) { return set(makeDisjoint(s.rel())) }

// MakeDisjoint returns the same pairs as conjunctions that have none in common.
func (m Map) MakeDisjoint() (Map, error) { return mapOf(makeDisjoint(m.rel())) }

func makeDisjoint(r *relation) (*relation, error) {
	return r.do(func(w *work) *relation {
		return r.each(func(p part) (space, []*conj) { return p.space, disjoint(p.conjs, w) })
	})
}

func disjoint(cs []*conj, w *work) (out []*conj) {
	cs = definedAll(cs, w)
	for i, c := range cs {
		for _, d := range c.minus(cs[:i], w) {
			if d.hasPoint(w) {
				out = append(out, d)
			}
		}
	}
	return out
}

// Wrap makes a set of wrapped tuples of a map.
func (m Map) Wrap() Set {
	return Set{m.rel().each(func(p part) (space, []*conj) {
		return space{out: &tuple{in: p.in, out: p.out}}, p.conjs
	})}
}

// Unwrap makes a map of a set of wrapped tuples; other tuples are an error.
func (s Set) Unwrap() (Map, error) {
	for _, p := range s.rel().parts {
		if p.out == nil || p.out.in == nil {
			return Map{}, fmt.Errorf("presburger: Unwrap wants tuples of the form [[...] -> [...]]")
		}
	}
	return Map{s.rel().each(func(p part) (space, []*conj) {
		return space{in: p.out.in, out: p.out.out}, p.conjs
	})}, nil
}

// IntersectDomain keeps the pairs whose first side is in s.
func (m Map) IntersectDomain(s Set) (Map, error) { return m.restrict(s, false) }

// IntersectRange keeps the pairs whose second side is in s.
func (m Map) IntersectRange(s Set) (Map, error) { return m.restrict(s, true) }

func (m Map) restrict(s Set, second bool) (Map, error) {
	a, b := align(m.rel(), s.rel())
	return mapOf(a.do(func(w *work) *relation {
		np := len(a.params)
		return a.each(func(p part) (space, []*conj) {
			side, at := p.in, np+p.numIn()
			if second {
				side, at = p.out, np
			}
			q := b.find(space{out: side})
			if q == nil {
				return p.space, nil
			}
			var wide []*conj
			for _, d := range q.conjs {
				d = d.clone()
				d.insert(at, p.dims()-side.len())
				wide = append(wide, d)
			}
			return p.space, intersectAll(p.conjs, wide, w)
		})
	}))
}

// IsSingleValued reports that m relates each point to one at most.
func (m Map) IsSingleValued() (bool, error) {
	back, err := m.Compose(m.Inverse())
	if err != nil {
		return false, err
	}
	for _, p := range back.rel().parts {
		if !p.in.equal(p.out) {
			if e, err := isEmpty(&relation{params: back.rel().params, parts: []part{p}}); !e || err != nil {
				return false, err
			}
		}
	}
	return back.IsSubset(m.Range().Universe().Identity())
}

// IsInjective reports that m relates no two points to the same one.
func (m Map) IsInjective() (bool, error) { return m.Inverse().IsSingleValued() }

// IsBijective reports that m is single-valued and injective.
func (m Map) IsBijective() (bool, error) {
	if ok, err := m.IsSingleValued(); !ok || err != nil {
		return false, err
	}
	return m.IsInjective()
}

// IsBounded reports that for each value of the parameters the set is finite.
func (s Set) IsBounded() (bool, error) {
	r := s.rel()
	return r.asks(func(w *work) bool {
		for _, p := range r.parts {
			for _, c := range p.conjs {
				if c.hasPoint(w) && !c.bounded(len(r.params), w) {
					return false
				}
			}
		}
		return true
	})
}

// bounded looks at the directions in which the set goes on: with all constants and
// parameters 0 there must be none.
func (c *conj) bounded(np int, w *work) bool {
	cone := c.clone()
	homogeneous := func(r row) {
		for i := range 1 + np {
			r[i] = Int{}
		}
	}
	for _, r := range slices.Concat(cone.eq, cone.ge) {
		homogeneous(r)
	}
	t := cone.tableau(w)
	defer t.release()
	for i := np; i < c.n; i++ {
		r := c.row()
		r[1+i] = Int{v: 1}
		if !t.atLeast(r) || !t.atLeast(r.negated()) {
			return false
		}
	}
	return true
}

// A Point is a point of a set: the values of the parameters and dimensions.
type Point struct {
	Params map[string]Int
	Tuple  string // the name of its tuple
	Coords []Int
}

// String writes a point with the values of the parameters: S[1, 2] where N = 3.
func (p Point) String() string {
	s := p.Tuple + "["
	for i, c := range p.Coords {
		if i > 0 {
			s += ", "
		}
		s += c.String()
	}
	s += "]"
	for i, name := range slices.Sorted(maps.Keys(p.Params)) {
		s += fmt.Sprintf("%s %s = %s", []string{" where", ","}[min(i, 1)], name, p.Params[name])
	}
	return s
}

// Sample returns some point of the set; ok is false if it is empty.
func (s Set) Sample() (p Point, ok bool, err error) {
	r := s.rel()
	ok, err = r.asks(func(w *work) bool {
		for _, q := range r.parts {
			for _, c := range q.conjs {
				x, found := c.sample(w)
				if !found {
					continue
				}
				p.Params = map[string]Int{}
				for i, name := range r.params {
					p.Params[name] = x[i]
				}
				if q.out != nil {
					p.Tuple = q.out.name
				}
				p.Coords = x[len(r.params):c.n]
				return true
			}
		}
		return false
	})
	return p, ok, err
}

// IntersectParams keeps the points at the values of the parameters that are in s, a set
// of parameters alone.
func (s Set) IntersectParams(t Set) (Set, error) { return set(atParams(s.rel(), t.rel())) }

// IntersectParams keeps the pairs at the values of the parameters that are in s, a set
// of parameters alone.
func (m Map) IntersectParams(s Set) (Map, error) { return mapOf(atParams(m.rel(), s.rel())) }

func atParams(a, b *relation) (*relation, error) {
	for _, q := range b.parts {
		if !q.isParams() {
			return nil, fmt.Errorf("presburger: %s is not a set of parameters alone", q.out.text())
		}
	}
	a, b = align(a, b)
	return a.do(func(w *work) *relation {
		return a.each(func(p part) (space, []*conj) {
			var wide []*conj
			for _, q := range b.parts {
				wide = append(wide, cylinders(q.conjs, p.dims())...)
			}
			return p.space, intersectAll(p.conjs, wide, w)
		})
	})
}
