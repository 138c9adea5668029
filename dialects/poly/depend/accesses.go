package depend

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// access is what the statement of one space does to one array: conjunctions of
// instances and elements.
type access struct {
	stmt, array presburger.Tuple
	basics      []presburger.Basic
	times       []timed // of the statement
}

// timed is a conjunction of the schedule, and the entries of time that are numbers in it.
type timed struct {
	presburger.Basic
	fixed []presburger.Int
	known []bool
}

// schedule is the time of each statement.
type schedule struct {
	time presburger.Tuple
	of   []statement
}

type statement struct {
	tuple     presburger.Tuple
	times     []timed
	injective bool // no two instances at one time
}

func newSchedule(m presburger.Map) (s schedule, err error) {
	for i, one := range m.Maps() {
		in, out := one.Tuples()
		if i == 0 {
			s.time = out
		} else if !s.time.Equal(out) {
			return s, fmt.Errorf("depend: a schedule has one space of time, not one of %d and one of %d dimensions, or of two names", s.time.Len(), out.Len())
		}
		k := slices.IndexFunc(s.of, func(x statement) bool { return x.tuple.Equal(in) })
		if k < 0 {
			k = len(s.of)
			s.of = append(s.of, statement{tuple: in})
		}
		for _, b := range one.Basics() {
			s.of[k].times = append(s.of[k].times, newTimed(b))
		}
		if s.of[k].injective, err = one.IsInjective(); err != nil {
			return s, err
		}
	}
	return s, nil
}

// newTimed looks for equations of one entry of time alone.
func newTimed(b presburger.Basic) timed {
	n, first := b.Out.Len(), 1+len(b.Params)+b.In.Len()
	t := timed{b, make([]presburger.Int, n), make([]bool, n)}
	for _, e := range b.Eq {
		at, others := -1, false
		for c, x := range e[1:] {
			switch {
			case x.Sign() == 0:
			case c+1 >= first && c+1 < first+n && at < 0:
				at = c + 1
			default:
				others = true
			}
		}
		if at >= 0 && !others {
			v := e[0]
			if e[at].Sign() > 0 {
				v = v.Neg()
			}
			if k := e[at].Abs(); k.Cmp(presburger.NewInt(1)) != 0 {
				v = v.FloorDiv(k)
			}
			t.fixed[at-first], t.known[at-first] = v, true
		}
	}
	return t
}

// levels lists the entries of time in which an instance at time t can be the first
// time before one at time u.
func (t timed) levels(u timed) (out []int) {
	for l := range t.known {
		if t.known[l] && u.known[l] {
			switch c := t.fixed[l].Cmp(u.fixed[l]); {
			case c < 0:
				return append(out, l)
			case c > 0:
				return out
			}
			continue
		}
		out = append(out, l)
	}
	return out
}

func (s schedule) find(t presburger.Tuple) *statement {
	for i := range s.of {
		if s.of[i].tuple.Equal(t) {
			return &s.of[i]
		}
	}
	return nil
}

// accesses splits a map by statement and array; instances without a time are not
// executed.
func (s schedule) accesses(m presburger.Map) (out []access) {
	for _, one := range m.Maps() {
		in, array := one.Tuples()
		st := s.find(in)
		if st == nil {
			continue
		}
		out = append(out, access{stmt: in, array: array, basics: one.Basics(), times: st.times})
	}
	return out
}

// alignAll gives maps the same parameters.
func alignAll(budget int64, ms ...*presburger.Map) []string {
	var params []string
	for _, m := range ms {
		for _, p := range m.Params() {
			if !slices.Contains(params, p) {
				params = append(params, p)
			}
		}
	}
	for _, m := range ms {
		*m = m.AlignParams(params...).WithBudget(budget)
	}
	return params
}
