package main

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Unswitch is a pass: it asks before a loop what a conditional in it asks in each round.
type Unswitch struct{}

// Run makes two loops of one, each of which knows the condition.
func (*Unswitch) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{scf.For: func(m *ir.Mirror, n ir.Node) ir.Value {
		cond, ok := fixed(m.Schedule(), n)
		if !ok {
			return 0
		}
		c := m.Of(cond)
		loop := func(holds bool) func() []ir.Value {
			return func() []ir.Value {
				m.Set(cond, arith.ConstBool(m.B, holds))
				return m.B.Results(m.Copy(n))
			}
		}
		// The loop may have no round, and then nobody asked. To branch on poison is
		// undefined, so what may be poison is frozen first; ub.Frozen gives all else as it is.
		both := scf.BuildIf(m.B, ub.Frozen(m.B, c), loop(true), loop(false))
		m.Set(cond, c)
		return both
	}}, nil), nil
}

// fixed finds the condition of a conditional in the body of a loop that is made outside of it.
func fixed(s *ir.Schedule, loop ir.Node) (cond ir.Node, ok bool) {
	g, body := s.Graph(), loop.Region(0).Old()
	for _, v := range s.Body(body) {
		if g.Def(v) != scf.If {
			continue
		}
		c := g.Args(v)[0]
		made, _, _ := g.Projection(c) // the op, if it is one of several results
		if _, isConst := g.Const(c); !isConst && g.Home(c) != body && (!g.IsOp(made) || s.Place(made) != body) {
			return g.NodeOf(c), true
		}
	}
	return ir.Node{}, false
}

// UnswitchPass is the row of the pass.
var UnswitchPass = &pass.Info{
	Name: "unswitch", Doc: "Asks before a loop what is the same in all of its rounds.",
	Why: "after what moves conditions out of loops, which only then are there to be found",
	Example: `func.func @f(%c: i1, %n: index, %m: memref<?xf64>, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      memref.store %x, %m[%i] : memref<?xf64>
    }
    memref.store %x, %m[%c0] : memref<?xf64>
  }
  return
}`,
	New: func() pass.Pass { return &Unswitch{} },
}
