package piecewise

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// Graph is the relation of arguments and values; where a value is no integer there
// is none.
func (f *Function) Graph() *union.Relation {
	r := &union.Relation{Params: f.Params, Budget: f.Budget}
	s := union.Space{In: f.In, Out: f.Out}
	r.Put(s)
	for _, p := range f.Pieces {
		for _, c := range p.When {
			g := c.Clone()
			n := g.N
			g.Insert(n, len(p.Vals))
			for i, v := range p.Vals {
				e := RowOf(g, v.widened(len(p.Vals)))
				e[1+n+i] = v.Den.Neg()
				g.Eq = append(g.Eq, e)
			}
			if !g.Simplify().Empty {
				r.Put(s, g)
			}
		}
	}
	return r
}

// widened is the function with k more variables, which it does not use.
func (q Quasi) widened(k int) Quasi {
	to := make([]int, q.N)
	for i := range to {
		to[i] = i
	}
	return rename(q.N+k, to).quasi(q)
}

// ErrNotFunction is the error of a relation that is no function.
var ErrNotFunction = fmt.Errorf("presburger: the map is not single-valued")

// others are the domains of pieces whose values are written in another way.
func others(pieces []Piece, p Piece) (out []*conj.Conj) {
	for _, q := range pieces {
		if !slices.EqualFunc(p.Vals, q.Vals, Quasi.same) {
			out = append(out, q.When...)
		}
	}
	return out
}

// functionOf reads a function of np arguments off a conjunction: off its equations and
// bounds where these give it, which given says, else the least values by parametric
// integer programming. ok is false if some have no lower bound.
func functionOf(c *conj.Conj, np int, w *lp.Work) (out []Piece, given, ok bool) {
	if p, ok := explicit(c, np, w); ok {
		return p, true, true
	}
	for _, s := range c.LexMin(np, w) {
		p := Piece{When: conj.Alive([]*conj.Conj{s.C}, w)}
		for i := range c.N - np {
			if s.Missing[i] {
				return nil, false, false
			}
			v := Quasi{N: np, Den: lp.NewInt(1)}
			v.Num = v.Adopt(s.Values[i], s.C.Divs)
			p.Vals = append(p.Vals, v.Normal())
		}
		out = append(out, p)
	}
	return out, false, true
}

// Of converts a relation in one space; known says that it is the graph of a
// function, conjunctions with different arguments.
func Of(r *union.Relation, known bool) (*Function, error) {
	if len(r.Parts) != 1 {
		return nil, fmt.Errorf("presburger: a function has one space, this relation %d", len(r.Parts))
	}
	p := r.Parts[0]
	if p.IsParams() {
		return nil, fmt.Errorf("presburger: a condition on parameters is no function")
	}
	f := &Function{Params: r.Params, In: p.In, Out: p.Out, Budget: r.Budget}
	single := true
	g, err := lp.Run(r.Budget, func(w *lp.Work) *Function {
		var before []Piece
		plain := true // the graph is that of one function on all conjunctions
		for _, c := range p.Conjs {
			pieces, explicit, ok := functionOf(c, f.Vars(), w)
			if single = single && ok; !ok {
				return nil
			}
			plain = plain && explicit
			for _, q := range pieces {
				when := q.When
				if !known {
					if other := others(before, q); len(other) > 0 {
						when, plain = conj.Without(when, other, w), false
					}
					before = append(before, q)
				}
				f.Place(w, Piece{when, q.Vals})
			}
		}
		single = known || plain || union.Within(r, f.Graph(), w)
		if len(f.Pieces) > 1 && len(f.Pieces) <= 16 {
			return f.Coalesced(w)
		}
		return f.Tidy(w)
	})
	if err == nil && !single {
		return nil, ErrNotFunction
	}
	return g, err
}
