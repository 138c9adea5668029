package draw

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// DOT draws a graph and its children: regions are clusters; operands are solid
// lines, hard edges (the effects an op must come after) bold red ones, soft
// edges (order alone) dotted ones.
func DOT(g *ir.Graph) string {
	d := &dot{}
	d.b.WriteString("digraph irc {\n  compound=true; node [shape=box fontname=\"monospace\" fontsize=10]; edge [fontsize=8];\n")
	d.graph(g, "  ")
	d.b.WriteString("}\n")
	return d.b.String()
}

type dot struct {
	b      strings.Builder
	graphs int
}

// graph draws one graph; nodes are called n<graph>_<node>.
func (d *dot) graph(g *ir.Graph, indent string) {
	d.graphs++
	w := &dotGraph{dot: d, g: g, s: ir.NewSchedule(g, ir.ScheduleOptions{}), id: d.graphs}
	w.region(ir.Root, indent)
	w.edges(indent)
}

type dotGraph struct {
	*dot
	g  *ir.Graph
	s  *ir.Schedule
	id int
}

func (w *dotGraph) node(v ir.Value) string { return fmt.Sprintf("n%d_%d", w.id, v) }

func (w *dotGraph) region(r ir.Region, indent string) {
	for i, p := range w.g.Params(r) {
		fmt.Fprintf(&w.b, "%s%s [label=\"%%arg%d\" shape=ellipse];\n", indent, w.node(p), i)
	}
	for _, v := range w.s.Body(r) {
		style := ""
		if w.g.HasEffect(v) {
			style = " style=filled fillcolor=\"#ffe4e1\""
		}
		fmt.Fprintf(&w.b, "%s%s [label=\"%s\"%s];\n", indent, w.node(v), dotEscape.Replace(label(w.g, v)), style)
		for i, in := range w.g.Regions(v) {
			fmt.Fprintf(&w.b, "%ssubgraph cluster_%d_%d {\n%s  label=\"%s: region %d (%s)\"; style=rounded;\n",
				indent, w.id, in, indent, dotEscape.Replace(w.g.Def(v).Name), i, kindName(w.g.KindOf(in)))
			w.region(in, indent+"  ")
			fmt.Fprintf(&w.b, "%s}\n", indent)
		}
		for i, c := range w.g.Children(v) {
			fmt.Fprintf(&w.b, "%ssubgraph cluster_%d_%d_child%d {\n%s  label=\"%s\"; style=\"rounded,bold\";\n",
				indent, w.id, v, i, indent, dotEscape.Replace(label(w.g, v)))
			w.graph(c, indent+"  ")
			fmt.Fprintf(&w.b, "%s}\n", indent)
		}
	}
}

// edges draws the edges of the scheduled ops, tokens left out: an effect that an
// op comes after is found behind them.
func (w *dotGraph) edges(indent string) {
	w.s.Walk(func(v ir.Value) {
		for _, a := range w.g.Args(v) {
			n, i, many := w.g.Projection(a)
			attr := ""
			if many {
				attr = fmt.Sprintf(" [label=\"#%d\"]", i)
			}
			fmt.Fprintf(&w.b, "%s%s -> %s%s;\n", indent, w.node(n), w.node(v), attr)
		}
		for _, h := range w.behind(w.g.Hard(v), nil, nil) {
			fmt.Fprintf(&w.b, "%s%s -> %s [color=red style=bold];\n", indent, w.node(h), w.node(v))
		}
		for _, h := range w.behind(w.g.Soft(v), nil, nil) {
			fmt.Fprintf(&w.b, "%s%s -> %s [style=dotted constraint=false];\n", indent, w.node(h), w.node(v))
		}
	})
}

// behind lists the live ops that effects stand for.
func (w *dotGraph) behind(vs []ir.Value, out []ir.Value, seen map[ir.Value]bool) []ir.Value {
	if seen == nil {
		seen = map[ir.Value]bool{}
	}
	for _, v := range vs {
		switch {
		case seen[v]:
		case w.g.IsOp(v):
			if w.s.Live(v) {
				out = append(out, v)
			}
		default:
			seen[v] = true
			out = w.behind(w.g.Hard(v), out, seen)
		}
		seen[v] = true
	}
	return out
}
