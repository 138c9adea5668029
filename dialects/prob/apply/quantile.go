package apply

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// quantileOf is where the distribution function reaches u; NaN for u that is no
// probability.
func quantileOf[T, B any](k kit.Calc[T, B], f family.Formulas[T, B], counts bool, u T, p []T) T {
	if f.Quantile != nil {
		ok := k.And(k.Holds(arith.OGE, u, k.Num(0)), k.Holds(arith.OLE, u, k.Num(1)))
		return kit.OrElse(k, ok, f.Quantile(k, u, p), math.NaN())
	}
	x := cumulative.Quantile(k, counts, func(x T) cumulative.Tails[T] { return f.Tails(k, x, p) }, u)
	if counts {
		return x
	}
	return implicit(k, f, x, u, p)
}

// nearRoot is how far the logarithm of a tail may be from what is wanted, next to a quantile. Beyond, the quantile is
// no number that floats have, as the 0 of a small shape, and does not change.
const nearRoot = 1e-6

// implicit is the quantile x with derivatives. A search by comparisons has none, as what it compares chooses among
// constants.
//
// Newton's method on the logarithm of the smaller tail leaves x as it is, to rounding. A step from a constant has the first
// derivatives of the implicit function, and a second step the second ones (Griewank and Walther 2008, chapter 15).
func implicit[T, B any](k kit.Calc[T, B], f family.Formulas[T, B], x, u T, p []T) T {
	low := k.Holds(arith.OLE, u, k.Num(0.5))
	want := k.Pick(low, k.Log(u), k.Log1p(k.Neg(u)))
	at, found := x, k.Holds(arith.OEQ, x, x)
	for range 2 {
		tails := f.Tails(k, at, p)
		tail := k.Pick(low, tails.Below, tails.Above)
		off := k.Sub(tail, want)
		slope := k.Exp(k.Sub(density(k, f, at, p), tail)) // downwards for the upper tail
		step := k.Div(off, k.Pick(low, slope, k.Neg(slope)))
		found = k.And(found, k.And(k.Holds(arith.OLE, k.Abs(off), k.Num(nearRoot)), kit.IsFinite(k, step)))
		at = k.Sub(at, step)
	}
	return k.Pick(found, at, x)
}

// density is the log density, in the form that holds for all sizes where there is one.
func density[T, B any](k kit.Calc[T, B], f family.Formulas[T, B], x T, p []T) T {
	plain := func() T { return f.LogDensity(k, x, p) }
	if f.Stable == nil {
		return plain()
	}
	return k.Branch(f.Stable.Inside(k, x, p), func() T { return f.Stable.Body(k, x, p) }, plain)
}
