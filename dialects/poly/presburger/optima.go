package presburger

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/piecewise"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
	"github.com/irc-lang/irc/ir/unwind"
)

// AsPwMultiAff converts a single-valued map in one space to the function that it is;
// another map is an error.
func (m Map) AsPwMultiAff() (PwMultiAff, error) { return pwMultiAff(piecewise.Of(m.rel(), false)) }

// AsPwMultiAff converts a set with one point at most for each value of the
// parameters to a function of these.
func (s Set) AsPwMultiAff() (PwMultiAff, error) { return pwMultiAff(piecewise.Of(s.rel(), false)) }

// LexMinPwMultiAff is LexMin as a function of the parameters.
func (s Set) LexMinPwMultiAff() (PwMultiAff, error) { return pwMultiAff(lexfun(s.rel(), false)) }

// LexMaxPwMultiAff is LexMax as a function of the parameters.
func (s Set) LexMaxPwMultiAff() (PwMultiAff, error) { return pwMultiAff(lexfun(s.rel(), true)) }

// LexMinPwMultiAff is LexMin as a function on the domain.
func (m Map) LexMinPwMultiAff() (PwMultiAff, error) { return pwMultiAff(lexfun(m.rel(), false)) }

// LexMaxPwMultiAff is LexMax as a function on the domain.
func (m Map) LexMaxPwMultiAff() (PwMultiAff, error) { return pwMultiAff(lexfun(m.rel(), true)) }

// DimMin returns the least value of dimension i as a function of the parameters, on
// those for which the set has points.
func (s Set) DimMin(i int) (PwAff, error) { return pwAff(dimOptimum(s.rel(), i, false)) }

// DimMax returns the greatest value of dimension i as a function of the parameters.
func (s Set) DimMax(i int) (PwAff, error) { return pwAff(dimOptimum(s.rel(), i, true)) }

// DimMin returns the least value of dimension i of what each point is related to.
func (m Map) DimMin(i int) (PwAff, error) { return pwAff(dimOptimum(m.rel(), i, false)) }

// DimMax returns the greatest value of dimension i of what each point is related to.
func (m Map) DimMax(i int) (PwAff, error) { return pwAff(dimOptimum(m.rel(), i, true)) }

// An Optimum is the result of an integer or linear program. Value is that of the
// function and, of an integer program, At a point of the set that has it.
type Optimum struct {
	Status Status
	Value  Rat
	At     Point
}

// String writes the value, or the status where there is none.
func (o Optimum) String() string {
	if o.Status == Optimal {
		return o.Value.String()
	}
	return o.Status.String()
}

// MinVal returns the least value of f over the integer points of s. Parameters count
// as dimensions: give them values (FixParam) for the minimum at these.
func (s Set) MinVal(f Aff) (Optimum, error) { return s.program(f, false, (*conj.Conj).IntegerMinimum) }

// MaxVal returns the greatest value of f over the integer points of s.
func (s Set) MaxVal(f Aff) (Optimum, error) { return s.program(f, true, (*conj.Conj).IntegerMinimum) }

// LPMin returns the least value of f over the rational relaxation of s: the points,
// rational ones, too, that satisfy the constraints of one of its conjunctions, with
// rational numbers also for the variables that exist. It is at most that of MinVal.
// Constraints are those that s keeps, with constants rounded to what integers allow:
// 2 i >= 1 is kept as i >= 1.
func (s Set) LPMin(f Aff) (Optimum, error) { return s.program(f, false, (*conj.Conj).RationalMinimum) }

// LPMax returns the greatest value of f over the rational relaxation of s.
func (s Set) LPMax(f Aff) (Optimum, error) { return s.program(f, true, (*conj.Conj).RationalMinimum) }

// MinVal returns the least value of f on its domain, for all values of the parameters.
func (f PwAff) MinVal() (Optimum, error) { return f.extreme(Set.MinVal, -1) }

// MaxVal returns the greatest value of f on its domain.
func (f PwAff) MaxVal() (Optimum, error) { return f.extreme(Set.MaxVal, 1) }

func (f PwAff) extreme(of func(Set, Aff) (Optimum, error), sign int) (Optimum, error) {
	out := Optimum{Status: Empty}
	for s, a := range f.Pieces() {
		o, err := of(s, a)
		if err != nil {
			return Optimum{}, err
		}
		out = out.better(o, sign)
	}
	return out, nil
}

// better is the optimum of two: the greater one for sign 1, the less one for -1.
func (o Optimum) better(p Optimum, sign int) Optimum {
	switch {
	case o.Status == Unbounded || p.Status == Empty:
		return o
	case p.Status == Unbounded || o.Status == Empty:
		return p
	case p.Value.Cmp(o.Value)*sign > 0:
		return p
	}
	return o
}

// program minimizes over each conjunction.
func (s Set) program(f Aff, max bool, solve func(c *conj.Conj, objective lp.Row, w *lp.Work) (Status, Rat, []Int)) (Optimum, error) {
	r := s.rel()
	all := piecewise.Joined(r.Params, f.params)
	g := f.PwAff().f.WithParams(all)
	r = r.WithParams(all)
	p := r.Find(g.DomainSpace())
	if p == nil {
		if len(r.Parts) == 0 {
			return Optimum{Status: Empty}, nil
		}
		return Optimum{}, fmt.Errorf("presburger: a function on %s, a set on %s", f.in.Text(), r.Parts[0].Out.Text())
	}
	q := g.Pieces[0].Vals[0]
	if max {
		q = q.Times(Rat{Num: lp.NewInt(-1), Den: lp.NewInt(1)})
	}
	out, err := lp.Run(r.Budget, func(w *lp.Work) Optimum {
		best := Optimum{Status: Empty}
		for _, c := range p.Conjs {
			c = c.Clone()
			objective := piecewise.RowOf(c, q)
			status, v, x := solve(c, objective, w)
			o := Optimum{Status: status}
			if status == Optimal {
				o.Value = lp.NewRat(v.Num, v.Den.Mul(q.Den))
			}
			if x != nil {
				o.At = pointOf(r, *p, x)
			}
			best = best.better(o, -1)
		}
		return best
	})
	if max && out.Status == Optimal {
		out.Value = out.Value.Neg()
	}
	return out, err
}

// LexMin returns the lexicographically least point for each value of the
// parameters, as a set. It is an error if there is none because the set has no
// lower bound.
func (s Set) LexMin() (Set, error) { return set(lexopt(s.rel(), false)) }

// LexMax returns the lexicographically greatest point.
func (s Set) LexMax() (Set, error) { return set(lexopt(s.rel(), true)) }

// LexMin relates each point of the domain to the least one that m relates it to.
func (m Map) LexMin() (Map, error) { return mapOf(lexopt(m.rel(), false)) }

// LexMax relates each point of the domain to the greatest one that m relates it to.
func (m Map) LexMax() (Map, error) { return mapOf(lexopt(m.rel(), true)) }

func lexfun(r *union.Relation, max bool) (*piecewise.Function, error) {
	best, err := lexopt(r, max)
	if err != nil {
		return nil, err
	}
	return piecewise.Of(best, true)
}

func dimOptimum(r *union.Relation, i int, max bool) (*piecewise.Function, error) {
	if len(r.Parts) != 1 {
		return nil, fmt.Errorf("presburger: a bound of a dimension wants one space, not %d", len(r.Parts))
	}
	n := r.Parts[0].NumOut()
	if i < 0 || i >= n {
		return nil, fmt.Errorf("presburger: dimension %d of %d", i, n)
	}
	line, err := lp.Run(r.Budget, func(w *lp.Work) *union.Relation {
		return r.Each(func(p union.Part) (union.Space, []*conj.Conj) {
			at := len(r.Params) + p.NumIn()
			cs := conj.ProjectAll(conj.ProjectAll(p.Conjs, at+i+1, n-i-1), at, i)
			return union.Space{In: p.In, Out: &union.Tuple{Dims: []string{""}}}, cs
		})
	})
	if err != nil {
		return nil, err
	}
	return lexfun(line, max)
}

// pointOf names the parts of a point of a conjunction.
func pointOf(r *union.Relation, p union.Part, x []Int) Point {
	out := Point{Params: map[string]Int{}, Coords: x[len(r.Params) : len(r.Params)+p.Dims()]}
	for i, name := range r.Params {
		out.Params[name] = x[i]
	}
	if p.Out != nil {
		out.Tuple = p.Out.Name
	}
	return out
}

func lexopt(r *union.Relation, max bool) (out *union.Relation, err error) {
	_, unbounded := unwind.Catch[conj.UnboundedError](func() { out, err = lexoptOf(r, max) })
	if unbounded {
		return nil, ErrUnbounded
	}
	return out, err
}

func lexoptOf(r *union.Relation, max bool) (*union.Relation, error) {
	return r.Do(func(w *lp.Work) *union.Relation {
		return r.Each(func(p union.Part) (union.Space, []*conj.Conj) {
			np := len(r.Params) + p.NumIn()
			var best conj.Optimum
			for _, c := range p.Conjs {
				o := c.Optimum(np, max, w)
				if len(p.Conjs) > 1 && len(o.Domain) > 1 { // often fewer parts than contexts
					if d := conj.DefinedAll(conj.ProjectAll([]*conj.Conj{c}, np, c.N-np), w); len(d) < len(o.Domain) {
						o.Domain = d
					}
				}
				best = best.Join(o, np, max, w)
			}
			return p.Space, best.Graphs
		})
	})
}
