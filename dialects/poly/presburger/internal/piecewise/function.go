package piecewise

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// A Function is piecewise quasi-affine, from the tuples of one space, or from the
// parameters alone, to tuples.
type Function struct {
	Params []string
	In     *union.Tuple // nil: of the parameters alone
	Out    *union.Tuple
	Pieces []Piece
	Budget lp.Allowance
}

// Piece is a value where one of the conjunctions holds. They are over the
// parameters and the tuple, with known divs, and have points; those of different
// pieces have none in common.
type Piece struct {
	When []*conj.Conj
	Vals []Quasi
}

// None is defined nowhere.
var None = &Function{Out: &union.Tuple{}}

// Vars counts the parameters and dimensions that values are over.
func (f *Function) Vars() int { return len(f.Params) + f.In.Len() }

// Like is an empty function on the same space.
func (f *Function) Like(out *union.Tuple) *Function {
	return &Function{Params: f.Params, In: f.In, Out: out, Budget: f.Budget}
}

// DomainSpace is the space of the domain as a set's.
func (f *Function) DomainSpace() union.Space { return union.Space{Out: f.In} }

// Domain is the set on which f is defined.
func (f *Function) Domain() *union.Relation {
	r := &union.Relation{Params: f.Params, Budget: f.Budget}
	r.Put(f.DomainSpace())
	for _, p := range f.Pieces {
		r.Put(f.DomainSpace(), p.When...)
	}
	return r
}

// WithParams reorders and adds parameters; all of f's must be among them.
func (f *Function) WithParams(all []string) *Function {
	if slices.Equal(f.Params, all) {
		return f
	}
	to := make([]int, 0, len(all)+f.In.Len())
	for _, p := range f.Params {
		to = append(to, slices.Index(all, p))
	}
	for i := range f.In.Len() {
		to = append(to, len(all)+i)
	}
	out := &Function{Params: all, In: f.In, Out: f.Out, Budget: f.Budget}
	for _, p := range f.Pieces {
		var q Piece
		for _, c := range p.When {
			q.When = append(q.When, c.Reparam(f.Params, all))
		}
		for _, v := range p.Vals {
			q.Vals = append(q.Vals, rename(out.Vars(), to).quasi(v))
		}
		out.Pieces = append(out.Pieces, q)
	}
	return out
}

// Joined lists the parameters of both.
func Joined(a, b []string) []string {
	all := slices.Clone(a)
	for _, p := range b {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// Align gives two functions on one space the same parameters.
func Align(f, g *Function) (*Function, *Function, error) {
	if !f.In.Equal(g.In) {
		return nil, nil, fmt.Errorf("presburger: functions on different spaces, %s and %s", f.In.Text(), g.In.Text())
	}
	all := Joined(f.Params, g.Params)
	return f.WithParams(all), g.WithParams(all), nil
}

// Place adds a piece; one with the same value takes its domain over.
func (f *Function) Place(w *lp.Work, p Piece) {
	if p.When = conj.JoinedUnion(nil, p.When); len(p.When) == 0 {
		return
	}
	w.Step(16 * len(f.Pieces))
	for i, q := range f.Pieces {
		if slices.EqualFunc(p.Vals, q.Vals, Quasi.same) {
			w.Step(4 * len(q.When) * len(p.When))
			f.Pieces[i].When = conj.JoinedUnion(q.When, p.When)
			return
		}
	}
	f.Pieces = append(f.Pieces, p)
}

// Tidy joins the conjunctions of each domain, where these are not many.
func (f *Function) Tidy(w *lp.Work) *Function {
	for i, p := range f.Pieces {
		if n := len(p.When); n > 1 && n <= 16 {
			f.Pieces[i].When = conj.CoalesceAll(p.When, w)
		}
	}
	return f
}

// Where restricts a union to the points where a function has a sign: -1, 0, 1, or
// -2 and 2 for at most and at least 0.
func Where(cs []*conj.Conj, q Quasi, sign int, w *lp.Work) (out []*conj.Conj) {
	if q.IsConst() {
		if s := q.Num[0].Sign(); s == sign || sign == 2*s || s == 0 && sign != 1 && sign != -1 {
			return cs
		}
		return nil
	}
	for _, c := range cs {
		w.Step(len(c.Ge) + q.Width())
		c = c.Clone()
		r := RowOf(c, q)
		c.Constrain(r, make(lp.Row, len(r)), sign)
		if c.Simplify(); c.HasPoint(w) {
			out = append(out, c)
		}
	}
	return out
}

// Pairs calls put with each pair of pieces and the points that they share.
func Pairs(f, g *Function, w *lp.Work, put func(when []*conj.Conj, a, b []Quasi)) {
	for _, p := range f.Pieces {
		for _, q := range g.Pieces {
			if when := conj.Both(p.When, q.When, w); len(when) > 0 {
				put(when, p.Vals, q.Vals)
			}
		}
	}
}

// Combine makes a function on the points where both are defined.
func Combine(f, g *Function, op func(a, b Quasi) Quasi) (*Function, error) {
	f, g, err := Align(f, g)
	if err != nil {
		return nil, err
	}
	if !f.Out.Equal(g.Out) {
		return nil, fmt.Errorf("presburger: functions to different spaces, %s and %s", f.Out.Text(), g.Out.Text())
	}
	return lp.Run(f.Budget, func(w *lp.Work) *Function { return f.OnBoth(g, op, w) })
}

// OnBoth is an operation on the points where two functions with the same parameters
// are defined.
func (f *Function) OnBoth(g *Function, op func(a, b Quasi) Quasi, w *lp.Work) *Function {
	out := f.Like(f.Out)
	Pairs(f, g, w, func(when []*conj.Conj, a, b []Quasi) {
		p := Piece{When: when}
		for i := range a {
			p.Vals = append(p.Vals, op(a[i], b[i]))
		}
		out.Place(w, p)
	})
	return out.Tidy(w)
}

// UnionWith is combine where both are defined, and the one that is elsewhere.
func UnionWith(f, g *Function, op func(a, b Quasi) Quasi) (*Function, error) {
	out, err := Combine(f, g, op)
	if err != nil {
		return nil, err
	}
	return out.Rest(f, g)
}

// Rest adds to what two functions make where both are defined what they are elsewhere.
func (f *Function) Rest(a, b *Function) (*Function, error) {
	a, b, err := Align(a, b)
	if err != nil {
		return nil, err
	}
	return lp.Run(a.Budget, func(w *lp.Work) *Function { return f.Elsewhere(a, b, w) })
}

// Elsewhere is rest for functions with the same parameters.
func (f *Function) Elsewhere(a, b *Function, w *lp.Work) *Function {
	out := f.Like(f.Out)
	out.Pieces = slices.Clone(f.Pieces)
	only := func(x, y *Function) {
		var other []*conj.Conj
		for _, q := range y.Pieces {
			other = append(other, q.When...)
		}
		for _, p := range x.Pieces {
			out.Place(w, Piece{conj.Without(p.When, other, w), p.Vals})
		}
	}
	only(a, b)
	only(b, a)
	return out.Tidy(w)
}

// Mapped applies an operation to every value.
func (f *Function) Mapped(op func(a Quasi) Quasi) *Function {
	out := f.Like(f.Out)
	for _, p := range f.Pieces {
		q := Piece{When: p.When}
		for _, v := range p.Vals {
			q.Vals = append(q.Vals, op(v))
		}
		out.Place(nil, q)
	}
	return out
}

// Restrict makes a function of f and the conjunctions of a set in the space of its
// domain.
func (f *Function) Restrict(s *union.Relation, op func(f *Function, cs []*conj.Conj, w *lp.Work) *Function) (*Function, error) {
	all := Joined(f.Params, s.Params)
	f, s = f.WithParams(all), s.WithParams(all)
	var cs []*conj.Conj
	if p := s.Find(f.DomainSpace()); p != nil {
		cs = p.Conjs
	}
	return lp.Run(f.Budget, func(w *lp.Work) *Function { return op(f, cs, w) })
}

// OnlyOn restricts f to a union.
func (f *Function) OnlyOn(cs []*conj.Conj, w *lp.Work) *Function {
	out := f.Like(f.Out)
	for _, p := range f.Pieces {
		out.Place(w, Piece{conj.Both(p.When, cs, w), p.Vals})
	}
	return out.Tidy(w)
}

// NotOn restricts f to what is not in a union.
func (f *Function) NotOn(cs []*conj.Conj, w *lp.Work) *Function {
	out := f.Like(f.Out)
	for _, p := range f.Pieces {
		out.Place(w, Piece{conj.Without(p.When, cs, w), p.Vals})
	}
	return out.Tidy(w)
}

// GistOn drops what a union implies from the domains, as far as they stay disjoint.
func (f *Function) GistOn(cs []*conj.Conj, w *lp.Work) *Function {
	out := f.OnlyOn(cs, w)
	if len(cs) != 1 {
		return out
	}
	known := conj.DefinedAll(cs, w)
	for i := range out.Pieces {
		var simple []*conj.Conj
		for _, c := range out.Pieces[i].When {
			g := c
			if len(known) == 1 {
				g = c.Gist(known[0], w)
			}
			simple = append(simple, g.Defined(w)...)
		}
		free := true
		for j, q := range out.Pieces {
			free = free && (i == j || len(conj.Both(simple, q.When, w)) == 0)
		}
		if free {
			out.Pieces[i].When = simple
		}
	}
	return out
}

// Coalesced joins domains, also of pieces of which one has the values of the other.
func (f *Function) Coalesced(w *lp.Work) *Function {
	out := f.Like(f.Out)
	pieces := slices.Clone(f.Pieces)
	for i := 0; i < len(pieces); i++ {
		for j := 0; j < len(pieces); j++ {
			if i != j && agree(pieces[j].When, pieces[i].Vals, pieces[j].Vals, w) {
				pieces[i].When = slices.Concat(pieces[i].When, pieces[j].When)
				pieces = slices.Delete(pieces, j, j+1)
				if j < i {
					i--
				}
				j--
			}
		}
	}
	for _, p := range pieces {
		out.Place(w, Piece{conj.Alive(conj.CoalesceAll(p.When, w), w), p.Vals})
	}
	return out
}

// agree reports equal values at all points of a union.
func agree(cs []*conj.Conj, a, b []Quasi, w *lp.Work) bool {
	for i := range a {
		d := a[i].Minus(b[i])
		if len(Where(cs, d, 1, w))+len(Where(cs, d, -1, w)) > 0 {
			return false
		}
	}
	return true
}

// EqualTo reports the same domain and values.
func (f *Function) EqualTo(g *Function) (bool, error) {
	if !f.In.Equal(g.In) || !f.Out.Equal(g.Out) {
		return len(f.Pieces)+len(g.Pieces) == 0, nil
	}
	f, g, err := Align(f, g)
	if err != nil {
		return false, err
	}
	return lp.Run(f.Budget, func(w *lp.Work) bool {
		a, b := f.Domain(), g.Domain()
		if !union.Within(a, b, w) || !union.Within(b, a, w) {
			return false
		}
		same := true
		Pairs(f, g, w, func(when []*conj.Conj, a, b []Quasi) { same = same && agree(when, a, b, w) })
		return same
	})
}

// Pullback is f after g, whose tuples are those that f takes.
func (f *Function) Pullback(g *Function) (*Function, error) {
	if f.In == nil || !f.In.Equal(g.Out) {
		return nil, fmt.Errorf("presburger: pullback of a function on %s by one to %s", f.In.Text(), g.Out.Text())
	}
	all := Joined(f.Params, g.Params)
	f, g = f.WithParams(all), g.WithParams(all)
	return lp.Run(f.Budget, func(w *lp.Work) *Function {
		out := g.Like(f.Out)
		out.Budget = f.Budget
		for _, q := range g.Pieces {
			vals := make([]Quasi, 0, f.Vars())
			for i := range all {
				vals = append(vals, Variable(g.Vars(), i))
			}
			vals = append(vals, q.Vals...)
			for _, p := range f.Pieces {
				var dom []*conj.Conj
				for _, c := range p.When {
					w.Step(c.Width() * (len(c.Eq) + len(c.Ge)))
					dom = append(dom, substitute(g.Vars(), vals).conj(c, true))
				}
				when := conj.Both(q.When, dom, w)
				if len(when) == 0 {
					continue
				}
				r := Piece{When: when}
				for _, v := range p.Vals {
					r.Vals = append(r.Vals, substitute(g.Vars(), vals).quasi(v))
				}
				out.Place(w, r)
			}
		}
		return out.Tidy(w)
	})
}

// OneDim is the space of one value without a name.
var OneDim = &union.Tuple{Dims: []string{""}}

// Eval returns the values at a point; ok is false where f is not defined.
func (f *Function) Eval(x []lp.Int, params map[string]lp.Int) (v []lp.Rat, ok bool, err error) {
	if len(x) != f.In.Len() {
		return nil, false, fmt.Errorf("presburger: a point of %d dimensions, not %d", f.In.Len(), len(x))
	}
	all := make([]lp.Int, 0, f.Vars())
	for _, p := range f.Params {
		k, ok := params[p]
		if !ok {
			return nil, false, fmt.Errorf("presburger: no value for the parameter %s", p)
		}
		all = append(all, k)
	}
	all = append(all, x...)
	ok, err = lp.Run(f.Budget, func(w *lp.Work) bool {
		for _, p := range f.Pieces {
			for _, c := range p.When {
				if !c.At(all).HasPoint(w) {
					continue
				}
				for _, q := range p.Vals {
					v = append(v, q.Eval(all))
				}
				return true
			}
		}
		return false
	})
	return v, ok, err
}
