// Package kinds has what the AtomicRMWKinds of MLIR make of two numbers. It is of this repository alone.
package kinds

import (
	"math"

	"github.com/irc-lang/irc/ir"
)

// Combine is what an AtomicRMWKind of MLIR, but assign, makes of two numbers of a type.
func Combine(c *ir.Context, kind string, t ir.Type, x, y ir.Val) ir.Val {
	if c.IsFloat(t) {
		return ir.FloatVal(combineFloat(kind, x.Float(t), y.Float(t)), t)
	}
	w := c.Info(t).Width
	return ir.IntVal(combineInt(kind, x.Int(w), y.Int(w), w), w)
}

// combineFloat is the kind on floats, before rounding to their format.
// maximumf and minimumf of a NaN are NaN, and so is any other kind that is not named here.
func combineFloat(kind string, x, y float64) float64 {
	nan := math.IsNaN(x) || math.IsNaN(y)
	switch kind {
	case "addf":
		return x + y
	case "mulf":
		return x * y
	case "maxnumf", "minnumf": // the one that is a number
		if math.IsNaN(x) {
			return y
		}
		if math.IsNaN(y) {
			return x
		}
	}
	switch {
	case nan:
		return math.NaN()
	case kind == "maximumf" || kind == "maxnumf":
		return math.Max(x, y)
	}
	return math.Min(x, y)
}

// combineInt is the kind on integers of a width, which are sign-extended.
// What lies above the width in the result does not matter.
func combineInt(kind string, x, y int64, width int) int64 {
	unsigned := func(n int64) uint64 { return ir.IntVal(n, width).Bits }
	switch kind {
	case "addi":
		return x + y
	case "muli":
		return x * y
	case "ori":
		return x | y
	case "andi":
		return x & y
	case "maxs":
		return max(x, y)
	case "mins":
		return min(x, y)
	}
	if (kind == "maxu") == (unsigned(x) > unsigned(y)) {
		return x
	}
	return y
}
