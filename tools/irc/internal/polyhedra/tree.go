package polyhedra

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/irc-lang/irc/dialects/poly/schedule"
)

// Limits of a tree that is drawn.
const (
	maxNodes = 400
	maxText  = 110 // characters of a line
	maxDepth = 60
)

// fills are the colours of the edges of nodes.
var fills = map[schedule.Kind]string{schedule.Domain: inks[1], schedule.Band: inks[2], schedule.Sequence: inks[0], schedule.Set: inks[0],
	schedule.Filter: inks[7], schedule.Mark: inks[3], schedule.Context: inks[5], schedule.Guard: inks[5], schedule.Extension: inks[4], schedule.Expansion: inks[4]}

// tree is a page of nodes from above to below, children to the right of what they are in.
type tree struct {
	out   strings.Builder
	y     int
	width int
	nodes int
}

// Tree draws a schedule tree as a page of its own.
func Tree(title string, n *schedule.Node) string {
	t := &tree{y: margin + 4 + line, width: max(480, 2*margin+8*utf8.RuneCountInString(title))}
	t.node(n, 0, -1)
	if t.nodes > maxNodes {
		t.write(margin, t.y+line, "dim", fmt.Sprintf("%d more nodes are not drawn", t.nodes-maxNodes))
		t.y += line
	}
	height := t.y + margin
	var page strings.Builder
	fmt.Fprintf(&page, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"11\">\n%s\n<title>%s</title>\n<rect class=\"bg\" width=\"100%%\" height=\"100%%\"/>\n<text x=\"%d\" y=\"%d\" class=\"ink\" font-weight=\"bold\">%s</text>\n",
		t.width, height, t.width, height, style, escape.Replace(title), margin, margin+4, escape.Replace(title))
	return page.String() + t.out.String() + "</svg>\n"
}

// node draws a node and what is below it; from is where the line of its parent starts.
func (t *tree) node(n *schedule.Node, depth, from int) {
	if n.Kind() == schedule.Leaf {
		return
	}
	if t.nodes++; t.nodes > maxNodes || depth > maxDepth {
		for _, c := range n.Children() {
			t.node(c, maxDepth+1, -1)
		}
		return
	}
	x, y := margin+22*depth, t.y
	text := lines(n)
	height := 8 + 15*len(text)
	width := 0
	for _, s := range text {
		width = max(width, 20+7*utf8.RuneCountInString(s))
	}
	t.width = max(t.width, x+width+margin)
	if from >= 0 {
		fmt.Fprintf(&t.out, "<path class=\"axis\" fill=\"none\" d=\"M%d %dV%dh10\"/>\n", x-10, from, y+12)
	}
	fmt.Fprintf(&t.out, "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\"/><rect x=\"%d\" y=\"%d\" width=\"4\" height=\"%d\" fill=\"%s\"/>\n",
		x, y, width, height, x, y, height, fills[n.Kind()])
	for i, s := range text {
		class := "dim"
		if i == 0 {
			class = "ink"
		}
		t.write(x+10, y+15+15*i, class, s)
	}
	bottom := y + height
	t.y = bottom + 8
	for _, c := range n.Children() {
		t.node(c, depth+1, bottom)
	}
}

func (t *tree) write(x, y int, class, text string) {
	fmt.Fprintf(&t.out, "<text x=\"%d\" y=\"%d\" class=\"%s\" xml:space=\"preserve\">%s</text>\n", x, y, class, escape.Replace(text))
}

// lines are what a node says: its kind, and what it is made of.
func lines(n *schedule.Node) []string {
	head := n.Kind().String()
	var rest []string
	switch n.Kind() {
	case schedule.Domain, schedule.Filter, schedule.Context, schedule.Guard:
		head += "  " + n.Set().String()
	case schedule.Mark:
		head += "  " + n.Name()
	case schedule.Extension:
		head += "  " + n.Extension().String()
	case schedule.Expansion:
		contraction, expansion := n.Expansion()
		rest = append(rest, "contraction  "+contraction.String(), "expansion  "+expansion.String())
	case schedule.Band:
		b := n.Band()
		head = "band"
		if b.Permutable {
			head += "  permutable"
		}
		for _, m := range b.Members {
			text := m.Function.String()
			if m.Coincident {
				text += "  coincident"
			}
			if m.Loop != schedule.Default {
				text += "  " + m.Loop.String()
			}
			rest = append(rest, text)
		}
	}
	out := append([]string{head}, rest...)
	for i, s := range out {
		out[i] = short(s, maxText)
	}
	return out
}
