package main

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Square is a pass: it writes x*x without a multiplication of the imaginary
// part by the real part twice. Its exported fields are its options.
type Square struct {
	Limit int `opt:"limit" doc:"how many products it changes at most in a function"`
}

// Run rebuilds the graph by one rule; everything else is copied, folded and
// shared again on the way.
func (p *Square) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	done := 0
	rules := ir.Rules{Mul: func(m *ir.Mirror, n ir.Node) ir.Value {
		if n.Arg(0) != n.Arg(1) || done >= p.Limit {
			return 0 // not for us: it is copied
		}
		done++
		return square(m, m.Of(n.Arg(0)))
	}}
	g = ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil)
	ctx.Count("squares", done)
	return g, nil
}

// square: (a + ib)^2 = (a+b)(a-b) + i 2ab.
func square(m *ir.Mirror, z ir.Value) ir.Value {
	a, b := m.Op(Re, z), m.Op(Im, z)
	re := mulf(m, addf(m, a, b), subf(m, a, b))
	ab := mulf(m, a, b)
	return m.Op(Make, re, addf(m, ab, ab))
}

// SquarePass is the row of the pass in the list of passes.
var SquarePass = &pass.Info{
	Name: "cplx-square", Doc: "Writes z*z with two multiplications in place of four.",
	Why:        "before lower{to=scf}, which makes four of every product",
	Statistics: []pass.Statistic{{Name: "squares", Doc: "products of a number with itself"}},
	Example: `func.func @f(%x: f64, %y: f64) -> f64 {
  %z = cplx.make %x, %y : f64
  %q = cplx.mul %z, %z
  %r = cplx.re %q
  return %r : f64
}`,
	New: func() pass.Pass { return &Square{Limit: 1000} },
}
