package presburger

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// A Set is a set of tuples of integers, for each value of its parameters: in each
// of its spaces a union of conjunctions of affine constraints. It does not change;
// goroutines may share it. The zero Set is empty.
type Set struct{ r *union.Relation }

// A Map is a relation between tuples of integers, for each value of its parameters.
type Map struct{ r *union.Relation }

var nothing = &union.Relation{}

func (s Set) rel() *union.Relation {
	if s.r == nil {
		return nothing
	}
	return s.r
}

func (m Map) rel() *union.Relation {
	if m.r == nil {
		return nothing
	}
	return m.r
}

// WithBudget returns the set with another bound on the work of each operation on
// it and on what comes of it; the first operand's counts.
func (s Set) WithBudget(steps int64) Set { return Set{s.rel().WithBudget(steps)} }

// WithTotal returns the set with a budget for all operations on it, on what comes of it
// and on others that have b: together they do as much as is left of it.
func (s Set) WithTotal(b *Budget) Set { return Set{s.rel().Within(lp.Allowance{Total: b.w})} }

// WithTotal returns the map with a budget for all operations together.
func (m Map) WithTotal(b *Budget) Map { return Map{m.rel().Within(lp.Allowance{Total: b.w})} }

// WithBudget returns the map with another bound on the work of each operation.
func (m Map) WithBudget(steps int64) Map { return Map{m.rel().WithBudget(steps)} }

// Params lists the parameters.
func (s Set) Params() []string { return slices.Clone(s.rel().Params) }

// Params lists the parameters.
func (m Map) Params() []string { return slices.Clone(m.rel().Params) }

func set(r *union.Relation, err error) (Set, error) { return Set{r}, err }

func mapOf(r *union.Relation, err error) (Map, error) { return Map{r}, err }

// Intersect returns what is in both sets.
func (s Set) Intersect(t Set) (Set, error) { return set(intersect(s.rel(), t.rel())) }

// Intersect returns what is in both maps.
func (m Map) Intersect(n Map) (Map, error) { return mapOf(intersect(m.rel(), n.rel())) }

func intersect(a, b *union.Relation) (*union.Relation, error) {
	a, b = union.Align(a, b)
	return a.Do(func(w *lp.Work) *union.Relation {
		out := &union.Relation{Params: a.Params, Budget: a.Budget}
		for _, p := range a.Parts {
			if q := b.Find(p.Space); q != nil {
				out.Put(p.Space, conj.IntersectAll(p.Conjs, q.Conjs, w)...)
			}
		}
		return out
	})
}

// Union returns what is in one of the sets.
func (s Set) Union(t Set) Set { return Set{unite(s.rel(), t.rel())} }

// Union returns what is in one of the maps.
func (m Map) Union(n Map) Map { return Map{unite(m.rel(), n.rel())} }

func unite(a, b *union.Relation) *union.Relation {
	a, b = union.Align(a, b)
	out := &union.Relation{Params: a.Params, Budget: a.Budget}
	for _, p := range slices.Concat(a.Parts, b.Parts) {
		out.Put(p.Space)
		q := out.Find(p.Space)
		for _, c := range p.Conjs {
			if !slices.ContainsFunc(q.Conjs, c.Same) {
				q.Conjs = append(q.Conjs, c)
			}
		}
	}
	return out
}

// Subtract returns what is in s and not in t.
func (s Set) Subtract(t Set) (Set, error) { return set(subtract(s.rel(), t.rel())) }

// Subtract returns what is in m and not in n.
func (m Map) Subtract(n Map) (Map, error) { return mapOf(subtract(m.rel(), n.rel())) }

func subtract(a, b *union.Relation) (*union.Relation, error) {
	a, b = union.Align(a, b)
	return a.Do(func(w *lp.Work) *union.Relation {
		return a.Each(func(p union.Part) (union.Space, []*conj.Conj) {
			if q := b.Find(p.Space); q != nil {
				return p.Space, conj.SubtractAll(p.Conjs, q.Conjs, w)
			}
			return p.Space, p.Conjs
		})
	})
}

// IsEmpty reports that there is no point, for any value of the parameters.
func (s Set) IsEmpty() (bool, error) { return isEmpty(s.rel()) }

// IsEmpty reports that there is no pair, for any value of the parameters.
func (m Map) IsEmpty() (bool, error) { return isEmpty(m.rel()) }

func isEmpty(r *union.Relation) (bool, error) {
	return r.Asks(func(w *lp.Work) bool {
		for _, p := range r.Parts {
			for _, c := range p.Conjs {
				if c.HasPoint(w) {
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

func isSubset(a, b *union.Relation) (bool, error) {
	a, b = union.Align(a, b)
	return a.Asks(func(w *lp.Work) bool { return union.Within(a, b, w) })
}

// IsEqual reports that two sets have the same points.
func (s Set) IsEqual(t Set) (bool, error) { return isEqual(s.rel(), t.rel()) }

// IsEqual reports that two maps have the same pairs.
func (m Map) IsEqual(n Map) (bool, error) { return isEqual(m.rel(), n.rel()) }

func isEqual(a, b *union.Relation) (bool, error) {
	a, b = union.Align(a, b)
	return a.Asks(func(w *lp.Work) bool { return union.Within(a, b, w) && union.Within(b, a, w) })
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
	if len(r.Parts) != 1 {
		return Set{}, fmt.Errorf("presburger: ProjectOut wants a set in one space, not %d", len(r.Parts))
	}
	t := r.Parts[0].Out
	if first < 0 || n < 0 || first+n > t.Len() {
		return Set{}, fmt.Errorf("presburger: dimensions %d to %d of %d", first, first+n-1, t.Len())
	}
	names := slices.Delete(t.Names(), first, first+n)
	return set(r.Do(func(w *lp.Work) *union.Relation {
		return r.Each(func(p union.Part) (union.Space, []*conj.Conj) {
			return union.Space{Out: &union.Tuple{Dims: names}}, conj.ProjectAll(p.Conjs, len(r.Params)+first, n)
		})
	}))
}

// Domain returns what is related to something.
func (m Map) Domain() Set {
	r := m.rel()
	return Set{r.Each(func(p union.Part) (union.Space, []*conj.Conj) {
		return union.Space{Out: p.In}, conj.ProjectAll(p.Conjs, len(r.Params)+p.NumIn(), p.NumOut())
	})}
}

// Range returns what something is related to.
func (m Map) Range() Set {
	r := m.rel()
	return Set{r.Each(func(p union.Part) (union.Space, []*conj.Conj) {
		return union.Space{Out: p.Out}, conj.ProjectAll(p.Conjs, len(r.Params), p.NumIn())
	})}
}

// Inverse exchanges the two sides.
func (m Map) Inverse() Map {
	r := m.rel()
	return Map{r.Each(func(p union.Part) (union.Space, []*conj.Conj) {
		np, ni, no := len(r.Params), p.NumIn(), p.NumOut()
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
		cs := make([]*conj.Conj, len(p.Conjs))
		for i, c := range p.Conjs {
			cs[i] = c.Permute(from)
		}
		return union.Space{In: p.Out, Out: p.In}, cs
	})}
}

// Apply returns the images of the points of s.
func (s Set) Apply(m Map) (Set, error) {
	a, b := union.Align(s.rel(), m.rel())
	return set(a.Do(func(w *lp.Work) *union.Relation {
		out := &union.Relation{Params: a.Params, Budget: a.Budget}
		np := len(a.Params)
		for _, p := range a.Parts {
			for _, q := range b.Parts {
				if !p.Out.Equal(q.In) {
					continue
				}
				var cs []*conj.Conj
				for _, c := range p.Conjs {
					c = c.Clone()
					c.Insert(c.N, q.NumOut())
					for _, d := range q.Conjs {
						w.Step(len(c.Ge) + len(d.Ge))
						cs = append(cs, conj.ProjectAll([]*conj.Conj{conj.Meet(c, d)}, np, p.NumOut())...)
					}
				}
				out.Put(union.Space{Out: q.Out}, cs...)
			}
		}
		return out
	}))
}

// Compose returns m after n: x is related to z where n relates x to some y that m
// relates to z.
func (m Map) Compose(n Map) (Map, error) {
	a, b := union.Align(n.rel(), m.rel())
	return mapOf(a.Do(func(w *lp.Work) *union.Relation {
		out := &union.Relation{Params: a.Params, Budget: a.Budget}
		np := len(a.Params)
		for _, p := range a.Parts {
			for _, q := range b.Parts {
				if !p.Out.Equal(q.In) {
					continue
				}
				var cs []*conj.Conj
				for _, c := range p.Conjs { // params, x, y, z
					c = c.Clone()
					c.Insert(c.N, q.NumOut())
					for _, d := range q.Conjs {
						w.Step(len(c.Ge) + len(d.Ge))
						d = d.Clone()
						d.Insert(np, p.NumIn())
						cs = append(cs, conj.ProjectAll([]*conj.Conj{conj.Meet(c, d)}, np+p.NumIn(), p.NumOut())...)
					}
				}
				out.Put(union.Space{In: p.In, Out: q.Out}, cs...)
			}
		}
		return out
	}))
}

// Deltas returns the differences of the two sides, second minus first, of pairs in
// the same space.
func (m Map) Deltas() Set {
	r := m.rel()
	out := &union.Relation{Params: r.Params, Budget: r.Budget}
	np := len(r.Params)
	for _, p := range r.Parts {
		if !p.In.Equal(p.Out) {
			continue
		}
		n := p.NumIn()
		var cs []*conj.Conj
		for _, c := range p.Conjs { // params, delta, x, y
			c = c.Clone()
			c.Insert(np, n)
			for i := range n {
				e := c.Row()
				e[1+np+i], e[1+np+n+i], e[1+np+2*n+i] = lp.NewInt(1), lp.NewInt(1), lp.NewInt(-1)
				c.Eq = append(c.Eq, e)
			}
			cs = append(cs, conj.ProjectAll([]*conj.Conj{c}, np+n, 2*n)...)
		}
		out.Put(union.Space{Out: p.Out}, cs...)
	}
	return Set{out}
}
