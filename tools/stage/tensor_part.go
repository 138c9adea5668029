package stage

import (
	"reflect"

	"github.com/irc-lang/irc/ir/stage"
)

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
