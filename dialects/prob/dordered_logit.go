package prob

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// OrderedLogit is a category that cut points make of a number with noise.
var OrderedLogit = &family.Law{Name: "dordered.logit", Params: "mu cut[]", Origin: family.JAGS,
	Doc: "P(x <= k) = ilogit(cut[k] - mu)", Counts: true, NoCDF: true, Functions: family.LogDensityFunction, Range: forms.OrderedRange,
	Joint: forms.Ordered(orderedLogit[float64, bool, int](), orderedLogit[ir.Value, ir.Value, ir.Value]()),
}

func orderedLogit[T, B, I any]() forms.Between[T, B, I] {
	return forms.Between[T, B, I]{Mass: logisticBetween[T, B],
		Noise: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I]) T {
			u := d.Uniform(k.Index(0))
			return k.Sub(k.Log(u), k.Log1p(k.Neg(u)))
		}}
}

// logisticBetween is the logarithm of F(b) - F(a), a <= b, of the logistic distribution.
func logisticBetween[T, B any](k kit.Calc[T, B], a, b T) T {
	// Infinite ends: their difference is taken as infinite.
	d := k.Pick(k.And(k.Holds(arith.OGT, a, k.Num(-kit.Inf)), k.Holds(arith.OLT, b, k.Num(kit.Inf))), k.Sub(a, b), k.Num(-kit.Inf))
	return k.Sub(k.Sub(k.Fn(special.Log1mexp, d), k.Fn(special.Log1pexp, a)), k.Fn(special.Log1pexp, k.Neg(b)))
}
