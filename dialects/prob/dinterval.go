package prob

import (
	"fmt"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// Interval says between which cuts t lies.
var Interval = &Law{Name: "dinterval", Params: "t c[]", Origin: JAGS,
	Doc: "log density 0 if x is the number of c below t", Counts: true, NoCDF: true, Censors: true, Functions: LogDensityFunction,
	Where: func(p []Array) string { return fmt.Sprint(CountBelow(p[0].V[0], p[1].V)) },
	Joint: intervalOf,
}

// intervalOf is dinterval(t, cut[]).
var intervalOf = &Joint{Ops: lowerInterval,
	Args: []int{0, 1}, Single: true, Invalid: func([]Array) string { return "" },
	Logp: func(x []float64, p []Array) float64 {
		if x[0] == CountBelow(p[0].V[0], p[1].V) {
			return 0
		}
		return -inf
	},
	Draw:   func(_ *rand.Rand, p []Array, _ int) []float64 { return []float64{CountBelow(p[0].V[0], p[1].V)} },
	Centre: func(p []Array, _ int) []float64 { return []float64{CountBelow(p[0].V[0], p[1].V)} }}

func lowerInterval(k Kit, _ Workspace, x View, p []View) ir.Value {
	n := k.CountBelow(p[0].Scalar, p[1])
	return k.Valid(k.And(k.IsNumber(n), k.IsNumber(x.Scalar)), k.Within(k.Cmp(arith.OEQ, x.Scalar, n), k.Num(0)))
}

// countBelow is the number of cut points strictly below t.
func CountBelow(t float64, cuts []float64) float64 {
	n := 0.0
	for _, c := range cuts {
		n += truth(c < t)
	}
	return n
}
