package stage

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/ir/stage"
)

// An Element is what tensors are made of.
type Element interface {
	int | int8 | int16 | int32 | int64 | float32 | float64
}

// A Tensor is an array of the program, a value as a Dyn is one, whose extents are known when it is staged. Its ops are those of
// tools/tensors. VarOf makes a variable of it, which holds tensors of these extents. Load makes one of memory, Store writes it there: functions
// of the program take and return Slices.
type Tensor[T Element] struct {
	s     *S
	v     stage.Value // the op that gives it
	mem   stage.Var   // or the variable that it is
	shape []int64
	now   *npy.Array // of a direct run
	cell  **npy.Array
}

// Load is what memory holds now, in row-major order. The program stops if it has another number of elements. It stays what it is when
// the memory changes; a Slice that is another name of that memory is not written to as long as it is used.
func Load[T Element](x Slice[T], shape ...int) Tensor[T] {
	s := x.session("Load")
	out := Tensor[T]{s: s, shape: s.extents("Load", shape)}
	out.session("Load")
	x.reach()
	if s.run == nil {
		if len(x.data) != int(count(out.shape)) {
			panic(fmt.Sprintf(otherSize, shapeText(out.shape)))
		}
		out.now = arrayOf(out.shape, x.data...)
		return out
	}
	out.v = s.run.Emit(stage.Op{Code: code{op: "pack", k: kindOf[T](), shape: extentsKey(out.shape)}, Args: []stage.Value{x.v}})
	return out
}

// Store writes the elements to memory, in row-major order. The program stops if that has another number of elements.
func (x Tensor[T]) Store(to Slice[T]) {
	s := x.session("Store")
	s.takes("Store", to.session("Store"))
	to.reach()
	if s.run == nil {
		a := x.array()
		if len(to.data) != int(count(x.shape)) {
			panic(fmt.Sprintf(otherSize, shapeText(x.shape)))
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
func Full[T Element](s *S, x any, shape ...int) Tensor[T] {
	return full(arg[T](s, x, 0), 0, s.extents("Full", shape))
}

func full[T Element](x Dyn[T], sub int, shape []int64) Tensor[T] {
	s := x.session("Full")
	out := Tensor[T]{s: s, shape: shape}
	out.session("Full")
	if s.run == nil {
		data := make([]T, count(shape))
		for i := range data {
			data[i] = value[T](x.get())
		}
		out.now = arrayOf(shape, data...)
		return out
	}
	out.v = s.run.Emit(stage.Op{Code: code{op: "fill", k: kindOf[T](), shape: extentsKey(shape)}, Args: []stage.Value{x.valueIn(sub)}, Sub: sub})
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
		if n, ok := i.(int); ok && (n < 0 || n >= int(x.shape[d])) {
			s.fail("At", "count from 0", "index %d of dimension %d of a tensor of %s", n, d, shapeText(x.shape))
		}
		k := arg[int](s, i, d+1)
		if s.run != nil {
			args = append(args, k.valueIn(d+1))
			continue
		}
		n := int64(k.get())
		if n < 0 || n >= x.shape[d] {
			panic(fmt.Sprintf("index %d outside of dimension %d of extent %d", n, d, x.shape[d]))
		}
		at = at*int(x.shape[d]) + int(n)
	}
	if s.run == nil {
		n, _ := bits(element[T](x.array(), at))
		return Dyn[T]{s: s, now: n}
	}
	return Dyn[T]{s: s, v: s.run.Emit(stage.Op{Code: code{op: "extract", k: kindOf[T]()}, Args: args})}
}

// Shape is the extents.
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

// extents are those that the host gives.
func (s *S) extents(what string, shape []int) []int64 {
	out := make([]int64, len(shape))
	for i, n := range shape {
		if out[i] = int64(n); n < 0 {
			s.fail(what, "give each dimension 0 or more elements", "an extent of %d", n)
		}
	}
	if count(out) < 0 {
		s.fail(what, "give it less than 2^48", "a tensor of %s has too many elements", shapeText(out))
	}
	return out
}

// count is how many elements there are, -1 if they are too many.
func count(shape []int64) int64 {
	n := int64(1)
	for _, k := range shape {
		if k > 0 && n > 1<<48/k {
			return -1
		}
		n *= k
	}
	return n
}

// shapeText is how messages write extents: 2x3.
func shapeText(shape []int64) string {
	if len(shape) == 0 {
		return "no dimension"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", "x"), "[]")
}

// arrayOf makes a value of a direct run.
func arrayOf[T Element](shape []int64, data ...T) *npy.Array {
	k := kindOf[T]()
	a := &npy.Array{Elem: elemType[T](), Shape: shape}
	for _, x := range data {
		n, _ := bits(x)
		a.Data = ir.AppendElem(a.Data, n, k.width()/8)
	}
	return a
}

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
		panic(stage.Misuse{What: what + " of a Tensor that nothing has made", Fix: "make it with stage.Load, or stage.Full"})
	}
	x.s.under(what + " of a Tensor")
	if x.s.own != nil {
		x.s.fail(what, "Store it before the kernel, and copy the memory to the device", "a kernel works on a tensor")
	}
	return x.s
}
