package emit

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
)

// Bounds on the code that split index sets make.
const (
	maxIndexSets = 6
	maxCopies    = 48 // statements in all of them
)

// LowerObservations splits loops where nodes of a statement in them are partly data:
// the values of the loop variable may fall into a few runs, in each of which all of its nodes are data or
// none is. A loop over each run then needs no test. Else a mask guards each node. Splitting keeps the order
// of iterations, so the other statements of the loop do not matter.
func LowerObservations(m *model.Model, items []model.Item) []model.Item {
	known := map[*model.Statement]model.DataPart{}
	var out []model.Item
	for _, it := range items {
		out = append(out, splitItem(m, it, known)...)
	}
	return out
}

func splitItem(m *model.Model, it model.Item, known map[*model.Statement]model.DataPart) []model.Item {
	switch {
	case it.Stmt != nil:
		it.Data = known[it.Stmt]
		return []model.Item{it}
	case it.Loop == nil:
		return []model.Item{it}
	}
	sets := indexSets(m, it.Loop, known)
	var out []model.Item
	for _, x := range sets {
		l := *it.Loop
		inner := known
		if x.known != nil {
			l.Part = &[2]int{x.lo, x.hi}
			inner = map[*model.Statement]model.DataPart{}
			for s, o := range known {
				inner[s] = o
			}
			for s, o := range x.known {
				inner[s] = o
			}
		}
		l.Body = nil
		for _, y := range it.Loop.Body {
			l.Body = append(l.Body, splitItem(m, y, inner)...)
		}
		out = append(out, model.Item{Loop: &l})
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
	known  map[*model.Statement]model.DataPart
}

// indexSets finds the runs of a loop; one without known if it stays whole.
func indexSets(m *model.Model, l *model.Block, known map[*model.Statement]model.DataPart) []indexSet {
	whole := []indexSet{{}}
	lo, hi, ok := (&eval.Frame{Model: m}).ConstantBounds(l.Of, l.Level)
	if !ok {
		return whole
	}
	var masks []*maskRuns
	size := 0
	model.EachStatement(l.Body, func(s *model.Statement) {
		size++
		if known[s] == model.SomeData && partly(m, s) {
			if r := runsOf(m, s, l.Level, lo, hi); r != nil {
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
		x := indexSet{from, to, map[*model.Statement]model.DataPart{}}
		for _, r := range masks {
			x.known[r.stmt] = r.at(from)
		}
		out = append(out, x)
	}
	return out
}

// partly reports a stochastic statement of which some nodes are data and some are not.
func partly(m *model.Model, s *model.Statement) bool {
	return s.Sample != nil && observed(s) == model.SomeData
}

// observed says which of the nodes of a stochastic statement are data.
func observed(s *model.Statement) model.DataPart {
	switch data, params := s.Nodes(); {
	case data && params:
		return model.SomeData
	case data:
		return model.AllData
	}
	return model.NoData
}

// maskRuns are where the values of a loop variable begin for which a statement's nodes
// are all data, or none is.
type maskRuns struct {
	stmt   *model.Statement
	starts []int
	what   []model.DataPart
	last   int // the value that was added last
}

func (r *maskRuns) at(i int) model.DataPart {
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
func runsOf(m *model.Model, s *model.Statement, level, lo, hi int) *maskRuns {
	if level >= len(s.Loops) || level > 0 && hi-lo >= maxRunTable {
		return nil
	}
	r := &maskRuns{stmt: s}
	if level == 0 {
		ok := true
		eachLoopValue(s, 0, func(i int, what model.DataPart) bool {
			ok = r.add(i, what)
			return ok
		})
		if !ok {
			return nil
		}
		r.starts[0] = lo
		return r
	}
	table := make([]model.DataPart, hi-lo+1)
	ok := true
	eachLoopValue(s, level, func(i int, what model.DataPart) bool {
		w := &table[i-lo]
		ok = *w == model.SomeData || *w == what
		*w = what
		return ok
	})
	for i, w := range table {
		ok = ok && (w == model.SomeData || r.add(lo+i, w))
	}
	if !ok || len(r.starts) == 0 {
		return nil
	}
	r.starts[0] = lo
	return r
}

// add enters what the nodes of a value of the loop variable are; values come in
// order. It reports whether the value's nodes agree and the runs are few.
func (r *maskRuns) add(i int, what model.DataPart) bool {
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
func eachLoopValue(s *model.Statement, level int, f func(i int, what model.DataPart) bool) {
	var buf [16]int32
	s.Domain.Each(func(i int, at []int32) bool {
		ok := true
		one := func(k int) {
			what := model.NoData
			if s.Var.ClassAt(k) == model.Observed {
				what = model.AllData
			}
			ok = ok && f(int(at[level]), what)
		}
		if len(s.Var.Dims) == 0 {
			one(0)
		} else {
			model.EachInBox(s.Var.Dims, s.Spans(i, at, buf[:0]), 0, 0, one)
		}
		return ok
	})
}
