package stage

import (
	mathdialect "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/math/values"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/stage"
)

// functions are the ops of math, by the names of ours.
var functions = map[string]*ir.OpDef{
	"sqrt":      mathdialect.Sqrt,
	"cbrt":      mathdialect.Cbrt,
	"abs":       mathdialect.Absf,
	"floor":     mathdialect.Floor,
	"ceil":      mathdialect.Ceil,
	"trunc":     mathdialect.Trunc,
	"round":     mathdialect.Round,
	"roundeven": mathdialect.Roundeven,
	"exp":       mathdialect.Exp,
	"exp2":      mathdialect.Exp2,
	"expm1":     mathdialect.Expm1,
	"log":       mathdialect.Log,
	"log2":      mathdialect.Log2,
	"log10":     mathdialect.Log10,
	"log1p":     mathdialect.Log1p,
	"sin":       mathdialect.Sin,
	"cos":       mathdialect.Cos,
	"tan":       mathdialect.Tan,
	"asin":      mathdialect.Asin,
	"acos":      mathdialect.Acos,
	"atan":      mathdialect.Atan,
	"sinh":      mathdialect.Sinh,
	"cosh":      mathdialect.Cosh,
	"tanh":      mathdialect.Tanh,
	"asinh":     mathdialect.Asinh,
	"acosh":     mathdialect.Acosh,
	"atanh":     mathdialect.Atanh,
	"erf":       mathdialect.Erf,
	"pow":       mathdialect.Powf,
	"atan2":     mathdialect.Atan2,
	"copysign":  mathdialect.Copysign,
	"fma":       mathdialect.Fma,
}

// function computes one of values.
func function(op string, x, y float64) float64 {
	def := functions[op]
	return mathdialect.Value(def, []float64{x, y}[:len(def.Args)]...)
}

func call1[T float32 | float64](x Dyn[T], name string) Dyn[T] {
	return unary[T, T](x, code{op: name, k: kindOf[T]()})
}

// Sqrt is the square root.
func Sqrt[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "sqrt") }

// Cbrt is the cube root, of negative numbers too.
func Cbrt[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "cbrt") }

// Abs is the magnitude.
func Abs[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "abs") }

// Floor is the greatest integer that is not greater.
func Floor[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "floor") }

// Ceil is the least integer that is not less.
func Ceil[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "ceil") }

// Trunc is the integer part, toward zero.
func Trunc[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "trunc") }

// Round is the nearest integer, of two the one away from zero.
func Round[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "round") }

// RoundToEven is the nearest integer, of two the even one.
func RoundToEven[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "roundeven") }

// Exp is e to the x.
func Exp[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "exp") }

// Exp2 is 2 to the x.
func Exp2[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "exp2") }

// Expm1 is e to the x, less 1, accurate near 0.
func Expm1[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "expm1") }

// Log is the natural logarithm.
func Log[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "log") }

// Log2 is the logarithm to base 2.
func Log2[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "log2") }

// Log10 is the logarithm to base 10.
func Log10[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "log10") }

// Log1p is the natural logarithm of 1 + x, accurate near 0.
func Log1p[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "log1p") }

// Sin is the sine.
func Sin[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "sin") }

// Cos is the cosine.
func Cos[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "cos") }

// Tan is the tangent.
func Tan[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "tan") }

// Asin is the arc sine.
func Asin[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "asin") }

// Acos is the arc cosine.
func Acos[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "acos") }

// Atan is the arc tangent.
func Atan[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "atan") }

// Sinh is the hyperbolic sine.
func Sinh[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "sinh") }

// Cosh is the hyperbolic cosine.
func Cosh[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "cosh") }

// Tanh is the hyperbolic tangent.
func Tanh[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "tanh") }

// Asinh is the inverse hyperbolic sine.
func Asinh[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "asinh") }

// Acosh is the inverse hyperbolic cosine.
func Acosh[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "acosh") }

// Atanh is the inverse hyperbolic tangent.
func Atanh[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "atanh") }

// Erf is the error function.
func Erf[T float32 | float64](x Dyn[T]) Dyn[T] { return call1(x, "erf") }

// Pow is x to the y; y is a Dyn[T] or a number.
func Pow[T float32 | float64](x Dyn[T], y any) Dyn[T] { return binary[T, T]("pow", x, y) }

// Atan2 is the angle of the point (x, y) with the first axis; x is a Dyn[T] or a number.
func Atan2[T float32 | float64](y Dyn[T], x any) Dyn[T] { return binary[T, T]("atan2", y, x) }

// Copysign is x with the sign of y; y is a Dyn[T] or a number.
func Copysign[T float32 | float64](x Dyn[T], y any) Dyn[T] { return binary[T, T]("copysign", x, y) }

// FMA is x*y + z, rounded once; y and z are a Dyn[T] or a number.
func FMA[T float32 | float64](x Dyn[T], y, z any) Dyn[T] {
	s := x.session("FMA")
	b, c := arg[T](s, y, 1), arg[T](s, z, 2)
	k := kindOf[T]()
	if s.run == nil {
		t := ir.F64
		if k == f32 {
			t = ir.F32
		}
		return Dyn[T]{s: s, now: values.MulAdd(t, ir.Val{Bits: x.get()}, ir.Val{Bits: b.get()}, ir.Val{Bits: c.get()}).Bits}
	}
	return Dyn[T]{s: s, v: s.run.Emit(stage.Op{Code: code{op: "fma", k: k}, Args: []stage.Value{x.valueIn(0), b.valueIn(1), c.valueIn(2)}})}
}
