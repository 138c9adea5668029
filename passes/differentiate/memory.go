package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// tape holds a value of each round of the loops around it.
type tape struct {
	memory ir.Value
	count  *counted
	typ    ir.Type
	held   *derive.Tapes // of values that are no elements of memory
}

// newTape makes one for values of a type in a region.
func (x *back) newTape(t ir.Type, in ir.Region) *tape {
	c := x.count(in)
	size := x.b.Index(1)
	if c != nil {
		size = c.size
	}
	out := tapeOf(x.b, t, size)
	out.count = c
	return out
}

// tapeOf makes one for so many values.
func tapeOf(b *ir.Builder, t ir.Type, size ir.Value) *tape {
	out, rounds, open := &tape{typ: t, held: derive.TapesOf(b.Ctx(), t)}, ir.Dynamic, []ir.Value{size}
	if n, ok := b.Graph().Const(size); ok && n.Ref == nil {
		rounds, open = int64(n.Bits), nil
	}
	memory := b.Ctx().MemRef([]int64{rounds}, t)
	if out.held != nil {
		memory = out.held.Memory(b.Ctx(), t, rounds)
	}
	out.memory = memref.BuildOwned(b, memory, 0, open...)
	return out
}

// store writes the value of a round, and load reads it.
func (t *tape) store(b *ir.Builder, v, round ir.Value) {
	if t.held != nil {
		t.held.Store(b, v, t.memory, round)
		return
	}
	b.Op(memref.Store, v, t.memory, round)
}

func (t *tape) load(b *ir.Builder, round ir.Value) ir.Value {
	if t.held != nil {
		return t.held.Load(b, t.memory, round, t.typ)
	}
	return b.Op(memref.Load, t.memory, round)
}

// shadow is the memory of the adjoints of a memory's elements.
func (f *frame) shadow(memory ir.Value) ir.Value {
	if s := f.shadows[memory]; s != 0 {
		return s
	}
	view, _ := ir.As[ir.ViewLike](f.g.NodeOf(memory))
	source := f.shadow(view.Source)
	var args []ir.Value
	for _, x := range f.g.Args(memory) {
		if x == view.Source {
			args = append(args, source)
		} else {
			args = append(args, f.value(x))
		}
	}
	return f.repeat(memory, args)
}

// allocate makes the shadow of what an op allocates.
func (f *frame) allocate(v ir.Value, a ir.Allocation) {
	var sizes []ir.Value
	for _, x := range a.Sizes {
		sizes = append(sizes, f.value(x))
	}
	f.shadows[v] = zeros(f.b, f.g.Type(v), sizes)
}

// addTo adds to an element of memory.
func (f *frame) addTo(at []ir.Value, z ir.Value) {
	sum := arith.Float(f.b, arith.Addf, real, f.b.Op(memref.Load, at...), z)
	f.b.Op(memref.Store, append([]ir.Value{sum}, at...)...)
}

// A store takes the adjoint of what it overwrites, which is zero from there on, as the old element is another one. When that zero is written does
// not matter until somebody reads or adds to the shadow: late, reads of the element's own adjoint come before its store, which
// lets loops be distributed.

// A zeroed element is one of a shadow whose adjoint was taken, and that is yet to become zero.
type zeroed struct {
	memory ref
	at     []ir.Value
}

// zero makes the elements of a shadow zero that are yet to, or of all shadows.
func (f *frame) zero(of func(memory ref) bool) {
	f.zeros = slices.DeleteFunc(f.zeros, func(z zeroed) bool {
		if !of(z.memory) {
			return false
		}
		f.b.Op(memref.Store, append([]ir.Value{arith.Zero(f.b, f.b.Ctx().Info(f.b.Graph().Type(z.at[0])).Elem)}, z.at...)...)
		return true
	})
}

// always is true of any memory.
func always(ref) bool { return true }

// copied goes back through a copy: each element's adjoint goes where the element came from.
func (f *frame) copied(from, to ir.Value) {
	if !f.activeMemory(to) {
		return
	}
	dst := f.shadow(to)
	eachElement(f.b, dst, func(at []ir.Value) {
		z := f.b.Op(memref.Load, append([]ir.Value{dst}, at...)...)
		f.b.Op(memref.Store, append([]ir.Value{arith.Zero(f.b, f.b.Graph().Type(z)), dst}, at...)...)
		if f.activeMemory(from) {
			f.addTo(append([]ir.Value{f.shadow(from)}, at...), z)
		}
	})
}

// seed begins with the adjoint of a result, which for memory is memory.
func (f *frame) seed(y, z ir.Value) {
	if !isFloats(f.g.Ctx, f.g.Type(y)) {
		f.add(y, z)
		return
	}
	if !f.activeMemory(y) {
		return
	}
	shadow := f.shadow(y)
	copyTo(f.b, z, func(x ir.Value, at []ir.Value) { f.addTo(append([]ir.Value{shadow}, at...), x) })
}

// startArgs makes shadows of memory that is an argument, is read where it was written, and has none that is given.
func (f *frame) startArgs() {
	for _, p := range f.g.Params(ir.Root) {
		if isFloats(f.g.Ctx, f.g.Type(p)) && f.activeMemory(p) && f.shadows[p] == 0 {
			f.shadows[p] = zeros(f.b, f.g.Type(p), memref.OpenDims(f.b, f.value(p)))
		}
	}
}

// zeros allocates memory of a type, all zeros.
func zeros(b *ir.Builder, t ir.Type, open []ir.Value) ir.Value {
	s := memref.BuildOwned(b, t, 0, open...)
	writeZeros(b, s)
	return s
}

// writeZeros fills memory with zeros.
func writeZeros(b *ir.Builder, memory ir.Value) {
	elem := b.Ctx().Info(b.Graph().Type(memory)).Elem
	eachElement(b, memory, func(at []ir.Value) {
		b.Op(memref.Store, append([]ir.Value{arith.Zero(b, elem), memory}, at...)...)
	})
}

// eachElement makes loops over the elements of a memory.
func eachElement(b *ir.Builder, memory ir.Value, do func(at []ir.Value)) {
	shape := b.Ctx().Info(b.Graph().Type(memory)).Shape
	var nest func(at []ir.Value)
	nest = func(at []ir.Value) {
		d := len(at)
		if d == len(shape) {
			do(at)
			return
		}
		size := b.Index(shape[d])
		if shape[d] == ir.Dynamic {
			size = b.Op(memref.Dim, memory, b.Index(int64(d)))
		}
		scf.BuildFor(b, b.Index(0), size, b.Index(1), nil, func(iv ir.Value, _ []ir.Value) []ir.Value {
			nest(append(at[:d:d], iv))
			return nil
		})
	}
	nest(nil)
}

// copyTo hands on all elements of a memory.
func copyTo(b *ir.Builder, memory ir.Value, store func(z ir.Value, at []ir.Value)) {
	eachElement(b, memory, func(at []ir.Value) { store(b.Op(memref.Load, append([]ir.Value{memory}, at...)...), at) })
}

// copyAll copies a memory to another one of the same shape.
func copyAll(b *ir.Builder, from, to ir.Value) {
	copyTo(b, from, func(z ir.Value, at []ir.Value) { b.Op(memref.Store, append([]ir.Value{z, to}, at...)...) })
}

// roomLike allocates memory of the shape of another one.
func roomLike(b *ir.Builder, memory ir.Value) ir.Value {
	info := b.Ctx().Info(b.Graph().Type(memory))
	return memref.BuildOwned(b, b.Ctx().MemRef(info.Shape, info.Elem), 0, memref.OpenDims(b, memory)...)
}

// copyOf allocates memory that holds what another one does.
func copyOf(b *ir.Builder, memory ir.Value) ir.Value {
	held := roomLike(b, memory)
	copyAll(b, memory, held)
	return held
}
