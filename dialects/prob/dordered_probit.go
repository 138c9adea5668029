package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// OrderedProbit is a category that cut points make of a number with noise.
var OrderedProbit = &Law{Name: "dordered.probit", Params: "mu cut[]", Origin: JAGS,
	Doc: "P(x <= k) = phi(cut[k] - mu)", Counts: true, NoCDF: true, Functions: LogDensityFunction, Range: orderedRange,
	Joint: ordered(normalBetweenGo, (*rand.Rand).NormFloat64, normalBetween[ir.Value, ir.Value]),
}

func normalBetweenGo(a, b float64) float64 { return normalBetween[float64, bool](Float{}, a, b) }

// normalBetween is that of the normal distribution.
func normalBetween[T, B any](k Calc[T, B], a, b T) T {
	at := func(x T) Tails[T] { return Tails[T]{k.Fn(special.LogPhi, x), k.Fn(special.LogPhi, k.Neg(x))} }
	return Truncation(k, false, at, &a, &b)
}
