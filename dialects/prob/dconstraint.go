package prob

import (
	"fmt"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// Constraint is that of NIMBLE: a node that is 1 in the data says that a condition holds, one that is 0
// says nothing.
var Constraint = &family.Law{Name: "dconstraint", Params: "cond", Origin: family.NIMBLE,
	Doc: "log density 0 if x is the condition, or 0", Counts: true, NoCDF: true,
	Where:  func(p []family.Array) string { return fmt.Sprintf("0, or the condition, which is %v", p[0].V[0]) },
	Draw:   func(_ *rand.Rand, p []float64) float64 { return p[0] },
	Centre: family.First,
	Go:     constraintLaw[float64, bool](), Ops: constraintLaw[ir.Value, ir.Value](),
}

func constraintLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
		holds := k.Or(k.Holds(arith.OEQ, x, p[0]), k.Holds(arith.OEQ, x, k.Num(0)))
		return kit.Valid(k, k.And(kit.IsNumber(k, p[0]), kit.IsNumber(k, x)), kit.Within(k, holds, k.Num(0)))
	}}
}
