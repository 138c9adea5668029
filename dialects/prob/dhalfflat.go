package prob

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// HalfFlat is improper: its log density is 0 from 0 on.
var HalfFlat = &family.Law{Name: "dhalfflat", Origin: family.NIMBLE,
	Doc: "improper; its log density is 0 from 0 on", NoCDF: true, Support: support.PositiveLine,
	Centre: func([]float64) float64 { return 1 },
	Go:     halfFlatLaw[float64, bool](), Ops: halfFlatLaw[ir.Value, ir.Value](),
}

func halfFlatLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{LogDensity: func(k kit.Calc[T, B], x T, _ []T) T {
		return kit.Within(k, k.Holds(arith.OGE, x, k.Num(0)), k.Num(0))
	}}
}
