package density

import (
	"math"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// A Frame holds arguments as a function takes them: numbers, and row-major memory.
type Frame struct {
	Vals []ir.Val
	args []Arg
}

// NewFrame makes the memory of the arguments by alloc and copies them in.
func NewFrame(args []Arg, alloc func(sizes ...int64) (*interp.MemRef, error)) (*Frame, error) {
	f := &Frame{Vals: make([]ir.Val, len(args)), args: args}
	for i, a := range args {
		if a.Scalar {
			continue
		}
		sizes := make([]int64, len(a.Dims))
		for d, n := range a.Dims {
			sizes[d] = int64(n)
		}
		m, err := alloc(sizes...)
		if err != nil {
			return nil, err
		}
		f.Vals[i] = m.Val()
		f.put(i)
	}
	return f, nil
}

func (f *Frame) buffer(i int) *interp.Buffer { return f.Vals[i].Ref.(*interp.MemRef).Buf }

func (f *Frame) put(i int) {
	buf := f.buffer(i)
	for k, x := range f.args[i].Data {
		buf.Store(k, ir.F64Val(x))
	}
}

// In copies in, before a call, the arguments that may have changed.
func (f *Frame) In() {
	for i := range f.args {
		switch a := &f.args[i]; {
		case a.Scalar:
			f.Vals[i] = ir.F64Val(a.Data[0])
		case !a.Fixed:
			f.put(i)
		}
	}
}

// Out copies back, after a call, what the function wrote.
func (f *Frame) Out() {
	for i := range f.args {
		if a := &f.args[i]; a.Out {
			for k, bits := range f.buffer(i).Bits[:len(a.Data)] {
				a.Data[k] = math.Float64frombits(bits)
			}
		}
	}
}
