package race

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

// A Checker watches a machine: its Watch and Wrap are options of that. It is for one machine.
type Checker struct {
	atomic  func(*ir.OpDef) bool
	running *interp.Op // that has no Eval, the innermost
	loops   []*loop    // under way, the outermost first
	ops     []*interp.Op
	numbers map[*interp.Op]int32
	found   *interp.Violation
}

// New makes a checker; atomic reports ops whose accesses are atomic.
func New(atomic func(*ir.OpDef) bool) *Checker {
	return &Checker{atomic: atomic, numbers: map[*interp.Op]int32{}}
}

// loop is a run of a parallel loop.
type loop struct {
	op     *interp.Op
	points [][]int64            // of the iterations so far
	cells  map[uint64]*[64]cell // by the 64 bytes
}

// cell is what iterations did to a byte.
type cell struct{ wrote, read, read2, updated, updated2 touch }

// touch is an access: by an iteration, numbered from 1, 0 if there is none, and an op.
type touch struct{ iteration, op int32 }

// Begin is called when a parallel loop begins.
func (c *Checker) Begin(o *interp.Op) {
	c.loops = append(c.loops, &loop{op: o, cells: map[uint64]*[64]cell{}})
}

// Iteration begins another iteration of the innermost loop.
func (c *Checker) Iteration(at []ir.Val) {
	l := c.loops[len(c.loops)-1]
	point := lists.Map(at, func(v ir.Val) int64 { return int64(v.Bits) })
	l.points = append(l.points, point)
}

// End is called when the innermost loop ends.
func (c *Checker) End() { c.loops = c.loops[:len(c.loops)-1] }

// Access notes an access of the op that is running.
func (c *Checker) Access(b *interp.Buffer, i int, write bool) {
	if len(c.loops) == 0 || c.found != nil || c.running == nil {
		return
	}
	at, n := b.Span(i)
	start := b.Address() - uint64(first(b)) + uint64(at)
	atomic := c.atomic(c.running.Def)
	for _, l := range c.loops {
		now := touch{int32(len(l.points)), c.number(c.running)}
		for k := range uint64(n) {
			x := l.cell(start + k)
			if with, did := x.conflict(now, write, atomic); did != "" {
				c.report(l, now, with, does(write, atomic), did, i)
				return
			}
			x.note(now, write, atomic)
		}
	}
}

// cell is that of a byte.
func (l *loop) cell(at uint64) *cell {
	row := l.cells[at/64]
	if row == nil {
		row = new([64]cell)
		l.cells[at/64] = row
	}
	return &row[at%64]
}

// first is the byte at which a buffer begins, which its address counts.
func first(b *interp.Buffer) int {
	at, _ := b.Span(0)
	return at
}

func (c *Checker) number(o *interp.Op) int32 {
	n, ok := c.numbers[o]
	if !ok {
		n = int32(len(c.ops))
		c.ops, c.numbers[o] = append(c.ops, o), n
	}
	return n
}

// other reports an access by another iteration.
func (t touch) other(now touch) bool { return t.iteration != 0 && t.iteration != now.iteration }

// conflict is an access of another iteration that forbids one, and what it did.
func (x *cell) conflict(now touch, write, atomic bool) (touch, string) {
	if x.wrote.other(now) {
		return x.wrote, "writes"
	}
	if write || atomic {
		for _, t := range []touch{x.read, x.read2} {
			if t.other(now) {
				return t, "reads"
			}
		}
	}
	if !atomic {
		for _, t := range []touch{x.updated, x.updated2} {
			if t.other(now) {
				return t, "updates"
			}
		}
	}
	return touch{}, ""
}

// note remembers an access, of reads and updates two of different iterations.
func (x *cell) note(now touch, write, atomic bool) {
	one, two := &x.read, &x.read2
	if atomic {
		one, two = &x.updated, &x.updated2
	}
	switch {
	case write && !atomic:
		x.wrote = now
	case one.iteration == 0:
		*one = now
	case one.iteration != now.iteration:
		*two = now
	}
}

func does(write, atomic bool) string {
	switch {
	case atomic:
		return "updates"
	case write:
		return "writes"
	}
	return "reads"
}

// report makes the diagnostic: the op that is running is its place.
func (c *Checker) report(l *loop, now, with touch, does, did string, element int) {
	here, there := l.point(now), l.point(with)
	c.found = &interp.Violation{
		What: fmt.Sprintf("a race: iteration %s of the parallel loop %s element %d, which iteration %s %s", here, does, element, there, did),
		Notes: []interp.Note{
			{Locs: locs(c.ops[with.op]), Text: fmt.Sprintf("iteration %s %s it here", there, did)},
			{Locs: locs(l.op), Text: "the iterations of this loop may run at the same time"},
		}}
}

func locs(o *interp.Op) []ir.Loc { return o.G.LocsOf(o.V) }

// point writes the indices of an iteration.
func (l *loop) point(t touch) string {
	out := lists.Map(l.points[t.iteration-1], func(n int64) string { return fmt.Sprint(n) })
	return "(" + strings.Join(out, ", ") + ")"
}

// Wrap is the option of the machine by which a checker knows what op is running, and stops it.
func (c *Checker) Wrap(_ *ir.OpDef, f interp.Func) interp.Func {
	return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		around := c.running
		c.running = o
		err := f(m, o, args, out)
		c.running = around
		if err == nil && c.found != nil {
			err = c.found
		}
		return err
	}
}
