package models

import (
	"context"
	"math"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/lowering/density"
)

// native runs compiled densities on an engine of the backends.
type native struct {
	ctx context.Context
	e   engine.Engine
}

func (n native) Name() string { return n.e.Name() }

// Load prepares the module and the memory of its arguments.
func (n native) Load(g *ir.Graph, name string, args []density.Arg) (density.Func, error) {
	ps, err := n.e.Prepare(n.ctx, g)
	if err != nil {
		return nil, err
	}
	f := &function{ctx: n.ctx, p: ps[0], name: name, args: args, vals: make([]ir.Val, len(args))}
	for i, a := range args {
		if !a.Scalar {
			f.vals[i] = ir.Val{Ref: memory(a)}
			f.put(i)
		}
	}
	return f, nil
}

// memory makes a row-major memref of the shape of an argument.
func memory(a density.Arg) *interp.MemRef {
	r := &interp.MemRef{Buf: &interp.Buffer{Elem: ir.F64, Bits: make([]uint64, len(a.Data)), Static: true},
		Sizes: make([]int64, len(a.Dims)), Strides: make([]int64, len(a.Dims))}
	stride := int64(1)
	for d := len(a.Dims) - 1; d >= 0; d-- {
		r.Sizes[d], r.Strides[d] = int64(a.Dims[d]), stride
		stride *= int64(a.Dims[d])
	}
	return r
}

type function struct {
	ctx  context.Context
	p    engine.Program
	name string
	args []density.Arg
	vals []ir.Val
}

func (f *function) put(i int) {
	buf := f.vals[i].Ref.(*interp.MemRef).Buf
	for k, x := range f.args[i].Data {
		buf.Store(k, ir.F64Val(x))
	}
}

// Call copies the arguments in, runs the function, and copies what it wrote back.
func (f *function) Call() (float64, error) {
	for i := range f.args {
		switch a := &f.args[i]; {
		case a.Scalar:
			f.vals[i] = ir.F64Val(a.Data[0])
		case !a.Fixed:
			f.put(i)
		}
	}
	out, _, err := f.p.Call(f.ctx, f.name, f.vals)
	if err != nil {
		return 0, err
	}
	for i := range f.args {
		if a := &f.args[i]; a.Out {
			buf := f.vals[i].Ref.(*interp.MemRef).Buf
			for k := range a.Data {
				a.Data[k] = math.Float64frombits(buf.Load(k).Bits)
			}
		}
	}
	return out[0].F64(), nil
}

func (f *function) Close() error { return f.p.Close() }
