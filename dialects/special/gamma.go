package special

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// log is the natural logarithm: Go's assembly for amd64 takes denormals for the
// least normal number.
func log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}

// lgamma is log |gamma(x)|; next to 0 that is -log |x|, and it has a pole at minus infinity, as in C. Go's
// takes a polynomial about the minimum at 1.4616 from 1.1916 and from 0.1916 on, which is made for 0.23 below it.
func lgamma(x float64) float64 {
	switch {
	case math.IsInf(x, -1):
		return math.Inf(1)
	case x != 0 && math.Abs(x) < 0x1p-1000:
		return -log(math.Abs(x))
	case x > 1.19 && x < 1.232:
		return lgamma(x+1) - math.Log(x)
	case x > 0.19 && x < 0.232:
		return lgamma(x+2) - math.Log(x) - math.Log1p(x)
	}
	y, _ := math.Lgamma(x)
	return y
}

// logfact is lgamma(x + 1) by a step of Taylor's series for what the sum loses: by the slope at the nearer of the
// zeros 1 and 2, as the loss counts next to these only.
func logfact(x float64) float64 {
	y := x + 1
	if !(math.Abs(x) < 2) {
		return lgamma(y)
	}
	slope := -eulerGamma
	if y > 1.5 {
		slope++
	}
	return lgamma(y) + (x-(y-1))*slope
}

// eulerGamma is the negative slope of lgamma at 1 (DLMF 5.2.3).
const eulerGamma = 0.5772156649015329

// stirling[k] is B(2k+2) / ((2k+1)(2k+2)), of lgamma's asymptotic series (DLMF 5.11.1).
var stirling = [...]float64{1. / 12, -1. / 360, 1. / 1260, -1. / 1680, 1. / 1188, -691. / 360360, 1. / 156, -3617. / 122400}

// stirlingError is lgamma(x) - (x - 1/2) log x + x - log(2 pi)/2, for x >= 10.
func stirlingError(x float64) float64 {
	z, s := 1/(x*x), 0.0
	for k := len(stirling) - 1; k >= 0; k-- {
		s = s*z + stirling[k]
	}
	return s / x
}

// psi[k] is B(2k+2) / (2k+2), of digamma's asymptotic series (DLMF 5.11.2).
var psi = [...]float64{1. / 12, -1. / 120, 1. / 252, -1. / 240, 1. / 132, -691. / 32760, 1. / 12, -3617. / 8160}

// digamma: Taylor's series about the root on [1, 2], where every other formula
// cancels; recurrence to there or the asymptotic series elsewhere.
func digamma(x float64) float64 {
	switch {
	case x == 0:
		return math.Copysign(math.Inf(1), -x)
	case x < 0:
		if x == math.Floor(x) {
			return math.NaN()
		}
		// DLMF 5.5.4; tan has the period 1 in units of pi.
		return digamma(1-x) - math.Pi/math.Tan(math.Pi*(x-math.Round(x)))
	case x < 1:
		return digammaTaylorAt(x+1, (1+x)-1-x) - 1/x
	case x <= 2:
		return digammaTaylorAt(x, 0)
	case x < 10:
		s := 0.0
		for x > 2 {
			x--
			s += 1 / x
		}
		return s + digammaTaylorAt(x, 0)
	}
	z, s := 1/(x*x), 0.0
	for k := len(psi) - 1; k >= 0; k-- {
		s = s*z + psi[k]
	}
	return log(x) - (0.5/x + s*z)
}

// digammaTaylorAt is digamma at x - err in [1, 2].
func digammaTaylorAt(x, err float64) float64 {
	h := (x - digammaRootHi) - digammaRootLo - err
	s := 0.0
	for k := len(digammaTaylor) - 1; k >= 0; k-- {
		s = s*h + digammaTaylor[k]
	}
	return s * h
}

// trigammaTail[k] is B(2k+2), of trigamma's asymptotic series, the derivative of digamma's (DLMF 5.15.8).
var trigammaTail = [len(psi)]float64{1. / 6, -1. / 30, 1. / 42, -1. / 30, 5. / 66, -691. / 2730, 7. / 6, -3617. / 510}

// trigamma: the asymptotic series from 10 on, the recurrence below, and reflection below 0 (DLMF 5.15.6), where
// sin is 0 at a pole. It is positive everywhere, so nothing cancels; small terms are added first.
func trigamma(x float64) float64 {
	switch {
	case x < 0:
		s := math.Pi / math.Sin(math.Pi*(x-math.RoundToEven(x)))
		return s*s - trigamma(1-x)
	case x < 10:
		y := 1 / x
		return trigamma(x+1) + y*y
	}
	y, s := 1/x, 0.0
	z := y * y
	for k := len(trigammaTail) - 1; k >= 0; k-- {
		s = s*z + trigammaTail[k]
	}
	return y + (z/2 + y*z*s)
}

// lbeta takes the large parts of Stirling's formula together before they cancel
// (Didonato and Morris 1992, ALGDIV).
func lbeta(a, b float64) float64 {
	if a > b {
		a, b = b, a
	}
	switch {
	case !(a >= 0) || math.IsNaN(b):
		return math.NaN()
	case a == 0:
		return math.Inf(1)
	case math.IsInf(b, 1):
		return math.Inf(-1)
	case a >= 10:
		return halfLog2Pi - log(b)/2 + stirlingError(a) + stirlingError(b) - stirlingError(a+b) +
			(a-0.5)*log(a/(a+b)) + b*math.Log1p(-a/(a+b))
	case b >= 10:
		return lgamma(a) + stirlingError(b) - stirlingError(a+b) + a - a*log(a+b) + (b-0.5)*math.Log1p(-a/(a+b))
	case a < 1e-100:
		return lgamma(a) + lgamma(b) - lgamma(a+b)
	}
	return log(math.Gamma(a) * (math.Gamma(b) / math.Gamma(a+b)))
}

func lchoose(n, k float64) float64 {
	switch {
	case math.IsNaN(n) || math.IsNaN(k) || n < 0:
		return math.NaN()
	case k < 0 || k > n:
		return math.Inf(-1)
	case k == 0 || k == n:
		return 0
	case k == 1 || k == n-1:
		return log(n)
	}
	return -math.Log1p(n) - lbeta(n-k+1, k+1)
}

// gammainc and the following are gonum's (Cephes), which panics outside the domain.
func gammainc(a, x float64) float64 {
	if !(a > 0 && x >= 0) || math.IsInf(a, 1) {
		return math.NaN()
	}
	if math.IsInf(x, 1) {
		return 1
	}
	return lowerGamma(a, x)
}

// lowerGamma is gonum's, whose series ends after 2,000 terms. Beyond a shape of 1e4 and the reach of the uniform expansion
// it needs more (DLMF 8.11.4), and a kernel without the cancellation of its large terms.
func lowerGamma(a, x float64) float64 {
	d := (x - a) / a
	if a < 1e4 || x == 0 || d > -4.5/math.Sqrt(a) {
		return mathext.GammaIncReg(a, x)
	}
	term, sum := 1.0, 1.0
	for k := 1.0; term > 1e-17*sum; k++ {
		term *= x / (a + k)
		sum += term
	}
	logs := math.Log1p(d) - d
	if d < -0.5 {
		logs = log(x/a) - d
	}
	return math.Exp(a*logs-stirlingError(a)-halfLog2Pi-log(a)/2) * sum
}

func gammaincc(a, x float64) float64 {
	if !(a > 0 && x >= 0) || math.IsInf(a, 1) {
		return math.NaN()
	}
	if math.IsInf(x, 1) {
		return 0
	}
	return mathext.GammaIncRegComp(a, x)
}

func gammaincinv(a, p float64) float64 {
	switch {
	case !(a > 0 && p >= 0 && p <= 1) || math.IsInf(a, 1):
		return math.NaN()
	case p == 0:
		return 0
	case p == 1:
		return math.Inf(1)
	}
	// Small values: P(a, x) = x^a / gamma(a+1) (1 - ...), then Newton's method in
	// the logarithms; gonum underflows here.
	if x := math.Exp((log(p) + lgamma(a+1)) / a); x < 0.1 {
		for range 8 {
			q := mathext.GammaIncReg(a, x)
			slope := math.Exp(a*log(x)-x-lgamma(a)) / q // of log P by log x
			if !(slope > 0) {
				break // x is too small to be told from 0
			}
			x *= math.Exp((log(p) - log(q)) / slope)
		}
		return x
	}
	return polished(mathext.GammaIncRegInv(a, p), p, func(x float64) (cdf, slope float64) {
		return lowerGamma(a, x), (a-1)*log(x) - x - lgamma(a)
	})
}

func betainc(a, b, x float64) float64 {
	if !(a > 0 && b > 0 && x >= 0 && x <= 1) || math.IsInf(a, 1) || math.IsInf(b, 1) {
		return math.NaN()
	}
	return mathext.RegIncBeta(a, b, x)
}

func betaincinv(a, b, p float64) float64 {
	switch {
	case !(a > 0 && b > 0 && p >= 0 && p <= 1) || math.IsInf(a, 1) || math.IsInf(b, 1):
		return math.NaN()
	case p == 0 || p == 1:
		return p
	}
	return polished(mathext.InvRegIncBeta(a, b, p), p, func(x float64) (cdf, slope float64) {
		return mathext.RegIncBeta(a, b, x), (a-1)*log(x) + (b-1)*math.Log1p(-x) - lbeta(a, b)
	})
}

// polished takes two steps of Newton's method from where gonum's searches end, which for large shapes is 1e-9 away. at
// gives the distribution function at x > 0 and the logarithm of its slope.
func polished(x, p float64, at func(x float64) (cdf, slope float64)) float64 {
	for range 2 {
		cdf, slope := at(x)
		step := (cdf - p) / math.Exp(slope)
		if !(math.Abs(step) <= 1e-6*x) {
			break // at an end of the support, or where the function is flat
		}
		x -= step
	}
	return x
}
