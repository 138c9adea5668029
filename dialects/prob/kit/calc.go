package kit

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// A Calc computes formulas with numbers T and conditions B: in Go (Float) or by
// making ops (Kit). What is longer than a line is written once over it.
//
// Both arms of a Pick are computed: what an arm would do wrong outside of its
// condition must not trap or loop, and NaN may come of it.
type Calc[T, B any] interface {
	Num(x float64) T
	Add(x, y T) T
	Sub(x, y T) T
	Mul(x, y T) T
	Div(x, y T) T
	Neg(x T) T
	Abs(x T) T
	Log(x T) T
	Exp(x T) T
	Log1p(x T) T
	Expm1(x T) T
	Sqrt(x T) T
	Floor(x T) T
	Round(x T) T // to the nearest integer, of halves to the even one
	// Plus and Minus round each time.
	Plus(x, y T) T
	Minus(x, y T) T
	Pow(x, y T) T
	// Xlogy and Xlog1py are x log y and x log(1 + y), and 0 where x is 0; the logarithm may
	// leave a loop that x varies in.
	Xlogy(x, y T) T
	Xlog1py(x, y T) T
	// Fn is a function of the special dialect.
	Fn(d *ir.OpDef, x ...T) T
	// Holds compares.
	Holds(p arith.CmpFPredicate, x, y T) B
	And(p, q B) B
	Or(p, q B) B
	Pick(p B, x, y T) T
	// Branch is one of two values, of which only that one is computed.
	Branch(p B, yes, no func() T) T
	// Repeat steps while more holds of the state, and returns the last state.
	Repeat(state []T, more func(s []T) B, step func(s []T) []T) []T
}

// What formulas have in common.

func Lesser[T, B any](k Calc[T, B], x, y T) T { return k.Pick(k.Holds(arith.OLT, y, x), y, x) }

func Greater[T, B any](k Calc[T, B], x, y T) T { return k.Pick(k.Holds(arith.OGT, y, x), y, x) }

// OrElse is x where a condition holds, else a number that does no harm.
func OrElse[T, B any](k Calc[T, B], p B, x T, other float64) T { return k.Pick(p, x, k.Num(other)) }

// LogDiff is log(e^x - e^y) for y <= x; -Inf where they are equal.
func LogDiff[T, B any](k Calc[T, B], x, y T) T {
	apart := k.Holds(arith.OLT, y, x)
	d := k.Sub(OrElse(k, apart, y, -1), OrElse(k, apart, x, 0))
	return OrElse(k, apart, k.Add(x, k.Fn(special.Log1mexp, d)), math.Inf(-1))
}

// LogSum is log of the sum of e^term(j) for j = lo, lo + by, ... up to hi, which is
// at most 1e7 steps away: more is taken for an invalid parameter.
func LogSum[T, B any](k Calc[T, B], lo, hi, by T, term func(j T) T) T {
	// Steps are counted: next to a large lo a step may be nothing.
	steps := k.Div(k.Sub(hi, lo), by)
	steps = k.Pick(k.Holds(arith.OLE, steps, k.Num(1e7)), steps, k.Num(-1))
	s := k.Repeat([]T{k.Num(0), k.Num(math.Inf(-1)), k.Num(0)},
		func(s []T) B { return k.Holds(arith.OLE, s[0], steps) },
		func(s []T) []T {
			// s[2] e^s[1] is the sum so far, s[1] the largest term.
			x := term(k.Add(lo, k.Mul(s[0], by)))
			top := Greater(k, s[1], x)
			safe := OrElse(k, k.Holds(arith.OGT, top, k.Num(math.Inf(-1))), top, 0)
			sum := k.Add(k.Mul(s[2], k.Exp(k.Sub(s[1], safe))), k.Exp(k.Sub(x, safe)))
			return []T{k.Add(s[0], k.Num(1)), top, sum}
		})
	return OrElse(k, k.Holds(arith.OGT, s[2], k.Num(0)), k.Add(s[1], k.Log(s[2])), math.Inf(-1))
}

// The forms that densities are made of.

func Half[T, B any](k Calc[T, B], x T) T { return k.Mul(k.Num(0.5), x) }

func Positive[T, B any](k Calc[T, B], x T) B { return k.Holds(arith.OGT, x, k.Num(0)) }

// IsFinite compares with the greatest number: of comparisons with infinity LLVM makes a test of bits, which is several ops.
func IsFinite[T, B any](k Calc[T, B], x T) B {
	return k.Holds(arith.OLE, k.Abs(x), k.Num(math.MaxFloat64))
}

func Between[T, B any](k Calc[T, B], x, lo, hi T) B {
	return k.And(k.Holds(arith.OGE, x, lo), k.Holds(arith.OLE, x, hi))
}

func IsProbability[T, B any](k Calc[T, B], p T) B { return Between(k, p, k.Num(0), k.Num(1)) }

// Whole holds for integers from a bound on; infinity minus itself is NaN.
func Whole[T, B any](k Calc[T, B], x T, from float64) B {
	return k.And(k.Holds(arith.OGE, x, k.Num(from)), k.Holds(arith.OEQ, k.Sub(x, k.Floor(x)), k.Num(0)))
}

// Nonnegative holds for finite numbers from 0 on.
func Nonnegative[T, B any](k Calc[T, B], x T) B {
	return Between(k, x, k.Num(0), k.Num(math.MaxFloat64))
}

// FinitePositive holds where all are.
func FinitePositive[T, B any](k Calc[T, B], xs ...T) B {
	ok := k.Holds(arith.OEQ, k.Num(0), k.Num(0))
	for _, x := range xs {
		ok = k.And(ok, k.And(Positive(k, x), IsFinite(k, x)))
	}
	return ok
}

// Within is a term inside of the support, and -inf outside.
func Within[T, B any](k Calc[T, B], inside B, term T) T {
	return k.Pick(inside, term, k.Num(math.Inf(-1)))
}

// Valid is a term for valid parameters, and NaN for others.
func Valid[T, B any](k Calc[T, B], ok B, term T) T { return k.Pick(ok, term, k.Num(math.NaN())) }

// Guarded is c + body inside, else -inf; NaN where ok does not hold. c and ok leave the
// loops that the parameters do not depend on.
func Guarded[T, B any](k Calc[T, B], ok B, c T, inside B, body T) T {
	return Valid(k, ok, k.Add(c, Within(k, inside, body)))
}

// Quadratic is a z^2, multiplied so that a large z and a small a do not overflow.
func Quadratic[T, B any](k Calc[T, B], a, z T) T { return k.Mul(k.Mul(a, z), z) }

// Large is above which numbers the plain formulas lose more than 1e-11.
const Large = 1e4
