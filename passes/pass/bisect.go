package pass

import (
	"context"
	"fmt"

	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// A Bisect has only the first steps of a pipeline done, to find the one that makes a program wrong. A step is a pass on a
// function, or a pass on the program where it looks at more than one function. Steps are numbered from 1 in the order in which
// they are done, and the first N are the same whatever the limit.
type Bisect struct {
	Done []string // the steps that were done: "canonicalize on @f"

	limit   int
	counted map[Pass]bool // the passes whose steps count
	steps   int           // counted so far
}

// Bisect has the first limit steps of the pipeline done, and all if limit is less than 0. What runs besides it is needed, as
// a lowering is, and always done.
func (p *Pipeline) Bisect(limit int) *Bisect {
	b := &Bisect{limit: limit, counted: map[Pass]bool{}}
	p.Each(func(_ *Info, p Pass) { b.counted[p] = true })
	return b
}

// next counts a step, and says whether it is to be done.
func (b *Bisect) next(pass string, p part) (step string, done bool) {
	b.steps++
	what := pass + " on " + p.String()
	if b.limit >= 0 && b.steps > b.limit {
		return fmt.Sprintf("BISECT: NOT running pass (%d) %s\n", b.steps, what), false
	}
	b.Done = append(b.Done, what)
	return fmt.Sprintf("BISECT: running pass (%d) %s\n", b.steps, what), true
}

// bisected runs a pass as far as the limit allows. Where some functions are left as they are, the others get what the pass
// does to a function alone, as func(...) has it; so a limit beyond all steps changes nothing.
func (m *Manager) bisected(ctx context.Context, g *ir.Graph, s Step, function string) (*ir.Graph, error) {
	if m.Bisect == nil || !m.Bisect.counted[s.Pass] {
		return m.pass(ctx, g, s, function)
	}
	parts := []part{{name: function}}
	if all := bodiesOf(g); function == "" && s.Info.Scope != Modules && len(all) > 0 {
		parts = all
	}
	chosen, todo := map[*ir.Graph]bool{}, 0
	for _, p := range parts {
		step, done := m.Bisect.next(s.Info.Name, p)
		fmt.Fprint(m.Out, step)
		if done {
			chosen[p.body] = true
			todo++
		}
	}
	switch todo {
	case 0:
		return g, nil
	case len(parts):
		return m.pass(ctx, g, s, function)
	}
	return m.within(g, s.String(), func(n ir.Node, body *ir.Graph) bool { return chosen[body] }, func(body *ir.Graph, name string) (*ir.Graph, error) {
		return m.pass(ctx, body, s, name)
	})
}

// A part is a function of a program, or the program if it has no name.
type part struct {
	name string
	op   ir.Node
	body *ir.Graph
}

func (p part) String() string {
	if p.name == "" {
		return "the program"
	}
	return "@" + p.name
}

// functionsOf lists the functions of a program, and what else has a name there, but for modules, whose own it lists.
func functionsOf(g *ir.Graph) (out []part) {
	inner := map[*ir.Graph]bool{}
	for n := range g.All() {
		within, name := inner[n.Graph()], symbols.Of(n)
		outer := !within && name != "" && n.Def() != builtin.Module
		for _, c := range n.Children() {
			inner[c] = within || outer
		}
		if outer && n.NumArgs() == 0 && n.NumRegions() == 0 {
			out = append(out, part{name, n, firstOf(n.Children())})
		}
	}
	return out
}

func firstOf(graphs []*ir.Graph) *ir.Graph {
	if len(graphs) == 0 {
		return nil
	}
	return graphs[0]
}

// bodiesOf are the functions of a program that have a body. Of those that share it it is the first: they change together.
func bodiesOf(g *ir.Graph) []part {
	seen := map[*ir.Graph]bool{nil: true}
	return lists.Filter(functionsOf(g), func(p part) bool {
		first := !seen[p.body]
		seen[p.body] = true
		return first
	})
}
