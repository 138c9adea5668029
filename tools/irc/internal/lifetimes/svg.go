package lifetimes

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/irc-lang/irc/passes/buffers"
)

// Measures of a page, in pixels.
const (
	left      = 90.0 // room for numbers of bytes
	right     = 24.0
	plotWide  = 760.0
	plotHigh  = 340.0
	titleHigh = 40.0
	headHigh  = 48.0 // above a plot: what it is of, and its peak
	axisHigh  = 40.0
	lineHigh  = 16.0
	letter    = 6.2 // the width of one, at most
)

// inks are the colours of buffers, in turn.
var inks = []string{"#9ecae1", "#fdd0a2", "#c7e9c0", "#dadaeb", "#fcbba1", "#d9d9d9", "#ffeda0", "#b2e2e2"}

// SVG draws plans one below the other, as a page of its own.
func SVG(title string, plans []*buffers.Plan) string {
	var body strings.Builder
	y := titleHigh
	for _, p := range plans {
		y = draw(&body, p, y)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"11\">\n", left+plotWide+right, y)
	fmt.Fprintf(&out, "<title>%[1]s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"16\" y=\"24\" font-size=\"14\" font-weight=\"bold\">%[1]s</text>\n", html.EscapeString(title))
	out.WriteString(body.String() + "</svg>\n")
	return out.String()
}

// A plot is where times and bytes are on the page.
type plot struct {
	p           *buffers.Plan
	first, last int
	top         float64
}

func (t plot) x(at int) float64 {
	return left + plotWide*float64(at-t.first)/float64(t.last-t.first+1)
}

func (t plot) y(bytes int64) float64 {
	return t.top + plotHigh*(1-float64(bytes)/float64(max(t.p.Bytes, 1)))
}

// draw draws a plan from a height on, and gives the height below it.
func draw(b *strings.Builder, p *buffers.Plan, y float64) float64 {
	t := plot{p: p, top: y + headHigh}
	t.first, t.last = p.Span()
	fmt.Fprintf(b, "<text x=\"16\" y=\"%.0f\" font-weight=\"bold\">%s: %d buffers in %s bytes; each on its own %s</text>\n", y+14, html.EscapeString(p.Where), len(p.Buffers), digits(p.Bytes), digits(p.Apart()))
	t.axes(b)
	for i, x := range p.Buffers {
		t.buffer(b, i, x)
	}
	t.peak(b)
	y = t.top + plotHigh + axisHigh
	for i, x := range p.Buffers {
		fmt.Fprintf(b, "<rect x=\"%.0f\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\" stroke=\"#333\"/><text x=\"%.0f\" y=\"%.1f\">%d: %s, %s bytes from %s on</text>\n",
			left, y, inks[i%len(inks)], left+16, y+9, i+1, html.EscapeString(x.Name), digits(x.Size), digits(x.Offset))
		y += lineHigh
	}
	return y + 16
}

// buffer draws one, with its number and as much of its name as there is room for.
func (t plot) buffer(b *strings.Builder, i int, x buffers.Buffer) {
	x0, x1, y0, y1 := t.x(x.First), t.x(x.Last+1), t.y(x.Offset+x.Size), t.y(x.Offset)
	fmt.Fprintf(b, "<g class=\"buffer\"><title>%s: %s bytes from %s on, needed from op %d to %d</title><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" stroke=\"#333\" stroke-width=\"0.6\"/>",
		html.EscapeString(x.Name), digits(x.Size), digits(x.Offset), x.First, x.Last, x0, y0, x1-x0, y1-y0, inks[i%len(inks)])
	label := []rune(fmt.Sprintf("%d: %s", i+1, x.Name))
	if room := int((x1 - x0 - 4) / letter); room < len(label) {
		label = []rune(fmt.Sprint(i + 1))
		if room < len(label) {
			label = nil
		}
	}
	if label != nil && y1-y0 > 12 {
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\">%s</text>", x0+3, (y0+y1)/2+4, html.EscapeString(string(label)))
	}
	b.WriteString("</g>\n")
}

// peak marks the ops at which most is needed at one time.
func (t plot) peak(b *strings.Builder) {
	var changes []int // of how much is needed
	for _, x := range t.p.Buffers {
		changes = append(changes, x.First, x.Last+1)
	}
	slices.Sort(changes)
	changes = slices.Compact(changes)
	most := t.p.Peak()
	for i, at := range changes[:len(changes)-1] {
		if t.p.Needed(at) == most {
			fmt.Fprintf(b, "<rect class=\"peak\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#d62728\" fill-opacity=\"0.12\" stroke=\"#d62728\" stroke-dasharray=\"4 3\"/>\n",
				t.x(at), t.top, t.x(changes[i+1])-t.x(at), plotHigh)
		}
	}
	fmt.Fprintf(b, "<text class=\"peak\" x=\"%.0f\" y=\"%.1f\" fill=\"#d62728\">peak: %s bytes needed at one time</text>\n", left, t.top-8, digits(most))
}

// axes draws the lines at the sides, with numbers.
func (t plot) axes(b *strings.Builder) {
	fmt.Fprintf(b, "<path d=\"M%.1f %.1f V%.1f H%.1f\" fill=\"none\" stroke=\"#333\"/>\n", left, t.top, t.top+plotHigh, left+plotWide)
	for n, step := int64(0), round((t.p.Bytes+5)/6); n <= t.p.Bytes; n += step {
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text><path d=\"M%.1f %.1f h-4\" stroke=\"#333\"/>\n", left-7, t.y(n)+4, digits(n), left, t.y(n))
	}
	for n, step := int64(0), round(int64(t.last-t.first)/12+1); n <= int64(t.last-t.first); n += step {
		x := t.x(t.first + int(n))
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\">%d</text><path d=\"M%.1f %.1f v4\" stroke=\"#333\"/>\n", x+2, t.top+plotHigh+14, t.first+int(n), x, t.top+plotHigh)
	}
	fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">ops, in order</text>\n", left+plotWide, t.top+plotHigh+28)
}

// round is the least of 1, 2 and 4 times a power of 10, or of 2 from 64 on, that is not less.
func round(n int64) int64 {
	if n > 64 {
		at := int64(64)
		for at < n {
			at *= 2
		}
		return at
	}
	for ten := int64(1); ; ten *= 10 {
		for _, k := range []int64{1, 2, 4} {
			if k*ten >= n {
				return k * ten
			}
		}
	}
}

// digits is a number with its thousands apart.
func digits(n int64) string {
	s := fmt.Sprint(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}
