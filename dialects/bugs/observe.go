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
}

func (r *maskRuns) at(i int) dataPart {
	k, found := slices.BinarySearch(r.starts, i)
	if !found {
		k--
	}
	return r.what[k]
}

// runsOf finds the runs of a statement at a level; nil if for some value of the loop
// variable some of its nodes are data and some are not, or there are many.
func (m *Model) runsOf(s *Statement, level, lo, hi int) *maskRuns {
	if level >= len(s.Loops) {
		return nil
	}
	what := make([]dataPart, hi-lo+1)
	at := make([]int32, len(s.Loops))
	ok, last := true, -1
	s.eachElement(func(i, k int) bool {
		if i != last {
			s.dom.at(i, at)
			last = i
		}
		o := noData
		if s.v.ClassAt(k) == Observed {
			o = allData
		}
		w := &what[int(at[level])-lo]
		ok = *w == someData || *w == o
		*w = o
		return ok
	})
	if !ok {
		return nil
	}
	r := &maskRuns{stmt: s}
	for i, w := range what {
		if i == 0 || w != someData && w != r.what[len(r.what)-1] {
			r.starts, r.what = append(r.starts, lo+i), append(r.what, w)
		}
		if len(r.starts) > maxIndexSets {
			return nil
		}
	}
	return r
}
