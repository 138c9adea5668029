package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/bench/report"
)

// A deviceKernel is one of examples/device at a size of its own.
type deviceKernel struct {
	file, entry, kernel string
	elem                ir.Type
	// setUp makes a problem of size n: what the kernel gets, in the order of its
	// arguments, how it is launched, and what it must read, write and compute.
	setUp func(n int) problem
	small int // the size at which the interpreter runs it too
	large int
}

// problem is a kernel's work.
type problem struct {
	host        []any // arguments of the function: float64, or an array
	args        []any // of the kernel: int, float64, or an *array of host
	grid, block [3]uint32
	bytes       float64 // that must move
	flops       float64 // 0: the kernel is bound by memory
	check       func() error
}

// array is memory of the device with its contents at the host.
type array struct {
	sizes []int64
	data  []float64 // rounded to the element's type
}

func (a *array) len() int { return len(a.data) }

func (k *deviceKernel) parse() (*ir.Graph, error) {
	path := "examples/device/" + k.file + ".mlir"
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w (run this in the root of the repository)", err)
	}
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource(path, string(src)), text.Options{})
	return g, list.Err()
}

// device checks the examples against the interpreter and takes their figures.
func (b *bench) device() error {
	if err := b.ptx.prepare(b); err != nil {
		return err
	}
	gpu, err := cuda.Open(b.ctx, cuda.Options{})
	if errors.Is(err, cuda.ErrMissing) {
		b.table.Add(report.Row{Group: "device", What: "kernels on a GPU", Note: "skipped: no GPU"})
		return nil
	}
	if err != nil {
		return err
	}
	d := gpu.Device()
	arch, err := d.Arch()
	if err != nil {
		gpu.Close()
		return err
	}
	b.table.Add(report.Row{Group: "device", What: fmt.Sprintf("%s, driver for CUDA %s, %s", d.Name, d.DriverVersion(), arch)})
	b.programsEqual()
	for i := range deviceKernels {
		k := &deviceKernels[i]
		b.equals(k)
		for _, unchecked := range []bool{false, true} {
			if err := b.figures(gpu, k, arch, unchecked); err != nil {
				b.table.Add(report.Row{Group: "device", What: k.file, Note: "not measured: " + firstLine(err.Error())})
			}
			if gpu.Broken() != nil {
				return errors.Join(gpu.Broken(), gpu.Close())
			}
		}
	}
	return errors.Join(b.onGPU(gpu, arch), gpu.Close())
}

// equals adds a row that says whether a kernel gives what the interpreter gives.
func (b *bench) equals(k *deviceKernel) {
	row := report.Row{Group: "device", What: k.file + ": equals the interpreter, to the bit"}
	same, err := b.same(k)
	row.Met = &same
	if err != nil {
		row.Note = firstLine(err.Error())
	}
	b.table.Add(row)
}

func (b *bench) same(k *deviceKernel) (bool, error) {
	g, err := k.parse()
	if err != nil {
		return false, err
	}
	var out [2][]string
	for i, kind := range []string{"cuda", "eval"} {
		if out[i], err = b.runOn(kind, k, g); err != nil {
			return false, fmt.Errorf("%s: %w", kind, err)
		}
	}
	return slices.Equal(out[0], out[1]), nil
}

// runOn runs a function on an engine and spells what is in its arguments after it.
func (b *bench) runOn(kind string, k *deviceKernel, g *ir.Graph) (out []string, err error) {
	ctx, stop := context.WithTimeout(b.ctx, time.Minute)
	defer stop()
	p, done, err := b.prepared(ctx, kind, k.file, g)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	var args []ir.Val
	for _, x := range k.setUp(k.small).host {
		args = append(args, argument(x, k.elem))
	}
	if _, _, err = p.Call(ctx, k.entry, args); err != nil {
		return nil, err
	}
	in, _, err := p.Signature(k.entry)
	if err != nil {
		return nil, err
	}
	for i, t := range in {
		out = append(out, interp.FormatVal(g.Ctx, args[i], t))
	}
	return out, nil
}

// prepared is a program on an engine, whose kernels are known by a name; done closes the engine.
func (b *bench) prepared(ctx context.Context, kind, name string, g *ir.Graph) (p run.Program, done func() error, err error) {
	e, _, err := contract.Find([]*engine.Kind{engine.Eval, engine.CUDAWith(b.ptx.compile(name))}, kind).Start(ctx, engine.Options{})
	if err != nil {
		return nil, nil, err
	}
	low, err := lowering.Compile(ctx, g, e.Target())
	if err != nil {
		return nil, nil, errors.Join(err, e.Close())
	}
	ps, err := e.Prepare(ctx, low)
	if err != nil {
		return nil, nil, errors.Join(err, e.Close())
	}
	return ps[0], e.Close, nil
}

// argument is one of the interpreter.
func argument(x any, elem ir.Type) ir.Val {
	a, ok := x.(*array)
	if !ok {
		return scalar(x.(float64), elem)
	}
	buf := interp.NewBuffer(ir.NewContext(), elem, a.len(), false)
	for i, x := range a.data {
		buf.Store(i, scalar(x, elem))
	}
	buf.Static = true
	strides, _, _ := strided.RowMajor(a.sizes)
	return (&interp.MemRef{Buf: buf, Sizes: a.sizes, Strides: strides}).Val()
}

func scalar(x float64, elem ir.Type) ir.Val {
	if elem == ir.F32 {
		return ir.Val{Bits: uint64(math.Float32bits(float32(x)))}
	}
	return ir.F64Val(x)
}

// resident is an array on the device.
type resident struct {
	host *jit.Buffer
	mem  cuda.Mem
}

// figures times a kernel at its large size and compares with what the card can do.
func (b *bench) figures(gpu *cuda.GPU, k *deviceKernel, arch string, unchecked bool) (err error) {
	g, err := k.parse()
	if err != nil {
		return err
	}
	to := nvvm.GPU(arch)
	if g, err = lowering.Compile(b.ctx, g, to); err != nil {
		return err
	}
	ptx, err := b.ptx.compile(k.file)(g, nvvm.Options{Target: to, Unchecked: unchecked})
	if err != nil {
		return err
	}
	flag := ""
	if len(ptx.Traps) > 0 {
		flag = nvvm.TrapSymbol
	}
	mod, err := gpu.Load(b.ctx, ptx.Text, flag)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, mod.Close(b.ctx)) }()
	p := k.setUp(b.deviceSize(k))
	memory, err := b.toDevice(gpu, &p, k.elem)
	defer func() { err = errors.Join(err, freeAll(b.ctx, gpu, memory)) }()
	if err != nil {
		return err
	}
	l := cuda.Launch{Kernel: ptx.Kernel(k.kernel).Entry, Grid: p.grid, Block: p.block}
	for _, q := range ptx.Kernel(k.kernel).Params {
		l.Args = append(l.Args, parameter(q, p.args[q.Arg], memory, k.elem))
	}
	if trap, err := mod.Launch(b.ctx, l); err != nil || trap != 0 {
		return errors.Join(err, fmt.Errorf("trap %d", trap))
	}
	if err := b.toHost(gpu, memory, k.elem); err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	times, err := mod.Time(b.ctx, l, 20)
	if err != nil {
		return err
	}
	b.table.Add(deviceRow(gpu, k, &p, slices.Min(times), unchecked))
	return nil
}

func (b *bench) deviceSize(k *deviceKernel) int {
	if b.quick {
		return k.small
	}
	return k.large
}

func deviceRow(gpu *cuda.GPU, k *deviceKernel, p *problem, best time.Duration, unchecked bool) report.Row {
	d := gpu.Device()
	what := k.file + ", checked"
	if unchecked {
		what = k.file + ", unchecked"
	}
	r := report.Row{Group: "device", What: what, Unit: "GB/s", Ours: p.bytes / best.Seconds() / 1e9, Peer: d.PeakBandwidth() / 1e9, Target: "the card's peak"}
	if p.flops > 0 {
		r.Unit, r.Ours, r.Peer = "GFLOP/s", p.flops/best.Seconds()/1e9, d.PeakFlops()/1e9
	}
	if r.Peer > 0 {
		r.Ratio = r.Ours / r.Peer
	}
	r.Note = fmt.Sprintf("%v, best of 20", best)
	return r
}

// toDevice copies the arrays of a problem to the device.
func (b *bench) toDevice(gpu *cuda.GPU, p *problem, elem ir.Type) (map[*array]*resident, error) {
	memory := map[*array]*resident{}
	for _, x := range p.args {
		a, ok := x.(*array)
		if !ok {
			continue
		}
		n := int64(a.len() * elemSize(elem))
		r := &resident{}
		var err error
		if r.host, err = gpu.Host(b.ctx, n); err != nil {
			return memory, err
		}
		memory[a] = r
		if r.mem, err = gpu.Alloc(b.ctx, n); err != nil {
			return memory, err
		}
		data := r.host.Bytes()
		for i, x := range a.data {
			if elem == ir.F32 {
				binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(x)))
			} else {
				binary.LittleEndian.PutUint64(data[8*i:], math.Float64bits(x))
			}
		}
		if err := gpu.CopyIn(b.ctx, r.mem, r.host, n); err != nil {
			return memory, err
		}
	}
	return memory, nil
}

func elemSize(elem ir.Type) int {
	if elem == ir.F32 {
		return 4
	}
	return 8
}

// toHost reads the arrays of a problem back.
func (b *bench) toHost(gpu *cuda.GPU, memory map[*array]*resident, elem ir.Type) error {
	for a, r := range memory {
		if err := gpu.CopyOut(b.ctx, r.host, r.mem, r.mem.Size); err != nil {
			return err
		}
		data := r.host.Bytes()
		for i := range a.data {
			if elem == ir.F32 {
				a.data[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
			} else {
				a.data[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
			}
		}
	}
	return nil
}

func freeAll(ctx context.Context, gpu *cuda.GPU, memory map[*array]*resident) (err error) {
	for _, r := range memory {
		r.host.Free()
		err = errors.Join(err, gpu.Free(ctx, r.mem))
	}
	return err
}

// parameter is what an entry gets for an argument of its kernel (docs/abi.md).
func parameter(q nvvm.Param, x any, memory map[*array]*resident, elem ir.Type) cuda.Arg {
	out := cuda.Arg{Size: uint8(q.Bytes)}
	switch x := x.(type) {
	case int:
		out.Bits = uint64(x)
	case float64:
		out.Bits = scalar(x, elem).Bits
	case *array:
		out.Bits = memory[x].mem.Addr
		if q.Kind == nvvm.Size {
			out.Bits = uint64(x.sizes[q.Dim])
		}
	}
	return out
}
