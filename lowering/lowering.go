// Package lowering takes programs from one level to a lower one. With it one
//
//   - compiles a program for a target: Compile, and Pipeline for what runs on the way;
//   - lists the passes that pipelines are made of: AllPasses, Passes;
//   - adds a route for a backend of one's own: Route, Along.
//
// Lowering to a level is a phase: the rules that dialects have for it run (package
// ir/lower), and those that ops have registered for it (ir.Builder.Delay),
// until nothing is left to lower. What a rule was there for and is left all the
// same is an error that names the op.
//
// A route is a list of levels with a name of its own, and what may be left when
// it ends. Normalising rules are no phase: they run whenever nodes are built.
package lowering

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/lower/plan"
	"github.com/irc-lang/irc/ir/target"
)

// A Route is a lowering pipeline.
type Route struct {
	Name, Doc string   // as users write it after `to=`; a sentence for the help text
	Levels    []string // phases, in order; one without rules does nothing
	Legal     []string // dialects that may be left when the route ends; nil is any
}

// Routes are those of this repository, in the order in which they are shown.
var Routes = []Route{
	{"affine", "Structured ops on memory to affine loops.", []string{"affine"}, nil},
	{"loop", "Models and other dialects with loops of their own to data-parallel loops.", []string{"loop"}, nil},
	{"scf", "Down to structured loops and conditionals on memrefs.", []string{"loop", "scf"},
		[]string{"builtin", "ub", "func", "cf", "scf", "memref", "vector", "arith", "math", "special", "device"}},
	{"math", "Special functions to math and arith.", []string{"math"}, nil},
	{"llvm", "Down to what the LLVM backend takes.", []string{"loop", "scf", "vector", "math", "llvm"},
		[]string{"builtin", "ub", "func", "cf", "scf", "memref", "vector", "arith", "math", "special", "device", "llvm"}},
	{"nvptx", "Down to what the NVPTX backend takes of kernels.", []string{"loop", "scf", "vector", "nvptx"}, nil},
}

// To finds the route to a level: a named one, or the level itself.
func To(ctx *ir.Context, routes []Route, name string) (Route, error) {
	var names []string
	for _, r := range routes {
		if r.Name == name {
			return r.in(ctx, routes)
		}
		names = append(names, r.Name)
	}
	for _, level := range plan.Levels(ctx) {
		if level == name {
			return Route{Name: name, Levels: []string{name}}, nil
		}
		names = append(names, level)
	}
	sort.Strings(names)
	names = slices.Compact(names)
	if near := diag.Nearest(name, names); near != "" {
		return Route{}, fmt.Errorf("there is no level %q to lower to; did you mean %q?", name, near)
	}
	return Route{}, fmt.Errorf("there is no level %q to lower to; there are %s", name, strings.Join(names, ", "))
}

// Lowers reports that the lowering pipeline to LLVM has a rule of some dialects for an op, which may be another's.
func Lowers(ds []*ir.Dialect, op *ir.OpDef) bool {
	i := slices.IndexFunc(Routes, func(r Route) bool { return r.Name == "llvm" })
	return slices.ContainsFunc(Routes[i].Levels, func(level string) bool {
		return slices.ContainsFunc(ds, func(d *ir.Dialect) bool { return slices.Contains(plan.OpsOf(ir.Table[lower.Table](d), level), op) })
	})
}

// plans are the lowerings to the levels of a route, in order.
func (r Route) plans(ctx *ir.Context) ([]*plan.Plan, error) {
	var out []*plan.Plan
	for _, level := range r.Levels {
		p, err := plan.New(ctx, level)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// values reads options of the lowerings on a route. The error names what none of them has.
func (r Route) values(plans []*plan.Plan, given []option) (plan.Values, error) {
	out := plan.Values{}
	var names []string
	for _, p := range plans {
		for _, o := range p.Options() {
			names = append(names, o.Name)
			for _, x := range given {
				if x.name != o.Name {
					continue
				}
				if err := out.Set(o, x.value); err != nil {
					return nil, fmt.Errorf("option %q %w", o.Name, err)
				}
			}
		}
	}
	for _, x := range given {
		if out[x.name] != nil {
			continue
		}
		if near := diag.Nearest(x.name, names); near != "" {
			return nil, fmt.Errorf("no lowering to %s has an option %q; did you mean %q?", r.Name, x.name, near)
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("no lowering to %s has an option %q: they have none", r.Name, x.name)
		}
		return nil, fmt.Errorf("no lowering to %s has an option %q; there are %s", r.Name, x.name, strings.Join(names, ", "))
	}
	return out, nil
}

// run takes a graph down a route. The error names the op that is left over.
func (r Route) run(g *ir.Graph, t *target.Target, given []option, remark func(*ir.Graph, ir.Value, string)) (*ir.Graph, error) {
	plans, err := r.plans(g.Ctx)
	if err != nil {
		return nil, err
	}
	values, err := r.values(plans, given)
	if err != nil {
		return nil, err
	}
	for _, p := range plans {
		p.Remark = remark
		err = lower.Refusals(func() error {
			g = p.Prepare(g)
			g, err = withTypes(g, p.Level, p.Phase(t, values).Run)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return g, r.check(g)
}

// check reports an op of a dialect that the route does not end in.
func (r Route) check(g *ir.Graph) error {
	if r.Legal == nil {
		return nil
	}
	for n := range g.All() {
		if d := g.Ctx.DialectOf(n.Def()); d == nil || !slices.Contains(r.Legal, d.Name) {
			return r.leftOver(n)
		}
	}
	return nil
}

// leftOver is the error for an op that the route does not lower. If its rules are for a level that no route takes in, that
// is why.
func (r Route) leftOver(n ir.Node) error {
	on, all := "the route to "+r.Name, n.Graph().Ctx.Dialects()
	routed := levelsOf(Routes, all)
	for _, d := range all {
		table := ir.Table[lower.Table](d)
		for _, level := range plan.LevelsOf(table) {
			if !slices.Contains(routed, level) && slices.Contains(plan.OpsOf(table, level), n.Def()) {
				return n.Errorf("is left over by %s: its rule is for level %q, which no route takes in; a lower.Order of dialect %s says where the level stands", on, level, d.Name)
			}
		}
	}
	return n.Graph().LeftOver(n.Old(), on)
}
