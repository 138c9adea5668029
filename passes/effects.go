package passes

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// InferEffects writes at calls what their callees do.
type InferEffects struct{}

var inferEffectsInfo = &pass.Info{
	Name: "infer-effects",
	Doc: "Finds out from their bodies, callees first, which functions write nothing, and says so at their calls (irc.effects): " +
		"a call of a function that touches no memory is shared, dropped and moved like any pure op, one of a function that only reads like a load. " +
		"Recursive functions and those that call what is not known may do anything.",
	Why: "After inline, for the calls that are left; before licm, which moves what it finds.",
	Example: `func.func @poly(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func @f(%m: memref<?xf64>, %x: f64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %y = func.call @poly(%x) : (f64) -> f64
    memref.store %y, %m[%i] : memref<?xf64>
  }
  return
}
`,
	Scope: pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "functions", Doc: "functions that write nothing"},
		{Name: "calls", Doc: "calls that say so now"},
	},
	New: func() pass.Pass { return &InferEffects{} },
}

// Run works on each scope of symbols, inner ones first.
func (p *InferEffects) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	to := map[*ir.Graph]*ir.Graph{}
	if err := p.scope(ctx, g, to); err != nil {
		return nil, err
	}
	return ir.WithChildren(g, to), nil
}

// scope works on one scope of symbols, callees first: a body is read when its calls already say what they do.
// Nothing is said of recursive functions: when one of them is read, not all of its calls have a word.
func (p *InferEffects) scope(ctx *pass.Context, g *ir.Graph, to map[*ir.Graph]*ir.Graph) error {
	in := &inliner{ctx: ctx, funcs: map[string]*function{}, inner: func(g *ir.Graph) error { return p.scope(ctx, g, to) }}
	if err := in.collect(g); err != nil || len(in.order) == 0 {
		return err
	}
	does := map[string]string{}
	for _, c := range in.components() {
		for _, f := range c {
			self := false
			in.calls(f.body, func(callee *function) { self = self || callee == f })
			f.body = p.tell(ctx, f.body, does)
			if w := f.body.Summary(); w != "" && len(c) == 1 && !self {
				does[f.name] = w
				ctx.Count("functions", 1)
				ctx.Remark("@%s %s", f.name, map[string]string{ir.CallPure: "touches no memory and always returns",
					ir.CallPartial: "touches no memory, but may trap or not return", ir.CallReads: "reads memory, but writes nothing"}[w])
			}
		}
	}
	for _, f := range in.order {
		to[f.node.Children()[0]] = f.body
	}
	return nil
}

// tell writes at the calls of a body what is known of their callees.
func (p *InferEffects) tell(ctx *pass.Context, body *ir.Graph, does map[string]string) *ir.Graph {
	s := ir.ScheduleOf(body)
	rules := ir.Rules{}
	for v := range s.All() {
		n := body.NodeOf(v)
		word := does[calleeOf(n)]
		if word == "" || n.NumRegions() > 0 || n.Attr(ir.CallEffects) == body.Ctx.StringAttr(word) {
			continue
		}
		ctx.Count("calls", 1)
		// A rule serves all ops of one definition, so it asks again which function this op calls.
		rules[n.Def()] = func(m *ir.Mirror, n ir.Node) ir.Value {
			word := does[calleeOf(n)]
			if word == "" || n.NumRegions() > 0 {
				return 0
			}
			c := m.B.Ctx()
			attr := c.WithDiscardable(n.Attrs(), ir.CallEffects, c.StringAttr(word))
			return m.B.Must(ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: attr, Type: n.Type()})
		}
	}
	if len(rules) == 0 {
		return body
	}
	return ir.Rewrite(body.Ctx, s, rules, nil)
}
