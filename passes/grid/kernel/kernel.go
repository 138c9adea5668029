// Package kernel has what kernels are made of: numbers and control flow as all lowerings make them, the threads of a
// block, and vectors of memory.
package kernel

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// VectorBytes is the widest access of a thread.
const VectorBytes = 16

// Kit makes a kernel.
type Kit struct{ kit.Kit }

// New begins a kernel.
func New(c *ir.Context) Kit { return Kit{kit.Kit{Builder: ir.NewBuilder(c)}} }

// End is the kernel.
func (b Kit) End() *ir.Graph {
	b.Op(device.Return)
	return b.Finish()
}

// Plus is x + n.
func (b Kit) Plus(x ir.Value, n int64) ir.Value { return b.Add(x, b.Index(n)) }

// Times is x n.
func (b Kit) Times(x ir.Value, n int64) ir.Value { return b.Mul(x, b.Index(n)) }

// Over is x / n, of x that is not negative; Modulo is what remains.
func (b Kit) Over(x ir.Value, n int64) ir.Value { return b.Div(x, b.Index(n)) }

// Modulo is x mod n.
func (b Kit) Modulo(x ir.Value, n int64) ir.Value { return b.Op(arith.Remui, x, b.Index(n)) }

// ID is the number of a thread or a block along an axis, or how many there are.
func (b Kit) ID(def *ir.OpDef, axis int) ir.Value {
	return b.OpAttr(def, device.IDProps(b.Ctx(), axis))
}

// FMA is x y + z, rounded once.
func (b Kit) FMA(x, y, z ir.Value) ir.Value { return b.Op(math.Fma, x, y, z) }

// Shuffle is what another thread of the warp has: of "xor" that whose number is this one's xor n, of "up" that n before it.
func (b Kit) Shuffle(mode string, x ir.Value, n int64) ir.Value {
	return b.OpAttr(device.Shuffle, b.Ctx().With(0, "mode", b.Ctx().StringAttr(mode)), x, b.Int(ir.I32, n))
}

// Barrier waits for all threads of the block.
func (b Kit) Barrier() { b.Op(device.Barrier) }

// When runs body if a condition holds; 0 always does.
func (b Kit) When(cond ir.Value, body func()) {
	if cond == 0 {
		body()
		return
	}
	b.IfOnly(cond, body)
}

// Dim is an extent of memory.
func (b Kit) Dim(m ir.Value, d int) ir.Value {
	if n := b.Ctx().Info(b.Graph().Type(m)).Shape[d]; n != ir.Dynamic {
		return b.Index(n)
	}
	return b.Op(memref.Dim, m, b.Index(int64(d)))
}

// Dims are the first n extents of memory, and how many elements they make.
func (b Kit) Dims(m ir.Value, n int) (out []ir.Value, all ir.Value) {
	all = b.Index(1)
	for d := range n {
		out = append(out, b.Dim(m, d))
		all = b.Mul(all, out[d])
	}
	return out, all
}

// Unflatten is the place of element i, in row-major order, of something of the given extents.
func (b Kit) Unflatten(i ir.Value, extents []ir.Value) []ir.Value {
	out := make([]ir.Value, len(extents))
	for d := len(out) - 1; d >= 0; d-- {
		out[d] = i
		if d > 0 {
			out[d], i = b.Op(arith.Remui, i, extents[d]), b.Div(i, extents[d])
		}
	}
	return out
}

// aligned is the attribute of an access to w elements, which are aligned to as many bytes as they have.
func (b Kit) aligned(elem ir.Type, w int) ir.Attr {
	c := b.Ctx()
	return c.WithDiscardable(0, vector.AlignmentAttr, c.IntAttr(int64(w*c.ElemSize(elem)), ir.I64))
}

// Read reads w neighbouring elements, w > 1 as an aligned vector.
func (b Kit) Read(m ir.Value, at []ir.Value, w int) ir.Value {
	args := append([]ir.Value{m}, at...)
	if w == 1 {
		return b.Op(memref.Load, args...)
	}
	elem := b.Elem(m)
	return b.Must(ir.Call{Def: vector.Load, Args: args, Attr: b.aligned(elem, w), Type: b.Ctx().Vector([]int64{int64(w)}, elem)})
}

// Write is its inverse.
func (b Kit) Write(x, m ir.Value, at []ir.Value, w int) {
	args := append([]ir.Value{x, m}, at...)
	if w == 1 {
		b.Op(memref.Store, args...)
		return
	}
	b.Must(ir.Call{Def: vector.Store, Args: args, Attr: b.aligned(b.Elem(m), w)})
}

// vectorFor is how many neighbours of elements of a type one access takes, of w that a thread has.
func (b Kit) vectorFor(elem ir.Type, w int, isWhole bool) int {
	if !isWhole || b.Ctx().Info(elem).Width < 8 {
		return 1 // bits are bytes in memory, but not in a vector
	}
	return min(w, VectorBytes/b.Ctx().ElemSize(elem))
}

// ReadLanes reads w neighbours as numbers: in vectors if they do not cross the end of a row, and are aligned.
func (b Kit) ReadLanes(m ir.Value, at []ir.Value, w int, isWhole bool) (out []ir.Value) {
	step := b.vectorFor(b.Elem(m), w, isWhole)
	for l := 0; l < w; l += step {
		v := b.Read(m, b.behind(at, l), step)
		for k := range step {
			out = append(out, b.Lane(v, k, step))
		}
	}
	return out
}

// WriteLanes is its inverse.
func (b Kit) WriteLanes(xs []ir.Value, m ir.Value, at []ir.Value, isWhole bool) {
	elem := b.Elem(m)
	step := b.vectorFor(elem, len(xs), isWhole)
	for l := 0; l < len(xs); l += step {
		v := xs[l]
		if step > 1 {
			v = arith.Zero(b.Builder, b.Ctx().Vector([]int64{int64(step)}, elem))
			for k := range step {
				v = vector.BuildWithLane(b.Builder, xs[l+k], v, int64(k))
			}
		}
		b.Write(v, m, b.behind(at, l), step)
	}
}

// behind is a place n elements behind another one, in its row.
func (b Kit) behind(at []ir.Value, n int) []ir.Value {
	if n == 0 {
		return at
	}
	out := slices.Clone(at)
	out[len(out)-1] = b.Plus(out[len(out)-1], int64(n))
	return out
}

// Lane is element i of a vector of w.
func (b Kit) Lane(v ir.Value, i, w int) ir.Value {
	if w == 1 {
		return v
	}
	return vector.BuildLane(b.Builder, v, int64(i))
}

// Shared is memory of the block.
func (b Kit) Shared(elem ir.Type, shape ...int64) ir.Value {
	return b.Must(ir.Call{Def: device.Shared, Type: InSpace(b.Ctx(), shape, elem, device.SharedSpace)})
}

// InSpace is a type of memory.
func InSpace(c *ir.Context, shape []int64, elem ir.Type, space int64) ir.Type {
	return c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Shape: shape, Elem: elem, Space: c.IntAttr(space, ir.I64)})
}

// OnDevice is the type of the device's memory for a tensor.
func OnDevice(c *ir.Context, t ir.Type) ir.Type {
	return InSpace(c, tensor.Shape(c, t), tensor.Elem(c, t), device.GlobalSpace)
}
