package transfers

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// A Checker watches a machine: its Watch and Wrap are options of that. It is for one machine.
type Checker struct {
	launch  *interp.Op // under way, or nil
	copying bool       // on the host, with memory of the device
	toHost  bool       // that is where the copy goes
	toThere bool       // the copy goes from the host to the device
	sides   map[*interp.Memory]*side
	counts  Counts
	found   *interp.Violation
}

// New makes a checker.
func New() *Checker { return &Checker{sides: map[*interp.Memory]*side{}} }

// Counts are what a run moved.
type Counts struct {
	Launches int
	In, Out  Moved // to the device, and back
}

// Moved are transfers of one direction.
type Moved struct {
	Copies          int
	Bytes, Needless int64
}

func (n Counts) String() string {
	return fmt.Sprintf("%s; to the device: %s; back: %s", plural(n.Launches, "launch", "launches"), n.In, n.Out)
}

func (m Moved) String() string {
	s := fmt.Sprintf("%s of %d bytes", plural(m.Copies, "copy", "copies"), m.Bytes)
	if m.Needless > 0 {
		s += fmt.Sprintf(", %d of them needless", m.Needless)
	}
	return s
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Counts returns what has moved up to now. What moved in and waits for a kernel to read it counts as
// needless.
func (c *Checker) Counts() Counts {
	n := c.counts
	for _, s := range c.sides {
		n.In.Needless += s.waiting
	}
	return n
}

// side is what a memory is to host and device.
type side struct {
	where    where
	made     *interp.Op // the op that allocated it, or nil
	bytes    []state
	complete bool  // bytes beyond those hold values, as from the beginning
	waiting  int64 // how many bytes moved in and were not read since
}

type where uint8

const (
	atHost where = iota
	atDevice
	inKernel // belongs to threads that run
)

// state is what is known of a byte of the device.
type state uint8

const (
	holds   state = 1 << iota // it moved in, or a kernel wrote it
	waits                     // it moved in, and no kernel has read it since
	changed                   // a kernel wrote it since it last moved
)

// Begin, Iteration and End are of no interest.
func (c *Checker) Begin(*interp.Op) {}

// Iteration does nothing.
func (c *Checker) Iteration([]ir.Val) {}

// End does nothing.
func (c *Checker) End() {}

// Access is told of all accesses.
func (c *Checker) Access(b *interp.Buffer, i int, write bool) {
	s := c.sides[b.Memory]
	if c.found != nil || s == nil || s.where == inKernel {
		return
	}
	switch {
	case c.launch != nil && s.where == atHost:
		c.violate(s, "the kernel "+verb(write)+" memory of the host", "allocate it in memory space 1, which is the device's (memref.alloc() : memref<8xf32, 1>), and move it there with memref.copy")
	case c.launch == nil && s.where == atDevice && !c.copying:
		c.violate(s, "the host "+verb(write)+" memory of the device", "move it with memref.copy to memory of the host, and back")
	case s.where == atDevice:
		c.device(s, b, i, write)
	}
}

func verb(write bool) string {
	if write {
		return "writes"
	}
	return "reads"
}

// device notes an access of an element of the device: of a kernel, or of a copy.
func (c *Checker) device(s *side, b *interp.Buffer, i int, write bool) {
	at, n := b.Span(i)
	for k := at; k < at+n; k++ {
		was := s.state(k)
		switch {
		case !write && was&holds == 0:
			what := "the kernel reads element %d, which neither moved to the device nor was written there"
			if c.copying {
				what = "element %d leaves the device, where it neither moved nor was written"
			}
			c.violate(s, fmt.Sprintf(what, i), "move all that is read to the device first; of what is written in part move in the rest, or move out that part alone (memref.subview)")
			return
		case write && c.toThere:
			c.wasted(s, was)
			s.waiting++
			s.set(k, holds|waits)
		case write:
			c.wasted(s, was)
			s.set(k, holds|changed)
		case c.toHost:
			c.counts.Out.Bytes++
			if was&changed == 0 {
				c.counts.Out.Needless++
			}
			s.set(k, was&^changed)
		case was&waits != 0:
			s.waiting--
			s.set(k, was&^waits)
		}
	}
	if write && c.toThere {
		c.counts.In.Bytes += int64(n)
	}
}

// wasted counts a byte that moved in and is overwritten before a kernel read it.
func (c *Checker) wasted(s *side, was state) {
	if was&waits != 0 {
		s.waiting--
		c.counts.In.Needless++
	}
}

func (s *side) state(k int) state {
	switch {
	case k < len(s.bytes):
		return s.bytes[k]
	case s.complete:
		return holds
	}
	return 0
}

func (s *side) set(k int, to state) {
	for len(s.bytes) <= k {
		s.bytes = append(s.bytes, s.state(len(s.bytes)))
	}
	s.bytes[k] = to
}

// violate notes what is wrong with an access of the op that is running.
func (c *Checker) violate(s *side, what, fix string) {
	c.found = &interp.Violation{What: what, Fix: fix}
	if s.made != nil {
		c.found.Notes = append(c.found.Notes, interp.Note{Locs: locs(s.made), Text: "the memory is allocated here"})
	}
	if c.launch != nil {
		c.found.Notes = append(c.found.Notes, interp.Note{Locs: locs(c.launch), Text: "the kernel is launched here"})
	}
}

func locs(o *interp.Op) []ir.Loc { return o.G.LocsOf(o.V) }

// Wrap is the option of the machine by which a checker knows what op is running, and stops it.
func (c *Checker) Wrap(def *ir.OpDef, f interp.Func) interp.Func {
	return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		for i, a := range args {
			c.meet(o, a, o.G.Type(o.Call.Args[i]))
		}
		launched := c.launch
		switch {
		case def == device.Launch:
			c.launch = o
			c.counts.Launches++
		case def == memref.Copy && launched == nil:
			c.begin(args)
		case def == memref.Dealloc && launched == nil:
			c.free(args[0])
		}
		err := f(m, o, args, out)
		c.launch = launched
		if def == memref.Copy {
			c.copying, c.toHost, c.toThere = false, false, false
		}
		c.allocated(def, o, out)
		if err == nil && c.found != nil {
			err = c.found
		}
		return err
	}
}

// meet notes memory that was there before: it belongs to where the type says through which it is first seen.
func (c *Checker) meet(o *interp.Op, v ir.Val, t ir.Type) {
	r, ok := v.Ref.(*interp.MemRef)
	if !ok || c.sides[r.Buf.Memory] != nil {
		return
	}
	c.sides[r.Buf.Memory] = &side{where: c.place(o, t), complete: true}
}

// allocated notes the memory that an op has made.
func (c *Checker) allocated(def *ir.OpDef, o *interp.Op, out []ir.Val) {
	if def != memref.Alloc && def != memref.Alloca || len(out) == 0 {
		return
	}
	if r, ok := out[0].Ref.(*interp.MemRef); ok {
		c.sides[r.Buf.Memory] = &side{where: c.place(o, o.G.Type(o.V)), made: o}
	}
}

// place is where memory of a type is that is first seen now.
func (c *Checker) place(o *interp.Op, t ir.Type) where {
	space, ok := device.Space(o.G.Ctx, t)
	switch {
	case c.launch != nil:
		return inKernel
	case ok && space == device.GlobalSpace:
		return atDevice
	}
	return atHost
}

// begin notes the direction of a copy.
func (c *Checker) begin(args []ir.Val) {
	from, to := c.at(args[0]), c.at(args[1])
	c.copying = from == atDevice || to == atDevice
	c.toHost = from == atDevice && to == atHost
	c.toThere = from == atHost && to == atDevice
	if c.toHost {
		c.counts.Out.Copies++
	}
	if c.toThere {
		c.counts.In.Copies++
	}
}

func (c *Checker) at(v ir.Val) where {
	if r, ok := v.Ref.(*interp.MemRef); ok {
		return c.sides[r.Buf.Memory].where
	}
	return atHost
}

// free counts what moved into a memory and is freed with it.
func (c *Checker) free(v ir.Val) {
	if r, ok := v.Ref.(*interp.MemRef); ok {
		c.counts.In.Needless += c.sides[r.Buf.Memory].waiting
		delete(c.sides, r.Buf.Memory)
	}
}

// String says what was counted up to now.
func (c *Checker) String() string { return c.Counts().String() }
