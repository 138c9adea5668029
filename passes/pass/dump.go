package pass

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass/diff"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/passes/pass/mliropt"
)

func wants(names []string, info *Info) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return n == "*" || n == info.Name || slices.Contains(mliropt.AliasesOf(info.Name), n)
	})
}

// header is the line above a dump, as mlir-opt writes it.
func header(when string, info *Info, function string) string {
	if function != "" {
		function = " on @" + function
	}
	return "// -----// IR Dump " + strings.Replace(when, "%s", info.Name, 1) + function + " //----- //\n"
}

// failed shows what a pass was given that failed: it left nothing.
func (m *Manager) failed(info *Info, function string, g *ir.Graph) {
	if m.PrintAfterFailure {
		m.dump("After %s Failed", info, function, g)
	}
}

func (m *Manager) show(g *ir.Graph) string {
	if m.Print == nil || g == nil {
		return ""
	}
	return m.Print(g, false)
}

func (m *Manager) dump(when string, info *Info, function string, g *ir.Graph) {
	fmt.Fprint(m.Out, header(when, info, function), strings.TrimRight(m.show(g), "\n"), "\n\n")
}

// diff shows what a pass changed, function by function; nothing if it changed nothing.
func (m *Manager) diff(info *Info, function string, before, after *ir.Graph) {
	show := func(name string, a, b string) {
		if a != b {
			fmt.Fprint(m.Out, header("After %s", info, name), diff.Lines(a, b), "\n")
		}
	}
	var changes []change
	if function == "" {
		changes = changesOf(before, after)
	}
	for _, c := range changes {
		show(c.name, m.show(only(c.before)), m.show(only(c.after)))
	}
	if len(changes) == 0 { // a function by itself, or what stands in none
		show(function, m.show(before), m.show(after))
	}
}

// changed is how many functions of a graph a pass changed. The graph of a function is one itself.
func changed(before, after *ir.Graph, function string) int {
	switch {
	case before == after || function != "" && fixpoint.Fingerprint(before) == fixpoint.Fingerprint(after):
		return 0
	case function != "":
		return 1
	}
	return len(changesOf(before, after))
}

// A change is a function before and after a pass. It was made or dropped where one of the two has no graph.
type change struct {
	name          string
	before, after ir.Node
}

// changesOf lists the functions that differ, those that went away last.
func changesOf(before, after *ir.Graph) (out []change) {
	was, is := functionsOf(before), functionsOf(after)
	old := map[string]ir.Node{}
	for _, p := range was {
		old[p.name] = p.op
	}
	for _, p := range is {
		if n, ok := old[p.name]; !ok || !alike(n, p.op) {
			out = append(out, change{p.name, n, p.op})
		}
		delete(old, p.name)
	}
	for _, p := range was {
		if _, ok := old[p.name]; ok {
			out = append(out, change{p.name, p.op, ir.Node{}})
		}
	}
	return out
}

// alike reports two functions that print alike.
func alike(a, b ir.Node) bool {
	return a.Attrs() == b.Attrs() && slices.EqualFunc(a.Children(), b.Children(), func(x, y *ir.Graph) bool {
		return x == y || fixpoint.Fingerprint(x) == fixpoint.Fingerprint(y)
	})
}

// only is a graph with one op that has no operands; nil if there is none.
func only(n ir.Node) *ir.Graph {
	if n.Graph() == nil {
		return nil
	}
	b := ir.NewBuilder(n.Graph().Ctx, ir.Verbatim)
	b.Must(ir.Call{Def: n.Def(), Attr: n.Attrs(), Graphs: n.Children()})
	return b.Finish()
}
