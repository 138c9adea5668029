package ir

import (
	"cmp"
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
	g.Ctx.analyses.asked(a.name, f == nil)
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
	Name        string
	Made, Asked int
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

// Analyses lists what was asked for of the graphs of this context, by name.
func (c *Context) Analyses() []AnalysisCount {
	c.analyses.mu.Lock()
	defer c.analyses.mu.Unlock()
	var out []AnalysisCount
	for _, n := range c.analyses.of {
		out = append(out, n)
	}
	slices.SortFunc(out, func(x, y AnalysisCount) int { return cmp.Compare(x.Name, y.Name) })
	return out
}

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
