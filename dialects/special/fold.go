package special

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	md "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

var folds = []ir.Fold{
	{Of: Xlogy, Rule: "xlogy: 1 * log(y) = log(y)", Do: oneTimes(md.Log)},
	{Of: Xlog1py, Rule: "xlog1py: 1 * log(1 + y) = log1p(y)", Do: oneTimes(md.Log1p)},
	{Of: Lbeta, Rule: "lbeta(1, b) = lbeta(b, 1) = -log(b)", Do: lbetaOfOne},
}

// lbetaOfOne agrees at 0, at infinities and below 0, too.
func lbetaOfOne(b *ir.Builder, c *ir.Call) ir.Value {
	for i := range c.Args {
		if elementwise.IsFloatNumber(c, i, 1) && c.ArgType(1-i) == c.Type {
			return arith.Float(b, arith.Negf, 0, arith.Float(b, md.Log, 0, c.Args[1-i]))
		}
	}
	return 0
}

func oneTimes(log *ir.OpDef) func(*ir.Builder, *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		if !elementwise.IsFloatNumber(c, 0, 1) || c.ArgType(1) != c.Type {
			return 0
		}
		return arith.Float(b, log, 0, c.Args[1])
	}
}
