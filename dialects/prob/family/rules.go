package family

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// A Rule is what parameters must obey, and the error where they do not.
type Rule[T, B any] struct {
	Why   string
	Holds func(k kit.Calc[T, B], p []T) B
	// Hint adds to the error what these values suggest; nil adds nothing.
	Hint func(p []float64) string
}

// Ruled is a formula that is NaN where a rule does not hold or x is NaN.
func Ruled[T, B any](rules []Rule[T, B], f func(k kit.Calc[T, B], x T, p []T) T) Formulas[T, B] {
	return Formulas[T, B]{Rules: rules, LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
		ok := k.Holds(arith.ORD, x, x)
		for _, r := range rules {
			ok = k.And(ok, r.Holds(k, p))
		}
		return kit.Valid(k, ok, f(k, x, p))
	}}
}

// Above holds for positive parameters, infinity too.
func Above[T, B any](i int, name string) Rule[T, B] {
	return Rule[T, B]{Why: name + " must be positive", Holds: func(k kit.Calc[T, B], p []T) B { return kit.Positive(k, p[i]) }}
}

// Share holds for probabilities, from 0 on or above 0.
func Share[T, B any](open bool) Rule[T, B] {
	return Rule[T, B]{Why: "the probability must be between 0 and 1", Holds: func(k kit.Calc[T, B], p []T) B {
		if open {
			return k.And(kit.Positive(k, p[0]), k.Holds(arith.OLE, p[0], k.Num(1)))
		}
		return kit.IsProbability(k, p[0])
	}}
}

// Finite holds for positive parameters below infinity.
func Finite[T, B any](i int, name string) Rule[T, B] {
	return Rule[T, B]{Why: name + " must be positive and finite", Holds: func(k kit.Calc[T, B], p []T) B {
		return k.And(k.Holds(arith.OGT, p[i], k.Num(0)), k.Holds(arith.OLT, p[i], k.Num(kit.Inf)))
	}}
}

// Real holds for numbers that are not infinite.
func Real[T, B any](i int, name string) Rule[T, B] {
	return Rule[T, B]{Why: name + " must be finite", Holds: func(k kit.Calc[T, B], p []T) B {
		return k.Holds(arith.OLT, k.Abs(p[i]), k.Num(kit.Inf))
	}}
}

// WholeNumber holds for counts that a sum over them ends for.
func WholeNumber[T, B any](i int, name string) Rule[T, B] {
	return Rule[T, B]{Why: name + " must be a whole number, at most 1e7", Holds: func(k kit.Calc[T, B], p []T) B {
		ok := k.And(k.Holds(arith.OGE, p[i], k.Num(0)), k.Holds(arith.OLE, p[i], k.Num(1e7)))
		return k.And(ok, k.Holds(arith.OEQ, p[i], k.Floor(p[i])))
	}}
}

// Optional is a rule for a parameter that may be left out.
func Optional[T, B any](r Rule[T, B], i int) Rule[T, B] {
	return Rule[T, B]{Why: r.Why, Holds: func(k kit.Calc[T, B], p []T) B {
		if i >= len(p) {
			return k.Holds(arith.OEQ, k.Num(0), k.Num(0))
		}
		return r.Holds(k, p)
	}}
}
