package prob

import (
	"fmt"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// Interval says between which cuts t lies.
var Interval = &family.Law{Name: "dinterval", Params: "t c[]", Origin: family.JAGS,
	Doc: "log density 0 if x is the number of c below t", Counts: true, NoCDF: true, Censors: true, Functions: family.LogDensityFunction,
	Where: func(p []family.Array) string { return fmt.Sprint(kit.CountBelow(p[0].V[0], p[1].V)) },
	Joint: intervalOf,
}

// intervalOf is dinterval(t, cut[]).
var intervalOf = &family.Joint{Ops: lowerInterval,
	Args: []int{0, 1}, Single: true, Invalid: func([]family.Array) string { return "" },
	Logp: func(x []float64, p []family.Array) float64 {
		if x[0] == kit.CountBelow(p[0].V[0], p[1].V) {
			return 0
		}
		return -kit.Inf
	},
	Draw: func(_ *rand.Rand, p []family.Array, _ int) []float64 {
		return []float64{kit.CountBelow(p[0].V[0], p[1].V)}
	},
	Centre: func(p []family.Array, _ int) []float64 { return []float64{kit.CountBelow(p[0].V[0], p[1].V)} }}

func lowerInterval(k kit.Ops, _ kit.Workspace, x kit.View, p []kit.View) ir.Value {
	n := k.CountBelow(p[0].Scalar, p[1])
	return k.Valid(k.And(k.IsNumber(n), k.IsNumber(x.Scalar)), k.Within(k.Cmp(arith.OEQ, x.Scalar, n), k.Num(0)))
}
