package ir

// EventKind says what an Event is about.
type EventKind uint8

// The kinds of events.
const (
	Folded      EventKind = iota // an op became Value by Rule
	Shared                       // an op was found to be Value, which was there already
	Overwritten                  // the write Value is seen by nobody: the op at At writes over it
	Finished                     // Graph is done; its nodes were built in the regions Built
)

// An Event is something that became of ops as a graph was built: for statistics
// and for people who want to know. Context.Watch hears of it.
type Event struct {
	Kind  EventKind
	At    Loc    // the place of the op
	Rule  string // "" is the op's own meaning on constants
	Graph *Graph
	Value Value
	Built []Region // by node
}

// watch tells the context's watcher, if there is one, of an event.
func (b *Builder) watch(e Event) {
	if f := b.g.Ctx.Watch; f != nil {
		e.Graph = b.g
		f(e)
	}
}

// A Tally is what became of the ops of a finished graph.
type Tally struct {
	Hoisted int // stand outside of a loop that they were built in
	Raised  int // stand further out than they were built, no loop between
	Sunk    int // stand further in, where alone they are needed
	Dead    int // needed by nothing
	Garbage int // in regions that were thrown away: equal to others, or tried and wrong
}

// Tally compares where the nodes of a Finished event were built with where the
// schedule places them. Constants stand anywhere and are left out.
func (e Event) Tally() (t Tally) {
	g := e.Graph
	s := NewSchedule(g, ScheduleOptions{})
	lost := make([]bool, len(g.regions))
	for r := 1; r < len(lost); r++ { // a region is numbered after the one around it
		lost[r] = g.regions[r].owner == 0 || lost[g.regions[r].parent]
	}
	for v := Value(1); int(v) < len(g.nodes); v++ {
		if !g.IsOp(v) || g.Def(v).Has(ConstantLike) {
			continue
		}
		switch in := e.Built[v]; {
		case s.Live(v):
			t.moved(s, in, s.Place(v))
		case lost[in]:
			t.Garbage++
		default:
			t.Dead++
		}
	}
	return t
}

// moved counts a node that was built in one region and stands in another. A
// region that was lost to an equal one is where the node was built first.
func (t *Tally) moved(s *Schedule, built, at Region) {
	g := s.g
	if built == at {
		return
	}
	loop := false
	around := func(r Region) Region {
		if s.parent[r] != noRegion {
			return s.parent[r]
		}
		return g.regions[r].parent // of an op that is gone
	}
	for r := built; ; r = around(r) {
		if r == at {
			if loop {
				t.Hoisted++
			} else {
				t.Raised++
			}
			return
		}
		if r == Root {
			break
		}
		loop = loop || g.regions[r].kind == Loop
	}
	for r := at; r != Root; {
		if r = s.parent[r]; r == built {
			t.Sunk++
			return
		}
	}
}
