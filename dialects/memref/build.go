package memref

import (
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
)

// BuildAlloc makes memory of a type, with operands for the extents that it leaves open, from a multiple of align bytes
// on unless that is 0.
func BuildAlloc(b *ir.Builder, t ir.Type, align int64, open ...ir.Value) ir.Value {
	return b.Must(ir.Call{Def: Alloc, Args: open, Attr: allocProps(b.Ctx(), len(open), align), Type: t})
}

// BuildOwned makes memory that is given back after its last use, wherever that is (passes/buffers).
func BuildOwned(b *ir.Builder, t ir.Type, align int64, open ...ir.Value) ir.Value {
	c := b.Ctx()
	attr := c.WithDiscardable(allocProps(c, len(open), align), OwnedAttr, c.UnitAttr())
	return b.Must(ir.Call{Def: Alloc, Args: open, Attr: attr, Type: t})
}

func allocProps(c *ir.Context, open int, align int64) ir.Attr {
	attr := c.With(0, "operandSegmentSizes", c.DenseArray(ir.I32, int64(open), 0))
	if align != 0 {
		attr = c.With(attr, "alignment", c.IntAttr(align, ir.I64))
	}
	return attr
}

// OpenExtents are the extents that a type leaves open, of those of all dimensions.
func OpenExtents(c *ir.Context, t ir.Type, extent func(d int) ir.Value) (out []ir.Value) {
	for d, n := range c.Info(t).Shape {
		if n == ir.Dynamic {
			out = append(out, extent(d))
		}
	}
	return out
}

// OpenDims are the extents that the type of memory leaves open.
func OpenDims(b *ir.Builder, memory ir.Value) []ir.Value {
	return OpenExtents(b.Ctx(), b.Graph().Type(memory), func(d int) ir.Value { return b.Op(Dim, memory, b.Index(int64(d))) })
}

// Layout returns the strides and the offset of a ranked memref type, in elements, with ir.Dynamic for what is not static; ok is
// false for a layout that is not strided, and for a type that is no ranked memref.
func Layout(c *ir.Context, t ir.Type) (strides []int64, offset int64, ok bool) {
	return layouts.Layout(c, t)
}
