package grid

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// A builder makes kernels.
type builder struct{ *ir.Builder }

func newBuilder(c *ir.Context) builder { return builder{ir.NewBuilder(c)} }

func (b builder) add(x, y ir.Value) ir.Value        { return arith.AddI(b.Builder, x, y) }
func (b builder) plus(x ir.Value, n int64) ir.Value { return arith.AddI(b.Builder, x, b.Index(n)) }
func (b builder) times(x ir.Value, n int64) ir.Value {
	return arith.MulI(b.Builder, x, b.Index(n))
}
func (b builder) mul(x, y ir.Value) ir.Value          { return arith.MulI(b.Builder, x, y) }
func (b builder) over(x ir.Value, n int64) ir.Value   { return b.Op(arith.Divui, x, b.Index(n)) }
func (b builder) modulo(x ir.Value, n int64) ir.Value { return b.Op(arith.Remui, x, b.Index(n)) }
func (b builder) less(x, y ir.Value) ir.Value         { return arith.CmpI(b.Builder, arith.SLT, x, y) }
func (b builder) id(def *ir.OpDef, axis int) ir.Value {
	return b.OpAttr(def, device.IDProps(b.Ctx(), axis))
}

func (b builder) fma(x, y, z ir.Value) ir.Value { return b.Op(math.Fma, x, y, z) }

// dim is an extent of memory.
func (b builder) dim(m ir.Value, d int) ir.Value {
	if n := b.Ctx().Info(b.Graph().Type(m)).Shape[d]; n != ir.Dynamic {
		return b.Index(n)
	}
	return b.Op(memref.Dim, m, b.Index(int64(d)))
}

// aligned is the attribute of an access to so many bytes, which are aligned to as many.
func (b builder) aligned(bytes int) ir.Attr {
	c := b.Ctx()
	return c.WithDiscardable(0, vector.AlignmentAttr, c.IntAttr(int64(bytes), ir.I64))
}

// load reads w neighbouring elements, w > 1 as an aligned vector.
func (b builder) load(m ir.Value, at []ir.Value, w int) ir.Value {
	args := append([]ir.Value{m}, at...)
	if w == 1 {
		return b.Op(memref.Load, args...)
	}
	elem := b.Ctx().Info(b.Graph().Type(m)).Elem
	return b.Must(ir.Call{Def: vector.Load, Args: args, Attr: b.aligned(w * b.Ctx().ElemSize(elem)), Type: b.Ctx().Vector([]int64{int64(w)}, elem)})
}

// store is its inverse.
func (b builder) store(x, m ir.Value, at []ir.Value, w int) {
	args := append([]ir.Value{x, m}, at...)
	if w == 1 {
		b.Op(memref.Store, args...)
		return
	}
	elem := b.Ctx().Info(b.Graph().Type(m)).Elem
	b.Must(ir.Call{Def: vector.Store, Args: args, Attr: b.aligned(w * b.Ctx().ElemSize(elem))})
}

// vectorFor is how many neighbours of elements of a type one access takes, of w that a thread has.
func (b builder) vectorFor(elem ir.Type, w int, isWhole bool) int {
	if !isWhole || b.Ctx().Info(elem).Width < 8 {
		return 1 // bits are bytes in memory, but not in a vector
	}
	return min(w, vectorBytes/b.Ctx().ElemSize(elem))
}

// loadLanes reads w neighbours as numbers: in vectors if they do not cross the end of a row, and are aligned.
func (b builder) loadLanes(m ir.Value, at []ir.Value, w int, isWhole bool) (out []ir.Value) {
	step := b.vectorFor(b.Ctx().Info(b.Graph().Type(m)).Elem, w, isWhole)
	for l := 0; l < w; l += step {
		v := b.load(m, b.behind(at, l), step)
		for k := range step {
			out = append(out, b.lane(v, k, step))
		}
	}
	return out
}

// storeLanes is its inverse.
func (b builder) storeLanes(xs []ir.Value, m ir.Value, at []ir.Value, isWhole bool) {
	elem := b.Ctx().Info(b.Graph().Type(m)).Elem
	step := b.vectorFor(elem, len(xs), isWhole)
	for l := 0; l < len(xs); l += step {
		v := xs[l]
		if step > 1 {
			v = arith.Zero(b.Builder, b.Ctx().Vector([]int64{int64(step)}, elem))
			for k := range step {
				v = vector.BuildWithLane(b.Builder, xs[l+k], v, int64(k))
			}
		}
		b.store(v, m, b.behind(at, l), step)
	}
}

// behind is a place n elements behind another one, in its row.
func (b builder) behind(at []ir.Value, n int) []ir.Value {
	if n == 0 {
		return at
	}
	out := slices.Clone(at)
	out[len(out)-1] = b.plus(out[len(out)-1], int64(n))
	return out
}

// unflatten is the place of element i, in row-major order, of something of the given extents.
func (b builder) unflatten(i ir.Value, extents []ir.Value) []ir.Value {
	out := make([]ir.Value, len(extents))
	for d := len(out) - 1; d >= 0; d-- {
		out[d] = i
		if d > 0 {
			out[d], i = b.Op(arith.Remui, i, extents[d]), b.Op(arith.Divui, i, extents[d])
		}
	}
	return out
}

// dims are the first n extents of memory, and how many elements they make.
func (b builder) dims(m ir.Value, n int) (out []ir.Value, all ir.Value) {
	all = b.Index(1)
	for d := range n {
		out = append(out, b.dim(m, d))
		all = b.mul(all, out[d])
	}
	return out, all
}

// lane is element i of a vector of w.
func (b builder) lane(v ir.Value, i, w int) ir.Value {
	if w == 1 {
		return v
	}
	return vector.BuildLane(b.Builder, v, int64(i))
}

func (b builder) barrier() { b.Op(device.Barrier) }

// shared is memory of the block.
func (b builder) shared(elem ir.Type, shape ...int64) ir.Value {
	c := b.Ctx()
	return b.Must(ir.Call{Def: device.Shared, Type: inSpace(c, shape, elem, device.SharedSpace)})
}

// inSpace is a type of memory.
func inSpace(c *ir.Context, shape []int64, elem ir.Type, space int64) ir.Type {
	return c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Shape: shape, Elem: elem, Space: c.IntAttr(space, ir.I64)})
}

// when runs body if a condition holds; 0 always does.
func (b builder) when(cond ir.Value, body func()) {
	if cond == 0 {
		body()
		return
	}
	scf.BuildIf(b.Builder, cond, func() []ir.Value { body(); return nil }, nil)
}

// choice is a number, of two that are computed if they are chosen.
func (b builder) choice(cond ir.Value, x, y func() ir.Value) ir.Value {
	return b.choices(cond, func() []ir.Value { return []ir.Value{x()} }, func() []ir.Value { return []ir.Value{y()} })[0]
}

// choices is choice of tuples.
func (b builder) choices(cond ir.Value, x, y func() []ir.Value) []ir.Value {
	return b.Results(scf.BuildIf(b.Builder, cond, x, y))
}

// loop runs body from a first number in steps, with carried values.
func (b builder) loop(from, to, step ir.Value, inits []ir.Value, body func(i ir.Value, carried []ir.Value) []ir.Value) []ir.Value {
	return b.Results(scf.BuildFor(b.Builder, from, to, step, inits, body))
}
