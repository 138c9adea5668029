package saturate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special/opcost"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/rewrite"
)

// Saturate rewrites the pure ops of each region by equality saturation.
type Saturate struct {
	Rules      []string `opt:"rules" doc:"sets of rules: folds (those of the dialects), arith, assoc-comm, float"`
	Nodes      int      `opt:"budget" doc:"most terms that are made of a region"`
	Iterations int      `opt:"iterations" doc:"most times that all rules are tried"`
	Files      []string `opt:"files" doc:"files of more rules, in the grammar of irc prove, which are proven at 1 to 4 bits" file:"read"`
	Unproven   bool     `opt:"unproven" doc:"take the rules of files that nobody has proven"`
	// Folds are rules besides those of sets and files, each with a Pattern, of who runs the pass from Go. A rule must
	// hold as folds do, from left to right; whether its sides are equal is found out.
	Folds []ir.Fold
}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "saturate",
	Doc: "Keeps all forms of expressions that rules find, and takes the cheapest. " +
		"Rules are the structural folds of the dialects and built-in laws, by the sets that are named; those on floats apply to ops with the flags that allow them. " +
		"What is cheapest is weighed in operations of the target, what is shared once; a function that does not get cheaper stays as it is. " +
		"It sees the pure ops of one region at a time, and ends when nothing is new or its budget is spent.",
	Why: "After inline and canonicalize, which leave one form of each expression; before loops are unrolled, which makes regions larger than its budget.",
	Example: `func.func @f(%x: i32, %y: i32, %z: i32) -> i32 {
  %a = arith.muli %x, %y : i32
  %b = arith.muli %x, %z : i32
  %s = arith.addi %a, %b : i32
  return %s : i32
}
`,
	Statistics: []pass.Statistic{
		{Name: "regions", Doc: "regions that got cheaper"},
		{Name: "terms", Doc: "terms that were made"},
		{Name: "spent", Doc: "regions whose budget was spent"},
	},
	New: func() pass.Pass {
		return &Saturate{Rules: []string{setFolds, setArith, setFloat}, Nodes: 5000, Iterations: 8}
	},
}

// mostNodes bounds the budget: what a region of so many terms takes is minutes.
const mostNodes = 1 << 20

// Check refuses sets that there are not, and budgets that are none.
func (p *Saturate) Check() error {
	sets := []string{setFolds, setArith, setAssocComm, setFloat}
	for _, r := range p.Rules {
		if !slices.Contains(sets, r) {
			if near := diag.Nearest(r, sets); near != "" {
				return fmt.Errorf("there is no set of rules %q: did you mean %s?", r, near)
			}
			return fmt.Errorf("there is no set of rules %q: there are %s; rules of a file are files=FILE", r, strings.Join(sets, ", "))
		}
	}
	if p.Nodes < 1 || p.Nodes > mostNodes || p.Iterations < 1 {
		return fmt.Errorf("budget is 1 to %d, and iterations at least 1", mostNodes)
	}
	return nil
}

// rules are those of the sets that are named, and more.
func (p *Saturate) rules(c *ir.Context) (out []*rewriting) {
	for _, set := range p.Rules {
		switch set {
		case setFolds:
			for _, d := range c.Dialects() {
				out = append(out, rewritings(d.Folds)...)
			}
		case setArith:
			out = append(out, rewritings(arithRules())...)
		case setAssocComm:
			out = append(out, rewritings(assocRules())...)
		case setFloat:
			out = append(out, rewritings(floatRules())...)
		}
	}
	return append(out, rewritings(p.Folds)...)
}

// Run rewrites each function by itself, and keeps it where the new one does not cost less.
func (p *Saturate) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	rules, weigh := p.rules(g.Ctx), weights(ctx.Target())
	if len(p.Files) > 0 {
		more, err := rewrite.Folds(ctx, g.Ctx, p.Files, p.Unproven)
		if err != nil {
			return nil, err
		}
		rules = append(rules, rewritings(more)...)
	}
	to := map[*ir.Graph]*ir.Graph{}
	var visit func(g *ir.Graph) error
	visit = func(h *ir.Graph) error {
		// A graph with others in it is a module, or holds code of another machine: only what has none in it is rewritten.
		whole := true
		for v := range ir.ScheduleOf(h).All() {
			for _, child := range h.Children(v) {
				whole = false
				if err := visit(child); err != nil {
					return err
				}
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if n := p.graph(ctx, h, rules, weigh); whole && n != h {
			to[h] = n
		}
		return nil
	}
	if err := visit(g); err != nil {
		return nil, err
	}
	if n := to[g]; n != nil {
		return n, nil
	}
	return ir.WithChildren(g, to), nil
}

// graph rewrites a graph without children.
func (p *Saturate) graph(ctx *pass.Context, g *ir.Graph, rules []*rewriting, weigh func(*ir.OpDef) float64) *ir.Graph {
	s := ir.ScheduleOf(g)
	// Plans are made of the old graph, region by region, and carried out in one rebuild: what a region takes from another is
	// a leaf in it, so that plans do not touch each other.
	plans := map[ir.Value]original{}
	of := map[ir.Value]*plan{}
	regions, used := 0, map[string]int{}
	for _, r := range regionsOf(s) {
		x := newRegion(s, r, p.Nodes)
		if x == nil {
			continue
		}
		rounds, spent := x.saturate(rules, p.Nodes, p.Iterations)
		plan, before, after := x.extract(weigh, outer(s, r))
		ctx.Count("terms", x.nodes)
		if spent {
			ctx.Count("spent", 1)
		}
		if after >= before {
			continue
		}
		ctx.Remark("a region of %d ops costs %.4g and not %.4g, found among %d terms in %d iterations", len(x.originals), after, before, x.nodes, rounds)
		regions++
		if ctx.Reports() {
			for rule, n := range plan.used() {
				used[rule] += n
			}
		}
		for _, o := range x.originals {
			plans[o.v], of[o.v] = o, plan
		}
	}
	if regions == 0 {
		return g
	}
	rule := func(m *ir.Mirror, n ir.Node) ir.Value {
		o, ok := plans[n.Old()]
		if !ok {
			return 0
		}
		return of[n.Old()].value(m, o)
	}
	all := ir.Rules{}
	for v := range plans {
		all[g.Def(v)] = rule
	}
	n := ir.Rewrite(g.Ctx, s, all, nil)
	if costOf(n, weigh) >= costOf(g, weigh) {
		return g // folds made something else of what was found
	}
	ctx.Count("regions", regions)
	for _, rule := range slices.Sorted(maps.Keys(used)) {
		ctx.Fired(rule, used[rule])
		ctx.Remark("the result rests on %d applications of %q", used[rule], rule)
	}
	return n
}

// regionsOf lists the regions of a schedule, outer ones first.
func regionsOf(s *ir.Schedule) []ir.Region {
	out := []ir.Region{ir.Root}
	for i := 0; i < len(out); i++ {
		for _, v := range s.Body(out[i]) {
			if g := s.Graph(); len(g.Children(v)) == 0 {
				out = append(out, g.Regions(v)...)
			}
		}
	}
	return out
}

// outer is what an op in a region costs that may as well stand outside, of what it costs inside.
func outer(s *ir.Schedule, r ir.Region) float64 {
	g := s.Graph()
	if r == ir.Root || g.KindOf(r) != ir.Loop {
		return 1
	}
	return min(1, max(s.Freq(s.Place(g.Owner(r)))/s.Freq(r), 1e-3))
}

// What integers cost besides what special.Operations says of all, in additions.
const (
	multiplyOps = 3
	divideOps   = 8
)

// weights are what ops cost a target, in additions. An interpreter takes as long for each of the simple ones.
func weights(t *target.Target) func(*ir.OpDef) float64 {
	return func(def *ir.OpDef) float64 {
		switch {
		case t.Kind == target.Interpreter:
		case def == arith.Muli:
			return multiplyOps
		case def.Has(ir.Partial) && def.Has(ir.Elementwise):
			return divideOps
		}
		return opcost.Of(def)
	}
}

// Cost is what a graph costs a target by the model of the pass: the ops, each as often as it runs.
func Cost(g *ir.Graph, t *target.Target) float64 { return costOf(g, weights(t)) }

func costOf(g *ir.Graph, weigh func(*ir.OpDef) float64) (sum float64) {
	s := ir.ScheduleOf(g)
	for v := range s.All() {
		if def := g.Def(v); g.IsOp(v) && !def.Has(ir.ConstantLike) && !def.Has(ir.Terminator) && len(g.Children(v)) == 0 {
			sum += weigh(def) * s.Freq(s.Place(v))
		}
		for _, child := range g.Children(v) {
			sum += costOf(child, weigh)
		}
	}
	return sum
}
