package tensor

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// typeLowering: from level affine on a tensor is the memory that holds it.
var typeLowering = &ir.TensorLowering{Level: Level, Takes: Takes, TypeLowering: ir.TypeLowering{
	Parts:  func(c *ir.Context, t ir.Type) []ir.Type { return []ir.Type{MemoryOf(c, t)} },
	Unpack: func(b *ir.Builder, v ir.Value) []ir.Value { return []ir.Value{b.Op(Unpack, v)} },
	Pack:   func(b *ir.Builder, _ ir.Type, parts []ir.Value) ir.Value { return BuildKept(b, parts[0]) },
	Split:  splitVal,
	Join:   joinVal,
}}

// MemoryOf is the type of the memory that holds tensors of a type.
func MemoryOf(c *ir.Context, t ir.Type) ir.Type { return c.MemRef(Shape(c, t), Elem(c, t)) }

// splitVal makes memory of a value of a running program.
func splitVal(c *ir.Context, t ir.Type, v ir.Val) []ir.Val {
	shape, elems, err := c.TensorOf(t, v)
	if err != nil {
		return []ir.Val{{Ref: ir.Poison}}
	}
	strides, _, _ := interp.RowMajor(shape)
	b := interp.NewBuffer(c, Elem(c, t), len(elems), false)
	b.Static = true
	for i, x := range elems {
		b.Store(i, x)
	}
	return []ir.Val{(&interp.MemRef{Buf: b, Sizes: shape, Strides: strides}).Val()}
}

// joinVal is its inverse.
func joinVal(c *ir.Context, t ir.Type, parts []ir.Val) ir.Val {
	r := parts[0].Ref.(*interp.MemRef)
	elems := make(ir.Vector, 0, r.Len())
	r.Each(func(at int) { elems = append(elems, r.Buf.Load(at)) })
	return c.TensorVal(t, append([]int64{}, r.Sizes...), elems)
}
