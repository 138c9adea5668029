package tensor

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// tapes hold tensors of known extents as memory of one more dimension, the first.
var tapes = &derive.Tapes{
	Takes: func(c *ir.Context, t ir.Type) bool { return Takes(c, t) && !isOpen(Shape(c, t)) },
	Memory: func(c *ir.Context, t ir.Type, rounds int64) ir.Type {
		return c.MemRef(append([]int64{rounds}, Shape(c, t)...), Elem(c, t))
	},
	Store: func(b *ir.Builder, v, memory, round ir.Value) {
		b.Op(Write, v, roundOf(b, memory, round))
	},
	Load: func(b *ir.Builder, memory, round ir.Value, t ir.Type) ir.Value {
		c, shape := b.Ctx(), Shape(b.Ctx(), t)
		rank, one := len(shape)+1, append([]int64{1}, shape...)
		attr := c.With(0, "steps", Ints(c, slices.Repeat([]int64{1}, rank)...))
		attr = c.With(attr, "operandSegmentSizes", c.DenseArray(ir.I32, 1, int64(rank), 0))
		args := append([]ir.Value{b.Op(Pack, memory), round}, slices.Repeat([]ir.Value{b.Index(0)}, rank-1)...)
		part := b.Must(ir.Call{Def: Slice, Args: args, Attr: attr, Type: c.Tensor(one, Elem(c, t)), Loc: b.Loc})
		return reshaped(b, part, shape, nil)
	},
}

// roundOf is the part of a tape that holds the tensor of a round.
func roundOf(b *ir.Builder, memory, round ir.Value) ir.Value {
	c := b.Ctx()
	info := c.Info(b.Graph().Type(memory))
	shape, rank := info.Shape[1:], len(info.Shape)
	attr := c.Props([]ir.NamedAttr{
		{Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, 1, 1, 0, 0)},
		{Name: "static_offsets", Value: c.DenseArray(ir.I64, append([]int64{ir.Dynamic}, make([]int64, rank-1)...)...)},
		{Name: "static_sizes", Value: c.DenseArray(ir.I64, append([]int64{1}, shape...)...)},
		{Name: "static_strides", Value: c.DenseArray(ir.I64, slices.Repeat([]int64{1}, rank)...)},
	}, nil)
	strides, _, _ := strided.RowMajor(shape)
	layout := c.Attr(ir.AttrInfo{Kind: ir.AttrStrided, Shape: strides, Int: ir.Dynamic})
	t := c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Shape: slices.Clone(shape), Elem: info.Elem, Layout: layout})
	return b.Must(ir.Call{Def: memref.Subview, Args: []ir.Value{memory, round}, Attr: attr, Type: t, Loc: b.Loc})
}
