package draw

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// Measures of the page, in pixels.
const (
	textHeight = 17
	portHeight = 5 // between two wires that come in at a row
	headHeight = 11
	tailHeight = 3
	indent     = 18
	charWidth  = 7.25
	margin     = 16
	gutter     = 8 // between two lines of dependence
)

// SVG draws the schedule as a page of its own: one row an op, regions as boxes
// that nest. To the right of the rows a line leads from each value to its users,
// whose text has its colour; to the left red lines lead to what must come after an
// effect, dotted ones to what must only not come before. With a source the mouse
// shows where an op comes from.
func SVG(g *ir.Graph, title string, src *diag.Source) string {
	return newPage(g, src).render(title)
}

var (
	fills = map[string]string{"once": "#f7f7f7", "branch": "#eef5ff", "loop": "#eefaee", "barrier": "#fff4e5", "lambda": "#f6eeff", "graph": "#fcfcf6"}
	inks  = []string{"#2f6db0", "#3f9142", "#a0522d", "#8e44ad", "#008b8b", "#7d7a12", "#c2185b", "#34495e"} // of values, to tell neighbours apart
	red   = "#c0302a"
	grey  = "#888"
)

// canvas is a page with places in pixels.
type canvas struct {
	*page
	out         strings.Builder
	top, height []int // of each row
	start       int   // of the text at depth 0
	left, right float64
}

func (p *page) render(title string) string {
	c := &canvas{page: p}
	c.start = margin + (p.lanes(func(k int) bool { return k != value })+1)*gutter
	values := p.lanes(func(k int) bool { return k == value })
	y, deepest := margin+14, 0
	for i := range p.rows {
		r := &p.rows[i]
		ports := r.in
		if r.out {
			ports++
		}
		y += r.heads * headHeight
		c.top, c.height = append(c.top, y), append(c.height, max(textHeight, ports*portHeight+4))
		y += c.height[i] + 1 + r.tails*tailHeight
		c.left, deepest = max(c.left, c.end(i)), max(deepest, r.depth)
	}
	c.left += float64((deepest+1)*indent/2) + 2
	c.right = max(c.left+float64((values+1)*gutter)+margin, 640) // the legend's width
	fmt.Fprintf(&c.out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"12\">\n", c.right, y+44)
	c.style()
	fmt.Fprintf(&c.out, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n",
		xmlEscape.Replace(title), margin, margin+4, xmlEscape.Replace(title))
	c.frames()
	for i := range p.wires {
		c.wire(&p.wires[i])
	}
	for i := range p.rows {
		c.row(i)
	}
	c.legend(y + 18)
	c.out.WriteString("</svg>\n")
	return c.out.String()
}

// style makes the wires of what the mouse is on thick.
func (c *canvas) style() {
	c.out.WriteString("<style>g.w:hover path.l{stroke-width:3;opacity:1}")
	for i := range c.rows {
		fmt.Fprintf(&c.out, "svg:has(#r%d:hover) .r%d path.l{stroke-width:2.5;opacity:1}", i, i)
	}
	c.out.WriteString("</style>\n")
}

func (c *canvas) x(depth int) int { return c.start + depth*indent }

// end is where the text of a row ends.
func (c *canvas) end(i int) float64 {
	return float64(c.x(c.rows[i].depth)) + charWidth*float64(c.rows[i].width()) + 4
}

// port is the height of a wire that comes in, or, after them, goes out.
func (c *canvas) port(i, n int) int {
	all := c.rows[i].in
	if c.rows[i].out {
		all++
	}
	return c.top[i] + c.height[i]/2 + n*portHeight - (all-1)*portHeight/2
}

// frames draws the boxes, outer ones, which were added last, below. Of those that
// begin or end at one row the outer ones have room for the inner ones.
func (c *canvas) frames() {
	begin, end := make([]int, len(c.rows)), make([]int, len(c.rows))
	heads, tails := make([]int, len(c.boxes)), make([]int, len(c.boxes))
	for i, b := range c.boxes {
		begin[b.from]++
		heads[i], tails[i] = begin[b.from], end[b.to]
		end[b.to]++
	}
	for i := len(c.boxes) - 1; i >= 0; i-- {
		c.box(&c.boxes[i], heads[i], tails[i])
	}
}

// box draws a box around what begins and ends with it inside.
func (c *canvas) box(b *box, heads, tails int) {
	x, y := c.x(b.depth)-8, c.top[b.from]-heads*headHeight
	width := c.left - float64(b.depth*indent/2) - float64(x)
	fmt.Fprintf(&c.out, "<rect x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%d\" rx=\"4\" fill=\"%s\" stroke=\"#bbb\"/><text x=\"%d\" y=\"%d\" font-size=\"9\" fill=\"#777\">%s</text>\n",
		x, y, width, c.top[b.to]+c.height[b.to]+tails*tailHeight-y, fills[b.kind], x+8, y+9, xmlEscape.Replace(b.label))
}

func (c *canvas) row(i int) {
	r := &c.rows[i]
	fill := "#222"
	if r.effect {
		fill = red
	}
	fmt.Fprintf(&c.out, "<g id=\"r%d\"><title>%s</title><text x=\"%d\" y=\"%d\" fill=\"%s\" xml:space=\"preserve\">",
		i, xmlEscape.Replace(r.tip), c.x(r.depth), c.top[i]+c.height[i]/2+4, fill)
	for _, p := range r.text {
		if p.wire < 0 {
			c.out.WriteString(xmlEscape.Replace(p.text))
		} else {
			fmt.Fprintf(&c.out, "<tspan fill=\"%s\">%s</tspan>", c.ink(&c.wires[p.wire]), xmlEscape.Replace(p.text))
		}
	}
	c.out.WriteString("</text></g>\n")
}

func (c *canvas) ink(w *wire) string {
	switch w.kind {
	case hard:
		return red
	case soft:
		return grey
	}
	return inks[w.ink%len(inks)]
}

// wire draws a line out of its row, along its lane, and into its users.
func (c *canvas) wire(w *wire) {
	look := " stroke-width=\"1.3\""
	switch {
	case w.kind == soft:
		look = " stroke-dasharray=\"1.5 3\""
	case w.kind == value && !w.inner:
		look = " opacity=\"0.6\""
	}
	fmt.Fprintf(&c.out, "<g class=\"w r%d", w.from)
	for _, t := range w.to {
		fmt.Fprintf(&c.out, " r%d", t)
	}
	fmt.Fprintf(&c.out, "\" fill=\"none\" stroke=\"%s\"><path class=\"l\"%s d=\"", c.ink(w), look)
	var heads strings.Builder
	dot := ""
	if w.kind == value {
		at, from, out := c.left+float64((w.lane+1)*gutter), c.end(w.from), c.port(w.from, c.rows[w.from].in)
		fmt.Fprintf(&c.out, "M%.0f %d H%.0f V%d", from, out, at, c.port(w.last(), w.port[len(w.port)-1]))
		for i, t := range w.to {
			y := c.port(t, w.port[i])
			fmt.Fprintf(&c.out, " M%.0f %d H%.0f", at, y, c.end(t)+5)
			fmt.Fprintf(&heads, "M%.0f %d l5 -2.5 v5z", c.end(t), y)
		}
		dot = fmt.Sprintf("<circle cx=\"%.0f\" cy=\"%d\" r=\"2\" fill=\"%s\" stroke=\"none\"/>", from, out, c.ink(w))
	} else {
		at, from, out := c.start-12-(w.lane+1)*gutter, c.x(c.rows[w.from].depth)-2, c.top[w.from]+c.height[w.from]/2+3
		fmt.Fprintf(&c.out, "M%d %d H%d V%d", from, out, at, c.top[w.last()]+c.height[w.last()]/2-2)
		for _, t := range w.to {
			x, y := c.x(c.rows[t].depth)-2, c.top[t]+c.height[t]/2-2
			fmt.Fprintf(&c.out, " M%d %d H%d", at, y, x-5)
			fmt.Fprintf(&heads, "M%d %d l-5 -2.5 v5z", x, y)
		}
	}
	fmt.Fprintf(&c.out, "\"/><path d=\"%s\" fill=\"%s\" stroke=\"none\"/>%s</g>\n", heads.String(), c.ink(w), dot)
}

// legend says what the lines are.
func (c *canvas) legend(y int) {
	x := margin
	sample := func(line, text string) {
		fmt.Fprintf(&c.out, "<path d=\"M%d %d h24\" fill=\"none\" %s/><text x=\"%d\" y=\"%d\" font-size=\"10\" fill=\"#555\">%s</text>\n", x, y, line, x+30, y+4, text)
		x += 44 + 6*len(text)
	}
	sample(fmt.Sprintf("stroke=\"%s\"", inks[0]), "value")
	sample(fmt.Sprintf("stroke=\"%s\" stroke-width=\"1.3\"", red), "must come after (effect)")
	sample(fmt.Sprintf("stroke=\"%s\" stroke-dasharray=\"1.5 3\"", grey), "order alone")
	fmt.Fprintf(&c.out, "<text x=\"%d\" y=\"%d\" font-size=\"10\" fill=\"%s\">red: has effects</text>\n", x, y+4, red)
	for i, kind := range []string{"graph", "once", "branch", "loop", "barrier", "lambda"} {
		at := margin + i*86
		fmt.Fprintf(&c.out, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"10\" fill=\"%s\" stroke=\"#bbb\"/><text x=\"%d\" y=\"%d\" font-size=\"10\" fill=\"#555\">%s</text>\n",
			at, y+10, fills[kind], at+17, y+19, kind)
	}
}
