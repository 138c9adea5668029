package main

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Strength is a pass: a product of a loop's index and a constant becomes a sum that the loop carries.
type Strength struct {
	Most int `opt:"most" doc:"how many products of a loop at most"`
}

// Run looks for the products first, and then makes the loops again that have some.
func (p *Strength) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	chosen, n := map[*ir.Graph]map[ir.Value][]ir.Node{}, 0
	choose := func(g *ir.Graph) {
		chosen[g] = p.choose(g)
		for _, products := range chosen[g] {
			n += len(products)
		}
	}
	choose(g)
	_ = pass.Isolated(g, func(_ ir.Node, body *ir.Graph) error { choose(body); return nil })
	if n == 0 {
		return g, nil
	}
	ctx.Count("products", n)
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{scf.For: func(m *ir.Mirror, n ir.Node) ir.Value {
		if products := chosen[n.Graph()][n.Old()]; len(products) > 0 {
			return carry(m, n, products)
		}
		return 0
	}}, nil), nil
}

// choose lists the products by their loops. A constant is folded to the right.
func (p *Strength) choose(g *ir.Graph) map[ir.Value][]ir.Node {
	s, out := ir.ScheduleOf(g), map[ir.Value][]ir.Node{}
	for v := range s.All() {
		if g.Def(v) != arith.Muli {
			continue
		}
		r, i, isParam := g.Param(g.Args(v)[0])
		_, isConst := g.Const(g.Args(v)[1])
		if !isParam || i != 0 || r == ir.Root || s.Place(v) != r || !isConst || g.Def(g.Owner(r)) != scf.For {
			continue
		}
		if loop := g.Owner(r); len(out[loop]) < p.Most {
			out[loop] = append(out[loop], g.NodeOf(v))
		}
	}
	return out
}

// carry makes a loop that carries products. A sum promises nothing (nsw): the last one, which nobody asks for, may wrap.
func carry(m *ir.Mirror, n ir.Node, products []ir.Node) ir.Value {
	lower, upper, step, inits := m.Of(n.Arg(0)), m.Of(n.Arg(1)), m.Of(n.Arg(2)), m.All(n.Args()[3:])
	k := len(inits)
	var by []ir.Value
	for _, p := range products {
		factor := m.B.ConstAttr(p.Type(), p.Arg(1).Attr("value"))
		inits = append(inits, arith.MulI(m.B, lower, factor))
		by = append(by, arith.MulI(m.B, step, factor))
	}
	loop := scf.BuildForWith(m.B, n.Attrs(), lower, upper, step, inits, func(i ir.Value, carried []ir.Value) []ir.Value {
		sums := map[ir.Node]ir.Value{}
		for j, p := range products {
			sums[p] = carried[k+j]
		}
		out := m.BodyWith(n.Region(0), sums, append([]ir.Value{i}, carried[:k]...)...)
		for j := range products {
			out = append(out, arith.AddI(m.B, carried[k+j], by[j]))
		}
		return out
	})
	return m.B.Pack(m.B.Results(loop)[:k]...)
}

// StrengthPass is the row of the pass.
var StrengthPass = &pass.Info{
	Name: "cplx-strength", Doc: "Turns products of a loop's index and a constant into sums.",
	Why:        "after lower{to=scf}, where subscripts are products",
	Statistics: []pass.Statistic{{Name: "products", Doc: "products that became sums"}},
	Example: `func.func @f(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = arith.muli %i, %c3 : index
    memref.store %p, %m[%i] : memref<?xindex>
  }
  return
}`,
	New: func() pass.Pass { return &Strength{Most: 4} },
}
