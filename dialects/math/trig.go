package math

import (
	gomath "math"
	"math/big"
	"sync"
)

// Go's sin, cos and tan reduce a large argument to 64 bits, of which few are left
// near a multiple of pi/2. From largeAngle on the reduction here is exact but for
// one rounding.
const largeAngle = 1e5

// reducePrec is enough bits for any float64: 1024 before the point, 62 that may
// cancel (Muller, Elementary Functions, section 11), and the result.
const reducePrec = 1216

// halfPi is pi/2 by Machin's formula.
var halfPi = sync.OnceValue(func() *big.Float {
	a := new(big.Int).Lsh(arctanInverse(5), 3) // pi/2 = 8 atan(1/5) - 2 atan(1/239)
	a.Sub(a, new(big.Int).Lsh(arctanInverse(239), 1))
	f := new(big.Float).SetPrec(reducePrec + 64).SetInt(a)
	return f.SetMantExp(f, -(reducePrec + 64))
})

// arctanInverse is atan(1/n) times 2^(reducePrec+64).
func arctanInverse(n int64) *big.Int {
	term := new(big.Int).Lsh(big.NewInt(1), reducePrec+64)
	term.Div(term, big.NewInt(n))
	sum, square, part := new(big.Int), big.NewInt(n*n), new(big.Int)
	for k := int64(1); term.Sign() != 0; k += 2 {
		part.Div(term, big.NewInt(k))
		if k%4 == 1 {
			sum.Add(sum, part)
		} else {
			sum.Sub(sum, part)
		}
		term.Div(term, square)
	}
	return sum
}

// reduceAngle returns r in [-pi/4, pi/4] with x = r + quadrant*pi/2 (mod 2 pi).
func reduceAngle(x float64) (r float64, quadrant int64) {
	f := new(big.Float).SetPrec(reducePrec).SetFloat64(x)
	q := new(big.Float).SetPrec(reducePrec).Quo(f, halfPi())
	half := big.NewFloat(gomath.Copysign(0.5, x))
	n, _ := new(big.Float).SetPrec(reducePrec).Add(q, half).Int(nil) // towards zero
	q.Sub(q, new(big.Float).SetPrec(reducePrec).SetInt(n))
	r, _ = q.Mul(q, halfPi()).Float64()
	return r, new(big.Int).And(n, big.NewInt(3)).Int64()
}

func isLarge(x float64) bool { return gomath.Abs(x) >= largeAngle && !gomath.IsInf(x, 0) }

func sin(x float64) float64 {
	if !isLarge(x) {
		return gomath.Sin(x)
	}
	switch r, q := reduceAngle(x); q {
	case 0:
		return gomath.Sin(r)
	case 1:
		return gomath.Cos(r)
	case 2:
		return -gomath.Sin(r)
	default:
		return -gomath.Cos(r)
	}
}

func cos(x float64) float64 {
	if !isLarge(x) {
		return gomath.Cos(x)
	}
	switch r, q := reduceAngle(x); q {
	case 0:
		return gomath.Cos(r)
	case 1:
		return -gomath.Sin(r)
	case 2:
		return -gomath.Cos(r)
	default:
		return gomath.Sin(r)
	}
}

// tan: Go's drops the term x^3/3 too early.
func tan(x float64) float64 {
	if gomath.Abs(x) < 2e-7 {
		return x + x*x*x/3
	}
	if !isLarge(x) {
		return gomath.Tan(x)
	}
	r, q := reduceAngle(x)
	if q&1 == 1 {
		return -1 / tan(r)
	}
	return tan(r)
}
