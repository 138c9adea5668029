package presburger

import (
	"fmt"
	"iter"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// FixParam gives a parameter a value; it stays in the list of parameters.
func (s Set) FixParam(name string, v Int) Set { return Set{s.rel().FixParam(name, v)} }

// FixParam gives a parameter a value.
func (m Map) FixParam(name string, v Int) Map { return Map{m.rel().FixParam(name, v)} }

// Fix gives dimension i of every tuple a value.
func (s Set) Fix(i int, v Int) Set {
	r := s.rel()
	return Set{r.Each(func(p union.Part) (union.Space, []*conj.Conj) {
		var out []*conj.Conj
		for _, c := range p.Conjs {
			if i < p.NumOut() {
				out = append(out, c.Fixed(len(r.Params)+i, v))
			}
		}
		return p.Space, out
	})}
}

// Points lists the points of a bounded set in one space in lexicographic order,
// each once; parameters must have values (see FixParam).
func (s Set) Points() (iter.Seq[[]Int], error) {
	r := s.rel()
	if len(r.Parts) > 1 {
		return nil, fmt.Errorf("presburger: Points wants a set in one space, not %d", len(r.Parts))
	}
	if len(r.Parts) == 0 {
		return func(func([]Int) bool) {}, nil
	}
	np := len(r.Params)
	var bad error
	cs := slices.Clone(r.Parts[0].Conjs)
	for _, c := range cs {
		if _, err := lp.Run(r.Budget, func(w *lp.Work) bool { bad = c.Enumerable(np, r.Params, w); return true }); err != nil {
			return nil, err
		}
		if bad != nil {
			return nil, bad
		}
	}
	return func(yield func([]Int) bool) {
		conj.Merge(cs, np, yield)
	}, nil
}

// Contains reports that a point, without parameters, is in the set at the values of
// the parameters.
func (s Set) Contains(x []Int, params map[string]Int) (bool, error) {
	r := s.rel()
	all := make([]Int, 0, len(r.Params)+len(x))
	for _, p := range r.Params {
		v, ok := params[p]
		if !ok {
			return false, fmt.Errorf("presburger: no value for the parameter %s", p)
		}
		all = append(all, v)
	}
	all = append(all, x...)
	return r.Asks(func(w *lp.Work) bool {
		for _, p := range r.Parts {
			for _, c := range p.Conjs {
				if c.N == len(all) && c.At(all).HasPoint(w) {
					return true
				}
			}
		}
		return false
	})
}
