package depend

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// latest keeps the last instances of all candidates together, for each sink.
func (q *search) latest(all []found) (out []found, err error) {
	switch {
	case len(all) == 0:
		return nil, nil
	case len(all) == 1 && all[0].injective:
		m, err := all[0].pairs.LexMax()
		return []found{{all[0].candidate, m}}, err
	}
	var times presburger.Map
	for _, f := range all {
		_, tx, x, n := q.columns(f.candidate)
		var bs []presburger.Basic
		for _, b := range f.pairs.Basics() {
			bs = append(bs, pick(b, n, q.at, q.time, [2]int{0, tx}, [2]int{tx, x}))
		}
		times = times.Union(presburger.MapOf(bs...))
	}
	last, err := times.WithBudget(q.budget).LexMax()
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		_, tx, _, n := q.columns(f.candidate)
		var bs []presburger.Basic
		for _, b := range f.pairs.Basics() {
			for _, t := range last.Basics() {
				both := join(q.params, n, placed{&b, 0, tx}, placed{&t, 0, tx})
				both.In, both.Out = b.In, b.Out
				bs = append(bs, both)
			}
		}
		m, err := q.nonempty(presburger.MapOf(bs...))
		if err != nil {
			return nil, err
		}
		if len(m.Maps()) > 0 {
			out = append(out, found{f.candidate, m})
		}
	}
	return out, nil
}

// ties are the sinks with two last instances, at the same time.
func (q *search) ties(all []found) (out presburger.Set, err error) {
	for i, f := range all {
		if !f.injective {
			both, err := q.twice(f)
			if err != nil {
				return out, err
			}
			out = out.Union(both)
		}
		for _, g := range all[:i] {
			both, err := f.pairs.Domain().Intersect(g.pairs.Domain())
			if err != nil {
				return out, err
			}
			out = out.Union(both)
		}
	}
	return out, nil
}

// twice are the sinks with two last instances of one statement.
func (q *search) twice(f found) (presburger.Set, error) {
	_, tx, x, n := q.columns(f.candidate)
	y, wide := n+q.t, n+q.t+f.x
	var out []presburger.Basic
	keep := func(b presburger.Basic) error {
		ok, err := q.tester.exists(b)
		if ok {
			out = append(out, pick(b, wide, presburger.Tuple{}, q.at, [2]int{0, tx}))
		}
		return err
	}
	all := f.pairs.Basics()
	for i := range all {
		for j := range all[:i+1] {
			both := join(q.params, wide, placed{&all[i], 0, tx}, placed{&all[j], 0, n})
			both = lexEqual(both, wide, tx, n, q.t)
			both.Out = presburger.NewTuple("", make([]string, wide)...)
			switch ok, err := q.tester.exists(both); {
			case err != nil:
				return presburger.Set{}, err
			case !ok:
				continue
			}
			for k := range f.x {
				err := keep(lexBefore(both, wide, x, y, k))
				if err == nil && i != j { // the other way is the same where i = j
					err = keep(lexBefore(both, wide, y, x, k))
				}
				if err != nil {
					return presburger.Set{}, err
				}
			}
		}
	}
	return presburger.SetOf(out...).WithBudget(q.budget).Coalesce()
}

// notBefore are the pairs of y that are not before the last must of their sink.
func (q *search) notBefore(y found, musts []found) (presburger.Map, error) {
	_, tx, _, n := q.columns(y.candidate)
	var out []presburger.Basic
	ys := y.pairs.Basics()
	for _, m := range musts {
		ms := m.pairs.Basics()
		for i := range ys {
			for j := range ms {
				wide := n + q.t + m.x
				both := join(q.params, wide, placed{&ys[i], 0, tx}, placed{&ms[j], 0, n})
				keep := func(b presburger.Basic) {
					out = append(out, pick(b, wide, ys[i].In, ys[i].Out, [2]int{0, tx}, [2]int{tx, n}))
				}
				for k := range q.t {
					keep(lexBefore(both, wide, n, tx, k))
				}
				keep(lexEqual(both, wide, n, tx, q.t))
			}
		}
	}
	return q.nonempty(presburger.MapOf(out...))
}
