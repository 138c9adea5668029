package libm

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	md "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// A Function is an op that is lowered, and how exactly.
type Function struct {
	Op       *ir.OpDef
	F32, F64 float64 // bounds of the error, in ulp of the result
	How      string  // the method
	Except   string  // where the bounds do not hold, and what does

	lower func(e *env, x []val) val              // x: the operands, in the type of e
	node  func(m *ir.Mirror, n ir.Node) ir.Value // in place of lower
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
	{Op: md.Exp, F32: 1.5, F64: 1.5, lower: exp, How: "x = k log 2 + r; 1 + r + r^2 P(r), times 2^k in two steps"},
	{Op: md.Exp2, F32: 1, F64: 1, lower: exp2, How: "as exp, with r = (x - k) log 2 in double-word arithmetic"},
	{Op: md.Expm1, F32: 1.5, F64: 1.5, lower: expm1, How: "2^k (e^r - 1) + (2^k - 1), summed exactly"},
	{Op: md.Log, F32: 1, F64: 1, lower: log, How: "x = m 2^k; f = m - 1, s = f/(2 + f); f - f^2/2 + s f^2/2 + 2 s^3 P(s^2) + k log 2"},
	{Op: md.Log2, F32: 1, F64: 1, lower: log2, How: "log m in double-word arithmetic, times 1/log 2, plus k"},
	{Op: md.Log10, F32: 1, F64: 1, lower: log10, How: "as log2"},
	{Op: md.Log1p, F32: 1, F64: 1, lower: log1p, How: "log of the exact sum 1 + x in double-word arithmetic"},
	{Op: md.Sin, F32: 1, F64: 1, lower: sin, How: "reduced by pi/2 after Cody and Waite to 1000 (f32) or 2^20 (f64), beyond after Payne and Hanek; polynomials"},
	{Op: md.Cos, F32: 1, F64: 1, lower: cos, How: "as sin"},
	{Op: md.Tan, F32: 1.5, F64: 1.5, lower: tan, How: "sine by cosine in double-word arithmetic"},
	{Op: md.Asin, F32: 1, F64: 1, lower: asin, How: "x + x^3 P(x^2) to 1/2; pi/2 - 2 asin sqrt((1-x)/2) above"},
	{Op: md.Acos, F32: 1, F64: 1, lower: acos, How: "as asin"},
	{Op: md.Atan, F32: 1, F64: 1, lower: atan, How: "atan2(x, 1)"},
	{Op: md.Atan2, F32: 1, F64: 1, lower: atan2, How: "to the octant, above tan(pi/8) (a-b)/(a+b); the quotient in double-word arithmetic, a polynomial"},
	{Op: md.Sinh, F32: 1, F64: 1, lower: sinh, How: "a polynomial to 1; e^a/4 - e^-a/4 in double-word arithmetic above"},
	{Op: md.Cosh, F32: 1.5, F64: 1.5, lower: cosh, How: "e^a/4 + e^-a/4 in double-word arithmetic"},
	{Op: md.Tanh, F32: 1.5, F64: 1.5, lower: tanh, How: "m/(m + 2) with m = expm1(2a), in double-word arithmetic"},
	{Op: md.Asinh, F32: 1, F64: 1, lower: asinh, How: "a polynomial to 1/2; log(a + sqrt(a^2 + 1)) in double-word arithmetic"},
	{Op: md.Acosh, F32: 1, F64: 1, lower: acosh, How: "log1p(t + sqrt(t(t + 2))) with t = x - 1, in double-word arithmetic"},
	{Op: md.Atanh, F32: 1, F64: 1, lower: atanh, How: "log1p(2a/(1 - a))/2 in double-word arithmetic"},
	{Op: md.Powf, F32: 1, F64: 1, lower: powf, How: "exp(y log x), both in double-word arithmetic"},
	{Op: md.Cbrt, F32: 1, F64: 1, lower: cbrt, How: "x^(-1/3) by a polynomial and Newton's method of third order; a last step with an exact remainder"},
	{Op: md.Rsqrt, F32: 1.5, F64: 1.5, lower: rsqrt, How: "1/sqrt(x), rounded twice"},
	{Op: md.Fpowi, F32: 1, F64: 1, lower: fpowi, How: "as powf, with the exponent as the sum of two floats"},
	{Op: md.Ipowi, node: ipowi, How: "exact, by squaring"},
	{Op: md.Erf, F32: 1.5, F64: 1.5, lower: erf, How: "a polynomial to 1, 1 - erfc above"},
	{Op: special.Erfc, F32: 1.5, F64: 1.5, lower: erfc, How: "1 - erf to 1/2; P((x-4)/(x+4)) e^(-x^2) / (1 + 2x) above, with x^2, e^ and the quotient in double-word arithmetic"},
	{Op: special.Phi, F32: 1.5, F64: 1.5, lower: phi, How: "as erfc of -x/sqrt 2, which is kept in double-word arithmetic"},
	{Op: special.LogPhi, F32: 1.5, F64: 1.5, lower: logPhi, How: "-x^2/2 + log P in the lower tail, log1p in the upper, in double-word arithmetic"},
	{Op: special.Log1mexp, F32: 1, F64: 1, lower: log1mexp, How: "log(-expm1 x) to -log 2, log1p(-e^x) below, in double-word arithmetic"},
	{Op: special.Log1pexp, F32: 1.5, F64: 1.5, lower: log1pexp, How: "max(x, 0) + log1p(e^-|x|) in double-word arithmetic"},
	{Op: special.Logit, F32: 1, F64: 1, lower: logit, How: "log of the quotient in double-word arithmetic, near 1/2 log1p((2x-1)/(1-x))"},
	{Op: special.Ilogit, F32: 1, F64: 1, lower: ilogit, How: "1/(1 + e^-|x|) or e^-|x|/(1 + e^-|x|) in double-word arithmetic"},
	{Op: special.Cloglog, F32: 1, F64: 1, lower: cloglog, How: "log(-log1p(-x)) in double-word arithmetic", Except: "near its zero at 1 - 1/e: in ulp of 2^-8 where the result is less"},
	{Op: special.Icloglog, F32: 1.5, F64: 1.5, lower: icloglog, How: "-expm1(-e^x) in double-word arithmetic"},
	{Op: special.Step, lower: step, How: "exact"},
	{Op: special.Xlogy, F32: 1, F64: 1, lower: xlogy, How: "log in double-word arithmetic"},
	{Op: special.Xlog1py, F32: 1, F64: 1, lower: xlog1py, How: "log1p in double-word arithmetic"},
	{Op: special.Lgamma, F32: 1.5, F64: 1.5, lower: lgamma, How: "next to 2 by a polynomial, to 8 by the recurrence, above by Stirling's series, below 0 by reflection, in double-word arithmetic", Except: "below 0, where it has infinitely many zeros: in ulp of 1 where the result is less"},
	{Op: special.Logfact, F32: 1.5, F64: 1.5, lower: logfact, How: "lgamma(1 + x) without rounding the sum, in double-word arithmetic", Except: "below -1/2: in ulp of 1 where the result is less"},
	{Op: special.Digamma, F32: 1.5, F64: 1.5, lower: digamma, How: "(x - root) P(x) on [1, 2], to 8 by the recurrence, above by the asymptotic series, below 0 by reflection, in double-word arithmetic", Except: "below 0, where it has infinitely many zeros: in ulp of 1 where the result is less"},
	{Op: special.Trigamma, F32: 1.5, F64: 1.5, lower: trigamma, How: "to 8 by the recurrence, above by the asymptotic series, below 0 by reflection, in double-word arithmetic"},
	{Op: special.Lbeta, F32: 2, F64: 2, lower: lbeta, How: "Stirling's formula with its large parts taken together, lgamma for small arguments, in double-word arithmetic", Except: "in ulp of 1 where the result is less: it is 0 along a curve"},
	{Op: special.Lchoose, F32: 2, F64: 2, lower: lchoose, How: "-log1p(n) - lbeta(n-k+1, k+1), summed in double-word arithmetic", Except: "of the function of n-k+1 and k+1 as rounded, and in ulp of 1 where the result is less"},
	{Op: special.Probit, F32: 1.5, F64: 1.5, lower: probit, How: "two steps of Halley's method with log phi in double-word arithmetic"},
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
	if f.node != nil {
		return f.node(m, n)
	}
	t := m.Type(n.Type())
	narrow, ok := supported(m.B.Ctx(), t)
	if !ok {
		return 0
	}
	for _, a := range n.Args() {
		if at := m.Type(a.Type()); !fits(m.B.Ctx(), at) {
			return 0
		}
	}
	return vector.BuildInParts(m.B, m.All(n.Args()), t, func(t ir.Type, x []ir.Value) ir.Value { return f.on(m.B, narrow, t, x) })
}

// on makes the ops of a function on values of type t.
func (f Function) on(b *ir.Builder, narrow bool, t ir.Type, x []ir.Value) ir.Value {
	if !narrow {
		return f.lower(newEnv(b, t), x)
	}
	wide := elementwise.WithElem(b.Ctx(), t, ir.F32)
	for i := range x {
		if b.Graph().Type(x[i]) == t { // not an integer exponent
			x[i] = arith.Cast(b, arith.Extf, x[i], wide)
		}
	}
	return arith.Cast(b, arith.Truncf, f.lower(newEnv(b, wide), x), t)
}

// Integer reports an op with an integer operand.
func (f Function) Integer() bool { return f.Op == md.Fpowi || f.Op == md.Ipowi }
