package family

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// A Rule is what parameters must obey, and the error where they do not.
type Rule[T, B any] struct {
	Why   string                          // what is told where it does not hold: a sentence without a full stop
	Holds func(k kit.Calc[T, B], p []T) B // it is asked of any numbers, infinite ones and NaN too
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
