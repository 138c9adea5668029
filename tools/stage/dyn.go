package stage

import (
	"math"
	"reflect"

	"github.com/irc-lang/irc/ir/stage"
)

// A Dyn is a value that is known when the program runs, or a variable of it, which Set changes. Of a variable each op takes
// what it holds then.
type Dyn[T Scalar] struct {
	s    *S
	v    stage.Value // the op that gives it
	mem  stage.Var   // or the variable that it is
	now  uint64      // of a direct run
	cell *uint64     // or of a variable there
}

// code is what an op does.
type code struct {
	op   string
	k    kind // of the operands
	to   kind // of the result
	imm  uint64
	has  bool   // the second operand is imm
	name string // of what is called, or of an op in the module's table of those of tensors

	shape string // extentsKey of the tensor that it gives or takes, or ""

	device, from bool // the memory is the device's; of a copy that to which it goes, and that from where
}

// result is the type of what an op gives.
func (c code) result() kind {
	switch c.op {
	case "eq", "ne", "lt", "le":
		return boolean
	case "to", "const", "param", "load", "var", "call":
		return c.to
	}
	return c.k
}

// Lit is a constant.
func Lit[T Scalar](s *S, x T) Dyn[T] {
	n, k := bits(x)
	if s.run == nil {
		return Dyn[T]{s: s, now: n}
	}
	return Dyn[T]{s: s, v: s.run.Emit(stage.Op{Code: code{op: "const", to: k, imm: n}})}
}

// Var declares a variable, which holds a Dyn[T], or a number that T has, at first. The name is for who reads the program.
func Var[T Scalar](s *S, name string, init any) Dyn[T] {
	return arg[T](s, init, 0).declare(s, name, 0).(Dyn[T])
}

// Set makes a variable hold something else.
func (x Dyn[T]) Set(y any) {
	x.assign(arg[T](x.session("Set"), y, 0), 0)
}

// variable tells it from others.
func (x Dyn[T]) variable() any {
	if x.cell != nil {
		return x.cell
	}
	return x.mem
}

// Get is the value that a variable holds now.
func (x Dyn[T]) Get() Dyn[T] {
	s := x.session("Get")
	if s.run == nil {
		return Dyn[T]{s: s, now: x.get()}
	}
	return Dyn[T]{s: s, v: x.value()}
}

// value is the op that gives it.
func (x Dyn[T]) value() stage.Value { return x.valueIn(0) }

func (x Dyn[T]) get() uint64 {
	if x.cell != nil {
		return *x.cell
	}
	return x.now
}

// arg makes an operand of a Dyn or of a number of Go.
func arg[T Scalar](s *S, y any, sub int) Dyn[T] {
	if d, ok := y.(Dyn[T]); ok {
		s.takes("an operand", d.session("an operand"))
		return d
	}
	n, ok := constant[T](y)
	if t := reflect.TypeOf(y); t != nil && pointsToPart(t) {
		s.fail("an operand", "give what it points to, which is a value", "a pointer, %s", t)
	}
	if !ok {
		s.fail("an operand", "convert it with stage.To", "%v of type %T is no %s, and no constant that is one", y, y, reflect.TypeFor[T]())
	}
	if s.run == nil {
		return Dyn[T]{s: s, now: n}
	}
	return Dyn[T]{s: s, v: s.run.Emit(stage.Op{Code: code{op: "const", to: kindOf[T](), imm: n}, Sub: sub})}
}

// constant are the bits of a number of Go as a T, if it is one without loss: a T, an int or a float64, as constants are.
func constant[T Scalar](y any) (uint64, bool) {
	if x, ok := y.(T); ok {
		n, _ := bits(x)
		return n, true
	}
	k := kindOf[T]()
	switch x := y.(type) {
	case int:
		if k == boolean {
			return 0, false
		}
		if k.float() {
			return k.round(float64(x)), int(k.of(k.round(float64(x)))) == x
		}
		n := k.wrap(uint64(x))
		if k.signed() {
			return n, k.number(n) == int64(x)
		}
		return n, x >= 0 && n == uint64(x)
	case float64:
		if k == f32 {
			return k.round(x), true
		}
		if k.int() && x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return constant[T](int(x))
		}
	}
	return 0, false
}

// unary stages an op of one operand.
func unary[T, U Scalar](x Dyn[T], c code) Dyn[U] {
	s := x.session(c.op)
	s.refuse(c)
	if s.run == nil {
		if c.op == "to" {
			return Dyn[U]{s: s, now: convert(c.k, c.to, x.get())}
		}
		return Dyn[U]{s: s, now: eval(c.op, c.k, x.get(), 0)}
	}
	return Dyn[U]{s: s, v: s.run.Emit(stage.Op{Code: c, Args: []stage.Value{x.value()}})}
}

// binary stages an op of two operands; a constant on the right is part of it.
func binary[T, U Scalar](op string, x Dyn[T], y any) Dyn[U] {
	s := x.session(op)
	c := code{op: op, k: kindOf[T]()}
	d, ok := y.(Dyn[T])
	if !ok {
		c.imm, c.has = constant[T](y)
	}
	s.refuse(c)
	if s.run == nil {
		return Dyn[U]{s: s, now: eval(op, c.k, x.get(), arg[T](s, y, 0).get())}
	}
	if ok {
		s.takes(op, d.session(op))
		return Dyn[U]{s: s, v: s.run.Emit(stage.Op{Code: c, Args: []stage.Value{x.value(), d.right()}})}
	}
	if c.has {
		return Dyn[U]{s: s, v: s.run.Emit(stage.Op{Code: c, Args: []stage.Value{x.value()}})}
	}
	arg[T](s, y, 0) // which says what is wrong
	return Dyn[U]{s: s}
}

// right is value at another place, for operands of one op.
func (x Dyn[T]) right() stage.Value { return x.valueIn(1) }

// Add is the sum with a Dyn[T] or a number, as are the operands of all that follows.
func (x Dyn[T]) Add(y any) Dyn[T] { return binary[T, T]("add", x, y) }

// Sub is the difference.
func (x Dyn[T]) Sub(y any) Dyn[T] { return binary[T, T]("sub", x, y) }

// Mul is the product.
func (x Dyn[T]) Mul(y any) Dyn[T] { return binary[T, T]("mul", x, y) }

// Div is the quotient; of integers it is cut toward zero, and that by zero stops the program.
func (x Dyn[T]) Div(y any) Dyn[T] { return binary[T, T]("div", x, y) }

// Rem is the remainder, with the sign of x.
func (x Dyn[T]) Rem(y any) Dyn[T] { return binary[T, T]("rem", x, y) }

// And is that of the bits, or of truths, both of which are computed.
func (x Dyn[T]) And(y any) Dyn[T] { return binary[T, T]("and", x, y) }

// Or is that of the bits, or of truths.
func (x Dyn[T]) Or(y any) Dyn[T] { return binary[T, T]("or", x, y) }

// Xor is that of the bits, or of truths.
func (x Dyn[T]) Xor(y any) Dyn[T] { return binary[T, T]("xor", x, y) }

// Shl shifts to the left, without the sign of the count.
func (x Dyn[T]) Shl(y any) Dyn[T] { return binary[T, T]("shl", x, y) }

// Shr shifts to the right, with copies of the sign if T has one.
func (x Dyn[T]) Shr(y any) Dyn[T] { return binary[T, T]("shr", x, y) }

// Min is the smaller one; NaN if one is.
func (x Dyn[T]) Min(y any) Dyn[T] { return binary[T, T]("min", x, y) }

// Max is the greater one; NaN if one is.
func (x Dyn[T]) Max(y any) Dyn[T] { return binary[T, T]("max", x, y) }

// Neg is -x.
func (x Dyn[T]) Neg() Dyn[T] { return unary[T, T](x, code{op: "neg", k: kindOf[T]()}) }

// Not is ^x, or !x of a truth.
func (x Dyn[T]) Not() Dyn[T] { return unary[T, T](x, code{op: "not", k: kindOf[T]()}) }

// Eq is x == y.
func (x Dyn[T]) Eq(y any) Dyn[bool] { return binary[T, bool]("eq", x, y) }

// Ne is x != y.
func (x Dyn[T]) Ne(y any) Dyn[bool] { return binary[T, bool]("ne", x, y) }

// Lt is x < y.
func (x Dyn[T]) Lt(y any) Dyn[bool] { return binary[T, bool]("lt", x, y) }

// Le is x <= y.
func (x Dyn[T]) Le(y any) Dyn[bool] { return binary[T, bool]("le", x, y) }

// Gt is x > y.
func (x Dyn[T]) Gt(y any) Dyn[bool] { return binary[T, bool]("lt", arg[T](x.session("Gt"), y, 2), x) }

// Ge is x >= y.
func (x Dyn[T]) Ge(y any) Dyn[bool] { return binary[T, bool]("le", arg[T](x.session("Ge"), y, 2), x) }

// To makes a value of another type.
func To[U, T Scalar](x Dyn[T]) Dyn[U] {
	return unary[T, U](x, code{op: "to", k: kindOf[T](), to: kindOf[U]()})
}
