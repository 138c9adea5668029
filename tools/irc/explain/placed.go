package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// endsRegion is what there is to say of a terminator; listings leave it out.
const endsRegion = "ends its region"

func itoa(n int) string { return strconv.Itoa(n) }

// explainer compares graphs with the source.
type explainer struct {
	src     *diag.Source
	written *program
	past    *history
	own     map[int]bool // offsets of ops of the schedule, those left out that others stand for
	joined  map[int]int  // offsets of those left out, to the line of the op that stands for them
	out     *Report
	passes  bool // ran
}

// placedGraph is one graph that is explained.
type placedGraph struct {
	*explainer
	g        *ir.Graph
	s        *ir.Schedule
	function string
}

func (x *explainer) graph(g *ir.Graph, function string) {
	p := &placedGraph{x, g, ir.ScheduleOf(g), function}
	at := -1
	if function != "" {
		at = len(x.out.Functions)
		x.out.Functions = append(x.out.Functions, Graph{Name: function, Ops: []Op{}, isWritten: x.written.functions[function]})
	}
	for v := range p.s.All() {
		op := p.op(v)
		if at >= 0 {
			x.out.Functions[at].Ops = append(x.out.Functions[at].Ops, op)
		}
		for _, c := range g.Children(v) {
			x.graph(c, nameOf(g.NodeOf(v)))
		}
	}
}

// op explains one op: where it stands, compared with where it was written.
func (p *placedGraph) op(v ir.Value) Op {
	r := p.s.Place(v)
	o := Op{Op: p.g.Def(v).Name, Depth: p.s.Depth(r), Was: p.s.Depth(r), Outcome: made, Frequency: p.s.Freq(r)}
	if h := p.g.Home(v); h != ir.Root {
		o.Home = p.lineOf(p.g.Owner(h))
	}
	for _, u := range ir.Uses(p.g).Of(v) {
		if l := p.lineOf(u); l > 0 && !slices.Contains(o.Users, l) {
			o.Users = append(o.Users, l)
		}
	}
	for i, l := range p.g.LocsOf(v) {
		if l&ir.LocAttr != 0 {
			continue
		}
		at := int(l) - 1
		if line, col := p.src.Position(at); i == 0 {
			o.Line, o.Column = line, col
			p.own[at] = true
		} else {
			o.Shared = append(o.Shared, line)
			if len(p.g.Regions(v)) > 0 {
				p.joined[at] = o.Line
			}
		}
	}
	at, ok := offset(p.g, v)
	w := p.written.ops[at]
	if !ok || w == nil {
		o.Why = p.stays(v)
		return o
	}
	o.Was = len(w.path)
	notes := []string{p.moved(&o, w, v)}
	if w.name != o.Op {
		notes = p.became(&o, w, notes[0])
	}
	if len(o.Shared) > 0 {
		notes = append(notes, "stands for "+lines(o.Shared)+" too")
	}
	o.Why = strings.Join(notes, "; ")
	return o
}

func (p *placedGraph) lineOf(v ir.Value) int {
	if at, ok := offset(p.g, v); ok {
		return p.written.line(at)
	}
	return 0
}

// became says how an op of another name came of the one that is written.
func (p *placedGraph) became(o *Op, w *writtenOp, where string) []string {
	o.became = true
	out := []string{"written as " + w.name}
	if f := p.past.folds(w.at); f != "" {
		o.Outcome, out = folded, []string{f}
	}
	if strings.HasPrefix(where, "constant") {
		return out
	}
	return append(out, where)
}

// lines is "line 3", or "lines 3, 4 and 7".
func lines(ls []int) string {
	ls = slices.Compact(slices.Sorted(slices.Values(ls)))
	if len(ls) == 1 {
		return "line " + itoa(ls[0])
	}
	var out []string
	for i, l := range ls {
		if i == 4 && len(ls) > 5 {
			out = append(out, fmt.Sprintf("%d more", len(ls)-4))
			break
		}
		out = append(out, itoa(l))
	}
	n := len(out) - 1
	return "lines " + strings.Join(out[:n], ", ") + " and " + out[n]
}

// moved compares where an op was written with where it stands.
func (p *placedGraph) moved(o *Op, w *writtenOp, v ir.Value) string {
	o.Outcome = kept
	if w.function != p.function && w.function != "" {
		o.Outcome = moved
		return fmt.Sprintf("in @%s: a copy from @%s", p.function, w.function)
	}
	now, owners := pathOf(p.g, p.s, v), p.owners(v)
	was := p.standing(w.path, owners)
	same := p.common(was, now, owners)
	left, entered := was[same:], now[same:]
	switch {
	case len(left) == 0 && len(entered) == 0:
		return p.stays(v)
	case len(entered) == 0:
		return p.leaves(o, left, v)
	case len(left) == 0:
		o.Outcome = sunk
		return fmt.Sprintf("sunk into %s: only %s", p.written.region(entered[len(entered)-1]), p.usedBy(o))
	}
	o.Outcome = moved
	return fmt.Sprintf("moved to %s: only %s", p.written.region(entered[len(entered)-1]), p.usedBy(o))
}

// common is how many regions from the outside in are the same: their op may have
// been shared with others since.
func (p *placedGraph) common(was, now []frame, owners []ir.Value) int {
	for i := range min(len(was), len(now)) {
		if was[i].index != now[i].index || !p.standsFor(owners[i], was[i]) {
			return i
		}
	}
	return min(len(was), len(now))
}

// owners are the ops with the regions that a node stands in, from the outside in.
func (p *placedGraph) owners(v ir.Value) (out []ir.Value) {
	for r := p.s.Place(v); r != ir.Root; r = p.s.Place(p.g.Owner(r)) {
		out = append(out, p.g.Owner(r))
	}
	slices.Reverse(out)
	return out
}

// standsFor reports that an op comes from the one whose region a frame is.
func (p *placedGraph) standsFor(v ir.Value, f frame) bool {
	return slices.Contains(p.g.LocsOf(v), ir.Loc(f.at+1))
}

// standing leaves out the regions of loops that became one with the loop around them.
func (p *placedGraph) standing(was []frame, owners []ir.Value) (out []frame) {
	for _, f := range was {
		if k := len(out); k > 0 && k <= len(owners) && p.standsFor(owners[k-1], f) && p.standsFor(owners[k-1], out[k-1]) {
			continue
		}
		out = append(out, f)
	}
	return out
}

func (p *placedGraph) usedBy(o *Op) string {
	switch len(o.Users) {
	case 0:
		return "what is there needs it"
	case 1:
		return lines(o.Users) + " uses it"
	}
	return lines(o.Users) + " use it"
}

// leaves says why an op left the regions that it was written in.
func (p *placedGraph) leaves(o *Op, left []frame, v ir.Value) string {
	o.Outcome = raised
	var loops []int
	var last string
	for _, f := range left {
		if f.kind == ir.Loop {
			o.Outcome, last = hoisted, p.written.region(f)
			loops = append(loops, p.written.line(max(f.at, 0)))
		}
	}
	switch {
	case o.Outcome == raised && p.g.Def(v).Has(ir.ConstantLike):
		return "constant"
	case o.Outcome == raised && len(o.Shared) > 0:
		return fmt.Sprintf("raised out of %s: it is needed elsewhere too", p.written.region(left[0]))
	case o.Outcome == raised:
		return fmt.Sprintf("raised out of %s: %s", p.written.region(left[0]), p.usedBy(o))
	case p.g.Def(v).Has(ir.ConstantLike):
		return "constant: hoisted out of " + last
	}
	why, it := "needs nothing of it", "it"
	if len(loops) > 1 {
		last, why, it = "the loops at "+lines(loops), "needs nothing of them", "them"
	}
	if len(p.g.Hard(v)) > 0 {
		why += ", and nothing in " + it + " writes what it reads"
	}
	return fmt.Sprintf("hoisted out of %s: %s", last, why)
}

// stays says what keeps a node where it stands.
func (p *placedGraph) stays(v ir.Value) string {
	g, def, r := p.g, p.g.Def(v), p.s.Place(v)
	switch {
	case def.Has(ir.Terminator):
		return endsRegion
	case def.Has(ir.Opaque):
		return "unknown effects: stays in order"
	case def.Has(ir.Symbol):
		return "a symbol: stays in order"
	case g.HasEffect(v):
		return "writes: stays in order"
	case def.Has(ir.Unique):
		return "allocates: stays in its region"
	case g.IsPinned(v):
		return "has regions that allocate or do what is unknown: stays in order"
	case def.Has(ir.ConstantLike):
		return "constant"
	case r == ir.Root:
		return strings.Join(p.also(v, "runs once"), "; ")
	}
	here := p.written.region(p.here(r))
	need := p.needs(v, r)
	switch loop := g.KindOf(r) == ir.Loop; {
	case g.IsPartial(v) && need == "" && loop:
		return fmt.Sprintf("kept inside %s: %s, and the loop may run no round", here, p.danger(v))
	case g.IsPartial(v) && need == "":
		return fmt.Sprintf("kept inside %s: %s", here, p.danger(v))
	case need != "" && loop:
		return strings.Join(p.also(v, fmt.Sprintf("changes with %s: needs %s", here, need)), "; ")
	case need != "":
		return strings.Join(p.also(v, fmt.Sprintf("stays in %s: needs %s", here, need)), "; ")
	case g.KindOf(r) == ir.Branch:
		return "needed only in " + here
	}
	return "stands where it runs least"
}

// here is the region that a path ends with.
func (p *placedGraph) here(r ir.Region) frame {
	path := pathTo(p.g, p.s, r)
	return path[len(path)-1]
}

// needs names something that is there only inside of r and that v needs, or "".
func (p *placedGraph) needs(v ir.Value, r ir.Region) string {
	var free []ir.Value
	for _, a := range p.g.Args(v) {
		n, _, _ := p.g.Projection(a)
		free = append(free, n)
	}
	for _, in := range p.g.Regions(v) {
		free = append(free, p.freeIn(in)...)
	}
	for _, n := range free {
		if p.g.Home(n) != r {
			continue
		}
		if in, _, ok := p.g.Param(n); ok {
			return parameter(p.g.NodeOf(p.g.Owner(in)), n)
		}
		if at, ok := offset(p.g, n); ok {
			if name := p.written.result(at); name != "" {
				return name
			}
		}
		return "the result of " + p.g.Def(n).Name
	}
	for _, h := range p.g.Hard(v) {
		if p.g.Home(h) == r {
			return "the memory as it is there"
		}
	}
	return ""
}

// parameter is how people call what a region is given.
func parameter(owner ir.Node, p ir.Value) string {
	loop, ok := ir.As[ir.LoopLike](owner)
	switch {
	case slices.Contains(loop.Indices, p):
		return "its counter"
	case ok:
		return "a value that it carries"
	}
	return "an argument of its block"
}

// freeIn lists what the ops of a region use.
func (p *placedGraph) freeIn(r ir.Region) (out []ir.Value) {
	for _, v := range p.s.Body(r) {
		for _, a := range p.g.Args(v) {
			n, _, _ := p.g.Projection(a)
			out = append(out, n)
		}
		for _, in := range p.g.Regions(v) {
			out = append(out, p.freeIn(in)...)
		}
	}
	return out
}

// danger is why an op may be undefined where it stands.
func (p *placedGraph) danger(v ir.Value) string {
	if p.g.MayTrap(v) {
		return "may trap"
	}
	return "what it depends on may be poison"
}

// also adds to a reason what else orders v: traps and writes before it.
func (p *placedGraph) also(v ir.Value, why string) []string {
	out := []string{why}
	if p.g.IsPartial(v) {
		out = append(out, p.danger(v))
	}
	for _, h := range p.g.Hard(v) {
		if l := p.lineOf(h); l > 0 && p.g.IsOp(h) {
			return append(out, "reads after the write at line "+itoa(l))
		}
	}
	return out
}
