package prob

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// LogLik has a log density that a program computes.
var LogLik = &family.Law{Name: "dloglik", Params: "p", Origin: family.BUGS,
	Doc: "its log density is p, whatever x", NoCDF: true,
	Centre: forms.Zero,
	Go:     logLikLaw[float64, bool](), Ops: logLikLaw[ir.Value, ir.Value](),
}

func logLikLaw[T, B any]() family.Formulas[T, B] {
	return family.Ruled([]family.Rule[T, B]{{Why: "the log density must be below infinity", Holds: func(k kit.Calc[T, B], p []T) B {
		return k.Holds(arith.OLT, p[0], k.Num(kit.Inf))
	}}}, func(k kit.Calc[T, B], x T, p []T) T { return p[0] })
}
