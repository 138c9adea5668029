package depend

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// candidate is a source of the sinks of a search, by level: pairs of a sink and an
// instance that accesses the element in the same iteration of the loops before the
// level, and in an earlier one of it.
type candidate struct {
	source
	x      int // dimensions of an instance
	levels map[int][]presburger.Basic
}

// The columns of a pair: sink, element, time of the sink; time of the source, source.
func (q *search) columns(c *candidate) (ts, tx, x, n int) {
	ts = q.s + q.e
	tx = ts + q.t
	x = tx + q.t
	return ts, tx, x, x + c.x
}

// candidates pairs the sinks with sources of the same array.
func (q *search) candidates(all []source) (out []*candidate) {
	for _, s := range all {
		if !s.array.Equal(q.array) {
			continue
		}
		c := &candidate{source: s, x: s.stmt.Len(), levels: map[int][]presburger.Basic{}}
		for i := range q.basics {
			for j := range q.times {
				for k := range s.basics {
					for h := range s.times {
						q.pairs(c, &q.basics[i], &q.times[j], &s.basics[k], &s.times[h])
					}
				}
			}
		}
		if len(c.levels) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// pairs adds the pairs of a conjunction each.
func (q *search) pairs(c *candidate, sink *presburger.Basic, at *timed, src *presburger.Basic, when *timed) {
	levels := when.levels(*at)
	if len(levels) == 0 {
		return
	}
	ts, tx, x, n := q.columns(c)
	b := join(q.params, n, placed{sink, 0, q.s}, placed{&at.Basic, 0, ts}, placed{src, x, q.s}, placed{&when.Basic, x, tx})
	b.In, b.Out = q.at, presburger.PairTuple(q.time, c.stmt)
	for _, l := range levels {
		c.levels[l] = append(c.levels[l], lexBefore(b, n, tx, ts, l))
	}
}

// at are the pairs of a level whose sinks are among those that are left.
func (q *search) pairsAt(c *candidate, l int, rest presburger.Set) (presburger.Map, error) {
	bs := c.levels[l]
	if len(bs) == 0 {
		return presburger.Map{}, nil
	}
	m, err := presburger.MapOf(bs...).WithBudget(q.budget).IntersectDomain(rest)
	if err != nil {
		return m, err
	}
	return q.nonempty(m)
}

// nonempty drops the conjunctions without a point.
func (q *search) nonempty(m presburger.Map) (presburger.Map, error) {
	var out []presburger.Basic
	for _, b := range m.Basics() {
		switch ok, err := q.tester.exists(b); {
		case err != nil:
			return m, err
		case ok:
			out = append(out, b)
		}
	}
	return presburger.MapOf(out...).WithBudget(q.budget), nil
}

// found is what a candidate has at a level.
type found struct {
	*candidate
	pairs presburger.Map
}

// sinksOf are the sinks of all pairs.
func sinksOf(all []found) (out presburger.Set) {
	for _, f := range all {
		out = out.Union(f.pairs.Domain())
	}
	return out
}

func (q *search) foundAt(all []*candidate, l int) (out []found, err error) {
	for _, c := range all {
		m, err := q.pairsAt(c, l, q.rest)
		if err != nil {
			return nil, err
		}
		if len(m.Maps()) > 0 {
			out = append(out, found{c, m})
		}
	}
	return out, nil
}

// level finds the sources in the same iteration of l loops and an earlier one of the
// next.
func (q *search) level(l int, sure, may []*candidate) error {
	if len(q.rest.Sets()) == 0 {
		return nil
	}
	musts, err := q.foundAt(sure, l)
	if err != nil {
		return err
	}
	covered := sinksOf(musts)
	mays, err := q.foundAt(may, l)
	if err != nil || len(musts)+len(mays) == 0 {
		return err
	}
	if musts, err = q.latest(musts); err != nil {
		return err
	}
	if few := sinksOf(musts); len(few.Basics()) <= len(covered.Basics()) {
		covered = few // the same set
	}
	unsure, err := q.ties(musts)
	if err != nil {
		return err
	}
	left, err := q.rest.WithBudget(q.budget).Subtract(covered)
	if err != nil {
		return err
	}
	late, err := q.doubt(mays, musts, left)
	if err != nil {
		return err
	}
	unsure = unsure.Union(late).Union(q.doubts)
	for _, m := range musts {
		if err := q.emit(&q.out.May, m.candidate, m.pairs, m.any); err != nil {
			return err
		}
		sure, err := subtractDomain(m.pairs, unsure)
		if err != nil {
			return err
		}
		if err := q.emit(&q.out.Must, m.candidate, sure, m.must); err != nil {
			return err
		}
	}
	q.rest, err = q.tidy(left)
	return err
}

// mostPieces is when what is left is worth joining its conjunctions.
const mostPieces = 24

// tidy drops the conjunctions without a point.
func (q *search) tidy(s presburger.Set) (presburger.Set, error) {
	var out []presburger.Basic
	for _, b := range s.Basics() {
		switch ok, err := q.tester.exists(b); {
		case err != nil:
			return s, err
		case ok:
			out = append(out, b)
		}
	}
	s = presburger.SetOf(out...).WithBudget(q.budget)
	if len(out) > mostPieces {
		return s.Coalesce()
	}
	return s, nil
}

// doubt emits the sources that may be done and are not before the last one that is:
// all of them for the sinks that are left, which get into doubt. It returns the sinks
// of the others.
func (q *search) doubt(mays, musts []found, left presburger.Set) (unsure presburger.Set, err error) {
	for _, y := range mays {
		free, err := y.pairs.IntersectDomain(left)
		if err != nil {
			return unsure, err
		}
		late, err := q.notBefore(y, musts)
		if err != nil {
			return unsure, err
		}
		if err := q.emit(&q.out.May, y.candidate, free.Union(late), nil); err != nil {
			return unsure, err
		}
		unsure = unsure.Union(late.Domain())
		q.doubts = q.doubts.Union(free.Domain())
	}
	return unsure, nil
}

func subtractDomain(m presburger.Map, s presburger.Set) (presburger.Map, error) {
	if len(s.Sets()) == 0 {
		return m, nil
	}
	keep, err := m.Domain().Subtract(s)
	if err != nil {
		return m, err
	}
	return m.IntersectDomain(keep)
}

// emit adds pairs to an output: source to [sink -> element], of those only that are
// in of.
func (q *search) emit(out *presburger.Map, c *candidate, pairs presburger.Map, of *presburger.Map) error {
	ts, _, x, n := q.columns(c)
	var bs []presburger.Basic
	for _, b := range pairs.Basics() {
		if of == nil {
			bs = append(bs, pick(b, n, c.stmt, presburger.PairTuple(q.stmt, q.array), [2]int{x, n}, [2]int{0, ts}))
			continue
		}
		for _, one := range of.Maps() {
			if in, array := one.Tuples(); !in.Equal(c.stmt) || !array.Equal(q.array) {
				continue
			}
			for _, o := range one.Basics() {
				both := join(q.params, n, placed{&b, 0, ts + q.t}, placed{&o, x, q.s})
				bs = append(bs, pick(both, n, c.stmt, presburger.PairTuple(q.stmt, q.array), [2]int{x, n}, [2]int{0, ts}))
			}
		}
	}
	*out = out.Union(presburger.MapOf(bs...))
	return nil
}
