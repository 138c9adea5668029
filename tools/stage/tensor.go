package stage

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/ir/stage"
)

// An Element is what tensors are made of.
type Element interface {
	int | int8 | int16 | int32 | int64 | float32 | float64
}

// A Tensor is an array of the program, a value as a Dyn is one. Each of its extents is known when it is staged, or open: then it is known when the
// program runs, and extents that must agree are compared there. How many extents there are is always known. Its ops are those of tools/tensors. VarOf
// makes a variable of it, which holds tensors of these extents. Functions take and return Tensors; Shaped says which extents those have that a
// program is given. Load makes one of memory, Store writes it there.
//
// Load, Full and Reshape take each extent as an int, or as a Dyn[int], which makes it open.
type Tensor[T Element] struct {
	s     *S
	v     stage.Value // the op that gives it
	mem   stage.Var   // or the variable that it is
	shape []int64     // -1 where it is open
	now   *npy.Array  // of a direct run
	cell  **npy.Array
}

// Load is what memory holds now, in row-major order. The program stops if it has another number of elements. It stays what it is when
// the memory changes, also as another Slice that is a name of it.
func Load[T Element](x Slice[T], shape ...any) Tensor[T] {
	s := x.session("Load")
	of := s.sizes("Load", shape)
	out := Tensor[T]{s: s, shape: of.shape}
	out.session("Load")
	x.reach()
	if s.run == nil {
		now := of.now()
		if len(x.data) != int(count(now)) {
			panic(fmt.Sprintf(otherSize, shapeText(now)))
		}
		out.now = arrayOf[T](now, slices.Clone(bytesOf(x.data)))
		return out
	}
	args := append([]stage.Value{x.v}, of.values(1)...)
	out.v = s.run.Emit(stage.Op{Code: code{op: "pack", k: kindOf[T](), shape: extentsKey(out.shape)}, Args: args})
	return out
}

// Store writes the elements to memory, in row-major order. The program stops if that has another number of elements.
func (x Tensor[T]) Store(to Slice[T]) {
	s := x.session("Store")
	s.takes("Store", to.session("Store"))
	to.reach()
	if s.run == nil {
		a := x.array()
		if len(to.data) != int(count(a.Shape)) {
			panic(fmt.Sprintf(otherSize, shapeText(a.Shape)))
		}
		for i := range to.data {
			to.data[i] = element[T](a, i)
		}
		return
	}
	s.run.Emit(stage.Op{Code: code{op: "write", k: kindOf[T](), shape: extentsKey(x.shape)}, Args: []stage.Value{x.valueIn(0), to.v}})
}

// otherSize is why a program stops.
const otherSize = "a tensor of %s and memory of another number of elements"

// Full is a tensor of one number throughout, a Dyn[T] or one of Go; without extents it is that number.
func Full[T Element](s *S, x any, shape ...any) Tensor[T] {
	return full(arg[T](s, x, 0), 0, s.sizes("Full", shape))
}

func full[T Element](x Dyn[T], sub int, of sizes) Tensor[T] {
	s := x.session("Full")
	out := Tensor[T]{s: s, shape: of.shape}
	out.session("Full")
	if s.run == nil {
		now := of.now()
		data := make([]T, count(now))
		for i := range data {
			data[i] = value[T](x.get())
		}
		out.now = arrayOf[T](now, bytesOf(data))
		return out
	}
	args := append([]stage.Value{x.valueIn(sub)}, of.values(sub+1)...)
	out.v = s.run.Emit(stage.Op{Code: code{op: "fill", k: kindOf[T](), shape: extentsKey(of.shape)}, Args: args, Sub: sub})
	return out
}

// At is an element, by an index for each dimension, a Dyn[int] or an int. A place outside stops the program.
func (x Tensor[T]) At(index ...any) Dyn[T] {
	s := x.session("At")
	if len(index) != len(x.shape) {
		s.fail("At", "give an index for each dimension", "%d indices of a tensor of %s", len(index), shapeText(x.shape))
	}
	args, at := []stage.Value{x.valueIn(0)}, 0
	for d, i := range index {
		if n, ok := i.(int); ok && (n < 0 || x.shape[d] >= 0 && n >= int(x.shape[d])) {
			s.fail("At", "count from 0", "index %d of dimension %d of a tensor of %s", n, d, shapeText(x.shape))
		}
		k := arg[int](s, i, d+1)
		if s.run != nil {
			args = append(args, k.valueIn(d+1))
			continue
		}
		n, end := int64(k.get()), x.array().Shape[d]
		if n < 0 || n >= end {
			panic(fmt.Sprintf("index %d outside of dimension %d of extent %d", n, d, end))
		}
		at = at*int(end) + int(n)
	}
	if s.run == nil {
		n, _ := bits(element[T](x.array(), at))
		return Dyn[T]{s: s, now: n}
	}
	return Dyn[T]{s: s, v: s.run.Emit(stage.Op{Code: code{op: "extract", k: kindOf[T]()}, Args: args})}
}

// Dim is the extent of a dimension, also where it is open.
func (x Tensor[T]) Dim(d int) Dyn[int] {
	s := x.session("Dim")
	if d < 0 || d >= len(x.shape) {
		s.fail("Dim", "count from 0", "dimension %d of a tensor of %s", d, shapeText(x.shape))
	}
	switch {
	case s.run == nil:
		return Dyn[int]{s: s, now: uint64(x.array().Shape[d])}
	case x.shape[d] >= 0:
		return Lit(s, int(x.shape[d]))
	}
	return Dyn[int]{s: s, v: s.run.Emit(stage.Op{Code: code{op: "dim", k: i64, imm: uint64(d)}, Args: []stage.Value{x.valueIn(0)}, Sub: 1})}
}

// Shape is the extents, -1 for those that are open.
func (x Tensor[T]) Shape() []int {
	out := make([]int, len(x.shape))
	for i, n := range x.shape {
		out[i] = int(n)
	}
	return out
}

// Get is the tensor that a variable holds now.
func (x Tensor[T]) Get() Tensor[T] { return x.held("", 0).(Tensor[T]) }

// Set makes a variable hold another tensor of its extents.
func (x Tensor[T]) Set(y Tensor[T]) { x.assign(y.held("", 0), 0) }

// elemType is that of the IR, of any context.
func elemType[T Element]() ir.Type {
	return map[kind]ir.Type{i8: ir.I8, i16: ir.I16, i32: ir.I32, i64: ir.I64, f32: ir.F32, f64: ir.F64}[kindOf[T]()]
}

func element[T Element](a *npy.Array, i int) T { return value[T](a.Bits(i, kindOf[T]().width()/8)) }

// array is what it holds, of a direct run.
func (x Tensor[T]) array() *npy.Array {
	if x.cell != nil {
		return *x.cell
	}
	return x.now
}

// context is that of types and, of a direct run, of what is computed.
func (s *S) context() *ir.Context {
	if s.m != nil {
		return s.m.c
	}
	if s.direct == nil {
		s.direct = ir.NewContext(dialects.All...)
	}
	return s.direct
}

// session is what it is of, as that of a Dyn.
func (x Tensor[T]) session(what string) *S {
	if x.s == nil {
		panic(stage.Misuse{What: what + " of a Tensor that nothing has made", Fix: "take it as a parameter, or make it with stage.Load, or stage.Full"})
	}
	x.s.under(what + " of a Tensor")
	if x.s.own != nil {
		x.s.fail(what, "Store it before the kernel, and copy the memory to the device", "a kernel works on a tensor")
	}
	return x.s
}

// A Tensor is a part of structs, as a Dyn is, and is given to functions and returned.

func (x Tensor[T]) kindIn() (kind, form) { return kindOf[T](), asTensor }

func (x Tensor[T]) from(s *S, v stage.Value, shape []int64) any {
	return Tensor[T]{s: s, v: v, shape: shape}
}

func (x Tensor[T]) on(s *S, v reflect.Value, shape []int64) any {
	extents, bytes := v.Addr().Interface().(plainArray).read()
	return Tensor[T]{s: s, shape: shape, now: arrayOf[T](extents, bytes)}
}

func (x Tensor[T]) plain(to reflect.Value) {
	a := x.array()
	to.Addr().Interface().(plainArray).write(a.Shape, a.Data)
}

func (x Tensor[T]) valueIn(i int) stage.Value {
	if x.mem == 0 {
		return x.v
	}
	return x.s.run.Emit(stage.Op{Kind: stage.Read, Var: x.mem, Code: code{op: "get", k: kindOf[T](), shape: extentsKey(x.shape)}, Sub: i})
}

func (x Tensor[T]) which() [2]int32 { return [2]int32{int32(x.mem), int32(x.v)} }

func (x Tensor[T]) held(name string, i int) any {
	s := x.session("part " + name)
	if s.run == nil {
		return Tensor[T]{s: s, shape: x.shape, now: x.array()}
	}
	return Tensor[T]{s: s, shape: x.shape, v: x.valueIn(i)}
}

func (x Tensor[T]) zero(s *S, _ int) any {
	s.fail("Zero", "make it with stage.Full", "the type of a Tensor does not say its extents")
	return x
}

func (x Tensor[T]) declare(s *S, name string, i int) any {
	d := Tensor[T]{s: s, shape: x.shape}
	d.session("VarOf")
	if s.run == nil {
		a := x.array()
		d.cell = &a
	} else {
		d.mem = s.run.Declare(code{op: "var", k: kindOf[T](), to: kindOf[T](), name: name, shape: extentsKey(x.shape)}, code{op: "set"}, x.valueIn(i), i)
	}
	return d
}

func (x Tensor[T]) assign(v any, i int) {
	s := x.session("Set")
	if x.mem == 0 && x.cell == nil {
		s.fail("Set", "declare it with stage.VarOf", "this is a value, not a variable")
		return
	}
	y := v.(Tensor[T])
	s.takes("Set", y.session("Set"))
	if extentsKey(x.shape) != extentsKey(y.shape) {
		s.fail("Set", "a variable keeps its extents: Reshape the value, or declare another one; by a Dyn[int], as Dim gives, Reshape makes an extent open", "a variable of %s is set to a tensor of %s", shapeText(x.shape), shapeText(y.shape))
	}
	if s.run == nil {
		*x.cell = y.array()
		return
	}
	s.run.Emit(stage.Op{Kind: stage.Write, Var: x.mem, Code: code{op: "set"}, Args: []stage.Value{y.valueIn(i)}, Sub: i})
}
