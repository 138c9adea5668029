package polyhedral

import (
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Dependences writes at systems what depends on what.
type Dependences struct {
	Budget int `opt:"budget" doc:"work that each operation on sets may take, in steps"`
}

// DependencesInfo is the row of the pass.
var DependencesInfo = &pass.Info{
	Name: "poly-dependences",
	Doc: "Writes at each system of statements what depends on what, as relations (" + systems.DependencesAttr + "), and says it (`irc explain`). Of equations: reduction, from an update to the " +
		"completion of its element; use, of a completion; value, from what sets an element to what reads it. Of a program: by the memory that instances access in the order of the " +
		"schedule flow, anti, output, and update, of those that update an element by one operator and may change places; and value, from the last write to each read.",
	Why: "Anywhere before poly-codegen: it changes nothing. Before poly-schedule it tells of the equations, after it of the program.",
	Example: `func.func @f(%n: index, %a: memref<?xf64>, %s: memref<f64>) {
  poly.system (%n = "N") context "[N] -> { : N >= 0 }" {
    %A = poly.bind %a as input "A" in "[N] -> { A[i] : 0 <= i < N }" : memref<?xf64>
    %S = poly.bind %s as output "S" in "{ S[] }" : memref<f64>
    poly.statement "T" over "[N] -> { T[i] : 0 <= i < N }" add %S at "{ T[i] -> S[] }" reading %A at "{ T[i] -> A[i] }" do (%i: index, %x: f64) {
      poly.yield %x : f64
    }
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "relations", Doc: "relations between two statements, or a statement and an array"}},
	New:        func() pass.Pass { return &Dependences{} },
}

// Run finds all dependences before anything is rebuilt.
func (p *Dependences) Run(ctx *pass.Context, g *ir.Graph) (_ *ir.Graph, err error) {
	defer unwind.To(&err)
	found, n := map[ir.Node]ir.Attr{}, 0
	unwind.Check(systems.Each(g, func(sys *poly.System) (err error) {
		defer unwind.To(&err)
		list := p.list(ctx, sys)
		found[sys.Node] = g.Ctx.ArrayAttr(list...)
		n += len(list)
		return nil
	}))
	if len(found) == 0 {
		return g, nil
	}
	ctx.Count("relations", n)
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{poly.SystemOp: func(m *ir.Mirror, n ir.Node) ir.Value {
		list, ok := found[n]
		if !ok {
			return 0
		}
		return m.CopyWith(n, m.B.Ctx().WithDiscardable(n.Attrs(), systems.DependencesAttr, list))
	}}, nil), nil
}

// list is the dependences of a system, one a string.
func (p *Dependences) list(ctx *pass.Context, sys *poly.System) (out []ir.Attr) {
	// A copy has the budget of this pass; the system keeps its own.
	bounded := *sys
	bounded.Budget = int64(p.Budget)
	deps := unwind.Must(bounded.Dependences())
	for _, d := range deps {
		from, to := d.Map.Tuples()
		ctx.Remark("%s, %s -> %s: %s", d.Kind, from.Name(), to.Name(), d.Map)
		out = append(out, sys.Node.Graph().Ctx.StringAttr(d.Kind+" "+d.Map.String()))
	}
	return out
}
