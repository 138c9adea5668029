package draw

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// DOT draws a graph and its children: an op with regions is a box with them in
// it; operands are solid lines, hard edges (the effects an op must come after)
// bold red ones, soft edges (order alone) dotted ones. Constants stand in the
// labels of their users.
func DOT(g *ir.Graph) string {
	d := &dot{}
	d.b.WriteString("digraph irc {\n  compound=true; ranksep=0.3; fontname=\"monospace\"; fontsize=10;\n" +
		"  node [shape=box fontname=\"monospace\" fontsize=10 height=0.25 margin=\"0.08,0.03\"]; edge [fontsize=8 arrowsize=0.6];\n")
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
	w := &dotGraph{dot: d, picture: newPicture(g), id: d.graphs}
	w.region(ir.Root, indent)
	w.edges(indent)
}

type dotGraph struct {
	*dot
	picture
	id int
}

func (w *dotGraph) node(v ir.Value) string { return fmt.Sprintf("n%d_%d", w.id, v) }

func (w *dotGraph) region(r ir.Region, indent string) {
	for _, p := range w.g.Params(r) {
		fmt.Fprintf(&w.b, "%s%s [label=\"%s\" shape=ellipse];\n", indent, w.node(p), dotEscape.Replace(w.names[p]+w.typed(p)))
	}
	for _, v := range w.s.Body(r) {
		if !w.literal(v) && !w.trivial(v) {
			w.op(v, indent)
		}
	}
}

// op draws an op, and around it and its regions a box. One that only holds
// graphs is its box.
func (w *dotGraph) op(v ir.Value, indent string) {
	regions, children := w.g.Regions(v), w.g.Children(v)
	inner := indent
	if len(regions)+len(children) > 0 {
		inner += "  "
		fmt.Fprintf(&w.b, "%ssubgraph cluster_%d_op%d {\n%slabel=\"%s\"; labeljust=l; style=\"rounded,bold\";\n",
			indent, w.id, v, inner, dotEscape.Replace(label(w.g, v)))
	}
	if len(children) == 0 || len(w.g.Args(v)) > 0 || w.g.Type(v) != ir.Void {
		fmt.Fprintf(&w.b, "%s%s [label=\"%s\"%s];\n", inner, w.node(v), dotEscape.Replace(w.short(v)), w.fill(v))
	}
	for i, r := range regions {
		fmt.Fprintf(&w.b, "%ssubgraph cluster_%d_%d {\n%s  label=\"%d: %s\"; labeljust=l; style=\"rounded,filled\"; color=\"#888888\"; fillcolor=\"%s\";\n",
			inner, w.id, r, inner, i, kindName(w.g.KindOf(r)), fills[kindName(w.g.KindOf(r))])
		w.region(r, inner+"  ")
		fmt.Fprintf(&w.b, "%s}\n", inner)
		if first := w.first(r); first != 0 {
			fmt.Fprintf(&w.b, "%s%s -> %s [lhead=cluster_%d_%d style=dashed color=\"#888888\" arrowhead=none];\n", inner, w.node(v), w.node(first), w.id, r)
		}
	}
	for _, c := range children {
		w.graph(c, inner)
	}
	if inner != indent {
		fmt.Fprintf(&w.b, "%s}\n", indent)
	}
}

// first is a node of a region that a line to the region can go to.
func (w *dotGraph) first(r ir.Region) ir.Value {
	if ps := w.g.Params(r); len(ps) > 0 {
		return ps[0]
	}
	for _, v := range w.s.Body(r) {
		if !w.literal(v) && !w.trivial(v) && len(w.g.Children(v)) == 0 {
			return v
		}
	}
	return 0
}

// short is the label of a node whose edges show its operands: constants are
// written, other operands are a dot.
func (w *dotGraph) short(v ir.Value) string {
	var args []string
	some := false
	for _, a := range w.g.Args(v) {
		if w.literal(a) {
			some = true
			args = append(args, w.operand(a))
		} else {
			args = append(args, "·")
		}
	}
	out := label(w.g, v)
	if some {
		out += " " + strings.Join(args, ", ")
	}
	return out + w.typed(v)
}

func (w *dotGraph) fill(v ir.Value) string {
	if w.g.HasEffect(v) && !w.g.Def(v).Has(ir.Terminator) {
		return " style=filled fillcolor=\"#ffe4e1\""
	}
	return " style=filled fillcolor=white"
}

// edges draws the edges of the scheduled ops, tokens left out: an effect that an
// op comes after is found behind them.
func (w *dotGraph) edges(indent string) {
	w.s.Walk(func(v ir.Value) {
		if w.trivial(v) || w.literal(v) {
			return
		}
		for _, a := range w.g.Args(v) {
			n, i, many := w.g.Projection(a)
			attr := ""
			if many {
				attr = fmt.Sprintf(" [label=\"#%d\"]", i)
			}
			if !w.literal(n) {
				fmt.Fprintf(&w.b, "%s%s -> %s%s;\n", indent, w.node(n), w.node(v), attr)
			}
		}
		for _, h := range w.behind(v, w.g.Hard(v)) {
			fmt.Fprintf(&w.b, "%s%s -> %s [color=red style=bold];\n", indent, w.node(h), w.node(v))
		}
		for _, h := range w.behind(v, w.g.Soft(v)) {
			fmt.Fprintf(&w.b, "%s%s -> %s [style=dotted constraint=false];\n", indent, w.node(h), w.node(v))
		}
	})
}
