package ordering

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// An Order tells what the ops that stand in one region of a schedule need of one
// another: what is computed or written (hard), and what must be done before if at all
// (soft). What stands in the regions of an op is the op's. The schedule is one without
// copies (ir.ScheduleOptions): a node is looked for in its first place alone.
type Order struct {
	s    *ir.Schedule
	g    *ir.Graph
	r    ir.Region
	body []ir.Value
	on   [2]map[ir.Value]map[ir.Value]bool // by kind and op: what it depends on
	seen [2]map[ir.Value]bool              // by kind: tokens and dead writes that were looked through for an op
}

// New looks at the ops of a region.
func New(s *ir.Schedule, r ir.Region) *Order {
	o := &Order{s: s, g: s.Graph(), r: r, body: s.Body(r), on: [2]map[ir.Value]map[ir.Value]bool{{}, {}}}
	for _, v := range o.body {
		o.on[hard][v], o.on[soft][v] = map[ir.Value]bool{}, map[ir.Value]bool{}
		o.seen = [2]map[ir.Value]bool{{}, {}}
		o.collect(v, v)
	}
	return o
}

// collect adds what v, which stands in op or is it, depends on.
func (o *Order) collect(op, v ir.Value) {
	o.operands(op, v)
	for _, r := range o.g.Regions(v) {
		for _, w := range o.s.Body(r) {
			o.collect(op, w)
		}
	}
}

// operands adds what a node itself depends on, its regions aside.
func (o *Order) operands(op, v ir.Value) {
	for _, a := range o.g.Args(v) {
		o.walk(op, a, hard)
	}
	for _, h := range o.g.Hard(v) {
		o.walk(op, h, hard)
	}
	for _, e := range o.g.Soft(v) {
		o.walk(op, e, soft)
	}
}

// The kinds of dependences: v must be done, or must not be done later.
const (
	hard = iota
	soft
)

// walk adds that op depends on v. It looks through what is no op, such as tokens of
// memory and packs; for order alone what is dead still stands between its
// neighbours, and no values are followed.
func (o *Order) walk(op, v ir.Value, kind int) {
	v, _, _ = o.g.Projection(v)
	if !o.g.IsOp(v) || kind == soft && !o.s.Live(v) {
		switch {
		case !o.enter(kind, v):
		case kind == hard:
			o.operands(op, v)
		default:
			for _, e := range slices.Concat(o.g.Hard(v), o.g.Soft(v)) {
				o.walk(op, e, soft)
			}
		}
		return
	}
	if t := o.Top(v); t != 0 && t != op {
		o.on[kind][op][t] = true
	}
}

// enter says whether to look through a node: once, and not out of the region.
func (o *Order) enter(kind int, v ir.Value) bool {
	if o.seen[kind][v] || o.s.Depth(o.g.Home(v)) < o.s.Depth(o.r) {
		return false
	}
	o.seen[kind][v] = true
	return true
}

// Top returns the op of the region in which v stands, or 0.
func (o *Order) Top(v ir.Value) ir.Value {
	if !o.s.Live(v) {
		return 0
	}
	for r := o.s.Place(v); r != o.r; r = o.s.Place(v) {
		if o.s.Depth(r) <= o.s.Depth(o.r) {
			return 0
		}
		v = o.g.Owner(r)
	}
	return v
}

// Body lists the ops of the region, in the order of the schedule.
func (o *Order) Body() []ir.Value { return o.body }

// Needs are the ops whose results or writes op v of the region needs, directly.
func (o *Order) Needs(v ir.Value) map[ir.Value]bool { return o.on[hard][v] }

// After are the ops that v needs nothing of and that must come before it all the same,
// if they are there: what it writes they read, or write too.
func (o *Order) After(v ir.Value) map[ir.Value]bool { return o.on[soft][v] }

// Slice adds to out what an op needs of the region, itself included.
func (o *Order) Slice(v ir.Value, out map[ir.Value]bool) {
	if out[v] {
		return
	}
	out[v] = true
	for t := range o.on[hard][v] {
		o.Slice(t, out)
	}
}
