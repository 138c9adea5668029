package fuse

import (
	"fmt"
	"maps"
	"sync/atomic"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	lowerings "github.com/irc-lang/irc/ir/lower/plan"
	"github.com/irc-lang/irc/passes/pass"
)

// Pass is fuse.
type Pass struct {
	Copies int `opt:"max-copies" doc:"most operations that copies of a body make where a loop emits in several places; 0 asks the target"`
}

// PassInfo is the row of the pass.
var PassInfo = &pass.Info{
	Name: "fuse",
	Doc: "Makes one loop.for of several: of those over the same size, and of one with those that read what it collects, each at its own index, through filters and flatMaps as well. " +
		"An array that only they read is never made. What is read at a shifted or reversed index is made there, if that is cheaper than to keep it. Which loops become one is the choice that saves most of memory accesses by the target's costs: the best one in regions of up to a dozen loops, else each loop in turn joins where it saves most. " +
		"Loops that read nothing in common become one only if both run in vectors, or both only combine.",
	Why: "Before lower: it works on values, and its loops have no memory yet. After canonicalize, so that equal sizes are one value.",
	Example: `func.func @f(%n: index, %t: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %xs = loop.for %i < %n -> collect(f64) {
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f64
    loop.yield %x : f64
  }
  %s = loop.for %i < %n -> reduce(add : f64) {
    %x = loop.at %xs[%i] : !loop.array<f64>
    %y = arith.mulf %x, %two : f64
    loop.yield %y : f64
  }
  return %s : f64
}
`,
	Statistics: []pass.Statistic{
		{Name: "fused", Doc: "loops that became part of another one"},
		{Name: "arrays", Doc: "arrays that are not made any more"},
		{Name: "merged", Doc: "generators that were equal to one of the same loop"},
		{Name: "buckets", Doc: "buckets that do what was done with each of their groups"},
		{Name: "elements", Doc: "reads at another index that make the element instead"},
		{Name: "rounds", Doc: "how often the graph was built again"},
	},
	New: func() pass.Pass { return &Pass{} },
}

// Check refuses a limit that means nothing.
func (p *Pass) Check() error {
	if p.Copies < 0 {
		return fmt.Errorf("max-copies=%d is negative", p.Copies)
	}
	return nil
}

// Run fuses until nothing is left to fuse.
func (p *Pass) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	limit := p.Copies
	if limit == 0 {
		limit = ctx.Target().Costs.MaxInline
	}
	said := map[string]bool{}
	for ctx.Err() == nil {
		f := &fused{ctx: ctx, said: said, limit: limit, shapes: map[*ir.Graph]map[ir.Value]*shape{}, orders: map[*ir.Graph]map[ir.Region][]ir.Value{}}
		// Each iteration makes one kind of change: what the others would plan is about the graph before it.
		if n := f.regroup(g); n != nil {
			g = n
			continue
		}
		if f.plan(g); len(f.shapes) == 0 {
			if n := f.elements(g); n != nil {
				g = n
				continue
			}
			if n := prune(g); n != nil {
				g = n
				continue
			}
			break
		}
		ctx.Count("rounds", 1)
		s := ir.ScheduleOf(g).Reordered(func(g *ir.Graph) map[ir.Region][]ir.Value { return f.orders[g] })
		g = ir.Rewrite(g.Ctx, s, f.rules(), nil)
	}
	return g, nil
}

// prune leaves out what loops make for nobody, as columns of arrays that are not read any more; nil if there is no such thing.
func prune(g *ir.Graph) *ir.Graph {
	var changes atomic.Bool
	rules := ir.Rules{}
	for _, c := range loop.Dialect.Cleanups {
		rules[c.Of] = lowerings.First(rules[c.Of], func(m *ir.Mirror, n ir.Node) ir.Value {
			v := c.Do(m, n)
			if v != 0 {
				changes.Store(true)
			}
			return v
		})
	}
	if n := ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil); changes.Load() {
		return n
	}
	return nil
}

// fused is what to do with the graphs of a program.
type fused struct {
	ctx    *pass.Context
	limit  int
	shapes map[*ir.Graph]map[ir.Value]*shape      // by member
	orders map[*ir.Graph]map[ir.Region][]ir.Value // in which members stand together
	said   map[string]bool                        // remarks, of earlier rounds too
}

// plan looks at all regions of a graph and of those in it, but in the bodies of loops that
// change: what stands there is looked at when it is known what they became.
func (f *fused) plan(g *ir.Graph) {
	for g := range g.Nested() {
		f.within(ir.ScheduleOf(g), ir.Root)
	}
}

// within plans a region, then those of its ops, but for bodies of loops that change.
func (f *fused) within(s *ir.Schedule, r ir.Region) {
	f.region(s, r)
	g := s.Graph()
	for _, v := range s.Body(r) {
		if f.shapes[g][v] != nil {
			continue
		}
		for _, in := range g.Regions(v) {
			f.within(s, in)
		}
	}
}

// region plans the loops directly in a region, and notes the shapes and the order of what changes.
func (f *fused) region(s *ir.Schedule, r ir.Region) {
	x := scan(s, r)
	if x == nil {
		return
	}
	m := newModel(x, f.ctx.Target())
	p := optimal(m, f.limit)
	f.explain(m, p)
	shapes := map[ir.Value]*shape{}
	for _, c := range p.clusters {
		if s, changes := newShape(p, c); changes {
			f.ctx.Count("fused", len(c.members)-1)
			f.ctx.Count("arrays", s.gone())
			for _, l := range c.members {
				shapes[x.loops[l].v] = s
			}
		}
	}
	if len(shapes) == 0 {
		return
	}
	g := s.Graph()
	if f.shapes[g] == nil {
		f.shapes[g], f.orders[g] = map[ir.Value]*shape{}, map[ir.Region][]ir.Value{}
	}
	maps.Copy(f.shapes[g], shapes)
	f.orders[g][r] = p.order()
}
