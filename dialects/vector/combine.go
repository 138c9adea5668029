package vector

import (
	"math"

	"github.com/irc-lang/irc/ir"
)

// intCombine are the kinds on integers of w bits; what lies above them does not matter.
var intCombine = map[string]func(x, y ir.Val, w int) int64{
	"add": func(x, y ir.Val, _ int) int64 { return int64(x.Bits + y.Bits) },
	"mul": func(x, y ir.Val, _ int) int64 { return int64(x.Bits * y.Bits) },
	"and": func(x, y ir.Val, _ int) int64 { return int64(x.Bits & y.Bits) },
	"or":  func(x, y ir.Val, _ int) int64 { return int64(x.Bits | y.Bits) },
	"xor": func(x, y ir.Val, _ int) int64 { return int64(x.Bits ^ y.Bits) },

	"minui": func(x, y ir.Val, _ int) int64 { return int64(min(x.Bits, y.Bits)) },
	"maxui": func(x, y ir.Val, _ int) int64 { return int64(max(x.Bits, y.Bits)) },
	"minsi": func(x, y ir.Val, w int) int64 { return min(x.Int(w), y.Int(w)) },
	"maxsi": func(x, y ir.Val, w int) int64 { return max(x.Int(w), y.Int(w)) },
}

// floatCombine are the kinds on floats, before rounding to their format.
var floatCombine = map[string]func(x, y float64) float64{
	"add":      func(x, y float64) float64 { return x + y },
	"mul":      func(x, y float64) float64 { return x * y },
	"minimumf": math.Min,
	"maximumf": math.Max,
	"minnumf":  number(math.Min),
	"maxnumf":  number(math.Max),
}

// number is f of two numbers, and of NaN and something else that.
func number(f func(x, y float64) float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		switch {
		case math.IsNaN(x):
			return y
		case math.IsNaN(y):
			return x
		}
		return f(x, y)
	}
}

// floatNeutral are values that leave every float as it is. -0.0 does so in a sum, and 0.0 makes
// 0.0 of -0.0.
var floatNeutral = map[string]float64{
	"add": math.Copysign(0, -1), "mul": 1, "minimumf": math.Inf(1), "maximumf": math.Inf(-1),
	"minnumf": math.NaN(), "maxnumf": math.NaN(),
}
