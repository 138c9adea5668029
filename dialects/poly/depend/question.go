package depend

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// basic writes the question, with the signs that are decided, for presburger: all of
// its variables are dimensions.
func (q *question) basic(t *Tester) presburger.Basic {
	var b presburger.Basic
	width := 0
	if q.a == nil {
		b.Eq, b.Ge = slices.Clone(q.whole.Eq), slices.Clone(q.whole.Ge)
		width = 1 + q.params + q.whole.In.Len() + q.whole.Out.Len() + len(q.whole.Divs)
	} else {
		width = q.both(&b)
	}
	for _, c := range t.context {
		r := make([]presburger.Int, width)
		copy(r, c[:1+q.params])
		b.Ge = append(b.Ge, r)
	}
	for l, sign := range q.signs {
		if sign == Mixed {
			continue
		}
		r := make([]presburger.Int, width)
		x, y := 1+q.params+l, 1+q.params+q.first+l
		r[x], r[y] = presburger.NewInt(-1), presburger.NewInt(1)
		switch sign {
		case Zero:
			b.Eq = append(b.Eq, r)
			continue
		case Negative:
			r[x], r[y] = r[y], r[x]
		}
		r[0] = presburger.NewInt(-1)
		b.Ge = append(b.Ge, r)
	}
	b.Out = presburger.NewTuple("", make([]string, width-1)...)
	return b
}

// both writes the rows of two pieces as pose does, and returns their width.
func (q *question) both(b *presburger.Basic) (width int) {
	np := q.params
	dimsA := q.a.width - 1 - np - q.sub - q.a.divs
	dimsB := q.b.width - 1 - np - q.sub - q.b.divs
	elems := 1 + np + dimsA + dimsB
	width = elems + q.sub + q.a.divs + q.b.divs
	put := func(p *piece, dims, at, divs int) {
		move := func(from [][]presburger.Int) (out [][]presburger.Int) {
			for _, f := range from {
				r := make([]presburger.Int, width)
				copy(r, f[:1+np])
				copy(r[at:], f[1+np:1+np+dims])
				copy(r[elems:], f[1+np+dims:1+np+dims+q.sub])
				copy(r[divs:], f[1+np+dims+q.sub:])
				out = append(out, r)
			}
			return out
		}
		b.Eq, b.Ge = append(b.Eq, move(p.exact.Eq)...), append(b.Ge, move(p.exact.Ge)...)
	}
	put(q.a, dimsA, 1+np, elems+q.sub)
	put(q.b, dimsB, 1+np+dimsA, elems+q.sub+q.a.divs)
	return width
}

// poseWhole writes the rows of a relation.
func (t *Tester) poseWhole(s *system) {
	q := &t.ask
	dims := q.whole.In.Len() + q.whole.Out.Len()
	s.reset(1+q.params+q.loops+dims+len(q.whole.Divs), q.params)
	p := newPiece(q.whole)
	if s.big = p.big; s.big {
		return
	}
	at := 1 + q.params + q.loops
	s.place(&p, q.params, dims, at, at+dims, 0, at+dims)
	t.poseDistances(s)
}

// Of tells which direction vectors the pairs of a relation have in the first loops
// dimensions of both sides: for a dependence, those of the loops around both
// statements. Parameters that the tester has not are free.
func (t *Tester) Of(m presburger.Map, loops int) (Dependence, error) {
	m, err := m.AlignParams(t.params...).WithBudget(t.Budget).DetectEqualities()
	if err != nil {
		return Dependence{}, err
	}
	out := Dependence{Loops: loops}
	t.vectors = t.vectors[:0]
	for _, b := range m.Basics() {
		if loops < 0 || loops > min(b.In.Len(), b.Out.Len(), MaxLoops) {
			panic("depend: more common loops than dimensions")
		}
		t.ask = question{params: len(b.Params), names: b.Params, first: b.In.Len(), loops: loops, whole: b, signs: t.ask.signs[:0]}
		if err := t.answer(&out); err != nil {
			return Dependence{}, err
		}
	}
	return t.collect(out), nil
}

// exists reports that a conjunction has a point.
func (t *Tester) exists(b presburger.Basic) (bool, error) {
	t.vectors = t.vectors[:0]
	t.ask = question{params: len(b.Params), names: b.Params, first: b.In.Len(), whole: b, signs: t.ask.signs[:0]}
	err := t.answer(&Dependence{})
	return len(t.vectors) > 0, err
}

// Sample finds an instance of each side, of those that access one element at distances of the signs of a vector; ok is
// false if there are none, or to find them takes more steps than the budget has.
func (t *Tester) Sample(a, b *Access, v Vector, budget int64) (x, y []presburger.Int, ok bool) {
	for i := range a.pieces {
		for j := range b.pieces {
			q := question{params: len(t.params), first: a.dims, loops: v.Len(), a: &a.pieces[i], b: &b.pieces[j], sub: a.sub}
			for l := range v.Len() {
				q.signs = append(q.signs, v.At(l))
			}
			if p, ok, err := presburger.SetOf(q.basic(t)).WithBudget(budget).Sample(); ok && err == nil {
				at := p.Coords[q.params:]
				return at[:a.dims], at[a.dims : a.dims+b.dims], true
			}
		}
	}
	return nil, nil, false
}
