package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// memory checks a memref, operand m, or where ops take them a tensor, with an index for each of its
// dimensions.
func memory(c *ir.Call, m int, indices []ir.Value, tensors bool) (*ir.TypeInfo, error) {
	info := c.Ctx().Info(c.ArgType(m))
	if info.Kind != ir.KindMemRef && !(tensors && info.Kind == ir.KindTensor) || info.Unranked {
		return nil, c.Errorf("base must be a ranked memref, but is %s", quote(c, c.ArgType(m)))
	}
	if len(indices) != len(info.Shape) {
		return nil, c.Errorf("requires %d indices, and has %d", len(info.Shape), len(indices))
	}
	for _, v := range indices {
		if t := c.Graph().Type(v); t != ir.Index {
			return nil, c.Errorf("indices must be of type index, not %s", quote(c, t))
		}
	}
	return info, nil
}

// slice checks that vectors of type t are rectangular parts of memory whose last dimension has no
// gaps, or elements of it.
func slice(c *ir.Call, m *ir.TypeInfo, memoryType, t ir.Type) error {
	info, err := isVector(c, "vector", t)
	if err != nil {
		return err
	}
	if t == m.Elem {
		return nil
	}
	if info.Elem != m.Elem {
		return c.Errorf("base and vector must have the same element type, not %s and %s", quote(c, m.Elem), quote(c, info.Elem))
	}
	if len(info.Shape) > len(m.Shape) {
		c.NoMeaning("has a vector of %d dimensions, and memory of %d", len(info.Shape), len(m.Shape))
		return nil
	}
	if len(info.Shape) == 0 {
		return nil
	}
	if !unitStride(c.Ctx(), memoryType) {
		return c.Errorf("most minor memref dim must have unit stride")
	}
	return nil
}

// unitStride reports memory whose last dimension has no gaps.
func unitStride(c *ir.Context, t ir.Type) bool {
	if c.Info(t).Layout == 0 {
		return true
	}
	strides, _, ok := layouts.Layout(c, t)
	return ok && (len(strides) == 0 || strides[len(strides)-1] == 1)
}

func inferLoad(c *ir.Call) (ir.Type, error) {
	m, err := memory(c, 0, c.Args[1:], false)
	if err != nil {
		return 0, err
	}
	return c.Type, slice(c, m, c.ArgType(0), c.Type)
}

func inferStore(c *ir.Call) (ir.Type, error) {
	m, err := memory(c, 1, c.Args[2:], false)
	if err != nil {
		return 0, err
	}
	return ir.Void, slice(c, m, c.ArgType(1), c.ArgType(0))
}

func reads(i int) func(*ir.Call) []ir.Effect  { return unlessTensor(i, memref.ReadsArg(i)) }
func writes(i int) func(*ir.Call) []ir.Effect { return unlessTensor(i, memref.WritesArg(i)) }

// isTensor reports that operand i is a tensor: reading one has no effect, and writing one makes another.
func isTensor(c *ir.Call, i int) bool { return c.Ctx().Info(c.ArgType(i)).Kind == ir.KindTensor }

func unlessTensor(i int, effects func(*ir.Call) []ir.Effect) func(*ir.Call) []ir.Effect {
	return func(c *ir.Call) []ir.Effect {
		if isTensor(c, i) {
			return nil
		}
		return effects(c)
	}
}

// overwrites: a store to the same place of as many elements leaves nothing to see of another.
func overwrites(c *ir.Call, prev ir.Value) bool {
	g := c.Graph()
	return g.Def(prev) == c.Def && slices.Equal(g.Args(prev)[1:], c.Args[1:]) && g.Type(g.Args(prev)[0]) == c.ArgType(0)
}

// accessTraps: an access of a vector of type t at operand m does not trap if all of it lies within
// static extents, the memref is as large as its type says, and the memory is alive.
func accessTraps(c *ir.Call, m int, t ir.Type) bool {
	shape := c.Ctx().Info(c.ArgType(m)).Shape
	of := shapeOf(c.Ctx(), t)
	if t == c.Ctx().Info(c.ArgType(m)).Elem {
		of = nil
	}
	lead := len(shape) - len(of)
	for d, n := range shape {
		last := n - 1
		if d >= lead {
			last = n - of[d-lead]
		}
		if n == ir.Dynamic || last < 0 || !affine.In(c.Builder()).Within(c.Args[m+1+d], 0, last) {
			return true
		}
	}
	return !memref.Accessible(c, m)
}

// accesses: an access to several elements is one to all of its memory, or to a box of it.
var accesses = ir.Interface[ir.AccessLike]{
	Load:  box(0, ir.Access{Reads: true}),
	Store: box(1, ir.Access{Writes: true}),

	MaskedLoad: box(0, ir.Access{Reads: true}), MaskedStore: box(0, ir.Access{Writes: true}),
	ExpandLoad: whole(0, ir.Access{Reads: true}), CompressStore: whole(0, ir.Access{Writes: true}),
	Gather: whole(0, ir.Access{Reads: true}), Scatter: whole(0, ir.Access{Writes: true}),
	TransferRead: box(0, ir.Access{Reads: true}), TransferWrite: box(1, ir.Access{Writes: true}),
}

// box is an access to elements side by side: all of them, or those that a mask or the bounds leave.
func box(m int, a ir.Access) func(ir.Node) ir.AccessLike {
	all := whole(m, a)
	return func(n ir.Node) ir.AccessLike {
		out := all(n)
		g := n.Graph()
		mem := g.Ctx.Info(n.Arg(m).Type())
		if len(out.Accesses) == 0 || mem.Unranked || slices.Contains(g.Ctx.Info(vectorOf(n)).Scalable, true) {
			return out
		}
		extents := slices.Repeat([]int64{1}, len(mem.Shape))
		switch t := vectorOf(n); {
		case n.Def() == TransferRead || n.Def() == TransferWrite:
			x := transferOf(g.Ctx, g.AttrsOf(n.Old()), t)
			for _, i := range x.order() {
				extents[x.dims[i]] = x.shape[i]
			}
		case t != mem.Elem:
			shape := shapeOf(g.Ctx, t)
			if len(shape) > len(extents) {
				return out
			}
			copy(extents[len(extents)-len(shape):], shape)
		}
		if n.Def() == Store { // all of it, whatever happens
			out.Accesses[0].Stored = n.Arg(0).Old()
		}
		out.Accesses[0].First, out.Accesses[0].Extents = g.Args(n.Old())[m+1:m+1+len(extents)], extents
		return out
	}
}

// vectorOf is the type of what an access reads or writes.
func vectorOf(n ir.Node) ir.Type {
	switch n.Def() {
	case Store, TransferWrite:
		return n.Arg(0).Type()
	case MaskedStore:
		return n.Arg(n.NumArgs() - 1).Type()
	}
	return n.Type()
}

func whole(m int, a ir.Access) func(ir.Node) ir.AccessLike {
	return func(n ir.Node) ir.AccessLike {
		a := a
		if a.Memory = n.Arg(m).Old(); n.Graph().Ctx.Info(n.Arg(m).Type()).Kind == ir.KindTensor {
			return ir.AccessLike{}
		}
		return ir.AccessLike{Accesses: []ir.Access{a}}
	}
}
