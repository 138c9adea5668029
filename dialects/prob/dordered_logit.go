package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// OrderedLogit is a category that cut points make of a number with noise.
var OrderedLogit = &Law{Name: "dordered.logit", Params: "mu cut[]", Origin: JAGS,
	Doc: "P(x <= k) = ilogit(cut[k] - mu)", Counts: true, NoCDF: true, Functions: LogDensityFunction, Range: orderedRange,
	Joint: ordered(logisticBetweenGo, logisticNoise, logisticBetween[ir.Value, ir.Value]),
}

// logisticBetween is the logarithm of F(b) - F(a), a <= b, of the logistic distribution.
func logisticBetween[T, B any](k Calc[T, B], a, b T) T {
	// Infinite ends: their difference is taken as infinite.
	d := k.Pick(k.And(k.Holds(arith.OGT, a, k.Num(-inf)), k.Holds(arith.OLT, b, k.Num(inf))), k.Sub(a, b), k.Num(-inf))
	return k.Sub(k.Sub(k.Fn(special.Log1mexp, d), k.Fn(special.Log1pexp, a)), k.Fn(special.Log1pexp, k.Neg(b)))
}

func logisticBetweenGo(a, b float64) float64 { return logisticBetween[float64, bool](Float{}, a, b) }

func logisticNoise(r *rand.Rand) float64 {
	u := open(r)
	return Log(u) - math.Log1p(-u)
}
