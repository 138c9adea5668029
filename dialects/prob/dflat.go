package prob

import (
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// FlatLaw is improper: its log density is 0.
var FlatLaw = &family.Law{Name: "dflat", Origin: family.BUGS,
	Doc: "improper; its log density is 0", NoCDF: true, Support: support.RealLine, Flat: true,
	Centre: forms.Zero,
	Go:     flatLaw[float64, bool](), Ops: flatLaw[ir.Value, ir.Value](),
}

func flatLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{LogDensity: func(k kit.Calc[T, B], x T, p []T) T { return k.Num(0) }}
}
