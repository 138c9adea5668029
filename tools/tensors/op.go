package tensors

import (
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/ir/unwind"
)

// An Op makes ops of a program, for a library that has other values than Tensors: Infer, Build and Apply say what comes of it.
type Op func(x ...Tensor) Tensor

// Of is a type with elements of an IR type.
func Of(elem ir.Type, shape ...int64) Type { return Type{elem, shape} }

// Shape is the extents, -1 for those that are open.
func (t Type) Shape() []int64 { return t.shape }

// Infer is the type of what an op gives of tensors of some types; the error is a mistake in it, without its place.
func Infer(c *ir.Context, in []Type, op Op) (Type, error) {
	types := lists.Map(in, func(t Type) ir.Type { return t.in(c) })
	_, out, err := module(c, types, func(x ...Tensor) []Tensor { return []Tensor{op(x...)} })
	if f := (failure{}); errors.As(err, &f) {
		return Type{}, f.err
	}
	if err != nil {
		return Type{}, err
	}
	return Type{tensor.Elem(c, out[0]), extents(c, out[0])}, nil
}

// Build makes an op of tensors by a builder. A mistake, which Infer would have told, is a panic.
func Build(b *ir.Builder, args []ir.Value, op Op) ir.Value {
	xs := lists.Map(args, func(a ir.Value) Tensor { return Tensor{b, a} })
	return op(xs...).v
}

// Apply computes what an op gives of arrays of some types, one for each, in the interpreter. It is an error if an array is not
// of its type, if the op does not take those types, or if it traps.
func Apply(c *ir.Context, in []Type, args []*npy.Array, op Op) (*npy.Array, error) {
	types, vals := make([]ir.Type, len(args)), make([]ir.Val, len(args))
	for i, a := range args {
		types[i] = in[i].in(c)
		v, err := a.Tensor(c, types[i])
		if err != nil {
			return nil, err
		}
		vals[i] = v
	}
	g, out, err := module(c, types, func(x ...Tensor) []Tensor { return []Tensor{op(x...)} })
	if err != nil {
		return nil, err
	}
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		return nil, err
	}
	results, err := m.Call(entry, vals)
	if err != nil {
		return nil, err
	}
	return npy.Of(c, out[0], results[0])
}

// module is a program whose entry is a function of tensors.
func module(c *ir.Context, in []ir.Type, f func(x ...Tensor) []Tensor) (g *ir.Graph, out []ir.Type, err error) {
	if e, failed := unwind.Catch[failure](func() { g, out = build(c, in, f) }); failed {
		return nil, nil, e
	}
	return g, out, nil
}

func build(c *ir.Context, in []ir.Type, f func(x ...Tensor) []Tensor) (g *ir.Graph, out []ir.Type) {
	m := ir.NewBuilder(c)
	funcs.Function(m, entry, in, func(b *ir.Builder, args []ir.Value) (vals []ir.Value) {
		xs := lists.Map(args, func(a ir.Value) Tensor { return Tensor{b, a} })
		for _, y := range f(xs...) {
			vals, out = append(vals, y.v), append(out, y.typ())
		}
		return vals
	})
	b := ir.NewBuilder(c)
	b.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{m.Finish()}})
	return b.Finish(), out
}

// extents are those of a type, -1 for those that are open.
func extents(c *ir.Context, t ir.Type) []int64 {
	out := slices.Clone(tensor.Shape(c, t))
	for i, n := range out {
		if n == ir.Dynamic {
			out[i] = -1
		}
	}
	return out
}

// failure is what a mistake in a program panics with, up to Compile.
type failure struct {
	place string // of the call, in the source of Go
	err   error
}

func (f failure) Error() string { return f.place + ": " + f.err.Error() }

// fail ends the function that makes a program, for a mistake in a call of this package.
func fail(format string, args ...any) {
	panic(failure{caller(), fmt.Errorf(format, args...)})
}
