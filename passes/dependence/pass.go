package dependence

import (
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
)

// InfoAttr is the attribute of an op that holds what the analysis found of it: a
// dictionary.
const InfoAttr = "dep.info"

// Pass is dependence-analysis.
type Pass struct {
	Strict bool `opt:"strict" doc:"warnings are errors: reads of what has no value, loops that can run neither way"`
}

// PassInfo is the row of the pass.
var PassInfo = &pass.Info{
	Name: "dependence-analysis",
	Doc: "Finds which statements depend on which and how, in functions and BUGS models, and writes it at the ops (dep.info): " +
		"declaration, ordinary, requirement, trigger, fresh, initializer and parameter dependences, as Infer.NET's compiler tells them apart. " +
		"Facts about statements come from attributes dep.operator, dep.initializer, dep.output, dep.uniform of ops and dep.skip_if_uniform, " +
		"dep.any_item, dep.trigger, dep.fresh, dep.ignore, dep.all_except of the arguments of functions (docs/dependences.md).",
	Why:      "Anywhere: it changes no op. With -verbatim it sees the program as it is written, else as it is scheduled.",
	Verbatim: true,
	Scope:    pass.Modules,
	Example: `func.func private @f(f64) -> f64
func.func private @infer(f64) attributes {dep.output}
func.func @chain(%data: f64) {
  %x = memref.alloc() {dep.name = "x"} : memref<f64>
  %v = func.call @f(%data) : (f64) -> f64
  memref.store %v, %x[] {dep.operator} : memref<f64>
  %w = memref.load %x[] : memref<f64>
  func.call @infer(%w) : (f64) -> ()
  return
}
`,
	Statistics: []pass.Statistic{
		{Name: "statements", Doc: "statements"},
		{Name: "dependences", Doc: "dependences of all kinds"},
		{Name: "dummies", Doc: "dummy statements, one a clique of overlapping updates"},
		{Name: "problems", Doc: "problems found"},
	},
	New: func() pass.Pass { return &Pass{} },
}

// Run analyses each function and writes what it found.
func (p *Pass) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	w := &writer{info: map[*ir.Graph]map[ir.Value]ir.Attr{}, rules: ir.Rules{}}
	for _, u := range Read(g, Options{}) {
		if err := u.Err(); err != nil {
			return nil, err
		}
		r := Analyze(u.Program)
		for _, d := range r.Problems {
			if d.Severity == diag.Error || p.Strict {
				return nil, fmt.Errorf("@%s: %s", u.Program.Name, d.Message)
			}
			ctx.Remark("@%s: %s", u.Program.Name, d.Message)
		}
		ctx.Count("statements", len(r.Infos))
		ctx.Count("dummies", len(r.Cliques))
		ctx.Count("problems", len(r.Problems))
		for _, i := range r.Infos {
			ctx.Count("dependences", len(i.Dependences))
		}
		w.unit(u, r)
	}
	if len(w.rules) == 0 {
		return g, nil
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), w.rules, nil), nil
}
