package engine

import (
	"errors"
	"fmt"

	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// wrap puts the device into the interpreter: launches run there, and an op that
// reads or writes memory first gets what the device has changed of it.
func (p *cudaProgram) wrap(def *ir.OpDef, f interp.Func) interp.Func {
	switch {
	case def == device.Launch:
		return p.launch
	case def == memref.Alloc || def == memref.Alloca:
		return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
			err := f(m, o, args, out)
			if err == nil && p.inside != nil {
				p.inside[out[0].Ref.(*interp.MemRef).Buf.Memory] = true
			}
			return err
		}
	case def.Effects == nil || def == funcs.Call || def == funcs.CallIndirect:
		return f // it hands memory on, at most
	}
	return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		p.seen(args[:min(len(args), 1)], def == memref.Store) // memory that is an element is not of this call alone
		if p.mem == nil || len(p.mem.buffers) == 0 || def == memref.Dealloc {
			return f(m, o, args, out)
		}
		if err := p.mem.needed(args); err != nil {
			return err
		}
		err := f(m, o, args, out)
		switch def {
		case memref.Load:
		case memref.Copy:
			p.mem.changed(args[1:])
		default:
			p.mem.changed(args)
		}
		return err
	}
}

// seen notes memory among values that others than the call under way may see, if that is so.
func (p *cudaProgram) seen(vals []ir.Val, is bool) {
	for _, v := range vals {
		if r, ok := v.Ref.(*interp.MemRef); ok && is {
			delete(p.inside, r.Buf.Memory)
		}
	}
}

// launch runs a kernel on the device. Its operands are those that the interpreter
// takes, and what it refuses is refused in the same words.
func (p *cudaProgram) launch(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	name := device.KernelOf(o.G.Ctx, o.Call.Attr)
	blocks, threads, args, err := device.ReadLaunch(o, args)
	if err != nil {
		return err
	}
	f, err := m.Resolve(name)
	if err != nil {
		return err
	}
	k := p.ptx.Kernel(name)
	if k == nil {
		return &interp.Unsupported{Reason: fmt.Sprintf("launches @%s, which is no kernel that was compiled", name), Fix: "-engine=eval runs it"}
	}
	if empty(blocks) || empty(threads) {
		return nil
	}
	params, err := p.params(k, args)
	if err != nil {
		return err
	}
	if err := m.Spend(1); err != nil {
		return err
	}
	p.stats.Launches++
	flag, err := p.mod.Launch(p.mem.ctx, cuda.Launch{Kernel: k.Entry, Grid: extents(blocks), Block: extents(threads), Args: params})
	if err != nil {
		return p.fault(name, err)
	}
	p.mem.wrote(args, p.writes(name, f.Graph))
	if flag != 0 {
		return p.trap(flag)
	}
	return nil
}

func empty(n [3]int64) bool { return n[0] == 0 || n[1] == 0 || n[2] == 0 }

func extents(n [3]int64) [3]uint32 { return [3]uint32{uint32(n[0]), uint32(n[1]), uint32(n[2])} }

// fault is a kernel that the device stopped; other errors are not the program's.
func (p *cudaProgram) fault(name string, err error) error {
	var e *cuda.Error
	if errors.As(err, &e) && e.Fault() {
		return &interp.Failure{Err: &ir.Trap{Reason: e.Error()}, Function: name}
	}
	return err
}

// trap is what a number in the trap variable stands for.
func (p *cudaProgram) trap(flag uint32) error {
	if int(flag) > len(p.ptx.Traps) {
		return fmt.Errorf("a kernel ended with the unknown trap code %d", flag)
	}
	t := p.ptx.Traps[flag-1]
	return &interp.Failure{Err: &ir.Trap{Reason: t.Reason}, Op: t.Op, Locs: []ir.Loc{t.Loc}, Function: t.Func}
}

// params makes the parameters of a kernel's entry, as docs/abi.md lays them out.
func (p *cudaProgram) params(k *nvvm.Kernel, args []ir.Val) ([]cuda.Arg, error) {
	if len(args) != len(k.In) {
		return nil, fmt.Errorf("%d arguments for kernel @%s of %d", len(args), k.Name, len(k.In))
	}
	out := make([]cuda.Arg, len(k.Params))
	for i, q := range k.Params {
		bits, err := p.param(k, q, args[q.Arg])
		if err != nil {
			return nil, fmt.Errorf("argument #%d of kernel @%s: %w", q.Arg, k.Name, err)
		}
		out[i] = cuda.Arg{Size: uint8(q.Bytes), Bits: bits}
	}
	return out, nil
}

func (p *cudaProgram) param(k *nvvm.Kernel, q nvvm.Param, v ir.Val) (uint64, error) {
	if q.Kind == nvvm.Scalar {
		if v.IsPoison() {
			return 0, errors.New("it is poison, which a kernel takes none of")
		}
		return v.Bits, nil
	}
	r, err := interp.AsMemRef(v)
	if err != nil {
		return 0, err
	}
	switch q.Kind {
	case nvvm.Size:
		return uint64(r.Sizes[q.Dim]), nil
	case nvvm.Stride:
		return uint64(r.Strides[q.Dim]), nil
	}
	return p.mem.address(r)
}

// writes tells for each argument of a kernel whether the kernel may write to it: it
// does anything but read from it, or from a view of it, as the op's interface says.
func (p *cudaProgram) writes(name string, g *ir.Graph) []bool {
	if w, ok := p.written[name]; ok {
		return w
	}
	params := g.Params(ir.Root)
	out := make([]bool, len(params))
	root := map[ir.Value]int{}
	for i, v := range params {
		if g.Ctx.Info(g.Type(v)).Kind == ir.KindMemRef {
			root[v] = i
		}
	}
	for v := ir.Value(1); int(v) < g.Len(); v++ {
		var from []int
		for _, a := range g.Args(v) {
			if i, ok := root[a]; ok {
				from = append(from, i)
			}
		}
		def := g.Def(v)
		accesses, isAccess := ir.As[ir.AccessLike](g.NodeOf(v))
		switch {
		case len(from) == 0 || def == memref.Dim:
		case isAccess:
			for _, a := range accesses.Accesses {
				if i, ok := root[a.Memory]; ok && a.Writes {
					out[i] = true
				}
			}
		case len(from) == 1 && def.Effects == nil && len(g.Regions(v)) == 0 && !def.Has(ir.Terminator) && g.Ctx.Info(g.Type(v)).Kind == ir.KindMemRef:
			root[v] = from[0]
		default:
			for _, i := range from {
				out[i] = true
			}
		}
	}
	p.written[name] = out
	return out
}
