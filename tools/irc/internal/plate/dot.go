package plate

import (
	"fmt"
	"strings"
)

var quote = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// DOT writes the model for Graphviz: plates are clusters.
func DOT(m *Model) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %q {\n  compound=true; fontname=\"Helvetica\"; fontsize=11; labelloc=t; label=\"%s\";\n"+
		"  node [fontname=\"Helvetica\" fontsize=11 height=0.3 margin=\"0.08,0.03\"]; edge [arrowsize=0.7];\n", m.Title, quote.Replace(m.Title))
	dotPlate(&b, m, -1, "  ")
	for i, k := range m.Styles { // the legend
		fmt.Fprintf(&b, "  l%d [shape=plaintext fontsize=9 fontcolor=\"%s\" label=\"%s\"];\n", i, k.Colour, quote.Replace(k.Name))
	}
	for _, e := range m.Edges {
		head := ""
		switch {
		case m.Styles != nil:
			k := m.Styles[e.Style]
			style := "solid"
			if k.Dash != "" {
				style = "dashed"
			}
			head = fmt.Sprintf(" [color=\"%s\" style=%s tooltip=\"%s\"]", k.Colour, style, quote.Replace(k.Name))
		case m.Nodes[e.To].Kind == Logical:
			head = " [arrowhead=empty]"
		}
		fmt.Fprintf(&b, "  n%d -> n%d%s;\n", e.From, e.To, head)
	}
	b.WriteString("}\n")
	return b.String()
}

func dotPlate(b *strings.Builder, m *Model, plate int, indent string) {
	for i := range m.Nodes {
		if n := &m.Nodes[i]; n.Plate == plate {
			fmt.Fprintf(b, "%sn%d [label=\"%s\" tooltip=\"%s\" %s];\n", indent, i, quote.Replace(n.text()), quote.Replace(n.Tip), dotLook(n))
		}
	}
	for i, p := range m.Plates {
		if p.Parent == plate {
			fmt.Fprintf(b, "%ssubgraph cluster_%d {\n%s  label=\"%s\"; labelloc=b; labeljust=r; style=rounded; color=\"#555566\";\n", indent, i, indent, quote.Replace("for "+p.Label))
			dotPlate(b, m, i, indent+"  ")
			fmt.Fprintf(b, "%s}\n", indent)
		}
	}
}

// text is the label, and the law in a line of its own.
func (n *Node) text() string {
	if n.Law == "" {
		return n.Label
	}
	return n.Label + "\n" + n.Law
}

func dotLook(n *Node) string {
	switch {
	case n.Kind == Constant:
		return "shape=box height=0.2 fontsize=9"
	case n.Kind == Dummy:
		return "shape=octagon style=\"dashed,filled\" fillcolor=\"" + n.Fill + "\""
	case n.Kind == Box:
		look := "shape=box style=filled fillcolor=\"" + n.Fill + "\""
		if n.Bold {
			look += " penwidth=2.5"
		}
		return look
	case n.Kind == Logical:
		return "shape=ellipse peripheries=2"
	case n.Shade == Observed:
		return "shape=ellipse style=filled fillcolor=\"" + shades[Observed] + "\""
	case n.Shade == Partly:
		return "shape=ellipse style=filled fillcolor=\"" + shades[Hidden] + ";0.5:" + shades[Observed] + "\""
	}
	return "shape=ellipse style=filled fillcolor=\"" + shades[Hidden] + "\""
}

// shades are the colours of stochastic nodes.
var shades = map[Shade]string{Hidden: "#ffffff", Partly: "#e4e4ea", Observed: "#c4c6d2"}
