package depend

import (
	"cmp"
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// A question is a conjunction over pairs of instances, of two pieces that access the
// same element, or of a relation. Its variables are the parameters, the instance of
// each side, and others; the distance of loop l is that of variable l of the sides.
type question struct {
	params, first, loops int
	names                []string // of the parameters
	a, b                 *piece
	sub                  int
	whole                presburger.Basic // where a is nil
	signs                []Sign           // of the loops that are decided
}

// Test tells which direction vectors the pairs of instances of a and b have that access the same element.
// They are of the loops common to both statements, which are the first dimensions of both. It looks at all
// pairs, in whatever order they are executed; see Dependence.Forward. The answer is exact, for some values of
// the parameters.
func (t *Tester) Test(a, b *Access, loops int) (Dependence, error) {
	t.vectors = t.vectors[:0]
	out := Dependence{Loops: loops}
	if loops > MaxLoops {
		panic("depend: more common loops than a vector has")
	}
	if err := t.questions(a, b, loops, func() error { return t.answer(&out) }); err != nil {
		return Dependence{}, err
	}
	return t.collect(out), nil
}

// questions poses one for each two pieces of accesses.
func (t *Tester) questions(a, b *Access, loops int, answer func() error) error {
	if a.tester != t || b.tester != t {
		panic("depend: an access of another tester")
	}
	if !a.array.Equal(b.array) || len(a.pieces) == 0 || len(b.pieces) == 0 {
		return nil
	}
	if loops < 0 || loops > min(a.dims, b.dims) {
		panic("depend: more common loops than dimensions")
	}
	for i := range a.pieces {
		for j := range b.pieces {
			t.ask = question{params: len(t.params), names: t.params, first: a.dims, loops: loops,
				a: &a.pieces[i], b: &b.pieces[j], sub: a.sub, signs: t.ask.signs[:0]}
			if err := answer(); err != nil {
				return err
			}
		}
	}
	return nil
}

// collect sorts the vectors that were found and gives them to out. A distance whose
// only sign is zero is 0.
func (t *Tester) collect(out Dependence) Dependence {
	slices.SortFunc(t.vectors, Vector.compare)
	t.vectors = slices.Compact(t.vectors)
	out.Vectors = slices.Clone(t.vectors)
	for l := range out.Distances {
		if out.Direction().At(l) == Zero {
			out.Distances[l] = Distance{Known: true}
		}
	}
	return out
}

// answer adds the vectors of the question to those of the tester, and merges the
// distances into those of out.
func (t *Tester) answer(out *Dependence) error {
	switch a, d, err := t.begin(); {
	case err != nil:
		return err
	case a == none:
		return nil
	default:
		out.merge(d)
	}
	return t.refine(0, Vector{n: uint8(t.ask.loops)})
}

// begin poses a question as the system of depth 0 and says whether there is a pair; the distances are read off it.
func (t *Tester) begin() (answer, []Distance, error) {
	s := t.level(0)
	t.pose(s)
	if !s.big && s.solve() == none {
		return none, nil, nil
	}
	d := t.distancesOf(s)
	if !t.project(s) {
		return none, nil, nil
	}
	a, err := t.feasible(s)
	return a, d, err
}

// level is the system of a depth of the search.
func (t *Tester) level(l int) *system {
	for len(t.levels) <= l {
		t.levels = append(t.levels, &system{})
	}
	return t.levels[l]
}

// pose writes the rows of the question. Behind the parameters is a column for each
// distance, for project to use.
func (t *Tester) pose(s *system) {
	q := &t.ask
	if q.a == nil {
		t.poseWhole(s)
		return
	}
	np, divs := q.params, q.a.divs
	dimsA := q.a.width - 1 - np - q.sub - q.a.divs
	dimsB := q.b.width - 1 - np - q.sub - q.b.divs
	s.reset(1+np+q.loops+dimsA+dimsB+q.sub+q.a.divs+q.b.divs, np)
	if s.big = q.a.big || q.b.big; s.big {
		return
	}
	at := 1 + np + q.loops
	elems := at + dimsA + dimsB
	s.place(q.a, np, dimsA, at, elems, q.sub, elems+q.sub)
	s.place(q.b, np, dimsB, at+dimsA, elems, q.sub, elems+q.sub+divs)
	t.poseDistances(s)
}

// place adds the rows of a piece with its instance, subscripts and divs at columns.
func (s *system) place(p *piece, np, dims, at, elems, sub, divs int) {
	put := func(rows *[]int64, from []int64) {
		for ; len(from) > 0; from = from[p.width:] {
			r := newRow(rows, s.width)
			copy(r, from[:1+np])
			copy(r[at:], from[1+np:1+np+dims])
			copy(r[elems:], from[1+np+dims:1+np+dims+sub])
			copy(r[divs:], from[1+np+dims+sub:p.width])
		}
	}
	put(&s.eq, p.eq)
	put(&s.ge, p.ge)
}

// poseDistances adds what is assumed of the parameters, and a row for each distance.
func (t *Tester) poseDistances(s *system) {
	q := &t.ask
	for c := t.small; len(c) > 0; c = c[1+q.params:] {
		copy(newRow(&s.ge, s.width), c[:1+q.params])
	}
	for l := range q.loops {
		r := newRow(&s.dist, s.width)
		at := 1 + q.params + q.loops + l
		r[at], r[at+q.first] = -1, 1
	}
}

// feasible decides the system of a node of the search; it solves its equations.
func (t *Tester) feasible(s *system) (answer, error) {
	if !s.big {
		switch s.solve() {
		case none:
			return none, nil
		case some:
			if a := t.elim.decide(s.ge, s.width); a != unknown {
				return a, nil
			}
		}
	}
	return t.exact()
}

// refine finds the vectors whose signs before loop l are those of v, which some pair
// has: the levels of the search are those of Burke and Cytron, "Interprocedural
// dependence analysis and parallelization", 1986.
func (t *Tester) refine(l int, v Vector) error {
	q := &t.ask
	q.signs = q.signs[:l]
	if l == q.loops {
		if len(t.vectors) >= mostVectors {
			return errVectors
		}
		t.vectors = append(t.vectors, v)
		return nil
	}
	found := false
	for _, sign := range [...]Sign{Negative, Zero, Positive} {
		s, next := t.level(l), t.level(l+1)
		next.copyFrom(s)
		a := next.restrict(l, sign)
		q.signs = append(q.signs[:l], sign)
		if a == unknown && (sign != Positive || found) { // else it must be positive
			var err error
			if a, err = t.feasible(next); err != nil {
				return err
			}
		}
		if a == none {
			continue
		}
		found = true
		if err := t.refine(l+1, v.with(l, sign)); err != nil {
			return err
		}
	}
	return nil
}

// mostVectors bounds what one test finds.
const mostVectors = 1 << 14

var errVectors = errors.New("depend: more direction vectors than a test keeps")

// errVaries ends Constant.
var errVaries = errors.New("depend: a distance that varies")

// restrict adds that distance l has a sign; it tells none or some where that is sure.
func (s *system) restrict(l int, sign Sign) answer {
	if s.big {
		return unknown
	}
	d := s.row(s.dist, l)
	if content(d) == 0 {
		if (d[0] < 0) == (sign == Negative) && (d[0] > 0) == (sign == Positive) {
			return some
		}
		return none
	}
	switch sign {
	case Zero:
		copy(newRow(&s.eq, s.width), d)
	case Positive:
		r := newRow(&s.ge, s.width)
		copy(r, d)
		r[0]--
	case Negative:
		r := newRow(&s.ge, s.width)
		for i, x := range d {
			r[i] = -x
		}
		r[0]--
	}
	return unknown
}

// exact asks presburger about the question with the signs so far.
func (t *Tester) exact() (answer, error) { return t.points(t.ask.basic(t)) }

// points asks presburger whether a conjunction has some.
func (t *Tester) points(b presburger.Basic) (answer, error) {
	t.Exact++
	asked := presburger.SetOf(b).WithBudget(t.Budget)
	if t.Total != nil {
		part := t.Total.Part(cmp.Or(t.Budget, presburger.DefaultBudget))
		defer t.Total.Return(part)
		asked = asked.WithTotal(part)
	}
	empty, err := asked.IsEmpty()
	if err != nil {
		return unknown, err
	}
	if empty {
		return none, nil
	}
	return some, nil
}
