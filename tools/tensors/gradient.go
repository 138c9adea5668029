package tensors

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering/derived"
)

// Grad makes a program that gives a float and its derivatives. The float is the one element of the one tensor that f gives,
// which has no dimensions, as the loss of a network. Run gives it, and then for each parameter of floats the derivatives by
// its elements. The errors are those of CompileOn; one more says that f gives something else, or has an op without a derivative.
func Grad(ctx context.Context, kind *engine.Kind, in []Type, f func(x ...Tensor) []Tensor) (*Program, error) {
	place := caller()
	p, err := programOf(in, func(x ...Tensor) []Tensor { return []Tensor{theFloat(place, f(x...))} })
	if err != nil {
		return nil, err
	}
	if p.g, p.grad, err = derived.Make(ctx, p.g, entry, false); err != nil {
		return nil, fmt.Errorf("tensors: %w", err)
	}
	return p.compiled(ctx, kind)
}

// theFloat is the element of the one tensor of a list, or it fails for a place.
func theFloat(place string, list []Tensor) Tensor {
	wrong := func(format string, args ...any) { panic(failure{place, fmt.Errorf(format, args...)}) }
	if len(list) != 1 {
		wrong("the function gives %d tensors, and Grad is of one float", len(list))
	}
	x := list[0]
	if c := x.b.Ctx(); len(x.Shape()) > 0 || !c.IsFloat(c.Info(x.typ()).Elem) {
		wrong("the function gives a %s, and Grad is of one float: sum over all dimensions", text.TypeString(c, x.typ()))
	}
	return x.op(ir.Call{Def: tensor.Extract, Args: []ir.Value{x.v}})
}

// derivatives runs the gradient: the float, and the adjoints that it gives or leaves in shadows.
func (p *Program) derivatives(ctx context.Context, args []ir.Val) ([]*npy.Array, error) {
	c, x := p.g.Ctx, p.grad
	args = append(args, ir.FloatVal(1, x.Out[0]))
	for _, k := range x.Moving {
		args = append(args, zeros(c, c.Info(x.In[k]).Elem, args[k].Ref.(*interp.MemRef).Sizes))
	}
	results, _, err := p.p.Call(ctx, x.Name, args)
	if err != nil {
		return nil, err
	}
	by := map[int]ir.Val{}
	for i, k := range x.Moving {
		by[k] = args[len(x.In)+1+i]
	}
	for i, k := range x.Gives {
		by[k] = results[len(x.Out)+i]
	}
	of := c.Tensor(nil, x.Out[0])
	value := zeros(c, x.Out[0], nil)
	value.Ref.(*interp.MemRef).Buf.Store(0, results[0])
	types, flat := []ir.Type{of}, []ir.Val{value}
	for _, k := range slices.Sorted(maps.Keys(by)) {
		types, flat = append(types, p.in[k]), append(flat, by[k])
	}
	return arrays(c, types, flat)
}

// zeros is memory of zeros.
func zeros(c *ir.Context, elem ir.Type, sizes []int64) ir.Val {
	strides, n, _ := strided.RowMajor(sizes)
	return (&interp.MemRef{Buf: interp.NewBuffer(c, elem, int(n), false), Sizes: sizes, Strides: strides}).Val()
}
