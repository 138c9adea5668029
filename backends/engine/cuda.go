package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
)

// cudaEngine runs kernels on a GPU and everything else on the interpreter. When the
// driver's child dies of what a program did, the next call starts another one.
type cudaEngine struct {
	o    Options
	ctx  context.Context // that New was given: children live as long
	gpu  *cuda.GPU
	born int // children so far
	arch string
	mem  *residency

	compile func(*ir.Graph, nvvm.Options) (*nvvm.PTX, error)
	closed  bool
}

func startCUDA(ctx context.Context, o Options) (*cudaEngine, error) {
	e := &cudaEngine{o: o, ctx: ctx, mem: newResidency()}
	if err := e.start(); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *cudaEngine) start() error {
	gpu, err := cuda.Open(e.ctx, cuda.Options{Executable: e.o.Child.Executable})
	if err != nil {
		return err
	}
	d := gpu.Device()
	if e.arch, err = d.Arch(); err != nil {
		return errors.Join(err, gpu.Close())
	}
	e.gpu = gpu
	e.born++
	return nil
}

// about is one line on what the kernels run on.
func (e *cudaEngine) about() string {
	d := e.gpu.Device()
	return fmt.Sprintf("%s, compute capability %s, driver for CUDA %s, code for %s", d.Name, d.Capability(), d.DriverVersion(), e.arch)
}

func (*cudaEngine) Name() string { return "cuda" }

// Target is the device: the host's part is interpreted as it is lowered for that.
func (e *cudaEngine) Target() *target.Target { return nvvm.GPU(e.arch) }

func (e *cudaEngine) Close() error {
	if e.gpu == nil {
		return nil
	}
	err := e.mem.finish(true)
	gpu := e.gpu
	e.gpu, e.closed = nil, true
	return errors.Join(err, gpu.Close())
}

// buried gives up a device that is of no use any more, with all that it had, and reports
// that it did.
func (e *cudaEngine) buried() bool {
	if e.gpu == nil || e.gpu.Broken() == nil {
		return false
	}
	e.gpu.Close() // what there was to tell was told
	e.gpu = nil
	clear(e.mem.buffers)
	return true
}

func (e *cudaEngine) Prepare(ctx context.Context, graphs ...*ir.Graph) ([]Program, error) {
	var out []Program
	for _, g := range graphs {
		if err := contract.CheckExternals(g, e.o.Externs); err != nil {
			return nil, err
		}
		low, err := lowered(ctx, &e.o, g, e.Target())
		if err != nil {
			return nil, err
		}
		p, err := e.program(ctx, low)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (e *cudaEngine) program(ctx context.Context, g *ir.Graph) (*cudaProgram, error) {
	p := &cudaProgram{e: e, g: g, written: map[string][]bool{}}
	var err error
	p.ptx, err = e.compile(g, nvvm.Options{Target: e.Target(), Level: e.o.Level, Unchecked: e.o.Unchecked})
	switch {
	case errors.Is(err, nvvm.ErrNoKernels): // all of it runs on the host
		p.ptx = &nvvm.PTX{}
	case err != nil:
		return nil, err
	default:
		if err := p.ready(ctx); err != nil {
			return nil, err
		}
	}
	p.m, err = interp.New(g, interp.Options{Context: &p.call, Fuel: e.o.Fuel, MemLimit: e.o.MemLimit, Wrap: p.wrap, Output: p.output})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// cudaProgram is a machine whose launches run on the device.
type cudaProgram struct {
	e       *cudaEngine
	g       *ir.Graph
	ptx     *nvvm.PTX
	m       *interp.Machine
	mod     *cuda.Module
	born    int // the child that mod is in
	call    callContext
	printed []interp.Printed
	mem     *residency              // while a call is under way
	inside  map[*interp.Memory]bool // what the call under way has allocated, and nobody sees who is behind it
	written map[string][]bool       // of each kernel: which arguments it writes
	stats   DeviceStats
}

// callContext is the context of the call under way, for the machine to look at.
type callContext struct{ context.Context }

func (c *callContext) Err() error {
	if c.Context == nil {
		return nil
	}
	return c.Context.Err()
}

// DeviceStats counts what a program did on a device, over all calls.
type DeviceStats struct {
	Launches            int
	CopiesIn, CopiesOut int
	BytesIn, BytesOut   int64
	Allocations         int
}

func (s DeviceStats) String() string {
	return fmt.Sprintf("%d launches, %d copies to the device (%d bytes), %d copies back (%d bytes), %d allocations",
		s.Launches, s.CopiesIn, s.BytesIn, s.CopiesOut, s.BytesOut, s.Allocations)
}

// Stats says what the program did on the device.
func (p *cudaProgram) Stats() string { return p.stats.String() }

// ready compiles the kernels unless the child that lives has them.
func (p *cudaProgram) ready(ctx context.Context) error {
	p.e.buried() // it may have died since the call before
	if p.e.gpu == nil {
		if p.e.closed {
			return errors.New("engine: closed")
		}
		if err := p.e.start(); err != nil {
			return err
		}
	}
	if p.ptx.Text == "" || p.mod != nil && p.born == p.e.born {
		return nil
	}
	flag := ""
	if len(p.ptx.Traps) > 0 {
		flag = nvvm.TrapSymbol
	}
	mod, err := p.e.gpu.Load(ctx, p.ptx.Text, flag)
	if err != nil {
		p.e.buried()
		return err
	}
	p.mod, p.born = mod, p.e.born
	return nil
}

func (p *cudaProgram) output(x interp.Printed) {
	if p.e.o.Output != nil {
		p.e.o.Output(x)
		return
	}
	p.printed = append(p.printed, x)
}

func (p *cudaProgram) Signature(name string) (in, out []ir.Type, err error) {
	f, err := p.m.Resolve(name)
	if err != nil {
		return nil, nil, err
	}
	return f.Params, f.Results, nil
}

// Call runs a function; at its end all memory but what is kept is back at the host, unless it was allocated
// within and is no result, and the device holds none of it.
func (p *cudaProgram) Call(ctx context.Context, name string, args []ir.Val) (vals []ir.Val, printed []interp.Printed, err error) {
	if err := p.ready(ctx); err != nil {
		return nil, nil, err
	}
	p.call.Context, p.printed = ctx, nil
	p.mem, p.inside = p.e.mem.of(ctx, p), map[*interp.Memory]bool{}
	vals, err = p.m.Call(name, args)
	p.seen(vals, true)
	if p.e.gpu.Broken() == nil {
		if late := p.mem.finish(false); err == nil {
			err = late
		}
	}
	p.mem, p.inside = nil, nil
	p.e.buried()
	if err != nil {
		vals = nil
	}
	return vals, p.printed, err
}

func (p *cudaProgram) Batch(ctx context.Context, calls []Call) ([]Result, error) {
	return run.InTurn(ctx, p, calls)
}

func (p *cudaProgram) Engine() (name, why string) {
	if p.e.gpu == nil {
		return "cuda", ""
	}
	return "cuda", p.e.about()
}

func (p *cudaProgram) Close() error {
	if p.mod == nil || p.e.gpu == nil || p.born != p.e.born {
		return nil
	}
	mod := p.mod
	p.mod = nil
	return mod.Close(context.Background())
}
