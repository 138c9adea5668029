package draw

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// Measures of the page, in pixels.
const (
	rowHeight = 20
	indent    = 18
	charWidth = 7.25
	margin    = 16
	gutter    = 9 // between two lines of dependence
)

// SVG draws the schedule as a page of its own: one row an op, regions as boxes
// that nest, and to the right of the rows a line from each op to its users, which
// is thick while the mouse is on it.
func SVG(g *ir.Graph, title string) string {
	p := &page{}
	p.graph(g, 0)
	return p.render(title)
}

// row is one op, or one parameter.
type row struct {
	text   string
	depth  int
	effect bool
}

// box is a region from one row to another.
type box struct {
	from, to, depth int
	kind            string
}

// How an op depends on another.
const (
	value = iota
	hard
	soft
)

// wire is a line from one row to those that depend on it.
type wire struct {
	from int
	to   []int // from above to below
	kind int
	lane int
}

type page struct {
	rows  []row
	boxes []box
	wires []wire
}

func (p *page) graph(g *ir.Graph, depth int) {
	w := &drawing{page: p, picture: newPicture(g), at: map[ir.Value]int{}, wire: map[[2]int]int{}}
	w.region(ir.Root, depth)
}

type drawing struct {
	*page
	picture
	at   map[ir.Value]int
	wire map[[2]int]int // row and kind to the index of the wire
}

func (w *drawing) region(r ir.Region, depth int) {
	for _, v := range w.g.Params(r) {
		w.at[v] = len(w.rows)
		w.rows = append(w.rows, row{text: w.names[v] + w.typed(v), depth: depth})
	}
	for _, v := range w.s.Body(r) {
		if !w.literal(v) && !w.trivial(v) {
			w.op(v, depth)
		}
	}
}

func (w *drawing) op(v ir.Value, depth int) {
	for _, a := range w.g.Args(v) {
		n, _, _ := w.g.Projection(a)
		w.connect(n, value)
	}
	for _, h := range w.behind(v, w.g.Hard(v)) {
		w.connect(h, hard)
	}
	for _, h := range w.behind(v, w.g.Soft(v)) {
		w.connect(h, soft)
	}
	w.at[v] = len(w.rows)
	w.rows = append(w.rows, row{w.line(v), depth, w.g.HasEffect(v) && !w.g.Def(v).Has(ir.Terminator)})
	inner := func(kind string, f func()) {
		from := len(w.rows)
		f()
		if len(w.rows) > from {
			w.boxes = append(w.boxes, box{from, len(w.rows) - 1, depth + 1, kind})
		}
	}
	for _, r := range w.g.Regions(v) {
		inner(kindName(w.g.KindOf(r)), func() { w.region(r, depth+1) })
	}
	for _, c := range w.g.Children(v) {
		inner("graph", func() { w.graph(c, depth+1) })
	}
}

// connect leads a wire from n to the row that comes next. What comes after its
// own user, as an effect of a loop that is still open, has none.
func (w *drawing) connect(n ir.Value, kind int) {
	from, ok := w.at[n]
	if !ok {
		return
	}
	key := [2]int{from, kind}
	i, ok := w.wire[key]
	if !ok {
		i = len(w.wires)
		w.wire[key] = i
		w.wires = append(w.wires, wire{from: from, kind: kind})
	}
	if to := w.wires[i].to; len(to) == 0 || to[len(to)-1] != len(w.rows) {
		w.wires[i].to = append(to, len(w.rows))
	}
}

var (
	fills  = map[string]string{"once": "#f7f7f7", "branch": "#eef6ff", "loop": "#eefbee", "barrier": "#fff4e5", "lambda": "#f6eeff", "graph": "#fbfbf3"}
	inks   = []string{"#4e79a7", "#59a14f", "#9c755f", "#af7aa1", "#76b7b2", "#8a8a3a"} // of values, to tell neighbours apart
	styles = [...]string{value: "", hard: `stroke-dasharray="5 2"`, soft: `stroke-dasharray="1 3"`}
	red    = "#c0302a"
)

func y(row int) int { return margin + 8 + (row+1)*rowHeight }

func x(r row) float64 {
	return margin + float64(r.depth*indent) + charWidth*float64(len([]rune(r.text))) + 5
}

func (p *page) render(title string) string {
	var out strings.Builder
	left, deepest := 0.0, 0
	for _, r := range p.rows {
		left, deepest = max(left, x(r)), max(deepest, r.depth)
	}
	left += float64((deepest + 1) * indent / 2)
	right := max(left+float64((p.lanes()+1)*gutter)+margin, 560) // the legend's width
	height := y(len(p.rows)+1) + margin
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"12\">\n", right, height)
	fmt.Fprintf(&out, "<style>g:hover{stroke-width:3}</style>\n<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", xmlEscape.Replace(title), margin, margin+4, xmlEscape.Replace(title))
	for i := len(p.boxes) - 1; i >= 0; i-- { // outer boxes were added last: they go below
		b := p.boxes[i]
		from := margin + b.depth*indent - 8
		fmt.Fprintf(&out, "<rect x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%d\" rx=\"5\" fill=\"%s\" stroke=\"#bbb\"><title>%s</title></rect>\n",
			from, y(b.from)-14, left-float64(b.depth*indent/2)-float64(from), (b.to-b.from+1)*rowHeight-2, fills[b.kind], b.kind)
	}
	for i, r := range p.rows {
		fill := "#222"
		if r.effect {
			fill = red
		}
		fmt.Fprintf(&out, "<text x=\"%d\" y=\"%d\" fill=\"%s\" xml:space=\"preserve\">%s</text>\n", margin+r.depth*indent, y(i), fill, xmlEscape.Replace(r.text))
	}
	for _, w := range p.wires {
		p.draw(&out, w, left)
	}
	fmt.Fprintf(&out, "<text x=\"%d\" y=\"%d\" font-size=\"10\" fill=\"#666\">solid: value; <tspan fill=\"%s\">red: has effects; dashed: must come after</tspan>; dotted: order alone</text>\n</svg>\n", margin, y(len(p.rows))+4, red)
	return out.String()
}

// draw draws a wire: out of its row below the middle, into its users above it.
func (p *page) draw(out *strings.Builder, w wire, left float64) {
	ink := inks[w.lane%len(inks)]
	if w.kind != value {
		ink = [...]string{hard: red, soft: "#888"}[w.kind]
	}
	at := left + float64(w.lane*gutter)
	start := x(p.rows[w.from])
	fmt.Fprintf(out, "<g fill=\"none\" stroke=\"%s\" %s><path d=\"M%.0f %d H%.0f V%d", ink, styles[w.kind], start, y(w.from)-2, at, y(w.to[len(w.to)-1])-7)
	heads := ""
	for _, t := range w.to {
		end := x(p.rows[t])
		fmt.Fprintf(out, " M%.0f %d H%.0f", at, y(t)-7, end+5)
		heads += fmt.Sprintf("M%.0f %d l6 -3 v6z", end, y(t)-7)
	}
	fmt.Fprintf(out, "\"/><path d=\"%s\" fill=\"%s\" stroke=\"none\"/><circle cx=\"%.0f\" cy=\"%d\" r=\"2.5\" fill=\"%s\" stroke=\"none\"/></g>\n", heads, ink, start, y(w.from)-2, ink)
}

// lanes gives each wire the first lane that is free where it runs, short ones
// first, so that few cross; it returns how many there are.
func (p *page) lanes() int {
	last := func(w wire) int { return w.to[len(w.to)-1] }
	slices.SortStableFunc(p.wires, func(a, b wire) int { return (last(a) - a.from) - (last(b) - b.from) })
	var taken [][]wire
	for i := range p.wires {
		w := &p.wires[i]
		for w.lane = 0; w.lane < len(taken); w.lane++ {
			if !slices.ContainsFunc(taken[w.lane], func(o wire) bool { return w.from <= last(o) && o.from <= last(*w) }) {
				break
			}
		}
		if w.lane == len(taken) {
			taken = append(taken, nil)
		}
		taken[w.lane] = append(taken[w.lane], *w)
	}
	return len(taken)
}
