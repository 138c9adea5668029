package draw

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// DOT draws a graph and its children: an op with regions is a box with them in
// it; operands are solid lines, pale where they cross the border of a region; hard edges (the effects an op
// must come after) bold red ones, soft edges (order alone) dotted ones. Labels name values; constants stand
// in those of their users.
func DOT(g *ir.Graph, src *diag.Source) string {
	d := &dot{src: src}
	d.b.WriteString("digraph irc {\n  compound=true; ranksep=0.25; nodesep=0.15; fontname=\"monospace\"; fontsize=10;\n" +
		"  label=\"solid: value (pale: into or out of a region)    red: must come after    dotted: order alone    red box: has effects\";\n" +
		"  node [shape=box fontname=\"monospace\" fontsize=10 height=0.22 margin=\"0.06,0.02\"]; edge [fontsize=8 arrowsize=0.5];\n")
	d.graph(g, "  ")
	d.b.WriteString("}\n")
	return d.b.String()
}

type dot struct {
	b      strings.Builder
	src    *diag.Source
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
		fmt.Fprintf(&w.b, "%s%s [label=\"%s\" tooltip=\"%s\" style=\"rounded\"];\n", indent, w.node(p), dotEscape.Replace(w.names[p]+w.typed(p)), w.tip(p))
	}
	var above []ir.Value // the last nodes of the op with regions before
	for _, v := range w.s.Body(r) {
		if w.literal(v) || w.trivial(v) {
			continue
		}
		w.op(v, indent)
		if len(w.g.Regions(v)) == 0 {
			continue
		}
		for _, a := range above { // ops with regions stand one below the other
			fmt.Fprintf(&w.b, "%s%s -> %s [style=invis weight=8];\n", indent, w.node(a), w.node(v))
		}
		above = w.ends(v)
	}
}

// ends lists the last nodes of the regions of an op and of those in them, or the op.
func (w *dotGraph) ends(v ir.Value) (out []ir.Value) {
	for _, r := range w.g.Regions(v) {
		last := ir.Value(0)
		for _, x := range w.s.Body(r) {
			if w.literal(x) || w.trivial(x) {
				continue
			}
			last = x
			if len(w.g.Regions(x)) > 0 {
				out = append(out, w.ends(x)...)
			}
		}
		if last != 0 {
			out = append(out, last)
		}
	}
	if len(out) == 0 {
		return []ir.Value{v}
	}
	return out
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
		fmt.Fprintf(&w.b, "%s%s [label=\"%s\" tooltip=\"%s\"%s];\n", inner, w.node(v), dotEscape.Replace(w.line(v)), w.tip(v), w.fill(v))
	}
	for i, r := range regions {
		fmt.Fprintf(&w.b, "%ssubgraph cluster_%d_%d {\n%s  label=\"%s\"; labeljust=l; style=\"rounded,filled\"; color=\"#888888\"; fillcolor=\"%s\";\n",
			inner, w.id, r, inner, dotEscape.Replace(regionName(w.g, v, i)), fills[kindName(w.g.KindOf(r))])
		w.region(r, inner+"  ")
		fmt.Fprintf(&w.b, "%s}\n", inner)
		if first := w.first(r); first != 0 {
			fmt.Fprintf(&w.b, "%s%s -> %s [lhead=cluster_%d_%d style=dashed color=\"#888888\" arrowhead=none weight=8];\n", inner, w.node(v), w.node(first), w.id, r)
		}
	}
	w.below(v, inner)
	for _, c := range children {
		w.graph(c, inner)
	}
	if inner != indent {
		fmt.Fprintf(&w.b, "%s}\n", indent)
	}
}

// below keeps an op above what begins in its regions.
func (w *dotGraph) below(v ir.Value, indent string) {
	under := func(x ir.Value) {
		fmt.Fprintf(&w.b, "%s%s -> %s [style=invis];\n", indent, w.node(v), w.node(x))
	}
	for _, r := range w.g.Regions(v) {
		for _, p := range w.g.Params(r) {
			under(p)
		}
		for _, x := range w.s.Body(r) {
			inside := func(a ir.Value) bool { n, _, _ := w.g.Projection(a); return w.placeOf(n) == r }
			if !w.literal(x) && !w.trivial(x) && !slices.ContainsFunc(w.g.Args(x), inside) {
				under(x)
			}
		}
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

func (w *dotGraph) tip(v ir.Value) string { return dotEscape.Replace(w.full(v, w.src)) }

func (w *dotGraph) fill(v ir.Value) string {
	if w.g.HasEffect(v) && !w.g.Def(v).Has(ir.Terminator) {
		return " style=filled fillcolor=\"#ffe4e1\""
	}
	return " style=filled fillcolor=white"
}

// edges draws the edges of the scheduled ops, tokens left out: an effect that an
// op comes after is found behind them.
func (w *dotGraph) edges(indent string) {
	for v := range w.s.All() {
		if w.trivial(v) || w.literal(v) {
			continue
		}
		seen := map[ir.Value]bool{}
		for _, a := range w.g.Args(v) {
			n, _, _ := w.g.Projection(a)
			if w.literal(n) || seen[n] {
				continue
			}
			seen[n] = true
			look := " [weight=4]"
			if w.placeOf(n) != w.s.Place(v) {
				look = " [color=\"#7d93ad\" penwidth=0.7]"
			}
			fmt.Fprintf(&w.b, "%s%s -> %s%s;\n", indent, w.node(n), w.node(v), look)
		}
		for _, h := range w.behind(v, w.g.Hard(v)) {
			fmt.Fprintf(&w.b, "%s%s -> %s [color=\"%s\" style=bold];\n", indent, w.node(h), w.node(v), red)
		}
		for _, h := range w.behind(v, w.g.Soft(v)) {
			fmt.Fprintf(&w.b, "%s%s -> %s [style=dotted constraint=false];\n", indent, w.node(h), w.node(v))
		}
	}
}

// placeOf is the region where a value is made.
func (w *dotGraph) placeOf(v ir.Value) ir.Region {
	if r, _, ok := w.g.Param(v); ok {
		return r
	}
	return w.s.Place(v)
}
