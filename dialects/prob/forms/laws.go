package forms

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir/lists"
)

// WeightsInvalid is what is wrong with probabilities that are normalised by their sum.
func WeightsInvalid(p []float64) string {
	for i, x := range p {
		if x < 0 {
			return fmt.Sprintf("probability %d is negative", i+1)
		}
	}
	if s := kit.Sum(p); !(s > 0) || math.IsInf(s, 1) {
		return "the probabilities must have a positive sum"
	}
	return ""
}

// Unknown lists the elements that keep does not mark, with their weights, and what the
// others leave of the whole.
func Unknown(x []float64, keep []bool, weights []float64, whole float64) (left float64, rest []int, w family.Array) {
	left = whole
	for i, k := range keep {
		if k {
			left -= x[i]
			continue
		}
		rest = append(rest, i)
		w.V = append(w.V, weights[i])
	}
	w.Dims = []int{len(rest)}
	return left, rest, w
}

// AtPoint is Elsewhere of a law that has all probability at one point as a parameter
// goes to infinity.
func AtPoint(param int, at func(p []float64) float64) func(x float64, p []float64) bool {
	return func(x float64, p []float64) bool { return math.IsInf(p[param], 1) && !math.IsNaN(x) && x != at(p) }
}

// Hinted is a rule with a hint.
func Hinted[T, B any](r family.Rule[T, B], hint func(p []float64) string) family.Rule[T, B] {
	r.Hint = hint
	return r
}

// Impossible is the log density of what does not happen.
func Impossible[T, B any](k kit.Calc[T, B]) T { return k.Num(math.Inf(-1)) }

// OnCounts is f where x is a whole number in lo..hi.
func OnCounts[T, B any](k kit.Calc[T, B], x, lo, hi T, f func(x T) T) T {
	in := k.And(k.Holds(arith.OGE, x, lo), k.Holds(arith.OLE, x, hi))
	in = k.And(in, k.Holds(arith.OEQ, x, k.Floor(x)))
	return k.Pick(in, f(k.Pick(in, x, lo)), Impossible(k))
}

// IsCount holds for finite whole numbers from 0 on.
func IsCount[T, B any](k kit.Calc[T, B], x T) B { return k.And(kit.Whole(k, x, 0), kit.IsFinite(k, x)) }

// SizesOfParams are all parameters, for StableForm.Sizes.
func SizesOfParams[T any](_ T, p []T) []T { return p }

// SizesWithNode are the point and all parameters.
func SizesWithNode[T any](x T, p []T) []T { return append([]T{x}, p...) }

// SizeOfFirst is the first parameter.
func SizeOfFirst[T any](_ T, p []T) []T { return p[:1] }

// DrawBy is a vector of n elements by the formula of a draw.
func DrawBy(f family.Drawing[float64, bool, int], r *rand.Rand, p []family.Array, n int) []float64 {
	out := make([]float64, n)
	f(kit.Floats{}, draw.Sequence{Rand: r}, kit.Grid{V: out}, lists.Map(p, func(a family.Array) kit.Part[float64, int] { return a.Part() }))
	return out
}

// Zero is 0, whatever the parameters are.
func Zero([]float64) float64 { return 0 }

// Optional is a rule for a parameter that may be left out.
func Optional[T, B any](r family.Rule[T, B], i int) family.Rule[T, B] {
	return family.Rule[T, B]{Why: r.Why, Holds: func(k kit.Calc[T, B], p []T) B {
		if i >= len(p) {
			return k.Holds(arith.OEQ, k.Num(0), k.Num(0))
		}
		return r.Holds(k, p)
	}}
}

// Share holds for probabilities, from 0 on or above 0.
func Share[T, B any](open bool) family.Rule[T, B] {
	return family.Rule[T, B]{Why: "the probability must be between 0 and 1", Holds: func(k kit.Calc[T, B], p []T) B {
		if open {
			return k.And(kit.Positive(k, p[0]), k.Holds(arith.OLE, p[0], k.Num(1)))
		}
		return kit.IsProbability(k, p[0])
	}}
}
