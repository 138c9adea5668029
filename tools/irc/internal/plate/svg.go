package plate

import (
	"fmt"
	"strings"
)

// More measures.
const (
	margin      = 16.0
	titleHeight = 40.0
	nodeSizeOf  = 12.0 // letters of nodes
	constSize   = 10.0
	lawSize     = 9.0
	labelSize   = 10.0
	selfRoom    = 20.0 // to the right of a node that reads itself
	longest     = 34   // letters of a label
	headLength  = 7.0
	arrowWidth  = 10.0
	arrowShare  = 0.8 // of the width of a node is for arrows
)

// SVG draws the model as a page of its own.
func SVG(m *Model) string {
	l := newLayout(m)
	page := l.containers[-1]
	width, height := page.w+2*margin, page.h+titleHeight
	width = max(width, m.legendWidth(), textWidth(m.Title, 14)+2*margin)
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"%.0f\" text-anchor=\"middle\">\n", width, height+46, nodeSizeOf)
	fmt.Fprintf(&b, "<title>%s</title>\n<defs><linearGradient id=\"half\"><stop offset=\"0.5\" stop-color=\"%s\"/><stop offset=\"0.5\" stop-color=\"%s\"/></linearGradient></defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", escape(m.Title), shades[Hidden], shades[Observed])
	fmt.Fprintf(&b, "<text x=\"%.0f\" y=\"24\" font-size=\"14\" font-weight=\"bold\" text-anchor=\"start\">%s</text>\n", margin, escape(m.Title))
	for i, p := range m.Plates { // outer ones first
		l.plate(&b, i, p.Label)
	}
	drawn := map[string]bool{}
	for _, r := range l.routes() {
		r.draw(&b, drawn, m, &m.Edges[r.edge])
	}
	for i := range m.Nodes {
		l.node(&b, i)
	}
	if m.Styles == nil {
		legend(&b, height+8)
	} else {
		legendOf(&b, height+8, m.Styles)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (l *layout) plate(b *strings.Builder, i int, label string) {
	v := l.containers[l.m.Plates[i].Parent].plates[i]
	fmt.Fprintf(b, "<rect class=\"plate\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\" fill=\"#5b6ee1\" fill-opacity=\"0.05\" stroke=\"#667\"/>\n", v.x-v.w/2, v.y-v.h/2, v.w, v.h)
	fmt.Fprintf(b, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" fill=\"#445\" text-anchor=\"end\">for %s</text>\n", v.x+v.w/2-7, v.y+v.h/2-6, labelSize, escape(label))
}

func (l *layout) node(b *strings.Builder, i int) {
	n, v := &l.m.Nodes[i], l.vertexOf(i)
	fmt.Fprintf(b, "<g class=\"node\"><title>%s</title>", escape(n.Tip))
	if l.self[i] { // it reads itself: a loop to its right
		x, y := v.x+v.w/2-5, v.y
		if n.Kind >= Constant {
			x += 5
		}
		fill := "#333"
		if n.Kind == Logical {
			fill = "white"
		}
		fmt.Fprintf(b, "<path d=\"M%.1f %.1f c%.1f 4 %.1f -22 1 -16\" fill=\"none\" stroke=\"#333\"/><path d=\"M%.1f %.1f l8 -1.5 l-4.5 -5 z\" fill=\"%s\" stroke=\"#333\"/>",
			x, y+8, selfRoom, selfRoom, x, y-8, fill)
	}
	w, h := v.w/2, v.h/2
	size, fill := nodeSizeOf, shades[Hidden]
	switch {
	case n.Kind == Constant:
		size = constSize
		fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#fbfaf2\" stroke=\"#666\"/>", v.x-w, v.y-h, v.w, v.h)
	case n.Kind == Box || n.Kind == Dummy:
		look, fill := "", n.Fill
		if fill == "" {
			fill = "white"
		}
		if n.Kind == Dummy {
			look = " stroke-dasharray=\"4 3\""
		}
		if n.Bold {
			look += " stroke-width=\"2.4\""
		}
		fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.0f\" fill=\"%s\" stroke=\"#333\"%s/>", v.x-w, v.y-h, v.w, v.h, boolTo(n.Kind == Dummy)*11+3, fill, look)
	case n.Kind == Logical:
		fmt.Fprintf(b, "<ellipse cx=\"%.1f\" cy=\"%.1f\" rx=\"%.1f\" ry=\"%.1f\" fill=\"white\" stroke=\"#333\"/><ellipse cx=\"%.1f\" cy=\"%.1f\" rx=\"%.1f\" ry=\"%.1f\" fill=\"white\" stroke=\"#333\"/>",
			v.x, v.y, w, h, v.x, v.y, w-3, h-3)
	default:
		switch n.Shade {
		case Observed:
			fill = shades[Observed]
		case Partly:
			fill = "url(#half)"
		}
		fmt.Fprintf(b, "<ellipse cx=\"%.1f\" cy=\"%.1f\" rx=\"%.1f\" ry=\"%.1f\" fill=\"%s\" stroke=\"#333\" stroke-width=\"1.2\"/>", v.x, v.y, w, h, fill)
	}
	y := v.y + size*0.35
	if n.Law != "" {
		y -= lawSize * 0.55
		fmt.Fprintf(b, "<text class=\"law\" x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" fill=\"#445\">%s</text>", v.x, y+lawSize+2, lawSize, escape(clip(n.Law)))
	}
	fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\">%s</text></g>\n", v.x, y, size, escape(clip(n.Label)))
}

// draw draws a route as a line that bends between layers, with a filled head or a
// hollow one. What it shares with a route before is there already.
func (r *route) draw(b *strings.Builder, drawn map[string]bool, m *Model, e *Edge) {
	ps := r.points
	end := ps[len(ps)-1]
	down := headLength // the line ends where the head begins
	if ps[len(ps)-2].y > end.y {
		down = -headLength
	}
	ink, fill, dash := "#333", "#333", ""
	switch {
	case m.Styles != nil:
		ink, fill = m.Styles[e.Style].Colour, m.Styles[e.Style].Colour
		if x := m.Styles[e.Style].Dash; x != "" {
			dash = " stroke-dasharray=\"" + x + "\""
		}
	case m.Nodes[e.To].Kind == Logical:
		fill = "white"
	}
	var d strings.Builder
	at := -1
	for i := 1; i < len(ps); i++ {
		p, q := ps[i-1], ps[i]
		if i == len(ps)-1 {
			q.y -= down
		}
		part := fmt.Sprintf(" V%.1f", q.y)
		if p.x != q.x {
			mid := (p.y + q.y) / 2
			part = fmt.Sprintf(" C%.1f %.1f %.1f %.1f %.1f %.1f", p.x, mid, q.x, mid, q.x, q.y)
		}
		key := fmt.Sprintf("%d %.1f %.1f%s", e.Style, p.x, p.y, part)
		if drawn[key] {
			continue
		}
		drawn[key] = true
		if at != i-1 {
			fmt.Fprintf(&d, " M%.1f %.1f", p.x, p.y)
		}
		d.WriteString(part)
		at = i
	}
	fmt.Fprintf(b, "<path class=\"edge\" fill=\"none\" stroke=\"%s\"%s d=\"%s\"/><path fill=\"%s\" stroke=\"%s\" d=\"M%.1f %.1f l-3.2 %.1f h6.4 z\"/>\n",
		ink, dash, strings.TrimSpace(d.String()), fill, ink, end.x, end.y, -down)
}

// nodeSize is the size of a node; parents are how many arrows must find a place on it.
func nodeSize(n *Node, parents int) (w, h float64) {
	room := float64(parents) * arrowWidth / arrowShare
	switch n.Kind {
	case Constant:
		return textWidth(clip(n.Label), constSize) + 10, constHeight
	case Box, Dummy:
		return max(textWidth(clip(n.Label), nodeSizeOf)+18, room), boxHeight
	case Logical:
		return max(textWidth(clip(n.Label), nodeSizeOf)+28, room), nodeHeight + 2
	}
	if n.Law != "" {
		return max(textWidth(clip(n.Label), nodeSizeOf)+26, textWidth(clip(n.Law), lawSize)+30, room), nodeHeight + lawSize
	}
	return max(textWidth(clip(n.Label), nodeSizeOf)+24, room), nodeHeight
}

func clip(s string) string {
	if r := []rune(s); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return s
}

// textWidth is how wide a text is at most, in a sans-serif font.
func textWidth(s string, size float64) (w float64) {
	for _, r := range s {
		switch {
		case strings.ContainsRune("ijl.,:;|!'I ", r):
			w += 0.36
		case strings.ContainsRune("ft[]()r-", r):
			w += 0.44
		case strings.ContainsRune("mwMW%@", r):
			w += 1
		case r >= 'A' && r <= 'Z' || r == '<' || r == '+' || r == '~' || r == '*' || r > 126:
			w += 0.8
		default:
			w += 0.66
		}
	}
	return w * size
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(s string) string { return escapes.Replace(s) }

// legendOf says what edges are.
func legendOf(b *strings.Builder, y float64, looks []EdgeStyle) {
	x := margin
	for _, k := range looks {
		fmt.Fprintf(b, "<path d=\"M%.0f %.0f h22\" stroke=\"%s\" stroke-dasharray=\"%s\" fill=\"none\"/><text x=\"%.0f\" y=\"%.0f\" font-size=\"9\" fill=\"#555\" text-anchor=\"start\">%s</text>\n",
			x, y+7, k.Colour, k.Dash, x+27, y+10, escape(k.Name))
		x += 27 + textWidth(k.Name, 9) + 14
	}
}

func (m *Model) legendWidth() float64 {
	if m.Styles == nil {
		return 680
	}
	w := 2 * margin
	for _, k := range m.Styles {
		w += 41 + textWidth(k.Name, 9)
	}
	return w
}

// legend says what the shapes are.
func legend(b *strings.Builder, y float64) {
	x := margin
	text := func(s string) {
		fmt.Fprintf(b, "<text x=\"%.0f\" y=\"%.0f\" font-size=\"9\" fill=\"#555\" text-anchor=\"start\">%s</text>\n", x, y+10, s)
		x += textWidth(s, 9) + 14
	}
	ellipse := func(fill string, rx float64) {
		fmt.Fprintf(b, "<ellipse cx=\"%.0f\" cy=\"%.0f\" rx=\"%.0f\" ry=\"%.0f\" fill=\"%s\" stroke=\"#333\"/>", x+12, y+7, 11-rx, 7-rx, fill)
	}
	ellipse(shades[Hidden], 0)
	x += 28
	text("stochastic")
	ellipse(shades[Observed], 0)
	x += 28
	text("observed")
	ellipse("url(#half)", 0)
	x += 28
	text("partly observed")
	ellipse("white", 0)
	ellipse("white", 2.5)
	x += 28
	text("logical")
	fmt.Fprintf(b, "<rect x=\"%.0f\" y=\"%.0f\" width=\"22\" height=\"12\" fill=\"#fbfaf2\" stroke=\"#666\"/>", x, y+1)
	x += 28
	text("constant")
	for _, hollow := range []bool{false, true} {
		fill := "#333"
		name := "distribution"
		if hollow {
			fill, name = "white", "function"
		}
		fmt.Fprintf(b, "<path d=\"M%.0f %.0f h14\" stroke=\"#333\"/><path fill=\"%s\" stroke=\"#333\" d=\"M%.0f %.0f l-7 -3.2 v6.4 z\"/>", x, y+7, fill, x+21, y+7)
		x += 28
		text(name)
	}
}
