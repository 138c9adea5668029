package values

import gomath "math"

const Ln2Hi, Ln2Lo = 0.6931471805599453, 2.319046813846299558e-17

const InvLn2Hi, InvLn2Lo = 1.4426950408889634, 2.035527374093103311e-17

// TwoSum and twoProd give a result and its rounding error.
func TwoSum(a, b float64) (s, err float64) {
	s = a + b
	bb := s - a
	return s, (a - (s - bb)) + (b - bb)
}

func TwoProd(a, b float64) (p, err float64) {
	p = a * b
	return p, gomath.FMA(a, b, -p)
}

// AddDD and mulDD work on unevaluated sums of two floats ("double-double", about
// 106 bits).
func AddDD(ah, al, bh, bl float64) (h, l float64) {
	s, e := TwoSum(ah, bh)
	t, f := TwoSum(al, bl)
	s, e = TwoSum(s, e+t)
	return TwoSum(s, e+f)
}

func MulDD(ah, al, bh, bl float64) (h, l float64) {
	p, e := TwoProd(ah, bh)
	return TwoSum(p, e+(ah*bl+al*bh))
}

func divDD(ah, al, bh, bl float64) (h, l float64) {
	q := ah / bh
	p, e := MulDD(q, 0, bh, bl)
	r, s := AddDD(ah, al, -p, -e)
	return TwoSum(q, (r+s)/bh)
}

// LogParts returns e and log(m) as a double-double, for x = m * 2^e with m in
// [1/sqrt 2, sqrt 2]; ok is false if x is not positive and finite.
// log m = 2 atanh(s) with s = (m-1)/(m+1).
func LogParts(x float64) (hi, lo, e float64, ok bool) {
	if !(x > 0 && x <= gomath.MaxFloat64) {
		return 0, 0, 0, false
	}
	m, k := gomath.Frexp(x)
	if m < gomath.Sqrt2/2 {
		m *= 2
		k--
	}
	dh, dl := TwoSum(m, 1)
	sh, sl := divDD(m-1, 0, dh, dl)
	zh, zl := MulDD(sh, sl, sh, sl)
	var rh, rl float64
	for n := 27; n >= 1; n -= 2 { // z <= 0.0295: the first term left out is below 2^-76
		ch, cl := divDD(1, 0, float64(n), 0)
		rh, rl = MulDD(rh, rl, zh, zl)
		rh, rl = AddDD(rh, rl, ch, cl)
	}
	hi, lo = MulDD(rh, rl, 2*sh, 2*sl)
	return hi, lo, float64(k), true
}

// Pow is x to the power of y with an error of about one ulp, as C's pow; Go's
// squares repeatedly and loses a bit each time.
func Pow(x, y float64) float64 {
	ax := gomath.Abs(x)
	hi, lo, e, ok := LogParts(ax)
	if !ok || y == 0 || ax == 1 || gomath.IsInf(y, 0) || gomath.IsNaN(y) || x < 0 && y != gomath.Trunc(y) {
		return gomath.Pow(x, y)
	}
	r := expDD(timesLog(hi, lo, e, y))
	if x < 0 && gomath.Mod(y, 2) != 0 {
		return -r
	}
	return r
}

// timesLog is y * (hi + lo + e ln 2).
func timesLog(hi, lo, e, y float64) (h, l float64) {
	h, l = MulDD(e, 0, Ln2Hi, Ln2Lo)
	h, l = AddDD(h, l, hi, lo)
	if gomath.Abs(h)*gomath.Abs(y) > 800 {
		return gomath.Copysign(800, h*y), 0 // over- or underflows
	}
	return MulDD(h, l, y, 0)
}

// expDD is exp(h + l).
func expDD(h, l float64) float64 {
	k := gomath.Round(h * InvLn2Hi)
	sh, sl := MulDD(k, 0, Ln2Hi, Ln2Lo)
	rh, rl := AddDD(h, l, -sh, -sl)
	x := gomath.Exp(rh) // |rh| <= 0.35
	return gomath.Ldexp(x+x*rl, int(k))
}

// Powi is x to the power of an integer of up to 64 bits.
func Powi(x float64, n int64) float64 {
	if m := float64(n); int64(m) == n && m < 0x1p63 {
		return Pow(x, m)
	}
	if x == 0 || gomath.IsInf(x, 0) { // only the sign and the parity of n count
		return Pow(x, gomath.Copysign(float64(2+n&1), float64(n)))
	}
	r := Pow(x, float64(n>>1)) // too long for a float: x^n = (x^(n/2))^2 * x^(n%2)
	r *= r
	if n&1 == 1 {
		r *= x
	}
	return r
}
