package elementwise

import (
	gomath "math"

	"github.com/irc-lang/irc/ir"
)

// floatLimit is the exclusive bound of what is not infinite in a float type.
func floatLimit(t ir.Type) float64 {
	switch t {
	case ir.F16:
		return 0x1p16
	case ir.F32, ir.BF16:
		return 0x1p128
	}
	return gomath.Inf(1)
}

// RoundTo rounds x to the float type t by MLIR's rounding mode: 0 to nearest
// even, 1 down, 2 up, 3 towards zero, 4 to nearest with ties away from zero.
func RoundTo(x float64, t ir.Type, mode int64) uint64 {
	near := ir.FloatToBits(x, t)
	r := ir.BitsToFloat(near, t)
	if mode == 0 || r == x || x != x {
		return near
	}
	lo, hi := near, near // the neighbours of x, by magnitude: patterns order magnitudes
	if gomath.Abs(r) > gomath.Abs(x) {
		lo--
	} else {
		hi++
	}
	up := hi // away from zero
	switch neg := gomath.Signbit(x); {
	case mode == 3 || mode == 1 && !neg || mode == 2 && neg:
		up = lo
	case mode == 4:
		a, b := gomath.Abs(ir.BitsToFloat(lo, t)), gomath.Abs(ir.BitsToFloat(hi, t))
		if gomath.IsInf(b, 0) {
			b = floatLimit(t)
		}
		if gomath.Abs(x)-a < b-gomath.Abs(x) {
			up = lo
		}
	}
	return up
}
