package presburger

import (
	"fmt"
	"slices"
	"strings"
)

// A function is piecewise quasi-affine, from the tuples of one space, or from the
// parameters alone, to tuples.
type function struct {
	params []string
	in     *tuple // nil: of the parameters alone
	out    *tuple
	pieces []funPiece
	budget allowance
}

// funPiece is a value where one of the conjunctions holds. They are over the
// parameters and the tuple, with known divs, and have points; those of different
// pieces have none in common.
type funPiece struct {
	when []*conj
	vals []quasi
}

var noFunction = &function{out: &tuple{}}

func (f *function) vars() int { return len(f.params) + f.in.len() }

// like is an empty function on the same space.
func (f *function) like(out *tuple) *function {
	return &function{params: f.params, in: f.in, out: out, budget: f.budget}
}

// domainSpace is the space of the domain as a set's.
func (f *function) domainSpace() space { return space{out: f.in} }

// domain is the set on which f is defined.
func (f *function) domain() *relation {
	r := &relation{params: f.params, budget: f.budget}
	r.put(f.domainSpace())
	for _, p := range f.pieces {
		r.put(f.domainSpace(), p.when...)
	}
	return r
}

// withParams reorders and adds parameters; all of f's must be among them.
func (f *function) withParams(all []string) *function {
	if slices.Equal(f.params, all) {
		return f
	}
	to := make([]int, 0, len(all)+f.in.len())
	for _, p := range f.params {
		to = append(to, slices.Index(all, p))
	}
	for i := range f.in.len() {
		to = append(to, len(all)+i)
	}
	out := &function{params: all, in: f.in, out: f.out, budget: f.budget}
	for _, p := range f.pieces {
		var q funPiece
		for _, c := range p.when {
			q.when = append(q.when, c.reparam(f.params, all))
		}
		for _, v := range p.vals {
			q.vals = append(q.vals, rename(out.vars(), to).quasi(v))
		}
		out.pieces = append(out.pieces, q)
	}
	return out
}

// joined lists the parameters of both.
func joined(a, b []string) []string {
	all := slices.Clone(a)
	for _, p := range b {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// alignFunctions gives two functions on one space the same parameters.
func alignFunctions(f, g *function) (*function, *function, error) {
	if !f.in.equal(g.in) {
		return nil, nil, fmt.Errorf("presburger: functions on different spaces, %s and %s", f.in.text(), g.in.text())
	}
	all := joined(f.params, g.params)
	return f.withParams(all), g.withParams(all), nil
}

// text names a space in messages.
func (t *tuple) text() string {
	if t == nil {
		return "the parameters"
	}
	if t.in != nil {
		return t.name + "[" + t.in.text() + " -> " + t.out.text() + "]"
	}
	names := t.names()
	for i, n := range names {
		if n == "" {
			names[i] = "*"
		}
	}
	return t.name + "[" + strings.Join(names, ", ") + "]"
}

// place adds a piece; one with the same value takes its domain over.
func (f *function) place(w *work, p funPiece) {
	if p.when = joinedUnion(nil, p.when); len(p.when) == 0 {
		return
	}
	w.step(16 * len(f.pieces))
	for i, q := range f.pieces {
		if slices.EqualFunc(p.vals, q.vals, quasi.same) {
			w.step(4 * len(q.when) * len(p.when))
			f.pieces[i].when = joinedUnion(q.when, p.when)
			return
		}
	}
	f.pieces = append(f.pieces, p)
}

// joinedUnion leaves out conjunctions with the same text, and all for everything.
func joinedUnion(as, bs []*conj) []*conj {
	out := as[:len(as):len(as)]
	for _, b := range bs {
		if len(b.eq)+len(b.ge) == 0 {
			return []*conj{b}
		}
		if !slices.ContainsFunc(out, b.same) {
			out = append(out, b)
		}
	}
	return out
}

// tidy joins the conjunctions of each domain, where these are not many.
func (f *function) tidy(w *work) *function {
	for i, p := range f.pieces {
		if n := len(p.when); n > 1 && n <= 16 {
			f.pieces[i].when = coalesceAll(p.when, w)
		}
	}
	return f
}

// alive are the conjunctions with points, their divs known.
func alive(cs []*conj, w *work) (out []*conj) {
	for _, c := range cs {
		for _, d := range c.defined(w) {
			if d.hasPoint(w) {
				out = append(out, d)
			}
		}
	}
	return out
}

// both are the points of two unions.
func both(as, bs []*conj, w *work) []*conj { return alive(intersectAll(as, bs, w), w) }

// without is a union without another.
func unionMinus(as, bs []*conj, w *work) []*conj { return alive(subtractAll(as, bs, w), w) }

// where restricts a union to the points where a function has a sign: -1, 0, 1, or
// -2 and 2 for at most and at least 0.
func where(cs []*conj, q quasi, sign int, w *work) (out []*conj) {
	if q.isConst() {
		if s := q.num[0].Sign(); s == sign || sign == 2*s || s == 0 && sign != 1 && sign != -1 {
			return cs
		}
		return nil
	}
	for _, c := range cs {
		w.step(len(c.ge) + q.width())
		c = c.clone()
		r := c.put(q)
		c.constrain(r, make(row, len(r)), sign)
		if c.simplify(); c.hasPoint(w) {
			out = append(out, c)
		}
	}
	return out
}

// pairs calls put with each pair of pieces and the points that they share.
func pairs(f, g *function, w *work, put func(when []*conj, a, b []quasi)) {
	for _, p := range f.pieces {
		for _, q := range g.pieces {
			if when := both(p.when, q.when, w); len(when) > 0 {
				put(when, p.vals, q.vals)
			}
		}
	}
}

// combine makes a function on the points where both are defined.
func combine(f, g *function, op func(a, b quasi) quasi) (*function, error) {
	f, g, err := alignFunctions(f, g)
	if err != nil {
		return nil, err
	}
	if !f.out.equal(g.out) {
		return nil, fmt.Errorf("presburger: functions to different spaces, %s and %s", f.out.text(), g.out.text())
	}
	return run(f.budget, func(w *work) *function { return f.onBoth(g, op, w) })
}

// onBoth is an operation on the points where two functions with the same parameters
// are defined.
func (f *function) onBoth(g *function, op func(a, b quasi) quasi, w *work) *function {
	out := f.like(f.out)
	pairs(f, g, w, func(when []*conj, a, b []quasi) {
		p := funPiece{when: when}
		for i := range a {
			p.vals = append(p.vals, op(a[i], b[i]))
		}
		out.place(w, p)
	})
	return out.tidy(w)
}

// unionWith is combine where both are defined, and the one that is elsewhere.
func unionWith(f, g *function, op func(a, b quasi) quasi) (*function, error) {
	out, err := combine(f, g, op)
	if err != nil {
		return nil, err
	}
	return out.rest(f, g)
}

// rest adds to what two functions make where both are defined what they are elsewhere.
func (f *function) rest(a, b *function) (*function, error) {
	a, b, err := alignFunctions(a, b)
	if err != nil {
		return nil, err
	}
	return run(a.budget, func(w *work) *function { return f.elsewhere(a, b, w) })
}

// elsewhere is rest for functions with the same parameters.
func (f *function) elsewhere(a, b *function, w *work) *function {
	out := f.like(f.out)
	out.pieces = slices.Clone(f.pieces)
	only := func(x, y *function) {
		var other []*conj
		for _, q := range y.pieces {
			other = append(other, q.when...)
		}
		for _, p := range x.pieces {
			out.place(w, funPiece{unionMinus(p.when, other, w), p.vals})
		}
	}
	only(a, b)
	only(b, a)
	return out.tidy(w)
}

// mapped applies an operation to every value.
func (f *function) mapped(op func(a quasi) quasi) *function {
	out := f.like(f.out)
	for _, p := range f.pieces {
		q := funPiece{when: p.when}
		for _, v := range p.vals {
			q.vals = append(q.vals, op(v))
		}
		out.place(nil, q)
	}
	return out
}

// restrict makes a function of f and the conjunctions of a set in the space of its
// domain.
func (f *function) restrict(s *relation, op func(f *function, cs []*conj, w *work) *function) (*function, error) {
	all := joined(f.params, s.params)
	f, s = f.withParams(all), s.withParams(all)
	var cs []*conj
	if p := s.find(f.domainSpace()); p != nil {
		cs = p.conjs
	}
	return run(f.budget, func(w *work) *function { return op(f, cs, w) })
}

func (f *function) onlyOn(cs []*conj, w *work) *function {
	out := f.like(f.out)
	for _, p := range f.pieces {
		out.place(w, funPiece{both(p.when, cs, w), p.vals})
	}
	return out.tidy(w)
}

func (f *function) notOn(cs []*conj, w *work) *function {
	out := f.like(f.out)
	for _, p := range f.pieces {
		out.place(w, funPiece{unionMinus(p.when, cs, w), p.vals})
	}
	return out.tidy(w)
}

// gistOn drops what a union implies from the domains, as far as they stay disjoint.
func (f *function) gistOn(cs []*conj, w *work) *function {
	out := f.onlyOn(cs, w)
	if len(cs) != 1 {
		return out
	}
	known := definedAll(cs, w)
	for i := range out.pieces {
		var simple []*conj
		for _, c := range out.pieces[i].when {
			g := c
			if len(known) == 1 {
				g = c.gist(known[0], w)
			}
			simple = append(simple, g.defined(w)...)
		}
		free := true
		for j, q := range out.pieces {
			free = free && (i == j || len(both(simple, q.when, w)) == 0)
		}
		if free {
			out.pieces[i].when = simple
		}
	}
	return out
}

// coalesced joins domains, also of pieces of which one has the values of the other.
func (f *function) coalesced(w *work) *function {
	out := f.like(f.out)
	pieces := slices.Clone(f.pieces)
	for i := 0; i < len(pieces); i++ {
		for j := 0; j < len(pieces); j++ {
			if i != j && agree(pieces[j].when, pieces[i].vals, pieces[j].vals, w) {
				pieces[i].when = slices.Concat(pieces[i].when, pieces[j].when)
				pieces = slices.Delete(pieces, j, j+1)
				if j < i {
					i--
				}
				j--
			}
		}
	}
	for _, p := range pieces {
		out.place(w, funPiece{alive(coalesceAll(p.when, w), w), p.vals})
	}
	return out
}

// agree reports equal values at all points of a union.
func agree(cs []*conj, a, b []quasi, w *work) bool {
	for i := range a {
		d := a[i].minus(b[i])
		if len(where(cs, d, 1, w))+len(where(cs, d, -1, w)) > 0 {
			return false
		}
	}
	return true
}

// equalTo reports the same domain and values.
func (f *function) equalTo(g *function) (bool, error) {
	if !f.in.equal(g.in) || !f.out.equal(g.out) {
		return len(f.pieces)+len(g.pieces) == 0, nil
	}
	f, g, err := alignFunctions(f, g)
	if err != nil {
		return false, err
	}
	return run(f.budget, func(w *work) bool {
		a, b := f.domain(), g.domain()
		if !within(a, b, w) || !within(b, a, w) {
			return false
		}
		same := true
		pairs(f, g, w, func(when []*conj, a, b []quasi) { same = same && agree(when, a, b, w) })
		return same
	})
}

// pullback is f after g, whose tuples are those that f takes.
func (f *function) pullback(g *function) (*function, error) {
	if f.in == nil || !f.in.equal(g.out) {
		return nil, fmt.Errorf("presburger: pullback of a function on %s by one to %s", f.in.text(), g.out.text())
	}
	all := joined(f.params, g.params)
	f, g = f.withParams(all), g.withParams(all)
	return run(f.budget, func(w *work) *function {
		out := g.like(f.out)
		out.budget = f.budget
		for _, q := range g.pieces {
			vals := make([]quasi, 0, f.vars())
			for i := range all {
				vals = append(vals, variableQuasi(g.vars(), i))
			}
			vals = append(vals, q.vals...)
			for _, p := range f.pieces {
				var dom []*conj
				for _, c := range p.when {
					w.step(c.width() * (len(c.eq) + len(c.ge)))
					dom = append(dom, substitute(g.vars(), vals).conj(c, true))
				}
				when := both(q.when, dom, w)
				if len(when) == 0 {
					continue
				}
				r := funPiece{when: when}
				for _, v := range p.vals {
					r.vals = append(r.vals, substitute(g.vars(), vals).quasi(v))
				}
				out.place(w, r)
			}
		}
		return out.tidy(w)
	})
}
