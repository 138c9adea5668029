// Package ref computes elementary and special functions to about 200 bits with
// math/big. Tests hold the lowering of lowering/libm to it, and tests/libm/fit
// derives polynomials from it.
//
// Arguments are finite, and inside the domain; infinities and NaN are for the
// caller. Results are relatively accurate (2^-180 or better), near the zeros of a
// function too, but for lgamma and digamma near theirs below 0. Powers of e stop at
// e^±10^6, which is out of the range of every format.
package ref

import "math/big"

// F is a number. Functions do not change their operands.
type F = *big.Float

// Prec is the working precision in bits.
const Prec = 256

func at(prec uint) F { return new(big.Float).SetPrec(prec) }

// New is the number x.
func New(x float64) F { return at(Prec).SetFloat64(x) }

// Add, Sub, Mul, Quo and Neg round to Prec bits.
func Add(x, y F) F { return at(Prec).Add(x, y) }

// Sub is x - y.
func Sub(x, y F) F { return at(Prec).Sub(x, y) }

// Mul is x * y.
func Mul(x, y F) F { return at(Prec).Mul(x, y) }

// Quo is x / y.
func Quo(x, y F) F { return at(Prec).Quo(x, y) }

// Neg is -x.
func Neg(x F) F { return at(max(Prec, x.Prec())).Neg(x) }

// Abs is |x|.
func Abs(x F) F { return at(max(Prec, x.Prec())).Abs(x) }

// Sqrt is the square root.
func Sqrt(x F) F { return at(Prec).Sqrt(x) }

// Scale is x * 2^n.
func Scale(x F, n int) F {
	if x.Sign() == 0 {
		return x
	}
	return at(max(Prec, x.Prec())).SetMantExp(x, n)
}

func sqr(x F) F { return Mul(x, x) }

// small reports |x| < 2^n.
func small(x F, n int) bool { return x.Sign() == 0 || x.MantExp(nil) <= n }

// round is the nearest integer.
func round(x F) *big.Int {
	half := 0.5
	if x.Sign() < 0 {
		half = -0.5
	}
	n, _ := at(max(Prec, x.Prec())+2).Add(x, big.NewFloat(half)).Int(nil)
	return n
}

var (
	one  = New(1)
	two  = New(2)
	half = New(0.5)
)
