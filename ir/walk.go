package ir

import "iter"

// All ranges over the scheduled ops of a graph and of the graphs in it, in order: an op comes before those of its
// regions and of its graphs. A graph that two ops share is visited for each.
func (g *Graph) All() iter.Seq[Node] {
	return func(yield func(Node) bool) { g.all(yield) }
}

func (g *Graph) all(yield func(Node) bool) bool {
	return ScheduleOf(g).within(Root, func(v Value) bool {
		if !yield(Node{g, v}) {
			return false
		}
		for _, c := range g.Children(v) {
			if !c.all(yield) {
				return false
			}
		}
		return true
	})
}

// Nested ranges over a graph and the graphs of its scheduled ops, at any depth: a graph comes before those in it.
func (g *Graph) Nested() iter.Seq[*Graph] {
	return func(yield func(*Graph) bool) { g.nested(yield) }
}

func (g *Graph) nested(yield func(*Graph) bool) bool {
	if !yield(g) {
		return false
	}
	if g.IsLeaf() {
		return true
	}
	return ScheduleOf(g).within(Root, func(v Value) bool {
		for _, c := range g.Children(v) {
			if !c.nested(yield) {
				return false
			}
		}
		return true
	})
}

// All ranges over the ops of the schedule from the first to the last, those of regions after the op that has these.
func (s *Schedule) All() iter.Seq[Value] {
	return func(yield func(Value) bool) { s.within(Root, yield) }
}

func (s *Schedule) within(r Region, yield func(Value) bool) bool {
	for _, v := range s.Body(r) {
		if !yield(v) {
			return false
		}
		for _, in := range s.g.Regions(v) {
			if !s.within(in, yield) {
				return false
			}
		}
	}
	return true
}

// NumOps counts the scheduled ops of a graph and of the graphs in it.
func (g *Graph) NumOps() int {
	s := ScheduleOf(g)
	n := s.NumOps()
	if g.IsLeaf() {
		return n
	}
	for v := range s.All() {
		for _, c := range g.Children(v) {
			n += c.NumOps()
		}
	}
	return n
}

// StraightOps counts the ops of a graph that stand in no loop, nor in what is called: each call of
// the graph runs them once at most. Constants are none.
func StraightOps(g *Graph) int { return straightOps.Of(g) }

var straightOps = NewAnalysis("straight ops", func(g *Graph) (n int) {
	s := ScheduleOf(g)
	var count func(r Region)
	count = func(r Region) {
		for _, v := range s.Body(r) {
			if !g.Def(v).Has(ConstantLike) {
				n++
			}
			for _, in := range g.Regions(v) {
				if k := g.KindOf(in); k != Loop && k != Lambda {
					count(in)
				}
			}
		}
	}
	count(Root)
	return n
})
