package libm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass"
)

// Options choose what is lowered.
type Options struct {
	Only  []string // names of ops, with or without their dialect; none for all
	Quick bool     // of numbers only functions that pay where LLVM has its own, some with less precision
	Loops bool     // only within loops, of which vectors may be made
	// Roundings are lowered too, which hardware has as a rule.
	Roundings bool
}

// table are the functions to choose from.
func (o Options) table() []Function {
	of := Table
	if o.Quick {
		of = quick
	}
	if o.Roundings {
		return slices.Concat(of, roundings)
	}
	return of
}

// Check reports a name that is no op of the table.
func (o Options) Check() error {
	names := lists.Map(o.table(), func(f Function) string { return f.Name() })
	for _, n := range o.Only {
		if slices.ContainsFunc(o.table(), func(f Function) bool { return f.is(n) }) {
			continue
		}
		if near := diag.Nearest(n, names); near != "" {
			return fmt.Errorf("there is no lowering of %q; did you mean %q?", n, near)
		}
		return fmt.Errorf("there is no lowering of %q; there are %s", n, strings.Join(names, ", "))
	}
	return nil
}

func (f Function) is(name string) bool { return name == f.Op.Name || name == f.Name() }

// Rules are the rules by which ops become arith and exact ops of math. An op on a
// type that has no lowering (f80, f128, tensors of unknown extents) stays.
func Rules(o Options) ir.Rules {
	rules := ir.Rules{}
	if o.Quick && len(o.Only) == 0 {
		for _, f := range Table {
			rules[f.Op] = onVectors(f.rule)
		}
	}
	for _, f := range o.table() {
		switch {
		case len(o.Only) > 0 && !slices.ContainsFunc(o.Only, f.is):
		case o.Loops:
			rules[f.Op] = inLoops(f.rule)
		default:
			rules[f.Op] = f.rule
		}
	}
	return rules
}

// onVectors is a rule that leaves numbers: a library has no functions of vectors, and LLVM calls those of numbers for
// each lane.
func onVectors(rule func(*ir.Mirror, ir.Node) ir.Value) func(*ir.Mirror, ir.Node) ir.Value {
	return func(m *ir.Mirror, n ir.Node) ir.Value {
		if m.B.Ctx().Info(n.Type()).Kind != ir.KindVector {
			return 0
		}
		return rule(m, n)
	}
}

// inLoops is a rule that leaves numbers in no loop of their function.
func inLoops(rule func(*ir.Mirror, ir.Node) ir.Value) func(*ir.Mirror, ir.Node) ir.Value {
	return func(m *ir.Mirror, n ir.Node) ir.Value {
		if m.B.Ctx().Info(n.Type()).Kind != ir.KindVector && !isInLoop(m.B) {
			return 0
		}
		return rule(m, n)
	}
}

// isInLoop reports that a region that is open is a loop.
func isInLoop(b *ir.Builder) bool {
	g := b.Graph()
	for r := b.Current(); r != ir.Root; r = g.Parent(r) {
		if g.KindOf(r) == ir.Loop {
			return true
		}
	}
	return false
}

// Lower applies the rules, in child graphs too, until none applies.
func Lower(g *ir.Graph, o Options) (*ir.Graph, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	return (&ir.Phase{Name: "libm", Rules: Rules(o)}).Run(g)
}

// supported reports types that ops can be made on, and whether they are narrow
// floats, which are computed as f32.
func supported(c *ir.Context, t ir.Type) (narrow, ok bool) {
	info := c.Info(t)
	if info.Unranked || info.Scalable != nil || slices.ContainsFunc(info.Shape, func(n int64) bool { return n <= 0 }) {
		return false, false
	}
	switch c.ElemOrSelf(t) {
	case ir.F32, ir.F64:
		return false, true
	case ir.F16, ir.BF16:
		return true, true
	}
	return false, false
}

// Pass is lower-math.
type Pass struct {
	Only      []string `opt:"only" doc:"ops to lower, such as {exp,log}; all if empty"`
	Quick     bool     `opt:"quick" doc:"of numbers only exp, log, log1p, xlogy, xlog1py, log1pexp, tanh and erf; all but the first two have some 2 ulp, log1pexp is not below 2^-1021, and exp with afn is 0 where it is subnormal: what pays in loops where there is a library for the rest; of vectors all"`
	Roundings bool     `opt:"roundings" doc:"roundings too, of processors that have no instruction for them"`
	Loops     bool     `opt:"loops" doc:"of numbers only in loops, of which LLVM may make vectors"`
}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "lower-math",
	Doc: "Lowers elementary and special functions to arithmetic, with known bounds of the error (docs/libm.md): for targets without a mathematical library, and for loops that are to be vectorised. " +
		"What stays of math is what hardware has: sqrt, fma, absf, copysign, roundings, counts of bits.",
	Why: "Late, as later passes see many ops where there was one; before lower{to=math} and lower{to=llvm}, which take special functions apart into several ops, each with its own error.",
	Example: `func.func @f(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}
`,
	New: func() pass.Pass { return &Pass{} },
}

func (p *Pass) options() Options {
	return Options{Only: p.Only, Quick: p.Quick, Loops: p.Loops, Roundings: p.Roundings}
}

// Check refuses a name that is no op of the table.
func (p *Pass) Check() error { return p.options().Check() }

// Run lowers.
func (p *Pass) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) { return Lower(g, p.options()) }
