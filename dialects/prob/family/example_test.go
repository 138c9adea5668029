package family_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// decay is the exponential law, whose formula is written once, for numbers of Go and for ops.
var decay = &family.Law{Name: "ddecay", Params: "rate", Doc: "exponential with a rate", Support: support.PositiveLine,
	Go: decayLaw[float64, bool](), Ops: decayLaw[ir.Value, ir.Value](),
}

func decayLaw[T, B any]() family.Formulas[T, B] {
	rules := []family.Rule[T, B]{family.Finite[T, B](0, "the rate")}
	return family.Ruled(rules, func(k kit.Calc[T, B], x T, p []T) T {
		return kit.Within(k, kit.Nonnegative(k, x), k.Sub(k.Log(p[0]), k.Mul(p[0], x)))
	})
}

// A law says its density, and which parameters are wrong.
func Example() {
	fmt.Printf("%.4f %v\n", decay.LogDensity(1.5, []float64{2}), decay.LogDensity(-1, []float64{2}))
	fmt.Println(decay.Wrong([]float64{-2}))
	// Output:
	// -2.3069 -Inf
	// the rate must be positive and finite
}
