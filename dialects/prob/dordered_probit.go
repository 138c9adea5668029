package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// OrderedProbit is a category that cut points make of a number with noise.
var OrderedProbit = &family.Law{Name: "dordered.probit", Params: "mu cut[]", Origin: family.JAGS,
	Doc: "P(x <= k) = phi(cut[k] - mu)", Counts: true, NoCDF: true, Functions: family.LogDensityFunction, Range: forms.OrderedRange,
	Joint: forms.Ordered(normalBetweenGo, (*rand.Rand).NormFloat64, normalBetween[ir.Value, ir.Value]),
}

func normalBetweenGo(a, b float64) float64 { return normalBetween[float64, bool](kit.Float{}, a, b) }

// normalBetween is that of the normal distribution.
func normalBetween[T, B any](k kit.Calc[T, B], a, b T) T {
	at := func(x T) cumulative.Tails[T] {
		return cumulative.Tails[T]{Below: k.Fn(special.LogPhi, x), Above: k.Fn(special.LogPhi, k.Neg(x))}
	}
	return cumulative.Truncation(k, false, at, &a, &b)
}
