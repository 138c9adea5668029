package prob

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// OrderedProbit is a category that cut points make of a number with noise.
var OrderedProbit = &family.Law{Name: "dordered.probit", Params: "mu cut[]", Origin: family.JAGS,
	Doc: "P(x <= k) = phi(cut[k] - mu)", Counts: true, NoCDF: true, Functions: family.LogDensityFunction, Range: forms.OrderedRange,
	Joint: forms.Ordered(orderedProbit[float64, bool, int](), orderedProbit[ir.Value, ir.Value, ir.Value]()),
}

func orderedProbit[T, B, I any]() forms.Between[T, B, I] {
	return forms.Between[T, B, I]{Mass: normalBetween[T, B],
		Noise: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I]) T { return d.Normal(k.Index(0)) }}
}

// normalBetween is that of the normal distribution.
func normalBetween[T, B any](k kit.Calc[T, B], a, b T) T {
	// The first and the last class have an infinite end, whose logarithm does not change with it.
	tail := func(x T) T {
		return k.Pick(k.Holds(arith.OGT, x, k.Num(-kit.Inf)), k.Fn(special.LogPhi, x), k.Num(-kit.Inf))
	}
	at := func(x T) cumulative.Tails[T] { return cumulative.Tails[T]{Below: tail(x), Above: tail(k.Neg(x))} }
	return cumulative.Truncation(k, false, at, &a, &b)
}
