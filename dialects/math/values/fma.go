package values

import (
	gomath "math"

	"github.com/irc-lang/irc/ir"
)

// MulAdd is x*y + z in a format, rounded once. In the narrow ones the product of two is exact in float64, and
// the sum is rounded to odd. Rounding it to the format is then as rounding once (Boldo and Melquiond 2008).
func MulAdd(t ir.Type, x, y, z ir.Val) ir.Val {
	if t == ir.F64 {
		return ir.F64Val(gomath.FMA(x.Float(t), y.Float(t), z.Float(t)))
	}
	return ir.FloatVal(addOdd(x.Float(t)*y.Float(t), z.Float(t)), t)
}

// addOdd is p + z rounded to odd.
func addOdd(p, z float64) float64 {
	s := p + z
	if s == 0 || gomath.IsInf(s, 0) || gomath.IsNaN(s) {
		return s
	}
	bb := s - p
	if err := (p - (s - bb)) + (z - bb); err != 0 { // Knuth's TwoSum
		b := gomath.Float64bits(s)
		if b&1 == 0 {
			if (err > 0) == (s > 0) {
				b++
			} else {
				b--
			}
			s = gomath.Float64frombits(b)
		}
	}
	return s
}
