package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// SumLaw has one value: the sum.
var SumLaw = &family.Law{Name: "dsum", Params: "x...", Origin: family.JAGS,
	Doc: "log density 0 if x is the sum", NoCDF: true, Atoms: true, Functions: family.LogDensityFunction,
	Draw:   func(_ *rand.Rand, p []float64) float64 { return kit.Sum(p) },
	Centre: kit.Sum,
	Go:     sumLaw[float64, bool](), Ops: sumLaw[ir.Value, ir.Value](),
}

func sumLaw[T, B any]() family.Formulas[T, B] {
	return family.Ruled(nil, func(k kit.Calc[T, B], x T, p []T) T {
		s := p[0]
		for _, y := range p[1:] {
			s = k.Add(s, y)
		}
		near := k.Holds(arith.OLE, k.Abs(k.Sub(x, s)), k.Mul(k.Num(1e-14), kit.Greater(k, k.Num(1), k.Abs(s))))
		return k.Pick(near, k.Num(0), forms.Impossible(k))
	})
}
