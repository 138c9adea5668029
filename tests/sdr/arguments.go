package sdr

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// Read reads the equations of a benchmark, in root/examples/eq.
func (b Benchmark) Read(c *ir.Context, root string) (*ir.Graph, equations.Interface, error) {
	return Read(c, filepath.Join(root, "examples/eq", b.Eq+".eq"))
}

// Read reads a file of equations.
func Read(c *ir.Context, file string) (*ir.Graph, equations.Interface, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, equations.Interface{}, err
	}
	return ReadText(c, file, string(text))
}

// ReadText reads the text of equations.
func ReadText(c *ir.Context, file, text string) (*ir.Graph, equations.Interface, error) {
	src := diag.NewSource(file, text)
	g, list := equations.Read(c, src)
	if err := list.Err(); err != nil {
		return nil, equations.Interface{}, err
	}
	in, list := equations.InterfaceOf(src)
	return g, in, list.Err()
}

// Memory is an argument with its elements, in rows; an output has none yet.
func Memory(c *ir.Context, a equations.Argument, sizes []int64, elements []float64) ir.Val {
	buf := interp.NewBuffer(c, a.Type, len(elements), false)
	for i, x := range elements {
		switch {
		case a.Output:
		case c.IsFloat(a.Type):
			buf.Store(i, ir.FloatVal(x, a.Type))
		default:
			buf.Store(i, ir.IntVal(int64(x), c.Info(a.Type).Width))
		}
	}
	strides, _, _ := strided.RowMajor(sizes)
	return ir.Val{Ref: &interp.MemRef{Buf: buf, Sizes: sizes, Strides: strides}}
}

// Numbers are the elements of an argument; conditions are 0 and 1.
func Numbers(c *ir.Context, v ir.Val) (out []float64) {
	b := v.Ref.(*interp.MemRef).Buf
	for i := range b.Len() {
		switch x := b.Load(i); {
		case c.IsFloat(b.Elem):
			out = append(out, x.Float(b.Elem))
		case b.Elem == ir.I1:
			out = append(out, float64(-x.Int(1)))
		default:
			out = append(out, float64(x.Int(c.Info(b.Elem).Width)))
		}
	}
	return out
}

// Arguments are those of a program of equations: parameters, inputs with the peer's data,
// outputs with none.
func Arguments(c *ir.Context, in equations.Interface, params map[string]int, d Data) (args []ir.Val, err error) {
	values := map[string]presburger.Int{}
	for _, name := range in.Params {
		n, ok := params[name]
		if !ok {
			if len(d[name]) != 1 {
				return nil, fmt.Errorf("the parameter %s has no value", name)
			}
			n = int(d[name][0])
		}
		values[name] = presburger.NewInt(int64(n))
		args = append(args, ir.IntVal(int64(n), 64))
	}
	for _, a := range in.Arrays {
		sizes, err := poly.Sizes(a.Extent, values)
		if err != nil {
			return nil, err
		}
		n := 1
		for _, s := range sizes {
			n *= int(s)
		}
		if len(d[a.Name]) != n {
			return nil, fmt.Errorf("%s has %d elements, and the peer's %d", a.Name, n, len(d[a.Name]))
		}
		args = append(args, Memory(c, a, sizes, d[a.Name]))
	}
	return args, nil
}

// Compare compares the outputs: integers, and floats of exact sums, bit for bit. It is an error
// too where the elements of each are alike: such a benchmark would not see what is wrong.
func (b Benchmark) Compare(c *ir.Context, in equations.Interface, args []ir.Val, d Data) error {
	varied := false
	for i, a := range in.Arrays {
		if !a.Output {
			continue
		}
		want, got := d[a.Name], Numbers(c, args[len(in.Params)+i])
		round := b.Round
		if !c.IsFloat(a.Type) {
			round = 0
		}
		varied = varied || distinct(want) > 2
		for j, x := range want {
			if !(math.Abs(got[j]-x) <= round*math.Max(1, math.Abs(x))) {
				return fmt.Errorf("element %d of %s is %v, in C %v", j, a.Name, got[j], x)
			}
		}
	}
	if !varied {
		return fmt.Errorf("the elements of each output are alike")
	}
	return nil
}

// distinct says how many values there are.
func distinct(xs []float64) int {
	xs = slices.Clone(xs)
	slices.Sort(xs)
	return len(slices.Compact(xs))
}
