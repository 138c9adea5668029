// Package lowering takes programs from one level to a lower one.
//
// A dialect keeps its lowering rules in an ir.Lowerings table, by the name of
// the level that they lower to. Lowering to a level is a phase: the rules of all
// dialects run, and those that ops have registered for it (ir.Builder.Delay),
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
)

// A Route is a way down.
type Route struct {
	Name, Doc string
	Levels    []string // phases, in order; one without rules does nothing
	Legal     []string // dialects that may be left when the route ends; nil is any
}

// Routes are the ways down, in the order in which they are shown.
var Routes = []Route{
	{"loop", "Models and other dialects with loops of their own to data-parallel loops.", []string{"loop"}, nil},
	{"scf", "Down to structured loops and conditionals on memrefs.", []string{"loop", "scf"},
		[]string{"builtin", "ub", "func", "cf", "scf", "memref", "arith", "math", "special", "device"}},
	{"math", "Special functions to math and arith.", []string{"math"}, nil},
	{"llvm", "Down to what the LLVM backend takes.", []string{"loop", "scf", "math", "llvm"},
		[]string{"builtin", "ub", "func", "cf", "scf", "memref", "arith", "math", "special", "device", "llvm"}},
	{"nvptx", "Down to what the NVPTX backend takes of kernels.", []string{"loop", "scf", "nvptx"}, nil},
}

// To finds the route to a level: a named one, or the level itself.
func To(ctx *ir.Context, name string) (Route, error) {
	var names []string
	for _, r := range Routes {
		if r.Name == name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	for _, level := range Levels(ctx) {
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

// Levels lists the levels that some dialect has rules for, in alphabetical order.
func Levels(ctx *ir.Context) []string {
	set := map[string]bool{}
	for _, d := range ctx.Dialects() {
		for level := range ir.Table[ir.Lowerings](d) {
			set[level] = true
		}
	}
	var out []string
	for level := range set {
		out = append(out, level)
	}
	sort.Strings(out)
	return out
}

// Rules joins the rules of all dialects for a level.
func Rules(ctx *ir.Context, level string) ir.Rules {
	out := ir.Rules{}
	for _, d := range ctx.Dialects() {
		for def, rule := range ir.Table[ir.Lowerings](d)[level] {
			out[def] = rule
		}
	}
	return out
}

// Run takes a graph down a route. The error names the op that is left over.
func (r Route) Run(g *ir.Graph) (*ir.Graph, error) {
	for _, level := range r.Levels {
		rules := Rules(g.Ctx, level)
		phase := ir.Phase{Name: level, Rules: rules, Illegal: func(d *ir.OpDef) bool { return rules[d] != nil }}
		var err error
		if g, err = phase.Run(g); err != nil {
			return nil, err
		}
	}
	return g, r.check(g)
}

// check reports an op of a dialect that the route does not end in.
func (r Route) check(g *ir.Graph) (err error) {
	if r.Legal == nil {
		return nil
	}
	ir.NewSchedule(g, ir.ScheduleOptions{}).Walk(func(v ir.Value) {
		def := g.Def(v)
		name, _, _ := strings.Cut(def.Name, ".")
		if err == nil && !slices.Contains(r.Legal, name) {
			e := &ir.OpError{Op: def.Name, Msg: fmt.Sprintf("is left over by the route to %s: no rule lowers it", r.Name)}
			if ls := g.LocsOf(v); len(ls) > 0 {
				e.Loc = ls[0]
			}
			err = e
		}
		for _, c := range g.Children(v) {
			if err == nil {
				err = r.check(c)
			}
		}
	})
	return err
}
