package gpu

import (
	"github.com/irc-lang/irc/dialects/nvgpu"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// What kernels are made of that compute by warps.

// mma is the product of two fragments plus a third.
func (b *block) mma(x, y, sum ir.Value, tf32 bool) ir.Value {
	c := b.Ctx()
	number := func(n int64) ir.Attr { return c.IntAttr(n, ir.I64) }
	attr := c.With(0, "mmaShape", c.ArrayAttr(number(16), number(8), number(16)))
	if tf32 {
		attr = c.With(c.With(0, "mmaShape", c.ArrayAttr(number(16), number(8), number(8))), "tf32Enabled", c.UnitAttr())
	}
	return b.OpAttr(nvgpu.MmaSync, attr, x, y, sum)
}

// ldmatrix loads four matrices of eight rows of 16 bytes.
func (b *block) ldmatrix(m ir.Value, at []ir.Value, transposed bool) ir.Value {
	c := b.Ctx()
	elem := c.Info(b.Graph().Type(m)).Elem
	attr := c.With(c.With(0, "numTiles", c.IntAttr(4, ir.I32)), "transpose", c.BoolAttr(transposed))
	return b.Must(ir.Call{Def: nvgpu.Ldmatrix, Args: append([]ir.Value{m}, at...), Attr: attr, Type: c.Vector([]int64{4, int64(4 / c.ElemSize(elem))}, elem)})
}

// withElement is a vector of n x 1 with another element i.
func (b *block) withElement(x, v ir.Value, i int64) ir.Value {
	c := b.Ctx()
	return b.OpAttr(vector.Insert, c.With(0, "static_position", c.DenseArray(ir.I64, i, 0)), x, v)
}

// copyAsync begins to copy n elements, or as many as read says, and zeros behind.
func (b *block) copyAsync(dst ir.Value, to []ir.Value, src ir.Value, from []ir.Value, n int64, read ir.Value) {
	c := b.Ctx()
	args := append(append(append([]ir.Value{dst}, to...), src), from...)
	some := int64(0)
	if read != 0 {
		args = append(args, read)
		some = 1
	}
	attr := c.With(0, "dstElements", c.IntAttr(n, ir.Index))
	attr = c.With(attr, "bypassL1", c.UnitAttr())
	attr = c.With(attr, "operandSegmentSizes", c.DenseArray(ir.I32, 1, int64(len(to)), 1, int64(len(from)), some))
	b.OpAttr(nvgpu.AsyncCopy, attr, args...)
}

// commit makes a group of the copies that were begun.
func (b *block) commit() ir.Value { return b.Op(nvgpu.AsyncGroup) }

// wait waits for all groups but the last n, of which the given one is the last.
func (b *block) wait(group ir.Value, n int64) {
	c := b.Ctx()
	b.OpAttr(nvgpu.AsyncWait, c.With(0, "numGroups", c.IntAttr(n, ir.I32)), group)
}

// part is two rows of a vector of two dimensions.
func (b *block) part(v ir.Value, first int64) ir.Value {
	c := b.Ctx()
	list := func(x, y int64) ir.Attr { return c.ArrayAttr(c.IntAttr(x, ir.I64), c.IntAttr(y, ir.I64)) }
	info := c.Info(b.Graph().Type(v))
	attr := c.With(c.With(c.With(0, "offsets", list(first, 0)), "sizes", list(2, info.Shape[1])), "strides", list(1, 1))
	return b.Must(ir.Call{Def: vector.ExtractStridedSlice, Args: []ir.Value{v}, Attr: attr, Type: c.Vector([]int64{2, info.Shape[1]}, info.Elem)})
}
