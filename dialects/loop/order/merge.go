package order

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// runLength is how many rows are sorted by insertion.
const runLength = 8

// mergeSort sorts pairs whose numbers are those of the first key.
func (s sorter) mergeSort(a, spare pairs, keys []Key) (sorted, free pairs) {
	zero, run := s.Index(0), s.Index(runLength)
	s.EachStep(zero, s.n, run, func(low ir.Value) { s.insertion(a, low, s.Min(s.Add(low, run), s.n), keys) })
	out := s.While(append([]ir.Value{run}, both(a, spare)...), func(c []ir.Value) ir.Value {
		return s.Less(c[0], s.n)
	}, func(c []ir.Value) []ir.Value {
		width := c[0]
		from, to := split(c[1:])
		double := s.Add(width, width)
		s.EachStep(zero, s.n, double, func(low ir.Value) {
			s.merge(from, to, low, s.Min(s.Add(low, width), s.n), s.Min(s.Add(low, double), s.n), keys)
		})
		return append([]ir.Value{double}, both(to, from)...)
	})
	return split(out[1:])
}

// insertion sorts the pairs from low up to high.
func (s sorter) insertion(a pairs, low, high ir.Value, keys []Key) {
	s.Each(s.Next(low), high, func(i ir.Value) {
		word, row := s.load(a, i)
		hole := s.While([]ir.Value{i}, func(c []ir.Value) ir.Value {
			return s.Where(s.Less(low, c[0]), func() ir.Value {
				w, r := s.load(a, s.Last(c[0]))
				return s.before(word, row, w, r, keys)
			}, func() ir.Value { return arith.ConstBool(s.Builder, false) })
		}, func(c []ir.Value) []ir.Value {
			w, r := s.load(a, s.Last(c[0]))
			s.store(w, r, a, c[0])
			return []ir.Value{s.Last(c[0])}
		})[0]
		s.store(word, row, a, hole)
	})
}

// merge merges the pairs from low up to mid with those up to high.
func (s sorter) merge(from, to pairs, low, mid, high ir.Value, keys []Key) {
	no, yes := arith.ConstBool(s.Builder, false), arith.ConstBool(s.Builder, true)
	last := s.Last(s.n)
	s.For(low, high, []ir.Value{low, mid}, func(t ir.Value, c []ir.Value) []ir.Value {
		i, j := c[0], c[1]
		wi, ri := s.load(from, s.Min(i, last))
		wj, rj := s.load(from, s.Min(j, last))
		right := s.Where(s.Less(j, high), func() ir.Value {
			return s.Where(s.Less(i, mid), func() ir.Value { return s.before(wj, rj, wi, ri, keys) }, func() ir.Value { return yes })
		}, func() ir.Value { return no })
		s.store(s.Choose(right, wj, wi), s.Choose(right, rj, ri), to, t)
		step := s.Widen(right, ir.Index)
		return []ir.Value{s.Add(i, s.Sub(s.Index(1), step)), s.Add(j, step)}
	})
}

// before reports that a pair comes before another: by the numbers, and where they are equal
// by all keys.
func (s sorter) before(w, r, word, row ir.Value, keys []Key) ir.Value {
	return s.Where(s.Is(arith.EQ, w, word), func() ir.Value {
		return s.Less(s.compare(keys, r, row), s.Int(ir.I64, 0))
	}, func() ir.Value { return s.Is(arith.ULT, w, word) })
}
