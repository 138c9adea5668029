package prob

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// Interval says between which cuts t lies.
var Interval = &family.Law{Name: "dinterval", Params: "t c[]", Origin: family.JAGS,
	Doc: "log density 0 if x is the number of c below t", Counts: true, NoCDF: true, Censors: true, Functions: family.LogDensityFunction,
	Where: func(p []family.Array) string { return fmt.Sprint(countBelow(p)) },
	Joint: intervalOf,
}

// intervalOf is dinterval(t, cut[]).
var intervalOf = &family.Joint{
	Args: []int{0, 1}, Single: true, Invalid: func(p []family.Array) string { return forms.Ascending(p[1]) },
	Centre: func(p []family.Array, _ int) []float64 { return []float64{countBelow(p)} },
	Go:     intervalLaw[float64, bool, int](), Ops: intervalLaw[ir.Value, ir.Value, ir.Value](),
}

func intervalLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{
		LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			n, y := kit.CountBelow(k, p[0].Number(), p[1]), x.Number()
			ok := k.And(kit.IsNumber(k, n), kit.IsNumber(k, y))
			return kit.Valid(k, k.And(ok, kit.Positive(k, forms.Ascends(k, p[1]))), kit.Within(k, k.Holds(arith.OEQ, y, n), k.Num(0)))
		},
		Draw: func(k kit.Arrays[T, B, I], _ draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			x.Store(kit.CountBelow(k, p[0].Number(), p[1]), k.Index(0))
		},
	}
}

func countBelow(p []family.Array) float64 {
	return kit.CountBelow(kit.Floats{}, p[0].V[0], p[1].Part())
}
