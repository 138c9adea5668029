package union

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// Part is what a relation holds in one space.
type Part struct {
	Space
	Conjs []*conj.Conj
}

// Relation is a set, or a map, over parameters and any number of spaces.
type Relation struct {
	Params []string
	Parts  []Part
	Budget lp.Allowance
}

// Split makes a relation of each part that has a conjunction.
func (r *Relation) Split() (out []*Relation) {
	for _, p := range r.Parts {
		if len(p.Conjs) > 0 {
			out = append(out, &Relation{Params: r.Params, Parts: []Part{p}, Budget: r.Budget})
		}
	}
	return out
}

// AlignParams puts params first, then those of r that are not among them.
func (r *Relation) AlignParams(params []string) *Relation {
	all := slices.Clone(params)
	for _, p := range r.Params {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return r.WithParams(all)
}

// Universes are all points of the spaces of r.
func (r *Relation) Universes() *Relation {
	return r.Each(func(p Part) (Space, []*conj.Conj) {
		return p.Space, []*conj.Conj{conj.Universe(len(r.Params) + p.Dims())}
	})
}

// FixParam gives a parameter a value; it stays in the list.
func (r *Relation) FixParam(name string, v lp.Int) *Relation {
	i := slices.Index(r.Params, name)
	if i < 0 {
		return r
	}
	return r.Each(func(p Part) (Space, []*conj.Conj) {
		var out []*conj.Conj
		for _, c := range p.Conjs {
			out = append(out, c.Fixed(i, v))
		}
		return p.Space, out
	})
}

// EachConj puts what f makes in the place of each conjunction.
func (r *Relation) EachConj(f func(c *conj.Conj, w *lp.Work) *conj.Conj) (*Relation, error) {
	return r.Do(func(w *lp.Work) *Relation {
		return r.Each(func(p Part) (Space, []*conj.Conj) {
			var out []*conj.Conj
			for _, c := range p.Conjs {
				if d := f(c, w); !d.Empty {
					out = append(out, d)
				}
			}
			return p.Space, out
		})
	})
}

// WithBudget is Within for a bound on each operation.
func (r *Relation) WithBudget(steps int64) *Relation { return r.Within(lp.Allowance{Steps: steps}) }

// Within is r with another allowance for what is done with it.
func (r *Relation) Within(a lp.Allowance) *Relation {
	out := *r
	out.Budget = a
	return &out
}

// Do runs an operation that makes a relation within the budget of its first operand.
func (r *Relation) Do(f func(w *lp.Work) *Relation) (*Relation, error) {
	return lp.Run(r.Budget, f)
}

// Asks is Do for an operation that decides.
func (r *Relation) Asks(f func(w *lp.Work) bool) (bool, error) { return lp.Run(r.Budget, f) }

// Within reports that all of a is in b; they have the same parameters.
func Within(a, b *Relation, w *lp.Work) bool {
	for _, p := range a.Parts {
		var other []*conj.Conj
		if q := b.Find(p.Space); q != nil {
			other = q.Conjs
		}
		for _, c := range p.Conjs {
			if !conj.Covered(c, other, w) {
				return false
			}
		}
	}
	return true
}

// Find is the part in a space, or nil.
func (r *Relation) Find(s Space) *Part {
	for i := range r.Parts {
		if r.Parts[i].equal(s) {
			return &r.Parts[i]
		}
	}
	return nil
}

// Put adds conjunctions in a space; empty ones only name it.
func (r *Relation) Put(s Space, cs ...*conj.Conj) {
	p := r.Find(s)
	if p == nil {
		r.Parts = append(r.Parts, Part{Space: s})
		p = &r.Parts[len(r.Parts)-1]
	}
	for _, c := range cs {
		switch {
		case c.Empty:
		case len(c.Eq)+len(c.Ge) == 0:
			p.Conjs = []*conj.Conj{c} // everything
		case len(p.Conjs) == 1 && len(p.Conjs[0].Eq)+len(p.Conjs[0].Ge) == 0:
		default:
			p.Conjs = append(p.Conjs, c)
		}
	}
}

// Align gives two relations the same parameters.
func Align(a, b *Relation) (*Relation, *Relation) {
	if slices.Equal(a.Params, b.Params) {
		return a, b
	}
	all := slices.Clone(a.Params)
	for _, p := range b.Params {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return a.WithParams(all), b.WithParams(all)
}

// WithParams reorders and adds parameters; all of r's must be among them.
func (r *Relation) WithParams(all []string) *Relation {
	if slices.Equal(r.Params, all) {
		return r
	}
	out := &Relation{Params: all, Budget: r.Budget}
	for _, p := range r.Parts {
		q := Part{Space: p.Space}
		for _, c := range p.Conjs {
			q.Conjs = append(q.Conjs, c.Reparam(r.Params, all))
		}
		out.Parts = append(out.Parts, q)
	}
	return out
}

// Each makes a relation by a function of the parts.
func (r *Relation) Each(f func(p Part) (Space, []*conj.Conj)) *Relation {
	out := &Relation{Params: r.Params, Budget: r.Budget}
	for _, p := range r.Parts {
		s, cs := f(p)
		out.Put(s, cs...)
	}
	return out
}
