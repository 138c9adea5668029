package stage

import (
	"reflect"

	"github.com/irc-lang/irc/ir/stage"
)

// A Slice is memory of the program, which the host uses or, of MakeOnDevice, kernels do.
type Slice[T Scalar] struct {
	s      *S
	v      stage.Value
	data   []T // of a direct run
	device bool
}

// At is an element; a place outside stops the program.
func (x Slice[T]) At(i any) Dyn[T] {
	x.session("At")
	x.reach()
	at := arg[int](x.s, i, 1)
	x.inside(i)
	if x.s.run == nil {
		n, _ := bits(x.data[int64(at.get())])
		return Dyn[T]{s: x.s, now: n}
	}
	return Dyn[T]{s: x.s, v: x.s.run.Emit(stage.Op{Code: code{op: "load", to: kindOf[T]()}, Args: []stage.Value{x.v, at.value()}})}
}

// Set changes an element.
func (x Slice[T]) Set(i, v any) {
	x.session("Set")
	x.reach()
	x.inside(i)
	at, to := arg[int](x.s, i, 1), arg[T](x.s, v, 2)
	if x.s.run == nil {
		x.data[int64(at.get())] = value[T](to.get())
		return
	}
	x.s.run.Emit(stage.Op{Code: code{op: "store", k: kindOf[T]()}, Args: []stage.Value{x.v, at.value(), to.right()}})
}

// inside refuses a constant that is no place.
func (x Slice[T]) inside(i any) {
	if n, ok := i.(int); ok && n < 0 {
		x.s.fail("an element", "count from 0; the last one is x.At(x.Len().Sub(1))", "%d is no place in a slice", n)
	}
}

// Len is how many elements there are.
func (x Slice[T]) Len() Dyn[int] {
	x.session("Len")
	if x.s.run == nil {
		return Dyn[int]{s: x.s, now: uint64(len(x.data))}
	}
	return Dyn[int]{s: x.s, v: x.s.run.Emit(stage.Op{Code: code{op: "len", k: i64}, Args: []stage.Value{x.v}})}
}

// Make allocates n elements, a Dyn[int] or an int, which are zero. Fewer than none stop the program.
func Make[T Scalar](s *S, n any) Slice[T] {
	size := arg[int](s, n, 1)
	s.onHost("Make")
	if n, ok := n.(int); ok && n < 0 {
		s.fail("Make", "give it 0 or more", "%d is no number of elements", n)
	}
	if s.run == nil {
		return Slice[T]{s: s, data: make([]T, int64(size.get()))}
	}
	return Slice[T]{s: s, v: s.run.Emit(stage.Op{Code: code{op: "make", k: kindOf[T]()}, Args: []stage.Value{size.value()}})}
}

// Of makes a slice of a direct run.
func Of[T Scalar](s *S, data []T) Slice[T] { return Slice[T]{s: s, data: data} }

// DirectOf makes a value of a direct run.
func DirectOf[T Scalar](s *S, x T) Dyn[T] {
	n, _ := bits(x)
	return Dyn[T]{s: s, now: n}
}

// Value is what a value of a direct run is.
func (x Dyn[T]) Value() T { return value[T](x.get()) }

// A staged is a value that functions take and return. Of a Tensor alone there are extents.
type staged interface {
	kindIn() (kind, form)
	session(what string) *S
	valueIn(i int) stage.Value // as the i-th of several that one call takes
	from(s *S, v stage.Value, shape []int64) any
	on(s *S, x reflect.Value, shape []int64) any // of a direct run
}

// A form is what a program has of values of Go: a number, memory, or a tensor.
type form uint8

const (
	asNumber form = iota
	asMemory
	asTensor
)

func (x Dyn[T]) kindIn() (kind, form)                    { return kindOf[T](), asNumber }
func (x Dyn[T]) from(s *S, v stage.Value, _ []int64) any { return Dyn[T]{s: s, v: v} }

func (x Dyn[T]) valueIn(i int) stage.Value {
	if x.mem == 0 {
		return x.v
	}
	return x.s.run.Emit(stage.Op{Kind: stage.Read, Var: x.mem, Code: code{op: "get", k: kindOf[T]()}, Sub: i})
}

func (x Slice[T]) kindIn() (kind, form)                    { return kindOf[T](), asMemory }
func (x Slice[T]) valueIn(int) stage.Value                 { return x.v }
func (x Slice[T]) from(s *S, v stage.Value, _ []int64) any { return Slice[T]{s: s, v: v} }

func (x Slice[T]) onDevice() bool { return x.device }
