package prob

import (
	"github.com/irc-lang/irc/ir"
)

// FlatLaw is improper: its log density is 0.
var FlatLaw = &Law{Name: "dflat", Origin: BUGS,
	Doc: "improper; its log density is 0", NoCDF: true, Support: realLine, Flat: true,
	Centre: zero,
	Go:     flatLaw[float64, bool](), Ops: flatLaw[ir.Value, ir.Value](),
}

func flatLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{LogDensity: func(k Calc[T, B], x T, p []T) T { return k.Num(0) }}
}
