package ir

import (
	"cmp"
	"iter"
	"slices"
	"sync"
)

// An Analysis is what can be worked out of a graph as a whole. A finished graph never
// changes, so what was found once holds as long as the graph is there: it is kept with
// the graph and goes with it. A pass that returns the graph it was given keeps it all, and
// of one that it built nothing is known yet.
type Analysis[T any] struct {
	name    string
	compute func(g *Graph) T
}

// NewAnalysis makes an analysis; it stands in a package variable, under a name for
// statistics. compute looks at g alone and may ask for other analyses of it. Many
// share what it returns, goroutines too, so nobody changes that.
func NewAnalysis[T any](name string, compute func(g *Graph) T) *Analysis[T] {
	return &Analysis[T]{name, compute}
}

// Of is the result for a finished graph, worked out when it is first asked for.
func (a *Analysis[T]) Of(g *Graph) T {
	if !g.regions[Root].closed {
		panic("ir: analysis " + a.name + " of a graph that is being built")
	}
	k := g.kept
	k.mu.Lock()
	f := k.results[a]
	g.Ctx.counts.analyses.asked(a.name, f == nil)
	if f == nil {
		f = sync.OnceValue(func() any { return a.compute(g) })
		if k.results == nil {
			k.results = map[any]func() any{}
		}
		k.results[a] = f
	}
	k.mu.Unlock()
	return f().(T)
}

// keep gives the result for a finished graph to those who will ask: whoever calls it found it on the way.
func (a *Analysis[T]) keep(g *Graph, result T) {
	k := g.kept
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.results == nil {
		k.results = map[any]func() any{}
	}
	k.results[a] = func() any { return result }
}

// kept is the results of analyses of a graph, by *Analysis.
type kept struct {
	mu      sync.Mutex
	results map[any]func() any
}

// An AnalysisCount is how often an analysis was asked for, and of how many graphs.
type AnalysisCount struct {
	Name        string // as NewAnalysis was given it
	Made, Asked int    // how many graphs it was computed of, and how often it was asked
}

// analysisCounts are the counts of a context, by name.
type analysisCounts struct {
	mu sync.Mutex
	of map[string]AnalysisCount
}

func (c *analysisCounts) asked(name string, made bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = map[string]AnalysisCount{}
	}
	n := c.of[name]
	n.Name = name
	n.Asked++
	if made {
		n.Made++
	}
	c.of[name] = n
}

// list is the counts, by name.
func (c *analysisCounts) list() (out []AnalysisCount) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.of {
		out = append(out, n)
	}
	slices.SortFunc(out, func(x, y AnalysisCount) int { return cmp.Compare(x.Name, y.Name) })
	return out
}

// Analyses lists what was asked for of the graphs of this context, by name.
func (c *Context) Analyses() []AnalysisCount { return c.counts.analyses.list() }

var plainSchedule = NewAnalysis("schedule", func(g *Graph) *Schedule {
	s := NewSchedule(g, ScheduleOptions{})
	s.plain = true
	return s
})

// keepSchedule is for the schedule with the default choices of a graph that is about to be printed, or worked on.
func keepSchedule(s *Schedule) {
	s.plain = true
	plainSchedule.keep(s.g, s)
}

// ScheduleOf is the schedule of a finished graph with the default choices, kept with it.
func ScheduleOf(g *Graph) *Schedule { return plainSchedule.Of(g) }

// A UseTable says which ops use each value of a graph: one list for all, in which those of
// a value stand side by side (compressed rows). Only ops that are needed count, and
// only operands: what comes after a write uses nothing of it.
type UseTable struct {
	start []uint32 // users of v: users[start[v]:start[v+1]]
	users []Value
}

var useTables = NewAnalysis("uses", newUseTable)

// Uses is the table of a finished graph, made in one sweep and kept with it.
func Uses(g *Graph) *UseTable { return useTables.Of(g) }

func newUseTable(g *Graph) *UseTable {
	s := ScheduleOf(g)
	u := &UseTable{start: make([]uint32, len(g.nodes)+1)}
	uses := func(f func(used, user Value)) {
		for v := Value(1); int(v) < len(g.nodes); v++ {
			if !g.IsOp(v) || !s.Live(v) {
				continue
			}
			for _, a := range g.Args(v) {
				f(a, v)
				if n, _, ok := g.Projection(a); ok {
					f(n, v)
				}
			}
		}
	}
	uses(func(used, _ Value) { u.start[used+1]++ })
	for v := range g.nodes {
		u.start[v+1] += u.start[v]
	}
	u.users = make([]Value, u.start[len(g.nodes)])
	next := slices.Clone(u.start)
	uses(func(used, user Value) { u.users[next[used]] = user; next[used]++ })
	return u
}

// Of lists the users of a value, in order, one for each operand that it is; of an op with
// several results those of any of them. The slice must not be changed.
func (u *UseTable) Of(v Value) []Value { return u.users[u.start[v]:u.start[v+1]] }

// Users lists the ops that use a result of the node, in its own region and in others, each
// once.
func (n Node) Users() []Node {
	vs := Uses(n.g).Of(n.v)
	out := make([]Node, 0, len(vs))
	for i, v := range vs {
		if i == 0 || v != vs[i-1] {
			out = append(out, Node{n.g, v})
		}
	}
	return out
}

// NumUses counts the operands that are a result of the node.
func (n Node) NumUses() int { return len(Uses(n.g).Of(n.v)) }

// UsedResults says of each result of the node whether an op uses it.
func (n Node) UsedResults() []bool {
	out := make([]bool, n.g.Results(n.v))
	for _, u := range Uses(n.g).Of(n.v) {
		for _, a := range n.g.Args(u) {
			if w, i, _ := n.g.Projection(a); w == n.v {
				out[i] = true
			}
		}
	}
	return out
}

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
