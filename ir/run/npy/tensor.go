package npy

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// Fits checks that an array is one of a type, a tensor or memory. The error completes "the array".
func (a *Array) Fits(c *ir.Context, t ir.Type) error {
	info := c.Info(t)
	fits := info.Elem == a.Elem && len(info.Shape) == len(a.Shape)
	for d := 0; fits && d < len(a.Shape); d++ {
		fits = info.Shape[d] == ir.Dynamic || info.Shape[d] == a.Shape[d]
	}
	if !fits {
		return fmt.Errorf("holds %s, and %s is wanted", text.TypeString(c, c.Tensor(a.Shape, a.Elem)), text.TypeString(c, t))
	}
	return nil
}

// Tensor is an array as a value of a tensor type.
func (a *Array) Tensor(c *ir.Context, t ir.Type) (ir.Val, error) {
	if err := a.Fits(c, t); err != nil {
		return ir.Val{}, err
	}
	size := Size(c, a.Elem)
	elems := make(ir.Vector, len(a.Data)/size)
	for i := range elems {
		elems[i].Bits = a.Bits(i, size)
	}
	return c.TensorVal(t, slices.Clone(a.Shape), elems), nil
}

// Of is a value of a tensor type as an array.
func Of(c *ir.Context, t ir.Type, v ir.Val) (*Array, error) {
	shape, elems, err := c.TensorOf(t, v)
	if err != nil {
		return nil, err
	}
	a := &Array{Elem: c.Info(t).Elem, Shape: slices.Clone(shape)}
	for _, x := range elems {
		a.Data = ir.AppendElem(a.Data, x.Bits, Size(c, a.Elem))
	}
	return a, nil
}
