package prob

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// incomplete are the incomplete functions of the dialect special as loops. Native code has them so, and derivatives go
// through the loops, by the shapes, too.
var incomplete = ir.Rules{
	special.Gammainc:    asLoops(func(k kit.Ops, x []ir.Value) ir.Value { return k.Exp(gammaTails(k, x).Below) }),
	special.Gammaincc:   asLoops(func(k kit.Ops, x []ir.Value) ir.Value { return k.Exp(gammaTails(k, x).Above) }),
	special.Gammaincinv: asLoops(gammaQuantile),
	special.Betainc: asLoops(func(k kit.Ops, x []ir.Value) ir.Value {
		in := k.And(k.Holds(arith.OGE, x[2], k.Num(0)), k.Holds(arith.OLE, x[2], k.Num(1)))
		tails := functions.BetaTails(k, functions.RealShape, x[0], x[1], x[2], k.Sub(k.Num(1), x[2]))
		return k.Valid(in, k.Exp(tails.Below))
	}),
	special.Betaincinv: asLoops(betaQuantile),
}

func gammaTails(k kit.Ops, x []ir.Value) cumulative.Tails[ir.Value] {
	tails := functions.GammaTails(k, functions.RealShape, x[0], x[1])
	in := k.Holds(arith.OGE, x[1], k.Num(0))
	return cumulative.Tails[ir.Value]{Below: k.Valid(in, tails.Below), Above: k.Valid(in, tails.Above)}
}

// asLoops computes a function of numbers in f64, of which all operands but the last are shapes: positive, and finite.
// Wider floats, vectors and tensors are left as they are.
func asLoops(f func(k kit.Ops, x []ir.Value) ir.Value) func(*ir.Mirror, ir.Node) ir.Value {
	return func(m *ir.Mirror, n ir.Node) ir.Value {
		t := m.Type(n.Type())
		c := m.B.Ctx()
		if !c.IsFloat(t) || c.Info(t).Width > 64 {
			return 0
		}
		k, x := kit.Ops{B: m.B}, m.All(n.Args())
		if t != ir.F64 {
			for i, v := range x {
				x[i] = arith.Cast(m.B, arith.Extf, v, ir.F64)
			}
		}
		y := k.Valid(k.FinitePositive(x[:len(x)-1]...), f(k, x))
		if t != ir.F64 {
			y = arith.Cast(m.B, arith.Truncf, y, t)
		}
		return y
	}
}
