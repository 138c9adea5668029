package density

import (
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// A Frame holds arguments as a function takes them: numbers, and row-major memory,
// which is that of the arguments: nothing is copied.
type Frame struct {
	Vals []ir.Val
	args []Arg
}

// NewFrame makes memrefs of the memory of the arguments.
func NewFrame(args []Arg) (*Frame, error) {
	f := &Frame{Vals: make([]ir.Val, len(args)), args: args}
	for i, a := range args {
		if a.Scalar {
			continue
		}
		sizes := make([]int64, len(a.Dims))
		for d, n := range a.Dims {
			sizes[d] = int64(n)
		}
		strides, n, ok := interp.RowMajor(sizes)
		if !ok || int(n) != len(a.Data) {
			return nil, fmt.Errorf("density: %d elements of %q for the sizes %v", len(a.Data), a.Name, sizes)
		}
		buf := interp.Floats(a.Data)
		buf.Static = true
		f.Vals[i] = (&interp.MemRef{Buf: buf, Sizes: sizes, Strides: strides}).Val()
	}
	return f, nil
}

// In takes the numbers before a call.
func (f *Frame) In() {
	for i := range f.args {
		if a := &f.args[i]; a.Scalar {
			f.Vals[i] = ir.F64Val(a.Data[0])
		}
	}
}
