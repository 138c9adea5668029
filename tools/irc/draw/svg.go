package draw

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// Measures of the page, in pixels.
const (
	rowHeight = 22
	indent    = 18
	charWidth = 7.2
	margin    = 16
	gutter    = 10 // between two lines of dependence
)

// SVG draws the schedule as a page of its own: one row an op, regions as boxes
// that nest, and to the right of the rows a line from each op to its users.
func SVG(g *ir.Graph, title string) string {
	p := &page{}
	p.graph(g, 0)
	return p.render(title)
}

// row is one op, or one parameter list.
type row struct {
	text   string
	depth  int
	effect bool
	uses   []int // rows of the operands
	after  []int // rows of the effects that it comes after
}

// box is a region from one row to another.
type box struct {
	from, to, depth int
	kind            string
}

type page struct {
	rows  []row
	boxes []box
}

func (p *page) graph(g *ir.Graph, depth int) {
	w := &drawing{page: p, g: g, s: ir.NewSchedule(g, ir.ScheduleOptions{}), at: map[ir.Value]int{}}
	w.region(ir.Root, depth)
}

type drawing struct {
	*page
	g  *ir.Graph
	s  *ir.Schedule
	at map[ir.Value]int
}

func (w *drawing) region(r ir.Region, depth int) {
	if ps := w.g.Params(r); len(ps) > 0 {
		names := make([]string, len(ps))
		for i, v := range ps {
			names[i] = fmt.Sprintf("%%arg%d", i)
			w.at[v] = len(w.rows)
		}
		w.rows = append(w.rows, row{text: "(" + strings.Join(names, ", ") + ")", depth: depth})
	}
	for _, v := range w.s.Body(r) {
		w.op(v, depth)
	}
}

func (w *drawing) op(v ir.Value, depth int) {
	x := row{text: label(w.g, v), depth: depth, effect: w.g.HasEffect(v)}
	for _, a := range w.g.Args(v) {
		n, _, _ := w.g.Projection(a)
		if at, ok := w.at[n]; ok {
			x.uses = append(x.uses, at)
		}
	}
	tokens := &dotGraph{g: w.g, s: w.s}
	for _, h := range tokens.behind(w.g.Hard(v), nil, nil) {
		if at, ok := w.at[h]; ok {
			x.after = append(x.after, at)
		}
	}
	w.at[v] = len(w.rows)
	w.rows = append(w.rows, x)
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

var fills = map[string]string{"once": "#f7f7f7", "branch": "#eef6ff", "loop": "#eefbee", "barrier": "#fff4e5", "lambda": "#f6eeff", "graph": "#fbfbf3"}

func (p *page) render(title string) string {
	width := 0.0
	for _, r := range p.rows {
		width = max(width, float64(r.depth*indent)+charWidth*float64(len([]rune(r.text))))
	}
	left := margin + width + 2*indent
	lanes, b := p.lanes(left)
	right := left + float64((lanes+1)*gutter) + margin
	height := (len(p.rows)+2)*rowHeight + 2*margin
	y := func(row int) int { return margin + (row+1)*rowHeight }
	var out strings.Builder
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" font-family=\"monospace\" font-size=\"12\">\n", right, height)
	fmt.Fprintf(&out, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", xmlEscape.Replace(title), margin, margin+4, xmlEscape.Replace(title))
	for i := len(p.boxes) - 1; i >= 0; i-- { // outer boxes were added last: they go below
		x := p.boxes[i]
		fmt.Fprintf(&out, "<rect x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%d\" rx=\"5\" fill=\"%s\" stroke=\"#bbb\"><title>%s</title></rect>\n",
			margin+x.depth*indent-8, y(x.from)-15, width+2*indent-float64(x.depth*indent), (x.to-x.from+1)*rowHeight-2, fills[x.kind], x.kind)
	}
	for i, r := range p.rows {
		fill := "#222"
		if r.effect {
			fill = "#b03020"
		}
		fmt.Fprintf(&out, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", margin+r.depth*indent, y(i), fill, xmlEscape.Replace(r.text))
	}
	out.WriteString(b)
	out.WriteString("</svg>\n")
	return out.String()
}

// lanes draws a line for each op that is used, from its row down to its last
// user, in the first lane that is free there.
func (p *page) lanes(left float64) (n int, svg string) {
	users := make([][]int, len(p.rows))
	after := make([][]int, len(p.rows))
	for i, r := range p.rows {
		for _, u := range r.uses {
			users[u] = append(users[u], i)
		}
		for _, u := range r.after {
			after[u] = append(after[u], i)
		}
	}
	var busy []int // last row of the line in each lane
	var b strings.Builder
	draw := func(from int, to []int, style string) {
		if len(to) == 0 {
			return
		}
		last := to[len(to)-1]
		lane := 0
		for lane < len(busy) && busy[lane] >= from {
			lane++
		}
		if lane == len(busy) {
			busy = append(busy, 0)
		}
		busy[lane] = last
		x := left + float64(lane*gutter)
		y := func(row int) int { return margin + (row+1)*rowHeight - 4 }
		fmt.Fprintf(&b, "<path d=\"M%.0f %d H%.0f V%d", left-float64(indent), y(from), x, y(last))
		for _, t := range to {
			fmt.Fprintf(&b, " M%.0f %d H%.0f", x, y(t), left-float64(indent))
		}
		fmt.Fprintf(&b, "\" fill=\"none\" %s/>\n<circle cx=\"%.0f\" cy=\"%d\" r=\"2.5\" fill=\"#555\"/>\n", style, left-float64(indent), y(from))
	}
	for i := range p.rows {
		draw(i, users[i], `stroke="#789"`)
		draw(i, after[i], `stroke="#b03020" stroke-dasharray="4 2"`)
	}
	return len(busy), b.String()
}
