package main

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// Norm takes the parts of a number.
var Norm = ir.Define(&ir.OpDef{Name: "cplx.norm", Doc: "The square of the absolute value of x + iy.", Args: []string{"x", "y"},
	Infer: func(c *ir.Call) (ir.Type, error) {
		if len(c.Args) != 2 || !c.Ctx().IsFloat(c.ArgType(0)) || c.ArgType(0) != c.ArgType(1) {
			return 0, c.Errorf("takes two floats of one type")
		}
		return c.ArgType(0), nil
	},
	Eval: func(c *ir.Call, a []ir.Val) (ir.Val, error) {
		t := c.ArgType(0)
		square := func(v ir.Val) float64 { return ir.FloatVal(v.Float(t)*v.Float(t), t).Float(t) }
		return ir.FloatVal(square(a[0])+square(a[1]), t), nil
	}})

// derivatives has a row for each op on floats that is not done with when it is lowered.
var derivatives = derive.Table{
	{Of: Norm, Says: "d(x^2 + y^2) = 2 x dx + 2 y dy", Partials: []derive.Partial{twice(0), twice(1)}},
}

// twice is 2 x, the slope by operand i.
func twice(i int) derive.Partial {
	return func(o *derive.Op) ir.Value { return arith.AddF(o.B, o.X(i), o.X(i)) }
}

// lowerNorm: |x + iy|^2 = x x + y y.
func lowerNorm(m *ir.Mirror, n ir.Node) ir.Value {
	x, y := m.Of(n.Arg(0)), m.Of(n.Arg(1))
	return arith.AddF(m.B, arith.MulF(m.B, x, x), arith.MulF(m.B, y, y))
}
