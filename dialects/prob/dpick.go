package prob

import (
	"fmt"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// Pick is a with probability p, else b.
var Pick = &family.Law{Name: "dpick", Params: "p a b", Origin: family.JAGS,
	Doc: "a with probability p, else b", NoCDF: true, Atoms: true, Functions: family.LogDensityFunction,
	Where: func(p []family.Array) string { return fmt.Sprintf("%v or %v", p[1].V[0], p[2].V[0]) },
	Draw: func(r *rand.Rand, p []float64) float64 {
		if r.Float64() < p[0] {
			return p[1]
		}
		return p[2]
	},
	Centre: func(p []float64) float64 {
		if p[0] >= 0.5 {
			return p[1]
		}
		return p[2]
	},
	Go: pickLaw[float64, bool](), Ops: pickLaw[ir.Value, ir.Value](),
}

func pickLaw[T, B any]() family.Formulas[T, B] {
	return family.Ruled([]family.Rule[T, B]{{Why: "the probability must be between 0 and 1", Holds: func(k kit.Calc[T, B], p []T) B {
		return k.And(k.Holds(arith.OGE, p[0], k.Num(0)), k.Holds(arith.OLE, p[0], k.Num(1)))
	}}}, func(k kit.Calc[T, B], x T, p []T) T {
		first := k.Pick(k.Holds(arith.OEQ, x, p[1]), p[0], k.Num(0))
		return k.Log(k.Add(first, k.Pick(k.Holds(arith.OEQ, x, p[2]), k.Sub(k.Num(1), p[0]), k.Num(0))))
	})
}
