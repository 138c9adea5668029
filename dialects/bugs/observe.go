package bugs

import "slices"

// Bounds on the code that split index sets make.
const (
	maxIndexSets = 6
	maxCopies    = 48 // statements in all of them
)

// dataPart says which of the nodes that a statement defines at a place are data.
type dataPart uint8

const (
	someData dataPart = iota // an element says it
	allData
	noData
)

// lowerObservations splits loops where nodes of a statement in them are partly data:
// if the values of the loop variable fall into a few runs, in each of which all of
// its nodes are data or none is, a loop over each run needs no test. Else a mask
// guards each node. Splitting keeps the order of iterations, so the other statements
// of the loop do not matter.
func (m *Model) lowerObservations(items []Item) []Item {
	known := map[*Statement]dataPart{}
	var out []Item
	for _, it := range items {
		out = append(out, m.splitItem(it, known)...)
	}
	return out
}

func (m *Model) splitItem(it Item, known map[*Statement]dataPart) []Item {
	switch {
	case it.Stmt != nil:
		it.data = known[it.Stmt]
		return []Item{it}
	case it.Loop == nil:
		return []Item{it}
	}
	sets := m.indexSets(it.Loop, known)
	var out []Item
	for _, x := range sets {
		l := *it.Loop
		inner := known
		if x.known != nil {
			l.Part = &[2]int{x.lo, x.hi}
			inner = map[*Statement]dataPart{}
			for s, o := range known {
				inner[s] = o
			}
			for s, o := range x.known {
				inner[s] = o
			}
		}
		l.Body = nil
		for _, y := range it.Loop.Body {
			l.Body = append(l.Body, m.splitItem(y, inner)...)
		}
		out = append(out, Item{Loop: &l})
	}
	if it.Loop.Reverse {
		slices.Reverse(out)
	}
	return out
}

// An indexSet is a run of the values of a loop variable; known is nil for a loop
// that is not split.
type indexSet struct {
	lo, hi int
	known  map[*Statement]dataPart
}

// indexSets finds the runs of a loop; one without known if it stays whole.
func (m *Model) indexSets(l *Block, known map[*Statement]dataPart) []indexSet {
	whole := []indexSet{{}}
	lo, hi, ok := (&frame{m: m}).constantBounds(l.Of, l.Level)
	if !ok {
		return whole
	}
	var masks []*maskRuns
	size := 0
	each(l.Body, func(s *Statement) {
		size++
		if known[s] == someData && m.partly(s) {
			if r := m.runsOf(s, l.Level, lo, hi); r != nil {
				masks = append(masks, r)
			}
		}
	})
	if len(masks) == 0 {
		return whole
	}
	cuts := []int{lo}
	for _, r := range masks {
		cuts = append(cuts, r.starts...)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if len(cuts) > maxIndexSets || len(cuts)*size > maxCopies {
		return whole
	}
	var out []indexSet
	for i, from := range cuts {
		to := hi
		if i+1 < len(cuts) {
			to = cuts[i+1] - 1
		}
		x := indexSet{from, to, map[*Statement]dataPart{}}
		for _, r := range masks {
			x.known[r.stmt] = r.at(from)
		}
		out = append(out, x)
	}
	return out
}

// partly reports a stochastic statement of which some nodes are data and some are not.
func (m *Model) partly(s *Statement) bool {
	return s.Sample != nil && s.observed() == someData
}

// observed says which of the nodes of a stochastic statement are data.
func (s *Statement) observed() dataPart {
	switch data, params := s.nodes(); {
	case data && params:
		return someData
	case data:
		return allData
	}
	return noData
}

// maskRuns are where the values of a loop variable begin for which a statement's nodes
// are all data, or none is.
type maskRuns struct {
	stmt   *Statement
	starts []int
	what   []dataPart
	last   int // the value that was added last
}

func (r *maskRuns) at(i int) dataPart {
	k, found := slices.BinarySearch(r.starts, i)
	if !found {
		k--
	}
	return r.what[k]
}

// maxRunTable bounds the values of an inner loop's variable whose nodes are compared
// between the iterations of the loops around it.
const maxRunTable = 1 << 12

// runsOf finds the runs of a statement at a level; nil if for some value of the loop
// variable some of its nodes are data and some are not, or there are many.
func (m *Model) runsOf(s *Statement, level, lo, hi int) *maskRuns {
	if level >= len(s.Loops) || level > 0 && hi-lo >= maxRunTable {
		return nil
	}
	r := &maskRuns{stmt: s}
	if level == 0 {
		ok := true
		s.eachLoopValue(0, func(i int, what dataPart) bool {
			ok = r.add(i, what)
			return ok
		})
		if !ok {
			return nil
		}
		r.starts[0] = lo
		return r
	}
	table := make([]dataPart, hi-lo+1)
	ok := true
	s.eachLoopValue(level, func(i int, what dataPart) bool {
		w := &table[i-lo]
		ok = *w == someData || *w == what
		*w = what
		return ok
	})
	for i, w := range table {
		ok = ok && (w == someData || r.add(lo+i, w))
	}
	if !ok || len(r.starts) == 0 {
		return nil
	}
	r.starts[0] = lo
	return r
}

// add enters what the nodes of a value of the loop variable are; values come in
// order. It reports whether the value's nodes agree and the runs are few.
func (r *maskRuns) add(i int, what dataPart) bool {
	n := len(r.starts)
	if n > 0 && r.what[n-1] == what {
		r.last = i
		return true
	}
	if n == maxIndexSets || n > 0 && r.last == i {
		return false
	}
	r.starts, r.what, r.last = append(r.starts, i), append(r.what, what), i
	return true
}

// eachLoopValue calls f for each element that a statement defines, with the value of
// a loop variable and whether the element is data.
func (s *Statement) eachLoopValue(level int, f func(i int, what dataPart) bool) {
	var buf [16]int32
	s.dom.each(func(i int, at []int32) bool {
		ok := true
		one := func(k int) {
			what := noData
			if s.v.ClassAt(k) == Observed {
				what = allData
			}
			ok = ok && f(int(at[level]), what)
		}
		if len(s.v.Dims) == 0 {
			one(0)
		} else {
			box(s.v.Dims, s.span(i, at, buf[:0]), 0, 0, one)
		}
		return ok
	})
}
