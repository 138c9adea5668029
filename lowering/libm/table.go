package libm

import (
	"github.com/irc-lang/irc/dialects/arith"
	md "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// A Function is an op that is lowered, and how exactly.
type Function struct {
	Op       *ir.OpDef
	F32, F64 float64 // bounds of the error, in ulp of the result
	How      string  // the method
	Except   string  // where the bounds do not hold, and what does

	lower func(e *env, x []val) val // x: the operands, in the type of e
}

// Name is the op without its dialect.
func (f Function) Name() string { return f.Op.Name[len(f.Op.Name)-len(f.short()):] }

func (f Function) short() string {
	for i := range f.Op.Name {
		if f.Op.Name[i] == '.' {
			return f.Op.Name[i+1:]
		}
	}
	return f.Op.Name
}

// Table lists the functions.
var Table = []Function{
	{Op: md.Exp, F32: 1, F64: 1, lower: exp, How: "x = k log 2 + r; 1 + r + r^2 P(r), times 2^k in two steps"},
	{Op: md.Exp2, F32: 1, F64: 1, lower: exp2, How: "as exp, with r = (x - k) log 2 in double-word arithmetic"},
	{Op: md.Expm1, F32: 1, F64: 1, lower: expm1, How: "2^k (e^r - 1) + (2^k - 1), summed exactly"},
	{Op: md.Log, F32: 1, F64: 1, lower: log, How: "x = m 2^k; f = m - 1, s = f/(2 + f); f - f^2/2 + s (f^2/2 + 2 s^2 P(s^2)) + k log 2"},
	{Op: md.Log2, F32: 1, F64: 1, lower: log2, How: "log m in double-word arithmetic, times 1/log 2, plus k"},
	{Op: md.Log10, F32: 1, F64: 1, lower: log10, How: "as log2"},
	{Op: md.Log1p, F32: 1, F64: 1, lower: log1p, How: "log of the exact sum 1 + x in double-word arithmetic"},
	{Op: md.Sin, F32: 1, F64: 1, lower: sin, How: "reduced by pi/2 after Cody and Waite to 1000 (f32) or 2^20 (f64), beyond after Payne and Hanek; polynomials"},
	{Op: md.Cos, F32: 1, F64: 1, lower: cos, How: "as sin"},
	{Op: md.Tan, F32: 1, F64: 1, lower: tan, How: "sine by cosine in double-word arithmetic"},
	{Op: md.Asin, F32: 1, F64: 1, lower: asin, How: "x + x^3 P(x^2) to 1/2; pi/2 - 2 asin sqrt((1-x)/2) above"},
	{Op: md.Acos, F32: 1, F64: 1, lower: acos, How: "as asin"},
	{Op: md.Atan, F32: 1, F64: 1, lower: atan, How: "atan2(x, 1)"},
	{Op: md.Atan2, F32: 1, F64: 1, lower: atan2, How: "to the octant, above tan(pi/8) (a-b)/(a+b); the quotient in double-word arithmetic, a polynomial"},
	{Op: md.Sinh, F32: 1, F64: 1, lower: sinh, How: "a polynomial to 1; e^a/4 - e^-a/4 in double-word arithmetic above"},
	{Op: md.Cosh, F32: 1, F64: 1, lower: cosh, How: "e^a/4 + e^-a/4 in double-word arithmetic"},
	{Op: md.Tanh, F32: 1, F64: 1, lower: tanh, How: "m/(m + 2) with m = expm1(2a), in double-word arithmetic"},
	{Op: md.Asinh, F32: 1, F64: 1, lower: asinh, How: "a polynomial to 1/2; log(a + sqrt(a^2 + 1)) in double-word arithmetic"},
	{Op: md.Acosh, F32: 1, F64: 1, lower: acosh, How: "log1p(t + sqrt(t(t + 2))) with t = x - 1, in double-word arithmetic"},
	{Op: md.Atanh, F32: 1, F64: 1, lower: atanh, How: "log1p(2a/(1 - a))/2 in double-word arithmetic"},
	{Op: md.Powf, F32: 1, F64: 1, lower: powf, How: "exp(y log x), both in double-word arithmetic"},
	{Op: md.Cbrt, F32: 1, F64: 1, lower: cbrt, How: "x^(-1/3) by a polynomial and Newton's method of third order; a last step with an exact remainder"},
	{Op: md.Rsqrt, F32: 1.5, F64: 1.5, lower: rsqrt, How: "1/sqrt(x), rounded twice"},
}

// Lookup finds the row of an op.
func Lookup(op *ir.OpDef) (Function, bool) {
	for _, f := range Table {
		if f.Op == op {
			return f, true
		}
	}
	return Function{}, false
}

// rule makes the rewrite of a row.
func (f Function) rule(m *ir.Mirror, n ir.Node) ir.Value {
	t := m.Type(n.Type())
	narrow, ok := supported(m.B.Ctx(), t)
	if !ok {
		return 0
	}
	x := m.All(n.Args())
	if !narrow {
		return f.lower(newEnv(m.B, t), x)
	}
	wide := arith.WithElem(m.B.Ctx(), t, ir.F32)
	for i := range x {
		if m.B.Graph().Type(x[i]) == t { // not an integer exponent
			x[i] = arith.Cast(m.B, arith.Extf, x[i], wide)
		}
	}
	return arith.Cast(m.B, arith.Truncf, f.lower(newEnv(m.B, wide), x), t)
}

// Integer reports an op with an integer operand.
func (f Function) Integer() bool { return f.Op == md.Fpowi || f.Op == md.Ipowi }
