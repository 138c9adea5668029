package simt

import (
	"fmt"
	"maps"

	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// A Checker watches a machine: its Watch and Wrap are options of that. It is for one machine.
type Checker struct {
	machine  *interp.Machine
	op       *interp.Op     // under way, that accesses memory
	thread   *device.Thread // that runs it
	atomic   bool
	brings   bool // the op only begins to write
	launch   int  // number of the launch under way, from 1; 0 is none
	launched *interp.Op
	block    int // that runs; its memory is forgotten with it
	memories map[*interp.Memory]*memory
	warp     *warp // whose accesses are gathered
	counts   Counts
	found    *interp.Violation
	at       *interp.Op // that found it
	kernel   string     // of the thread that ran it
}

// New makes a checker.
func New() *Checker { return &Checker{memories: map[*interp.Memory]*memory{}} }

// Counts returns what was counted up to now.
func (c *Checker) Counts() Counts { return c.counts }

// Begin, Iteration and End are of no interest.
func (c *Checker) Begin(*interp.Op) {}

// Iteration does nothing.
func (c *Checker) Iteration([]ir.Val) {}

// End does nothing.
func (c *Checker) End() {}

// kind says whose a memory is.
type kind uint8

const (
	global kind = iota
	shared      // of a block
	own         // of a thread
)

// memory is what is known of one.
type memory struct {
	kind  kind
	cells []cell
}

// cell is what is known of a byte. Threads are their numbers plus 1.
type cell struct {
	writer, wEpoch, wBlock     int32
	reader, other, rEpoch      int32 // two different readers since the last barrier
	rBlock, elsewhere          int32 // the block of the last reader, and another block that has read
	launch                     int32
	wAtomic, rAtomic, wasWrote bool
}

// Wrap is the option of the machine by which a checker knows what op is running, and stops it.
func (c *Checker) Wrap(def *ir.OpDef, f interp.Func) interp.Func {
	switch {
	case def == device.Launch:
		return c.launching(f)
	case def == device.Shared:
		return c.allocating(f, shared)
	case def == memref.Alloca:
		return c.allocating(f, own)
	case def.Effects == nil || def == device.Barrier:
		return f // it accesses no memory itself
	}
	atomic := memref.IsAtomic(def) || def == device.AtomicCAS
	return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		if c.launch == 0 {
			return f(m, o, args, out)
		}
		c.op, c.thread, c.atomic, c.brings = o, device.Running(m), atomic, ir.Implements[device.Brings](o.G.Ctx, def)
		if c.thread != nil {
			c.enter(o)
		}
		err := c.aligned(o, args)
		if err == nil {
			err = f(m, o, args, out)
		}
		c.op, c.thread = nil, nil
		if err != nil || c.found == nil {
			return err
		}
		if c.at != o { // the op waits for other threads, and one of them comes here first
			return &interp.Failure{Err: c.found, Op: c.at.Call.Def.Name, Locs: c.at.G.LocsOf(c.at.V), Function: c.kernel, Callers: []string{m.Running()}}
		}
		return c.found
	}
}

func (c *Checker) launching(f interp.Func) interp.Func {
	return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		c.machine = m
		c.counts.Launches++
		c.launch, c.launched = c.counts.Launches, o
		err := f(m, o, args, out)
		c.flush()
		c.forget()
		c.launch, c.launched = 0, nil
		return err
	}
}

// forget drops what is known of memory that belongs to blocks and threads, which run no more.
func (c *Checker) forget() {
	maps.DeleteFunc(c.memories, func(_ *interp.Memory, m *memory) bool { return m.kind != global })
}

func (c *Checker) allocating(f interp.Func, k kind) interp.Func {
	return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		err := f(m, o, args, out)
		if r, ok := out[0].Ref.(*interp.MemRef); err == nil && ok && c.launch > 0 {
			if t := device.Running(m); t != nil && t.Block() != c.block {
				c.forget()
				c.block = t.Block()
			}
			if x := c.memories[r.Buf.Memory]; x == nil || k == own {
				c.memories[r.Buf.Memory] = &memory{kind: k}
			}
		}
		return err
	}
}

// aligned checks an access to a vector that says how it is aligned.
func (c *Checker) aligned(o *interp.Op, args []ir.Val) error {
	a := o.G.Attr(o.V, vector.AlignmentAttr)
	if a == 0 || o.Call.Def != vector.Load && o.Call.Def != vector.Store {
		return nil
	}
	if o.Call.Def == vector.Store {
		args = args[1:]
	}
	r, err := interp.AsMemRef(args[0])
	if err != nil {
		return nil // the op says so itself
	}
	i, err := r.At(args[1:])
	if err != nil {
		return nil
	}
	if at, _ := r.Buf.Span(i); int64(at)%o.G.Ctx.AttrInfo(a).Int != 0 {
		return &interp.Violation{What: fmt.Sprintf("the access says that it is aligned to %d bytes, and goes to byte %d of its memory", o.G.Ctx.AttrInfo(a).Int, at),
			Fix: "leave the alignment out, or pad the rows"}
	}
	return nil
}

// Access is told of all accesses.
func (c *Checker) Access(b *interp.Buffer, i int, write bool) {
	if c.found != nil || c.op == nil || c.thread == nil {
		return
	}
	m := c.memories[b.Memory]
	if m == nil {
		m = &memory{}
		c.memories[b.Memory] = m
	}
	at, n := b.Span(i)
	c.gather(m, at, n, write)
	for len(m.cells) < at+n {
		m.cells = append(m.cells, make([]cell, max(at+n-len(m.cells), len(m.cells)))...)
	}
	for k := at; k < at+n && c.found == nil; k++ {
		c.cell(m, &m.cells[k], i, write)
	}
}

// cell notes an access to a byte of element i.
func (c *Checker) cell(m *memory, x *cell, i int, write bool) {
	t, epoch, block := int32(c.thread.Number())+1, int32(c.thread.Passed()), int32(c.thread.Block())
	if m.kind == own {
		if x.wasWrote = x.wasWrote || write; !x.wasWrote {
			c.violate("reads element %d of its own memory, which nothing has written", "write it first", i)
		}
		return
	}
	if x.launch != int32(c.launch) {
		*x = cell{launch: int32(c.launch), wasWrote: x.wasWrote}
	}
	if m.kind == shared && !write && !x.wasWrote {
		c.violate("reads element %d of shared memory, which nothing has written", "wait for the copies that bring it (nvgpu.device_async_wait), or write all of it that is read, and have a device.barrier in between", i)
		return
	}
	if x.writer != 0 && !(c.atomic && x.wAtomic) {
		switch {
		case x.wBlock != block:
			c.race(i, write, true, fmt.Sprintf("a thread of block %d", x.wBlock))
		case x.writer != t && x.wEpoch == epoch:
			c.race(i, write, true, fmt.Sprintf("thread %d of its block", x.writer-1))
		}
	}
	if write && x.reader != 0 && !(c.atomic && x.rAtomic) {
		switch {
		case x.rBlock != block:
			c.race(i, write, false, fmt.Sprintf("a thread of block %d", x.rBlock))
		case x.elsewhere != 0 && x.elsewhere-1 != block:
			c.race(i, write, false, fmt.Sprintf("a thread of block %d", x.elsewhere-1))
		case x.rEpoch == epoch && x.reader != t:
			c.race(i, write, false, fmt.Sprintf("thread %d of its block", x.reader-1))
		case x.rEpoch == epoch && x.other != 0 && x.other != t:
			c.race(i, write, false, fmt.Sprintf("thread %d of its block", x.other-1))
		}
	}
	if write {
		x.writer, x.wEpoch, x.wBlock, x.wAtomic, x.wasWrote = t, epoch, block, c.atomic, !c.brings
		return
	}
	if x.reader != 0 && x.rBlock != block {
		x.elsewhere, x.other = x.rBlock+1, 0
	} else if x.reader != t && x.rEpoch == epoch {
		x.other = x.reader
	} else if x.rEpoch != epoch {
		x.other = 0
	}
	x.reader, x.rEpoch, x.rBlock, x.rAtomic = t, epoch, block, c.atomic
}

func (c *Checker) race(i int, write, wrote bool, who string) {
	did, does := "reads", "reads"
	if wrote {
		did = "writes"
	}
	if write {
		does = "writes"
	}
	fix := "put a device.barrier between the accesses, which all threads of the block reach, or make them atomic (memref.atomic_rmw)"
	if who[0] == 'a' {
		fix = "blocks run in any order: have each write elements of its own, make the accesses atomic, or launch two kernels"
	}
	c.violate("%s element %d, which %s %s with nothing to order them", fix, does, i, who, did)
}

// violate notes what is wrong with the access that is under way.
func (c *Checker) violate(format, fix string, args ...any) {
	c.at, c.kernel = c.op, c.thread.Kernel()
	c.found = &interp.Violation{What: fmt.Sprintf("thread %d of block %d ", c.thread.Number(), c.thread.Block()) + fmt.Sprintf(format, args...), Fix: fix,
		Notes: []interp.Note{{Locs: c.launched.G.LocsOf(c.launched.V), Text: "the kernel is launched here"}}}
}
