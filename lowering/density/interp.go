package density

import (
	"math"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Interp is the engine that is always there.
type Interp struct{ Options interp.Options }

// Name is that of -engine.
func (Interp) Name() string { return "eval" }

// Load compiles for the interpreter.
func (e Interp) Load(g *ir.Graph, name string, args []Arg) (Func, error) {
	m, err := interp.New(g, e.Options)
	if err != nil {
		return nil, err
	}
	f, err := m.Resolve(name)
	if err != nil {
		return nil, err
	}
	l := &loaded{m: m, f: f, args: args, vals: make([]ir.Val, len(args)), refs: make([]*interp.MemRef, len(args)), out: make([]ir.Val, 1)}
	for i, a := range args {
		if a.Scalar {
			continue
		}
		sizes := make([]int64, len(a.Dims))
		for d, n := range a.Dims {
			sizes[d] = int64(n)
		}
		if l.refs[i], err = m.NewMemRef(ir.F64, sizes...); err != nil {
			return nil, err
		}
		l.vals[i] = l.refs[i].Val()
		l.put(i)
	}
	return l, nil
}

type loaded struct {
	m    *interp.Machine
	f    *interp.Function
	args []Arg
	vals []ir.Val
	refs []*interp.MemRef
	out  []ir.Val
}

func (l *loaded) put(i int) {
	buf := l.refs[i].Buf
	for k, x := range l.args[i].Data {
		buf.Store(k, ir.F64Val(x))
	}
}

// Call copies the arguments in, runs the function, and copies what it wrote back.
func (l *loaded) Call() (float64, error) {
	for i := range l.args {
		switch a := &l.args[i]; {
		case a.Scalar:
			l.vals[i] = ir.F64Val(a.Data[0])
		case !a.Fixed:
			l.put(i)
		}
	}
	if err := l.m.InvokeTo(l.f, l.vals, l.out); err != nil {
		return 0, err
	}
	for i := range l.args {
		if a := &l.args[i]; a.Out {
			for k := range a.Data {
				a.Data[k] = math.Float64frombits(l.refs[i].Buf.Bits[k])
			}
		}
	}
	return l.out[0].F64(), nil
}

// Close does nothing: the collector takes it.
func (l *loaded) Close() error { return nil }
