package device

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

var table = interp.Table{
	Launch: runLaunch, Barrier: runBarrier, Shared: runShared, AtomicCAS: runCAS, Shuffle: runShuffle,
	ThreadID: runID(func(t *Thread) [3]int64 { return t.id }),
	BlockID:  runID(func(t *Thread) [3]int64 { return t.block.id }),
	BlockDim: runID(func(t *Thread) [3]int64 { return t.block.grid.threads }),
	GridDim:  runID(func(t *Thread) [3]int64 { return t.block.grid.blocks }),
}

// grid is a launch under way.
type grid struct {
	m               *interp.Machine
	kernel          *interp.Function
	args            []ir.Val
	blocks, threads [3]int64
}

// block is one of its blocks.
type block struct {
	*grid
	id     [3]int64
	number int // of it in the grid
	shared map[place]*interp.MemRef
}

// A Thread is what runs: one thread of a block.
type Thread struct {
	block   *block
	id      [3]int64
	number  int // of it in its block
	work    *interp.Coroutine
	waiting place // the barrier it waits at
	passed  int   // barriers
	warp    *collective
	done    bool
	locals  map[any]any
}

// Local is state of the thread for a key, made by the first that asks.
func (t *Thread) Local(key any, make func() any) any {
	if t.locals == nil {
		t.locals = map[any]any{}
	}
	if _, ok := t.locals[key]; !ok {
		t.locals[key] = make()
	}
	return t.locals[key]
}

// Running is the thread that runs on a machine, nil outside of kernels.
func Running(m *interp.Machine) *Thread { return here(m) }

// Number is that of a thread in its block, x fastest; 32 of them in a row are a warp.
func (t *Thread) Number() int { return t.number }

// Block is the number of its block in the grid.
func (t *Thread) Block() int { return t.block.number }

// Kernel is the name of the kernel that it runs.
func (t *Thread) Kernel() string { return t.block.kernel.Name }

// Passed is how many barriers it has passed.
func (t *Thread) Passed() int { return t.passed }

// Threads is how many there are in its block.
func (t *Thread) Threads() int {
	n := t.block.threads
	return int(n[0] * n[1] * n[2])
}

// WarpSize is how many threads, in the order of their numbers, are a warp.
const WarpSize = 32

// place is an op of a program.
type place struct {
	g *ir.Graph
	v ir.Value
}

// threadKey is the key of the thread that runs among the machine's locals.
type threadKey struct{}

// thread is where the machine keeps the thread that runs, nil outside of launches.
func thread(m *interp.Machine) **Thread {
	return m.Local(threadKey{}, func() any { return new(*Thread) }).(**Thread)
}

func here(m *interp.Machine) *Thread { return *thread(m) }

const noLaunch = "outside of a launch; run a function that launches the kernel"

// runID gives an id of the running thread. Ids move like constants, so one that a
// function asks for without need is 0; in a kernel they say why.
func runID(of func(*Thread) [3]int64) interp.Func {
	return func(m *interp.Machine, o *interp.Op, _, out []ir.Val) error {
		t := here(m)
		if t != nil {
			out[0] = ir.Val{Bits: uint64(of(t)[Dimension(o.G.Ctx, o.Call.Get("dimension"))])}
			return nil
		}
		if term := o.G.Term(ir.Root); term != 0 && o.G.Def(term) == Return {
			return ir.Trapf(noLaunch)
		}
		out[0] = ir.Val{}
		return nil
	}
}

func runShared(m *interp.Machine, o *interp.Op, _, out []ir.Val) error {
	t := here(m)
	if t == nil {
		return ir.Trapf(noLaunch)
	}
	at := place{o.G, o.V}
	r := t.block.shared[at]
	if r == nil {
		info := o.G.Ctx.Info(o.G.Type(o.V))
		var err error
		if r, err = m.NewMemRef(info.Elem, info.Shape...); err != nil {
			return err
		}
		r.Buf.Static = true
		t.block.shared[at] = r
	}
	out[0] = r.Val()
	return nil
}

func runBarrier(m *interp.Machine, o *interp.Op, _, _ []ir.Val) error {
	t := here(m)
	if t == nil {
		return ir.Trapf(noLaunch)
	}
	t.waiting = place{o.G, o.V}
	_, err := m.Pause()
	t.passed++
	return err
}

// runCAS compares bits, so that a NaN equals itself and 0.0 is not -0.0.
func runCAS(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	r, err := interp.AsMemRef(args[2])
	if err != nil {
		return err
	}
	i, err := r.At(args[3:])
	if err != nil {
		return err
	}
	old := r.Buf.Load(i)
	out[0] = old
	switch {
	case old.Ref != nil || args[0].Ref != nil:
		r.Buf.Store(i, ir.Val{Ref: ir.Poison})
	case old.Bits == args[0].Bits:
		r.Buf.Store(i, args[1])
	}
	return nil
}

// extents reads up to three numbers; those left out are 1.
func extents(vs []ir.Val, most [3]int64, what string) (out [3]int64, err error) {
	out = [3]int64{1, 1, 1}
	for i, v := range vs {
		if out[i], err = interp.Index(v); err != nil {
			return out, err
		}
		if out[i] < 0 || out[i] > most[i] {
			return out, ir.Trapf("a %s has extent %d in %s, it must be between 0 and %d", what, out[i], dimensions[i], most[i])
		}
	}
	return out, nil
}

// ReadLaunch takes the operands of a launch apart; extents that no device has trap.
func ReadLaunch(o *interp.Op, args []ir.Val) (blocks, threads [3]int64, rest []ir.Val, err error) {
	seg := o.G.Ctx.Ints(o.Call.Get("operandSegmentSizes"))
	if blocks, err = extents(args[:seg[0]], MaxGrid, "grid"); err != nil {
		return blocks, threads, nil, err
	}
	if threads, err = extents(args[seg[0]:seg[0]+seg[1]], MaxBlock, "block"); err != nil {
		return blocks, threads, nil, err
	}
	if n := threads[0] * threads[1] * threads[2]; n > MaxThreads {
		return blocks, threads, nil, ir.Trapf("a block has %d threads, it must have at most %d", n, MaxThreads)
	}
	return blocks, threads, args[seg[0]+seg[1]:], nil
}

func runLaunch(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	if here(m) != nil {
		return ir.Trapf("a kernel launches a kernel")
	}
	g := &grid{m: m}
	var err error
	if g.blocks, g.threads, g.args, err = ReadLaunch(o, args); err != nil {
		return err
	}
	if g.kernel, err = m.Resolve(KernelOf(o.G.Ctx, o.Call.Attr)); err != nil {
		return err
	}
	if g.threads[0]*g.threads[1]*g.threads[2] == 0 {
		return nil
	}
	run := g.one
	if meets(g.kernel.Graph) {
		run = g.together
	}
	number := 0
	return each(g.blocks, func(id [3]int64) error {
		b := &block{grid: g, id: id, number: number, shared: map[place]*interp.MemRef{}}
		number++
		err := run(b)
		for _, r := range b.shared {
			m.Release(r.Buf)
		}
		return err
	})
}

// each calls f for all points below n, x fastest.
func each(n [3]int64, f func(at [3]int64) error) error {
	var at [3]int64
	for at[2] = 0; at[2] < n[2]; at[2]++ {
		for at[1] = 0; at[1] < n[1]; at[1]++ {
			for at[0] = 0; at[0] < n[0]; at[0]++ {
				if err := f(at); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
