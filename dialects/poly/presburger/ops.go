package presburger

import (
	"fmt"
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// Universe returns all points of the spaces of a set.
func (s Set) Universe() Set { return Set{s.rel().Universes()} }

// Universe returns all pairs of the spaces of a map.
func (m Map) Universe() Map { return Map{m.rel().Universes()} }

// Complement returns what is not in s, of the spaces that it has.
func (s Set) Complement() (Set, error) {
	return Set{s.Universe().rel().Within(s.rel().Budget)}.Subtract(s)
}

// Complement returns what is not in m, of the spaces that it has.
func (m Map) Complement() (Map, error) {
	return Map{m.Universe().rel().Within(m.rel().Budget)}.Subtract(m)
}

// Product returns the pairs of a point of s and one of t, as wrapped tuples.
func (s Set) Product(t Set) Set { return Set{product(s.rel(), t.rel(), pairTuples)} }

// FlatProduct returns the concatenations of a point of s and one of t.
func (s Set) FlatProduct(t Set) Set {
	return Set{product(s.rel(), t.rel(), func(p, q union.Part) union.Space {
		return union.Space{Out: &union.Tuple{Dims: append(p.Out.Names(), q.Out.Names()...)}}
	})}
}

// CrossMap relates every point of s to every one of t.
func (s Set) CrossMap(t Set) Map {
	return Map{product(s.rel(), t.rel(), func(p, q union.Part) union.Space { return union.Space{In: p.Out, Out: q.Out} })}
}

func pairTuples(p, q union.Part) union.Space {
	return union.Space{Out: &union.Tuple{In: p.Out, Out: q.Out}}
}

func product(a, b *union.Relation, join func(p, q union.Part) union.Space) *union.Relation {
	a, b = union.Align(a, b)
	out := &union.Relation{Params: a.Params, Budget: a.Budget}
	np := len(a.Params)
	for _, p := range a.Parts {
		for _, q := range b.Parts {
			var cs []*conj.Conj
			for _, c := range p.Conjs {
				c = c.Clone()
				c.Insert(c.N, q.Dims())
				for _, d := range q.Conjs {
					d = d.Clone()
					d.Insert(np, p.Dims())
					cs = append(cs, conj.Meet(c, d))
				}
			}
			out.Put(join(p, q), cs...)
		}
	}
	return out
}

// Product relates pairs to pairs: (a, b) to (c, d) where m relates a to c and n
// relates b to d.
func (m Map) Product(n Map) Map {
	a, b := union.Align(m.rel(), n.rel())
	out := &union.Relation{Params: a.Params, Budget: a.Budget}
	np := len(a.Params)
	for _, p := range a.Parts {
		for _, q := range b.Parts {
			var cs []*conj.Conj
			for _, c := range p.Conjs { // params, a, b, c, d
				c = c.Clone()
				c.Insert(np+p.NumIn(), q.NumIn())
				c.Insert(c.N, q.NumOut())
				for _, d := range q.Conjs {
					d = d.Clone()
					d.Insert(np+q.NumIn(), p.NumOut())
					d.Insert(np, p.NumIn())
					cs = append(cs, conj.Meet(c, d))
				}
			}
			out.Put(union.Space{In: &union.Tuple{In: p.In, Out: q.In}, Out: &union.Tuple{In: p.Out, Out: q.Out}}, cs...)
		}
	}
	return Map{out}
}

// Identity relates each point of s to itself.
func (s Set) Identity() Map {
	r := s.rel()
	return Map{r.Each(func(p union.Part) (union.Space, []*conj.Conj) {
		np, n := len(r.Params), p.NumOut()
		var cs []*conj.Conj
		for _, c := range p.Conjs {
			c = c.Clone()
			c.Insert(c.N, n)
			for i := range n {
				e := c.Row()
				e[1+np+i], e[1+np+n+i] = lp.NewInt(1), lp.NewInt(-1)
				c.Eq = append(c.Eq, e)
			}
			cs = append(cs, c.Simplify())
		}
		return union.Space{In: p.Out, Out: p.Out}, cs
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

func lexOrder(a, b *union.Relation, orEqual bool) *union.Relation {
	a, b = union.Align(a, b)
	out := &union.Relation{Params: a.Params, Budget: a.Budget}
	np := len(a.Params)
	for _, p := range a.Parts {
		q := b.Find(p.Space)
		if q == nil {
			continue
		}
		n := p.NumOut()
		var cs []*conj.Conj
		for _, c := range p.Conjs {
			c = c.Clone()
			c.Insert(c.N, n)
			for _, d := range q.Conjs {
				d = d.Clone()
				d.Insert(np, n)
				cs = append(cs, conj.Meet(c, d).LexSplit(np, n, orEqual)...)
			}
		}
		out.Put(union.Space{In: p.Out, Out: p.Out}, cs...)
	}
	return out
}

// MakeDisjoint returns the same points as conjunctions that have none in common.
func (s Set) MakeDisjoint() (Set, error) { return set(makeDisjoint(s.rel())) }

// MakeDisjoint returns the same pairs as conjunctions that have none in common.
func (m Map) MakeDisjoint() (Map, error) { return mapOf(makeDisjoint(m.rel())) }

func makeDisjoint(r *union.Relation) (*union.Relation, error) {
	return r.Do(func(w *lp.Work) *union.Relation {
		return r.Each(func(p union.Part) (union.Space, []*conj.Conj) { return p.Space, conj.Disjoint(p.Conjs, w) })
	})
}

// Wrap makes a set of wrapped tuples of a map.
func (m Map) Wrap() Set {
	return Set{m.rel().Each(func(p union.Part) (union.Space, []*conj.Conj) {
		return union.Space{Out: &union.Tuple{In: p.In, Out: p.Out}}, p.Conjs
	})}
}

// Unwrap makes a map of a set of wrapped tuples; other tuples are an error.
func (s Set) Unwrap() (Map, error) {
	for _, p := range s.rel().Parts {
		if p.Out == nil || p.Out.In == nil {
			return Map{}, fmt.Errorf("presburger: Unwrap wants tuples of the form [[...] -> [...]]")
		}
	}
	return Map{s.rel().Each(func(p union.Part) (union.Space, []*conj.Conj) {
		return union.Space{In: p.Out.In, Out: p.Out.Out}, p.Conjs
	})}, nil
}

// IntersectDomain keeps the pairs whose first side is in s.
func (m Map) IntersectDomain(s Set) (Map, error) { return m.restrict(s, false) }

// IntersectRange keeps the pairs whose second side is in s.
func (m Map) IntersectRange(s Set) (Map, error) { return m.restrict(s, true) }

func (m Map) restrict(s Set, second bool) (Map, error) {
	a, b := union.Align(m.rel(), s.rel())
	return mapOf(a.Do(func(w *lp.Work) *union.Relation {
		np := len(a.Params)
		return a.Each(func(p union.Part) (union.Space, []*conj.Conj) {
			side, at := p.In, np+p.NumIn()
			if second {
				side, at = p.Out, np
			}
			q := b.Find(union.Space{Out: side})
			if q == nil {
				return p.Space, nil
			}
			var wide []*conj.Conj
			for _, d := range q.Conjs {
				d = d.Clone()
				d.Insert(at, p.Dims()-side.Len())
				wide = append(wide, d)
			}
			return p.Space, conj.IntersectAll(p.Conjs, wide, w)
		})
	}))
}

// IsSingleValued reports that m relates each point to one at most.
func (m Map) IsSingleValued() (bool, error) {
	back, err := m.Compose(m.Inverse())
	if err != nil {
		return false, err
	}
	for _, p := range back.rel().Parts {
		if !p.In.Equal(p.Out) {
			if e, err := isEmpty(&union.Relation{Params: back.rel().Params, Parts: []union.Part{p}}); !e || err != nil {
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
	return r.Asks(func(w *lp.Work) bool {
		for _, p := range r.Parts {
			for _, c := range p.Conjs {
				if c.HasPoint(w) && !c.Bounded(len(r.Params), w) {
					return false
				}
			}
		}
		return true
	})
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
	ok, err = r.Asks(func(w *lp.Work) bool {
		for _, q := range r.Parts {
			for _, c := range q.Conjs {
				x, found := c.Sample(w)
				if !found {
					continue
				}
				p.Params = map[string]Int{}
				for i, name := range r.Params {
					p.Params[name] = x[i]
				}
				if q.Out != nil {
					p.Tuple = q.Out.Name
				}
				p.Coords = x[len(r.Params):c.N]
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

func atParams(a, b *union.Relation) (*union.Relation, error) {
	for _, q := range b.Parts {
		if !q.IsParams() {
			return nil, fmt.Errorf("presburger: %s is not a set of parameters alone", q.Out.Text())
		}
	}
	a, b = union.Align(a, b)
	return a.Do(func(w *lp.Work) *union.Relation {
		return a.Each(func(p union.Part) (union.Space, []*conj.Conj) {
			var wide []*conj.Conj
			for _, q := range b.Parts {
				wide = append(wide, conj.Cylinders(q.Conjs, p.Dims())...)
			}
			return p.Space, conj.IntersectAll(p.Conjs, wide, w)
		})
	})
}

// FlatRangeProduct relates x to the concatenation of y and z where m relates x to y and
// n relates it to z.
func (m Map) FlatRangeProduct(n Map) (Map, error) {
	a, b := union.Align(m.rel(), n.rel())
	return mapOf(a.Do(func(w *lp.Work) *union.Relation {
		out := &union.Relation{Params: a.Params, Budget: a.Budget}
		np := len(a.Params)
		for _, p := range a.Parts {
			for _, q := range b.Parts {
				if !p.In.Equal(q.In) {
					continue
				}
				var cs []*conj.Conj
				for _, c := range p.Conjs { // params, x, y, z
					c = c.Clone()
					c.Insert(c.N, q.NumOut())
					for _, d := range q.Conjs {
						w.Step(len(c.Ge) + len(d.Ge))
						d = d.Clone()
						d.Insert(np+p.NumIn(), p.NumOut())
						cs = append(cs, conj.Meet(c, d))
					}
				}
				dims := append(p.Out.Names(), q.Out.Names()...)
				out.Put(union.Space{In: p.In, Out: &union.Tuple{Dims: dims}}, cs...)
			}
		}
		return out
	}))
}
