package polyhedra

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;")

// inks are the colours of kinds of dependences, readable on white and on black.
var inks = []string{"#d9482b", "#2f7fd0", "#2e9e4f", "#9b59c6", "#c08a10", "#109a9a", "#c2417f", "#7f8790"}

// style has colours for a light page, and for a dark one where the reader wants it.
const style = `<style>.bg{fill:#fff}.ink{fill:#222}.dim{fill:#666}.over{paint-order:stroke;stroke:#fff;stroke-width:3px}.axis{stroke:#bbb}.pt{fill:#f4f4f4;stroke:#333}.box{fill:#f7f8fa;stroke:#99a}` +
	`.area{fill:#8a97a81f}.moved{fill:none;stroke:#8a97a8;stroke-width:1.2;stroke-dasharray:3 3}.vector{fill:none;stroke:#222;stroke-width:2.4}.tip{fill:#222}` +
	`@media(prefers-color-scheme:dark){.bg{fill:#16181d}.over{stroke:#16181d}.ink{fill:#e6e6e6}.dim{fill:#a5a8b0}.axis{stroke:#555}.pt{fill:#2a2d35;stroke:#ccc}.box{fill:#22252c;stroke:#778}.vector{stroke:#eee}.tip{fill:#eee}}</style>`

// Measures in pixels.
const (
	margin  = 18
	numbers = 40  // left of the points
	names   = 220 // most for the names of statements, left of the numbers
	spacing = 36  // most between two points
	gap     = 40  // between statements
	line    = 17

	legendWidth = 640 // at least, where reuse is drawn
)

// page is where things are on paper.
type page struct {
	*scene
	out   strings.Builder
	unit  float64
	left  int   // the first coordinate at the left
	name  int   // room for the names of statements
	right int   // of the panels, where there are texts beside them
	top   []int // of the panels
}

// SVG draws the picture as a page of its own.
func (d Picture) SVG() string {
	g := &page{scene: d.scene()}
	width, height := g.layout()
	fmt.Fprintf(&g.out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans, sans-serif\" font-size=\"12\">\n%s\n",
		width, height, width, height, style)
	g.markers()
	fmt.Fprintf(&g.out, "<title>%s</title>\n<rect class=\"bg\" width=\"100%%\" height=\"100%%\"/>\n", escape.Replace(g.title))
	g.text(margin, margin+4, "ink\" font-weight=\"bold", g.title)
	g.legend(margin + 4 + line)
	for _, a := range g.arrows {
		g.arrow(a)
	}
	for i, q := range g.panels {
		if q.reuse == nil {
			g.axes(i)
			g.points(i)
			continue
		}
		g.below(i)
		g.axes(i)
		g.instances(i)
		g.aside(i)
	}
	g.out.WriteString("</svg>\n")
	return g.out.String()
}

// layout puts the panels below one another, on one scale.
func (g *page) layout() (width, height int) {
	g.unit = spacing
	beside := 0
	first, low, high := true, 0, 0
	for _, q := range g.panels {
		if len(q.points) == 0 {
			continue
		}
		g.name = max(g.name, min(names, 8*utf8.RuneCountInString(q.name)))
		if first {
			low, high, first = q.min[0], q.max[0], false
		}
		low, high = min(low, q.min[0]), max(high, q.max[0])
		g.unit = min(g.unit, pageHeight/float64(q.max[1]-q.min[1]+1))
	}
	g.left = low
	g.unit = min(g.unit, pageWidth/float64(high-low+1))
	g.right = g.name + numbers + 3*margin + int(float64(high-low+1)*g.unit)
	y := margin + 4 + 2*line + line*(len(g.notes)+1)
	for _, q := range g.panels {
		g.top = append(g.top, y)
		y += gap
		if len(q.points) > 0 {
			tall := int(math.Ceil(float64(q.max[1]-q.min[1]+1) * g.unit))
			if q.reuse != nil {
				w, h := q.reuse.asideSize()
				beside, tall = max(beside, margin+w), max(tall, h)
			}
			y += tall
		}
	}
	if beside > 0 {
		g.right += margin
		width = legendWidth
	}
	width = max(width, g.right+beside, 480)
	for _, n := range append(g.notes, g.title) {
		width = max(width, 2*margin+7*len(n))
	}
	return width, y + margin
}

// at is the middle of a point.
func (g *page) at(panel int, x [2]int) (float64, float64) {
	q := &g.panels[panel]
	return float64(g.name+numbers+margin) + (float64(x[0]-g.left)+0.5)*g.unit, float64(g.top[panel]) + (float64(q.max[1]-x[1])+0.5)*g.unit
}

func (g *page) text(x, y int, class, text string) {
	fmt.Fprintf(&g.out, "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, class, escape.Replace(text))
}

func (g *page) markers() {
	g.out.WriteString("<defs>")
	for i := range g.kinds {
		fmt.Fprintf(&g.out, "<marker id=\"m%d\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"%s\"/></marker>",
			i, inks[i%len(inks)])
	}
	g.out.WriteString("<marker id=\"vector\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"4\" markerHeight=\"4\" orient=\"auto\"><path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n")
}

// short cuts a long text.
func short(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return text
}

// legend writes the kinds and the notes.
func (g *page) legend(y int) {
	x := margin
	for i, kind := range g.kinds {
		fmt.Fprintf(&g.out, "<path d=\"M%d %dh26\" stroke=\"%s\" stroke-width=\"1.6\" marker-end=\"url(#m%d)\"/>\n", x, y-4, inks[i%len(inks)], i)
		g.text(x+32, y, "dim", kind)
		x += 50 + 7*len(kind)
	}
	if slices.ContainsFunc(g.panels, func(q panel) bool { return q.reuse != nil }) {
		g.marks(x, y)
	}
	y += line
	for _, n := range g.notes {
		g.text(margin, y, "dim", n)
		y += line
	}
}

// axes draws the name of a panel, and the coordinates below and to the left of it.
func (g *page) axes(i int) {
	q := &g.panels[i]
	if len(q.points) == 0 {
		g.text(margin, g.top[i]+4, "ink", q.name+": not drawn, "+q.note)
		return
	}
	_, middle := g.at(i, [2]int{q.min[0], (q.min[1] + q.max[1]) / 2})
	g.text(margin, int(middle)+4, "ink\" font-weight=\"bold", short(q.name, names/8))
	x0, y0 := g.at(i, [2]int{q.min[0], q.min[1]})
	x1, y1 := g.at(i, [2]int{q.max[0], q.max[1]})
	x0, y0, h := x0-g.unit/2-2, y0+g.unit/2+2, g.unit/2
	dims := q.tuple.Dims()
	label := func(k int, fallback string) string {
		if k < len(dims) && dims[k] != "" {
			return dims[k]
		}
		return fallback
	}
	if q.tuple.Len() > 0 {
		fmt.Fprintf(&g.out, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>\n", x0, y0, x1+h)
		step := ticks(q.max[0]-q.min[0], g.unit)
		for v := q.min[0]; v <= q.max[0]; v += step {
			x, _ := g.at(i, [2]int{v, q.min[1]})
			fmt.Fprintf(&g.out, "<text x=\"%.1f\" y=\"%.1f\" class=\"dim over\" font-size=\"9\" text-anchor=\"middle\">%d</text>\n", x, y0+10, v)
		}
		fmt.Fprintf(&g.out, "<text x=\"%.1f\" y=\"%.1f\" class=\"dim over\" font-style=\"italic\">%s</text>\n", x1+h+4, y0+4, escape.Replace(label(0, "i")))
	}
	if q.tuple.Len() > 1 {
		fmt.Fprintf(&g.out, "<path class=\"axis\" d=\"M%.1f %.1fV%.1f\"/>\n", x0, y0, y1-h)
		step := ticks(q.max[1]-q.min[1], g.unit)
		for v := q.min[1]; v <= q.max[1]; v += step {
			_, y := g.at(i, [2]int{q.min[0], v})
			fmt.Fprintf(&g.out, "<text x=\"%.1f\" y=\"%.1f\" class=\"dim over\" font-size=\"9\" text-anchor=\"end\">%d</text>\n", x0-4, y+3, v)
		}
		fmt.Fprintf(&g.out, "<text x=\"%.1f\" y=\"%.1f\" class=\"dim over\" font-style=\"italic\" text-anchor=\"end\">%s</text>\n", x0-18, y1+4, escape.Replace(label(1, "j")))
	}
}

// ticks is how far the numbers at an axis are apart.
func ticks(extent int, unit float64) int {
	step := 1
	for float64(step)*unit < 22 {
		step *= 2
	}
	return max(1, min(step, max(extent, 1)))
}

// points draws a panel's points: dots, squares and diamonds in turn.
func (g *page) points(i int) {
	r := g.radius()
	g.out.WriteString("<g class=\"pt\">\n")
	for _, at := range g.panels[i].points {
		x, y := g.at(i, at)
		switch i % 3 {
		case 0:
			fmt.Fprintf(&g.out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", x, y, r)
		case 1:
			fmt.Fprintf(&g.out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x-r, y-r, 2*r, 2*r)
		default:
			fmt.Fprintf(&g.out, "<path d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\"/>", x, y-r-1, r+1, r+1, -r-1, r+1, -r-1, -r-1)
		}
	}
	g.out.WriteString("\n</g>\n")
}

func (g *page) radius() float64 { return max(1.2, g.unit*0.16) }

// arrow leads from the edge of a point to that of another; one that would run through
// points between them is bent.
func (g *page) arrow(a arrow) {
	x0, y0 := g.at(a.from, a.a)
	x1, y1 := g.at(a.to, a.b)
	dx, dy := x1-x0, y1-y0
	length := math.Hypot(dx, dy)
	r := g.radius() + 2
	look := fmt.Sprintf("fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\" opacity=\"0.8\" marker-end=\"url(#m%d)\"", inks[a.kind%len(inks)], a.kind)
	if length == 0 { // a point that depends on itself
		fmt.Fprintf(&g.out, "<path %s d=\"M%.1f %.1fc%.1f %.1f %.1f %.1f 0 %.1f\"/>\n", look, x0+r, y0-r/2, 2*r, -2*r, 2*r, 2*r, r)
		return
	}
	ux, uy := dx/length, dy/length
	bend := 0.0
	if a.from == a.to && gcd(abs(a.b[0]-a.a[0]), abs(a.b[1]-a.a[1])) > 1 {
		bend = min(0.18*length, 0.6*g.unit)
	}
	if a.kind > 0 && bend == 0 { // kinds with the same ends lie beside each other
		bend = 3 * float64(a.kind)
	}
	fmt.Fprintf(&g.out, "<path %s d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>\n", look, x0+ux*r, y0+uy*r,
		(x0+x1)/2-uy*bend*2, (y0+y1)/2+ux*bend*2, x1-ux*r, y1-uy*r)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func abs(x int) int { return max(x, -x) }
