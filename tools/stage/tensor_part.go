package stage

import (
	"reflect"

	"github.com/irc-lang/irc/ir/stage"
)

// A Tensor is a part of structs, as a Dyn is, for VarOf, Set and Get. A function of the program has none: its type does not say the extents.

// hasExtents is what tells a Tensor from a Dyn by its type.
func (x Tensor[T]) hasExtents() {}

func (x Tensor[T]) kindIn() (kind, bool) { return kindOf[T](), false }

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
		s.fail("Set", "a variable keeps its extents: Reshape the value, or declare another one", "a variable of %s is set to a tensor of %s", shapeText(x.shape), shapeText(y.shape))
	}
	if s.run == nil {
		*x.cell = y.array()
		return
	}
	s.run.Emit(stage.Op{Kind: stage.Write, Var: x.mem, Code: code{op: "set"}, Args: []stage.Value{y.valueIn(i)}, Sub: i})
}

// No function of the program takes or gives one, so that these are not called.

func (x Tensor[T]) from(*S, stage.Value) any { return x }

func (x Tensor[T]) on(*S, reflect.Value) any { return x }

func (x Tensor[T]) get() uint64 { return 0 }

func (x Tensor[T]) direct(*S, uint64) any { return x }
