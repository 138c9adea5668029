package text

import "github.com/irc-lang/irc/ir"

// frames knows the graph that is being printed, those around it and those within, and names their values.
type frames struct {
	f        *frame // of the graph that is printed
	ids      counters
	used     map[string]int // names in scope, counted
	numbered bool           // all values have their numbers already
	plain    bool           // the generic form, in which values have numbers
	how      ir.ScheduleOptions
	forms    *forms
}

// frame is what is known of one graph while it is printed.
type frame struct {
	g      *ir.Graph
	s      *ir.Schedule
	names  []int32  // by node: number plus one, or minus the index in special minus one
	named  []string // special names
	params map[ir.Region]bool
	argIDs map[ir.Region]int // arguments numbered up to and including those of the region
	// children of isolated ops whose parameters are named already
	children map[*ir.Graph]*frame
}

// counters number values as MLIR does: a region goes on from where the numbers
// of the region around it ended, and regions side by side begin alike.
type counters struct{ value, arg, conflict int }

func (p *frames) newFrame(g *ir.Graph) *frame {
	return &frame{g: g, s: p.scheduleOf(g), names: make([]int32, g.Len()),
		params: map[ir.Region]bool{}, argIDs: map[ir.Region]int{}}
}

// scheduleOf is the schedule to print: the one that was made to settle the graph, unless other choices are asked for.
func (p *frames) scheduleOf(g *ir.Graph) *ir.Schedule {
	if o := p.how; o.Weight == nil && o.ColdFrequency == 0 && !o.Copies && o.Shuffle == nil {
		return ir.ScheduleOf(g)
	}
	return ir.NewSchedule(g, p.how)
}

// schedule makes the frames of all graphs inside, level by level, on all processors.
func (p *frames) schedule() {
	for level := []*frame{p.f}; len(level) > 0; {
		var kids []*ir.Graph
		var of []*frame
		for _, f := range level {
			if f.g.IsLeaf() {
				continue
			}
			for v := range f.s.All() {
				for _, c := range f.g.Children(v) {
					kids, of = append(kids, c), append(of, f)
				}
			}
		}
		level = make([]*frame, len(kids))
		ir.Parallel(len(kids), func(i int) { level[i] = p.newFrame(kids[i]) })
		for i, f := range of {
			if f.children == nil {
				f.children = map[*ir.Graph]*frame{}
			}
			f.children[kids[i]] = level[i]
		}
	}
}

// enterRegion moves to the graph of region i of an op and names its parameters.
func (p *frames) enterRegion(v ir.Value, i int) ir.Region {
	if kids := p.f.g.Children(v); len(kids) > 0 {
		p.f = p.child(kids[i])
		if !p.numbered && !p.f.params[ir.Root] {
			p.nameParams(ir.Root)
		}
		return ir.Root
	}
	r := p.f.g.Regions(v)[i]
	if !p.numbered && !p.f.params[r] {
		p.nameParams(r)
	}
	return r
}

func (p *frames) child(g *ir.Graph) *frame {
	if p.f.children == nil {
		p.f.children = map[*ir.Graph]*frame{}
	}
	f := p.f.children[g]
	if f == nil {
		f = p.newFrame(g)
		p.f.children[g] = f
	}
	return f
}
