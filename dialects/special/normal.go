package special

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// sqrt(1/2) and 2/sqrt(pi), the first as the sum of two floats.
const (
	sqrtHalfHi, sqrtHalfLo = 0.7071067811865476, -4.833646656726457e-17
	twoOverSqrtPi          = 1.1283791670955126
	halfLog2Pi             = 0.9189385332046727
)

func erfc(x float64) float64 { return math.Erfc(x) }

// phi is erfc(-x/sqrt 2)/2. The error of the argument, kept to twice the precision,
// is made good by the derivative: in the tail it would grow with x^2.
func phi(x float64) float64 {
	h := -x * sqrtHalfHi
	if math.Abs(h) > 40 || h != h {
		return math.Erfc(h) / 2
	}
	l := math.FMA(-x, sqrtHalfHi, -h) - x*sqrtHalfLo
	return (math.Erfc(h) - l*twoOverSqrtPi*math.Exp(-h*h)) / 2
}

// logPhi in the lower tail is Laplace's asymptotic series (DLMF 7.12.1).
func logPhi(x float64) float64 {
	switch {
	case x > 0:
		return math.Log1p(-phi(-x))
	case x > -12 || x != x:
		return log(phi(x))
	}
	return logTail(x, tailSeries(x))
}

// tailSeries is -x phi(x) by the density at x <= -12, less 1.
func tailSeries(x float64) float64 {
	z := 1 / (x * x)
	sum, term := 0.0, 1.0
	for k := 1.0; k < 40; k += 2 {
		term *= -k * z
		sum += term
	}
	return sum
}

// logTail is log(phi(x)) at x <= -12 by the sum of the series there.
func logTail(x, sum float64) float64 {
	return -x*x/2 - log(-x) - halfLog2Pi + math.Log1p(sum)
}

// probit is gonum's (Wichura 1988, AS 241) of normal numbers: its logarithm takes the others for the
// least of these.
func probit(p float64) float64 {
	switch {
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case !(p > 0 && p < 1):
		return math.NaN()
	case p < 0x1p-1022:
		return tailProbit(p)
	}
	return mathext.NormalQuantile(p)
}

// tailProbit takes three steps of Newton's method for log(phi(x)) = log(p), from the first two terms of the
// asymptotic expansion (DLMF 7.17.6). phi itself would be subnormal, and its digits lost.
func tailProbit(p float64) float64 {
	lp := log(p)
	x := -math.Sqrt(-2*lp - log(-2*lp) - 2*halfLog2Pi)
	for range 3 {
		sum := tailSeries(x)
		x += (logTail(x, sum) - lp) * (1 + sum) / x // the slope is -x / (1 + sum)
	}
	return x
}
