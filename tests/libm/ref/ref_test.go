package ref

import (
	"math"
	"testing"
)

// Each function is near Go's, and keeps an identity that its method does not use.
func TestAgainstGo(t *testing.T) {
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	for _, c := range []struct {
		name   string
		f      func(F) F
		g      func(float64) float64
		lo, hi float64
	}{
		{"exp", Exp, math.Exp, -700, 700}, {"expm1", Expm1, math.Expm1, -2, 2}, {"exp2", Exp2, math.Exp2, -1000, 1000},
		{"log", Log, math.Log, 1e-3, 1e3}, {"log1p", Log1p, math.Log1p, -0.9, 3}, {"cbrt", Cbrt, math.Cbrt, -9, 9},
		{"sinh", Sinh, math.Sinh, -3, 3}, {"cosh", Cosh, math.Cosh, -3, 3}, {"tanh", Tanh, math.Tanh, -3, 3},
		{"asinh", Asinh, math.Asinh, -3, 3}, {"acosh", Acosh, math.Acosh, 1.1, 9}, {"atanh", Atanh, math.Atanh, -0.9, 0.9},
		{"sin", Sin, math.Sin, -50, 50}, {"cos", Cos, math.Cos, -50, 50}, {"tan", Tan, math.Tan, -50, 50},
		{"asin", Asin, math.Asin, -1, 1}, {"acos", Acos, math.Acos, -1, 1}, {"atan", Atan, math.Atan, -9, 9},
		{"erf", Erf, math.Erf, -4, 4}, {"erfc", Erfc, math.Erfc, -4, 26}, {"lgamma", Lgamma, lgamma, 0.1, 90}, {"lgamma", Lgamma, lgamma, -9.5, -0.5},
	} {
		for i := range 41 {
			x := c.lo + (c.hi-c.lo)*float64(i)/40 + 1e-9
			if x > c.hi && c.hi == 1 {
				x = 1
			}
			y, _ := c.f(New(x)).Float64()
			if want := c.g(x); math.Abs(y-want) > 1e-13*(math.Abs(want)+1) {
				t.Errorf("%s(%v) = %v, want %v", c.name, x, y, want)
			}
		}
	}
}

func near(t *testing.T, what string, x, y F, bits int) {
	t.Helper()
	if d := Sub(x, y); d.Sign() != 0 && d.MantExp(nil) > y.MantExp(nil)-bits {
		t.Errorf("%s: %v and %v differ by 2^%d", what, x.Text('g', 30), y.Text('g', 30), d.MantExp(nil)-y.MantExp(nil))
	}
}

func TestIdentities(t *testing.T) {
	for _, f := range []float64{0x1p-900, 0x1.8p-60, 1e-9, 0.01, 0.3, 0.49, 0.77, 0.999} {
		x := New(f)
		near(t, "log exp", Log(Exp(x)), x, 180-max(0, -x.MantExp(nil)))
		near(t, "log1p expm1", Log1p(Expm1(x)), x, 200)
		near(t, "tan atan", Tan(Atan(x)), x, 200)
		near(t, "sin asin", Sin(Asin(x)), x, 200)
		near(t, "tanh atanh", Tanh(Atanh(x)), x, 200)
		near(t, "sinh asinh", Sinh(Asinh(x)), x, 200)
		near(t, "gamma", Exp(Sub(Lgamma(at(4096).Add(x, one)), Lgamma(x))), x, 190)
		near(t, "digamma", Sub(Digamma(at(4096).Add(x, one)), Digamma(x)), Quo(one, x), 190)
		near(t, "trigamma", Sub(Trigamma(x), Trigamma(at(4096).Add(x, one))), Quo(one, sqr(x)), 190)
		near(t, "probit", Phi(Probit(x)), x, 120)
		near(t, "logit", Ilogit(Logit(x)), x, 190)
	}
	for _, f := range []float64{5, 5.5, 6, 7} { // the fraction and the series meet
		near(t, "erfc", Erfc(New(f)), Sub(one, Mul(Quo(two, Sqrt(Pi())), series(New(f)))), 130)
	}
	c, s := SinCos(New(0x1p1023))
	near(t, "circle", Add(sqr(s), sqr(c)), one, 240)
	// 6381956970095103 * 2^797 is the float64 next to a multiple of pi/2 (Kahan).
	worst := Cos(Scale(New(6381956970095103), 797))
	if e := worst.MantExp(nil); e != -60 {
		t.Errorf("hardest argument: 2^%d", e)
	}
}

// series is erf(x) sqrt(pi)/2 by Maclaurin's series.
func series(x F) F {
	sum, term := at(2*Prec), at(2*Prec).Set(x)
	z := at(2 * Prec).Neg(at(2*Prec).Mul(x, x))
	for k := 1.0; k < 500; k++ {
		sum.Add(sum, at(2*Prec).Quo(term, New(2*k-1)))
		term = at(2*Prec).Quo(at(2*Prec).Mul(term, z), New(k))
	}
	return sum
}
