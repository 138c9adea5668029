package main

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Square is a pass: it writes x*x without a multiplication of the imaginary
// part by the real part twice. Its exported fields are its options.
type Square struct {
	Limit int      `opt:"limit" doc:"how many products it changes at most in a function"`
	Often float64  `opt:"often" doc:"only products that run at least so often for each run of the function"`
	Where string   `opt:"where" one:"anywhere loops" doc:"which products"`
	In    []string `opt:"in" doc:"names of the functions; all if empty"`
}

// Run rebuilds the graph by one rule; everything else is copied, folded and
// shared again on the way.
func (p *Square) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	chosen, n := map[*ir.Graph][]ir.Value{}, 0
	choose := func(g *ir.Graph, name string) {
		if len(p.In) == 0 || slices.Contains(p.In, name) {
			chosen[g] = p.choose(g)
			n += len(chosen[g])
		}
	}
	choose(g, "")
	_ = pass.Isolated(g, func(owner ir.Node, body *ir.Graph) error { choose(body, pass.SymbolOf(owner)); return nil })
	if n == 0 {
		return g, nil // the same graph: what is known of it stays known
	}
	ctx.Count("squares", n)
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{Mul: func(m *ir.Mirror, n ir.Node) ir.Value {
		if !slices.Contains(chosen[n.Graph()], n.Old()) {
			return 0 // not for us: it is copied
		}
		return square(m, m.Of(n.Arg(0)))
	}}, nil), nil
}

// squares are the products of a number with itself, in order. It is worked out once for a
// graph and kept with it.
var squares = ir.NewAnalysis("cplx.squares", func(g *ir.Graph) (out []ir.Value) {
	for v := range ir.ScheduleOf(g).All() {
		if g.Def(v) == Mul && g.Args(v)[0] == g.Args(v)[1] {
			out = append(out, v)
		}
	}
	return out
})

// choose lists the products that are to be changed.
func (p *Square) choose(g *ir.Graph) (out []ir.Value) {
	s := ir.ScheduleOf(g)
	for _, v := range squares.Of(g) {
		if len(out) < p.Limit && s.Freq(s.Place(v)) >= p.Often && (p.Where == "anywhere" || inLoop(s, v)) {
			out = append(out, v)
		}
	}
	return out
}

// inLoop reports an op that stands in a loop, of whatever dialect.
func inLoop(s *ir.Schedule, v ir.Value) bool {
	for r := s.Place(v); r != ir.Root; r = s.Place(v) {
		v = s.Graph().Owner(r)
		if l, ok := ir.As[ir.LoopLike](s.Graph().NodeOf(v)); ok && s.Graph().KindOf(l.Body) == ir.Loop {
			return true
		}
	}
	return false
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
	New: func() pass.Pass { return &Square{Limit: 1000, Where: "anywhere"} },
}
