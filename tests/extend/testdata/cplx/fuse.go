package main

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/ordering"
	"github.com/irc-lang/irc/passes/pass"
)

// Fuse is a pass: it makes one loop of two that run equally often, side by side.
type Fuse struct{}

// Run looks for pairs in each region of each function.
func (*Fuse) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	groups := map[*ir.Graph]*ordering.Groups{}
	pairs := func(g *ir.Graph) {
		s := ir.ScheduleOf(g)
		groups[g] = ordering.NewGroups(s)
		pairsIn(s, ir.Root, groups[g])
		ctx.Count("fused", groups[g].Len())
	}
	pairs(g)
	_ = pass.Isolated(g, func(_ ir.Node, body *ir.Graph) error { pairs(body); return nil })
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{Repeat: func(m *ir.Mirror, n ir.Node) ir.Value {
		return groups[n.Graph()].Rule(fused)(m, n)
	}}, nil), nil
}

// pairsIn groups loops of a region. Add says whether that is legal: nothing between the two
// may need the first and be needed by the second, be it a value, memory or a trap. Of
// the two themselves it asks no more than that they keep their order, which their rounds would not.
func pairsIn(s *ir.Schedule, r ir.Region, groups *ordering.Groups) {
	g, o := s.Graph(), ordering.New(s, r)
	for i, v := range s.Body(r) {
		for _, inner := range g.Regions(v) {
			pairsIn(s, inner, groups)
		}
		if g.Def(v) != Repeat {
			continue
		}
		for _, w := range s.Body(r)[:i] {
			if g.Def(w) == Repeat && g.AttrsOf(w) == g.AttrsOf(v) && !o.Needs(v)[w] && !o.After(v)[w] && groups.Add(w, v) {
				break
			}
		}
	}
}

// fused is one loop that carries what both did. It returns what stands for each of them.
func fused(m *ir.Mirror, pair []ir.Node) []ir.Value {
	x, y := pair[0], pair[1]
	bx, by := x.Region(0), y.Region(0)
	k := x.NumArgs()
	types := append(bx.ParamTypes(), by.ParamTypes()...)
	body := m.B.Region(bx.Kind(), types, func(p []ir.Value) {
		m.Op(Yield, append(m.Body(bx, p[:k]...), m.Body(by, p[k:]...)...)...)
	})
	args := append(m.All(x.Args()), m.All(y.Args())...)
	z := m.B.Results(m.B.Must(ir.Call{Def: Repeat, Args: args, Attr: x.Attrs(), Regions: []ir.Region{body}}))
	return []ir.Value{m.B.Pack(z[:k]...), m.B.Pack(z[k:]...)}
}

// FusePass is the row of the pass.
var FusePass = &pass.Info{
	Name: "cplx-fuse", Doc: "Makes one loop of two that run equally often and need nothing of each other.",
	Why:        "before lower{to=scf}, which makes loops of scf",
	Statistics: []pass.Statistic{{Name: "fused", Doc: "pairs of loops that became one"}},
	Example: `func.func @f(%x: !cplx.number<f64>, %y: !cplx.number<f64>) -> (!cplx.number<f64>, !cplx.number<f64>) {
  %a = cplx.repeat 3 times %x {
  ^bb0(%w: !cplx.number<f64>):
    %q = cplx.mul %w, %w
    cplx.yield %q
  }
  %b = cplx.repeat 3 times %y {
  ^bb0(%w: !cplx.number<f64>):
    %q = cplx.mul %w, %x
    cplx.yield %q
  }
  return %a, %b : !cplx.number<f64>, !cplx.number<f64>
}`,
	New: func() pass.Pass { return &Fuse{} },
}
