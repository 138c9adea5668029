package math

import (
	"github.com/irc-lang/irc/dialects/math/values"
	gomath "math"
)

// asin and acos by atan2: 1 - x is exact near 1, where the textbook formulas
// cancel.
func asin(x float64) float64 { return gomath.Atan2(x, gomath.Sqrt((1-x)*(1+x))) }

func acos(x float64) float64 { return gomath.Atan2(gomath.Sqrt((1-x)*(1+x)), x) }

func acosh(x float64) float64 {
	if x < 2 && x >= 1 {
		t := x - 1
		return gomath.Log1p(t + gomath.Sqrt(t*(2+t)))
	}
	return gomath.Acosh(x)
}

func asinh(x float64) float64 { return gomath.Asinh(x) }

// log: Go's assembly for amd64 takes denormals for the least normal number.
func log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return gomath.Log(x*0x1p54) - 54*gomath.Ln2
	}
	return gomath.Log(x)
}

// sinh, cosh and tanh by expm1, which does not cancel near 0.
func sinh(x float64) float64 {
	a := gomath.Abs(x)
	var r float64
	switch {
	case a < 0x1p-28:
		return x
	case a < 22:
		e := gomath.Expm1(a)
		r = (e + e/(e+1)) / 2
	case a < 709:
		r = gomath.Exp(a) / 2
	default:
		e := gomath.Exp(a / 2) // exp(a) may overflow where sinh does not
		r = e / 2 * e
	}
	return gomath.Copysign(r, x)
}

func cosh(x float64) float64 {
	a := gomath.Abs(x)
	switch {
	case a < 0.35:
		e := gomath.Expm1(a)
		return 1 + e*e/(2*(1+e))
	case a < 22:
		e := gomath.Exp(a)
		return e/2 + 0.5/e
	case a < 709:
		return gomath.Exp(a) / 2
	}
	e := gomath.Exp(a / 2)
	return e / 2 * e
}

func tanh(x float64) float64 {
	a := gomath.Abs(x)
	var r float64
	switch {
	case a < 0x1p-28:
		return x
	case a < 1:
		e := gomath.Expm1(-2 * a)
		r = -e / (e + 2)
	case a < 22:
		r = 1 - 2/(gomath.Expm1(2*a)+2)
	default:
		r = 1
	}
	if a != a {
		return x
	}
	return gomath.Copysign(r, x)
}

// Go's Log2 and Log10 multiply a rounded logarithm; these round once more only.
func log2(x float64) float64 {
	if hi, lo, e, ok := values.LogParts(x); ok {
		return scaledLog(hi, lo, e, values.InvLn2Hi, values.InvLn2Lo, 1, 0)
	}
	return gomath.Log2(x)
}

func log10(x float64) float64 {
	if hi, lo, e, ok := values.LogParts(x); ok {
		return scaledLog(hi, lo, e, invLn10Hi, invLn10Lo, log10of2Hi, log10of2Lo)
	}
	return gomath.Log10(x)
}

// scaledLog is (hi+lo)*k + e*step in double-double.
func scaledLog(hi, lo float64, e float64, kHi, kLo, stepHi, stepLo float64) float64 {
	p, q := values.MulDD(hi, lo, kHi, kLo)
	s, t := values.MulDD(e, 0, stepHi, stepLo)
	s, t = values.AddDD(s, t, p, q)
	return s + t
}
