package prob

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// LogLik has a log density that a program computes.
var LogLik = &Law{Name: "dloglik", Params: "p", Origin: BUGS,
	Doc: "its log density is p, whatever x", NoCDF: true,
	Centre: zero,
	Go:     logLikLaw[float64, bool](), Ops: logLikLaw[ir.Value, ir.Value](),
}

func logLikLaw[T, B any]() Formulas[T, B] {
	return ruled([]Rule[T, B]{{Why: "the log density must be below infinity", Holds: func(k Calc[T, B], p []T) B {
		return k.Holds(arith.OLT, p[0], k.Num(inf))
	}}}, func(k Calc[T, B], x T, p []T) T { return p[0] })
}
