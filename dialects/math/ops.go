package math

import (
	gomath "math"
	"math/bits"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/math/values"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

var fastMathAttrs = []string{"fastmath"}

// Value is the value of a function of floats of this dialect at numbers in f64, as many as the op has operands. It panics for an op
// that is none, and for fpowi.
func Value(d *ir.OpDef, x ...float64) float64 {
	switch {
	case d == Absf:
		return gomath.Abs(x[0])
	case d == Copysign:
		return gomath.Copysign(x[0], x[1])
	case d == Fma:
		return gomath.FMA(x[0], x[1], x[2])
	case len(x) == 1:
		return values.OfOne[d](x[0])
	}
	return values.OfTwo[d](x[0], x[1])
}

// Factors is an attribute of a logarithm of a product: it may be computed as the sum of the
// logarithms of factors, and so be NaN where factors are negative and the product is not; and
// where 0 is chosen for 0 log y, that may be NaN if a factor is 0 or infinite.
const Factors = "math.factors"

// unary defines a float op of one operand.
func unary(name, doc string, f func(x float64) float64) *ir.OpDef {
	def := ir.Define(&ir.OpDef{Name: "math." + name, Doc: doc, Args: []string{"operand"}, Attrs: fastMathAttrs,
		Traits: ir.Elementwise, Poisons: elementwise.NotFinite, Infer: elementwise.Same(1, elementwise.FloatLike), Eval: elementwise.FloatEval(func(x []float64) float64 { return f(x[0]) })})
	values.OfOne[def] = f
	return def
}

// binary defines a float op of two operands.
func binary(name, doc string, f func(x, y float64) float64) *ir.OpDef {
	def := ir.Define(&ir.OpDef{Name: "math." + name, Doc: doc, Args: []string{"lhs", "rhs"}, Attrs: fastMathAttrs,
		Traits: ir.Elementwise, Poisons: elementwise.NotFinite, Infer: elementwise.Same(2, elementwise.FloatLike), Eval: elementwise.FloatEval(func(x []float64) float64 { return f(x[0], x[1]) })})
	values.OfTwo[def] = f
	return def
}

// integer defines an integer op of one operand.
func integer(name, doc string, f func(w int, x []ir.Val) uint64) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: "math." + name, Doc: doc, Args: []string{"operand"},
		Traits: ir.Elementwise, Infer: elementwise.Same(1, elementwise.IntegerLike), Eval: elementwise.IntEval(f)})
}

// Functions of one float.
var (
	Acos      = unary("acos", "Arc cosine.", acos)
	Acosh     = unary("acosh", "Inverse hyperbolic cosine.", acosh)
	Asin      = unary("asin", "Arc sine.", asin)
	Asinh     = unary("asinh", "Inverse hyperbolic sine.", asinh)
	Atan      = unary("atan", "Arc tangent.", gomath.Atan)
	Atanh     = unary("atanh", "Inverse hyperbolic tangent.", gomath.Atanh)
	Cbrt      = unary("cbrt", "Cube root, of negative numbers too.", gomath.Cbrt)
	Ceil      = unary("ceil", "The least integer not below.", gomath.Ceil)
	Cos       = unary("cos", "Cosine, of radians.", cos)
	Cosh      = unary("cosh", "Hyperbolic cosine.", cosh)
	Erf       = unary("erf", "The error function.", gomath.Erf)
	Exp       = unary("exp", "e to the power of the operand.", gomath.Exp)
	Exp2      = unary("exp2", "2 to the power of the operand.", gomath.Exp2)
	Expm1     = unary("expm1", "exp(x) - 1, accurate near 0.", gomath.Expm1)
	Floor     = unary("floor", "The greatest integer not above.", gomath.Floor)
	Log       = unary("log", "Natural logarithm; NaN below 0.", log)
	Log10     = unary("log10", "Logarithm to base 10.", log10)
	Log1p     = unary("log1p", "log(1 + x), accurate near 0.", gomath.Log1p)
	Log2      = unary("log2", "Logarithm to base 2.", log2)
	Round     = unary("round", "The nearest integer, ties away from zero.", gomath.Round)
	Roundeven = unary("roundeven", "The nearest integer, ties to even.", gomath.RoundToEven)
	Rsqrt     = unary("rsqrt", "1 / sqrt(x).", func(x float64) float64 { return 1 / gomath.Sqrt(x) })
	Sin       = unary("sin", "Sine, of radians.", sin)
	Sinh      = unary("sinh", "Hyperbolic sine.", sinh)
	Sqrt      = unary("sqrt", "Square root, correctly rounded; NaN below 0.", gomath.Sqrt)
	Tan       = unary("tan", "Tangent, of radians.", tan)
	Tanh      = unary("tanh", "Hyperbolic tangent.", tanh)
	Trunc     = unary("trunc", "The integer part, towards zero.", gomath.Trunc)
	Absf      = ir.Define(&ir.OpDef{Name: "math.absf", Doc: "A float without its sign.", Args: []string{"operand"}, Attrs: fastMathAttrs,
		Traits: ir.Elementwise, Poisons: elementwise.NotFinite, Infer: elementwise.Same(1, elementwise.FloatLike), Eval: absf})
)

// Functions of two or three numbers.
var (
	Atan2    = binary("atan2", "The angle of the point (rhs, lhs) with the first axis, in radians.", gomath.Atan2)
	Powf     = binary("powf", "lhs to the power of rhs.", values.Pow)
	Copysign = ir.Define(&ir.OpDef{Name: "math.copysign", Doc: "lhs with the sign of rhs.", Args: []string{"lhs", "rhs"}, Attrs: fastMathAttrs,
		Traits: ir.Elementwise, Poisons: elementwise.NotFinite, Infer: elementwise.Same(2, elementwise.FloatLike), Eval: copysign})
	Fma = ir.Define(&ir.OpDef{Name: "math.fma", Doc: "a * b + c, rounded once.", Args: []string{"a", "b", "c"}, Attrs: fastMathAttrs,
		Traits: ir.Elementwise, Poisons: elementwise.NotFinite, Infer: elementwise.Same(3, elementwise.FloatLike), Eval: fma})
	Fpowi = ir.Define(&ir.OpDef{Name: "math.fpowi", Doc: "A float to the power of a signed integer.", Args: []string{"lhs", "rhs"}, Attrs: fastMathAttrs,
		Traits: ir.Elementwise, Poisons: elementwise.NotFinite, Infer: inferFpowi, Eval: fpowi})
	Ipowi = ir.Define(&ir.OpDef{Name: "math.ipowi", Doc: "A signed integer to the power of another, modulo 2^width; 0 to a negative power is poison.",
		Args: []string{"lhs", "rhs"}, Traits: ir.Elementwise, Infer: elementwise.Same(2, elementwise.IntegerLike), Eval: ipowi,
		Poisons: func(*ir.Call) bool { return true }})
)

// Functions of an integer.
var (
	Absi = integer("absi", "The absolute value, modulo 2^width.", func(w int, x []ir.Val) uint64 {
		if n := x[0].Int(w); n < 0 {
			return uint64(-n)
		}
		return x[0].Bits
	})
	Ctlz  = integer("ctlz", "The number of leading zeros.", func(w int, x []ir.Val) uint64 { return uint64(w - bits.Len64(x[0].Bits)) })
	Cttz  = integer("cttz", "The number of trailing zeros.", func(w int, x []ir.Val) uint64 { return uint64(min(w, bits.TrailingZeros64(x[0].Bits))) })
	Ctpop = integer("ctpop", "The number of ones.", func(_ int, x []ir.Val) uint64 { return uint64(bits.OnesCount64(x[0].Bits)) })
)

func inferFpowi(c *ir.Call) (ir.Type, error) {
	if err := elementwise.CheckOperands(c, elementwise.FloatLike, elementwise.IntegerLike); err != nil {
		return 0, err
	}
	t := c.ArgType(0)
	if c.Type != ir.NoType && c.Type != t {
		return 0, c.Errorf("failed to verify that all of {lhs, result} have same type")
	}
	ctx := c.Ctx()
	if !elementwise.Compatible(ctx, elementwise.WithElem(ctx, t, ir.I1), elementwise.WithElem(ctx, c.ArgType(1), ir.I1)) {
		return 0, c.Errorf("requires the same shape for all operands and results")
	}
	return t, elementwise.CheckFlags(c)
}

// Dialect is the math dialect.
var Dialect = &ir.Dialect{Name: "math", Doc: "Elementary functions of floats and integers.", Clean: true,
	Ops: []*ir.OpDef{Absf, Absi, Acos, Acosh, Asin, Asinh, Atan, Atan2, Atanh, Cbrt, Ceil, Copysign, Cos, Cosh,
		Ctlz, Ctpop, Cttz, Erf, Exp, Exp2, Expm1, Floor, Fma, Fpowi, Ipowi, Log, Log10, Log1p, Log2, Powf,
		Round, Roundeven, Rsqrt, Sin, Sinh, Sqrt, Tan, Tanh, Trunc},
	Folds: folds, Tables: []any{syntax, floatForms, derivatives, noDerivative},
}

// floatForms says what is known of floats that are rounded.
var floatForms = affine.FloatForms{Ceil: {Monotone: gomath.Ceil}, Floor: {Monotone: gomath.Floor}, Round: {Monotone: gomath.Round},
	Roundeven: {Monotone: gomath.RoundToEven}, Trunc: {Monotone: gomath.Trunc}}
