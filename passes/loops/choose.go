package loops

import (
	"fmt"
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/ordering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// Label is the discardable attribute by which a loop is chosen.
const Label = "irc.label"

// Which are the options by which loops are chosen. Without one of them a pass changes all that it can.
type Which struct {
	Line  []int    `opt:"line" doc:"the lines of the source on which the loops begin that are to be changed, the outermost of a nest; it is an error if one cannot be"`
	Label []string `opt:"label" doc:"the same, by the attribute irc.label of the loops"`
	In    []string `opt:"in" doc:"names of the functions; all if empty"`
}

// isNamed says that loops are chosen one by one.
func (w *Which) isNamed() bool { return len(w.Line)+len(w.Label) > 0 }

// A change is what a pass does to some loops: how the first is made again, which others go away with it, and where more
// loops may be found.
type change struct {
	rule   func(m *ir.Mirror, n ir.Node) ir.Value
	loops  []ir.Value  // all that are changed
	inside []ir.Region // what is made again in them
	what   string      // for people; "" if it is a part of another change
}

// A finder looks at a loop and says what becomes of it, or why nothing does.
type finder func(f *function, v ir.Value) (*change, error)

// A function is a graph whose loops are looked at.
type function struct {
	ctx     *pass.Context
	g       *ir.Graph
	s       *ir.Schedule
	is      func(g *ir.Graph, v ir.Value) bool // a loop of a kind that is looked at
	find    finder
	which   *Which
	changes map[ir.Value]*change
	groups  *ordering.Groups // of loops that become one
	found   map[string]bool  // the names of loops that there are
	err     error
}

// run changes loops that count up by a step; of one that is not changed it says what cannot be done to it, and why.
func run(ctx *pass.Context, g *ir.Graph, which *Which, statistic, refused string, find finder) (*ir.Graph, error) {
	return runOn(ctx, g, which, statistic, func(g *ir.Graph, v ir.Value) bool { return isFor(g.Def(v)) }, func(f *function, v ir.Value) (*change, error) {
		c, err := find(f, v)
		if err != nil {
			err = fmt.Errorf("%s: it %w", refused, err)
		}
		return c, err
	})
}

// runOn finds all changes before anything is made again, and counts them.
func runOn(ctx *pass.Context, g *ir.Graph, which *Which, statistic string, is func(*ir.Graph, ir.Value) bool, find finder) (*ir.Graph, error) {
	all, found, n := map[*ir.Graph]*function{}, map[string]bool{}, 0
	scan := func(g *ir.Graph, name string) error {
		if len(which.In) > 0 && !slices.Contains(which.In, name) {
			return nil
		}
		found["in "+name] = true
		f := &function{ctx: ctx, g: g, s: ir.ScheduleOf(g), is: is, find: find, which: which, changes: map[ir.Value]*change{}, found: found}
		f.region(ir.Root)
		all[g] = f
		for _, c := range f.changes {
			if c.what != "" {
				n++
			}
		}
		return f.err
	}
	if err := scan(g, ""); err != nil {
		return nil, err
	}
	if err := pass.Isolated(g, func(owner ir.Node, body *ir.Graph) error { return scan(body, symbols.Of(owner)) }); err != nil {
		return nil, err
	}
	if err := which.all(found); err != nil || n == 0 {
		return g, err
	}
	ctx.Count(statistic, n)
	rule := func(m *ir.Mirror, n ir.Node) ir.Value {
		if f := all[n.Graph()]; f != nil && f.changes[n.Old()] != nil {
			return f.changes[n.Old()].rule(m, n)
		}
		return 0
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{affinedialect.For: rule, scf.For: rule, scf.Parallel: rule}, nil), nil
}

// all reports a loop or a function that was asked for and is not there.
func (w *Which) all(found map[string]bool) error {
	for _, l := range w.Line {
		if !found[fmt.Sprint("line ", l)] {
			return fmt.Errorf("no loop begins on line %d", l)
		}
	}
	for _, l := range w.Label {
		if !found["label "+l] {
			return fmt.Errorf("no loop has the label %q", l)
		}
	}
	for _, name := range w.In {
		if !found["in "+name] {
			return fmt.Errorf("there is no function @%s", name)
		}
	}
	return nil
}

// isFor reports a loop that counts up by a step.
func isFor(d *ir.OpDef) bool { return d == affinedialect.For || d == scf.For }

// chooses reports a loop that is chosen by name, and remembers what there is.
func (f *function) chooses(v ir.Value) bool {
	line, chosen := f.ctx.Line(f.g, v), false
	if f.found[fmt.Sprint("line ", line)] = true; slices.Contains(f.which.Line, line) {
		chosen = true
	}
	if a := f.g.Ctx.Get(f.g.AttrsOf(v), Label); a != 0 {
		label := f.g.Ctx.AttrInfo(a).Str
		f.found["label "+label] = true
		chosen = chosen || slices.Contains(f.which.Label, label)
	}
	return chosen
}

// region looks for loops, from the outermost inward.
func (f *function) region(r ir.Region) {
	for _, v := range f.s.Body(r) {
		if f.err != nil {
			return
		}
		inside := f.g.Regions(v)
		if f.is(f.g, v) && f.changes[v] == nil {
			chosen := f.chooses(v)
			if chosen || !f.which.isNamed() {
				inside = f.loop(v, chosen)
			}
		}
		for _, in := range inside {
			f.region(in)
		}
	}
}

// loop changes a loop if it can, and tells where to look for more.
func (f *function) loop(v ir.Value, chosen bool) []ir.Region {
	c, err := f.find(f, v)
	if err == nil && c != nil {
		f.changes[v] = c
		for _, l := range c.loops {
			f.chooses(l)
		}
		f.ctx.Remark("%s: the loop %s", f.ctx.Where(f.g, v), c.what)
		return c.inside
	}
	if err != nil && chosen {
		f.err = f.g.NodeOf(v).Errorf("%v", err)
	} else if err != nil && f.ctx.Reports() {
		f.ctx.Remark("%s: the loop %v", f.ctx.Where(f.g, v), err)
	}
	return f.g.Regions(v)
}

// at says of an op what and where it is.
func (f *function) at(v ir.Value) string {
	v, _, _ = f.g.Projection(v)
	return fmt.Sprintf("%s (%s)", f.g.Def(v).Name, f.ctx.Where(f.g, v))
}
