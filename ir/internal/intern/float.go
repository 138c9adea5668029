package intern

import "math"

// FloatToBits rounds x to the float type t and returns its pattern.
func FloatToBits(x float64, t Type) uint64 {
	switch t {
	case F64:
		return math.Float64bits(x)
	case F32:
		return uint64(math.Float32bits(float32(x)))
	case BF16:
		return roundFloat(x, 8, 7)
	case F16:
		return roundFloat(x, 5, 10)
	}
	return math.Float64bits(x)
}

// BitsToFloat reads a pattern of the float type t.
func BitsToFloat(bits uint64, t Type) float64 {
	switch t {
	case F32:
		return float64(math.Float32frombits(uint32(bits)))
	case BF16:
		return float64(math.Float32frombits(uint32(bits) << 16))
	case F16:
		return widenFloat(bits, 5, 10)
	}
	return math.Float64frombits(bits)
}

// roundFloat rounds to the nearest even float of exp exponent and man mantissa
// bits (IEEE 754 interchange layout).
func roundFloat(x float64, exp, man uint) uint64 {
	sign := math.Float64bits(x) >> 63 << (exp + man)
	bias := 1<<(exp-1) - 1
	inf := uint64(1)<<exp - 1<<0
	ax := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return sign | inf<<man | 1<<(man-1)
	case math.IsInf(x, 0):
		return sign | inf<<man
	case ax == 0:
		return sign
	}
	_, e := math.Frexp(ax) // ax = f * 2^e, 1/2 <= f < 1
	e--
	if e < 1-bias {
		e = 1 - bias // subnormal: fixed scale
	}
	q := math.RoundToEven(math.Ldexp(ax, int(man)-e)) // in units of the last place
	n := uint64(q)
	if e == 1-bias {
		return sign | n // a carry into the exponent is the right encoding
	}
	n += uint64(e+bias-1) << man // adds the implicit one as an exponent step
	if n >= inf<<man {
		n = inf << man
	}
	return sign | n
}

// widenFloat is the inverse of roundFloat; it is exact.
func widenFloat(bits uint64, exp, man uint) float64 {
	bias := 1<<(exp-1) - 1
	e := int(bits >> man & (1<<exp - 1))
	m := bits & (1<<man - 1)
	var x float64
	switch {
	case e == 1<<exp-1 && m != 0:
		x = math.NaN()
	case e == 1<<exp-1:
		x = math.Inf(1)
	case e == 0:
		x = math.Ldexp(float64(m), 1-bias-int(man))
	default:
		x = math.Ldexp(float64(m|1<<man), e-bias-int(man))
	}
	if bits>>(exp+man)&1 == 1 {
		x = math.Copysign(x, -1)
	}
	return x
}
