package polyhedra

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// A Reuse is a vector along which instances of a statement have what others have, as those of a
// reduction do that is simplified. It is drawn into the domain, with the facets of it.
type Reuse struct {
	Vector  []p.Int
	What    string // is done along it
	Facets  []Facet
	Added   []p.Set // instances that have nothing to reuse
	Removed []p.Set // and those that are too much
}

// A Facet is a part of the border of a domain.
type Facet struct {
	Where    p.Set  // a hyperplane
	Equation string // of it
	Label    string // what becomes of the instances at it
	Note     string // what else is said of it
	Dash     Dash
	Pale     bool // nothing comes of it
}

// A Dash is how a line is drawn.
type Dash string

// The dashes.
const (
	Solid  Dash = ""
	Dashed Dash = "7 4"
	Dotted Dash = "1 5"
)

// labelInks are the colours of facets.
var labelInks = map[string]string{"add": inks[2], "subtract": inks[0], "reuse": inks[1], "copy": inks[3]}

func inkOf(label string) string { return cmp.Or(labelInks[label], inks[7]) }

// reused is a Reuse with its points.
type reused struct {
	*Reuse
	step    [2]int
	lines   [][][2]int // the points at each facet
	added   map[[2]int]bool
	removed map[[2]int]bool
}

// reuseOf finds the points of a statement's reuse. note says why it is not drawn.
func reuseOf(st Statement, params map[string]int64) (r *reused, note string) {
	step, ok := place(st.Reuse.Vector)
	if !ok {
		return nil, "its vector leads far away"
	}
	r = &reused{Reuse: st.Reuse, step: step, added: map[[2]int]bool{}, removed: map[[2]int]bool{}}
	for _, f := range st.Reuse.Facets {
		at, err := st.Domain.Intersect(f.Where)
		if err != nil {
			return nil, err.Error()
		}
		points, note := pointsOf(at, params)
		if note != "" {
			return nil, note
		}
		r.lines = append(r.lines, points)
	}
	for marks, sets := range map[*map[[2]int]bool][]p.Set{&r.added: st.Reuse.Added, &r.removed: st.Reuse.Removed} {
		for _, s := range sets {
			points, note := pointsOf(s, params)
			if note != "" {
				return nil, note
			}
			for _, at := range points {
				(*marks)[at] = true
			}
		}
	}
	return r, ""
}

// hull has the corners of the smallest convex polygon around points, in order (Andrew, 1979).
func hull(points [][2]int) [][2]int {
	points = slices.Clone(points)
	slices.SortFunc(points, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	half := func() (out [][2]int) {
		for _, c := range points {
			for n := len(out); n > 1; n-- {
				a, b := out[n-2], out[n-1]
				if (b[0]-a[0])*(c[1]-a[1])-(b[1]-a[1])*(c[0]-a[0]) > 0 {
					break
				}
				out = out[:n-1]
			}
			out = append(out, c)
		}
		return out
	}
	lower := half()
	slices.Reverse(points)
	upper := half()
	return append(lower[:len(lower)-1], upper[:max(1, len(upper)-1)]...)
}

// polygon draws the hull of a panel's points, moved by a vector.
func (g *page) polygon(i int, by [2]int, look string) {
	path := "M"
	for k, at := range hull(g.panels[i].points) {
		x, y := g.at(i, [2]int{at[0] + by[0], at[1] + by[1]})
		if k > 0 {
			path += "L"
		}
		path += fmt.Sprintf("%.1f %.1f", x, y)
	}
	fmt.Fprintf(&g.out, "<path d=\"%sz\" %s/>\n", path, look)
}

// below draws what is under the points: the domain, where the vector moves it, and its facets.
func (g *page) below(i int) {
	r := g.panels[i].reuse
	g.polygon(i, [2]int{}, "class=\"area\"")
	g.polygon(i, r.step, "class=\"moved\"")
	for k, f := range r.Facets {
		at := r.lines[k]
		if len(at) == 0 {
			continue
		}
		a, b := slices.MinFunc(at, comparePoints), slices.MaxFunc(at, comparePoints)
		x0, y0 := g.at(i, a)
		x1, y1 := g.at(i, b)
		if length := math.Hypot(x1-x0, y1-y0); length > 0 {
			ux, uy := 0.4*g.unit*(x1-x0)/length, 0.4*g.unit*(y1-y0)/length
			fmt.Fprintf(&g.out, "<path d=\"M%.1f %.1fL%.1f %.1f\" %s/>\n", x0-ux, y0-uy, x1+ux, y1+uy, f.look())
		} else {
			fmt.Fprintf(&g.out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"none\" %s/>\n", x0, y0, g.mark()+4, f.look())
		}
	}
}

func comparePoints(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) }

func (f Facet) look() string {
	look := fmt.Sprintf("stroke=\"%s\" stroke-width=\"4\" stroke-linecap=\"round\"", inkOf(f.Label))
	if f.Pale {
		look += " stroke-opacity=\"0.45\""
	}
	if f.Dash != Solid {
		look += fmt.Sprintf(" stroke-dasharray=\"%s\"", f.Dash)
	}
	return look
}

// mark is the radius of an instance of a reduction.
func (g *page) mark() float64 { return max(1.5, g.unit*0.2) }

// instances draws the points of a panel with a reuse, and the vector.
func (g *page) instances(i int) {
	q := &g.panels[i]
	for _, at := range q.points {
		x, y := g.at(i, at)
		g.instance(x, y, q.reuse.added[at], q.reuse.removed[at])
	}
	if a, ok := q.arrow(); ok {
		g.vector(i, a)
	}
}

// instance draws one: with a plus if it is added, a minus if it is subtracted.
func (g *page) instance(x, y float64, added, removed bool) {
	r := g.mark()
	fill := ""
	paint := func(ink, edge string) string {
		if r < 3.5 { // the colour is all there is to see
			edge = ink
		}
		return strings.TrimSuffix(fmt.Sprintf(" style=\"fill:%s;stroke:%s", ink, edge), ";stroke:") + "\""
	}
	switch {
	case added && removed: // to one answer and from another
		fill = paint(inkOf("add"), inkOf("subtract"))
	case added:
		fill = paint(inkOf("add"), "")
	case removed:
		fill = paint(inkOf("subtract"), "")
	}
	fmt.Fprintf(&g.out, "<circle class=\"pt\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"%s/>", x, y, r, fill)
	if h := r * 0.55; r >= 3.5 && fill != "" {
		sign := fmt.Sprintf("M%.1f %.1fh%.1f", x-h, y, 2*h)
		if added {
			sign += fmt.Sprintf("M%.1f %.1fv%.1f", x, y-h, 2*h)
		}
		fmt.Fprintf(&g.out, "<path d=\"%s\" stroke=\"#fff\" stroke-width=\"1.6\"/>", sign)
	}
	g.out.WriteString("\n")
}

// arrow is where the vector is drawn: between two points of the domain, those next to its middle.
func (q *panel) arrow() (from [2]int, ok bool) {
	nearest := math.Inf(1)
	for _, at := range q.points {
		to := [2]int{at[0] + q.reuse.step[0], at[1] + q.reuse.step[1]}
		if !q.has(to) {
			continue
		}
		d := math.Hypot(float64(at[0]+to[0]-q.min[0]-q.max[0]), float64(at[1]+to[1]-q.min[1]-q.max[1]))
		if d < nearest {
			from, nearest, ok = at, d, true
		}
	}
	return from, ok
}

func (g *page) vector(i int, from [2]int) {
	step := g.panels[i].reuse.step
	x0, y0 := g.at(i, from)
	x1, y1 := g.at(i, [2]int{from[0] + step[0], from[1] + step[1]})
	length := math.Hypot(x1-x0, y1-y0)
	cut := (g.mark() + 1) / length
	fmt.Fprintf(&g.out, "<path class=\"vector\" style=\"stroke-width:%.1f\" marker-end=\"url(#vector)\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", min(2.4, max(1, g.unit/12)),
		x0+cut*(x1-x0), y0+cut*(y1-y0), x1-cut*(x1-x0), y1-cut*(y1-y0))
}

// aside writes beside a panel what is done, and what its facets are.
func (g *page) aside(i int) {
	r, y := g.panels[i].reuse, g.top[i]+12
	g.text(g.right, y, "ink\" font-weight=\"bold", r.What)
	label := g.right + 54 + width(r.Facets, func(f Facet) string { return f.Equation })
	note := label + 12 + width(r.Facets, func(f Facet) string { return f.Label })
	for _, f := range r.Facets {
		y += line
		fmt.Fprintf(&g.out, "<path d=\"M%d %dh30\" %s/>\n", g.right+2, y-4, f.look())
		g.text(g.right+42, y, "ink", f.Equation)
		g.text(label, y, "ink", f.Label)
		g.text(note, y, "dim", f.Note)
	}
	y += line
	g.text(g.right, y, "dim", r.counts(len(g.panels[i].points)))
}

// width is the room for the widest of some texts.
func width(facets []Facet, of func(Facet) string) (w int) {
	for _, f := range facets {
		w = max(w, 7*utf8.RuneCountInString(of(f)))
	}
	return w
}

// counts says how many instances there are, and are left.
func (r *reused) counts(all int) string {
	out := fmt.Sprintf("%d of %d instances added", len(r.added), all)
	if n := len(r.removed); n > 0 {
		out += fmt.Sprintf(", %d subtracted", n)
	}
	return out
}

// asideSize is the room that the texts beside a panel take.
func (r *reused) asideSize() (wide, height int) {
	wide = max(8*utf8.RuneCountInString(r.What), 7*utf8.RuneCountInString(r.counts(maxPoints)))
	wide = max(wide, 66+width(r.Facets, func(f Facet) string { return f.Equation })+width(r.Facets, func(f Facet) string { return f.Label })+
		width(r.Facets, func(f Facet) string { return f.Note }))
	return wide, line * (len(r.Facets) + 2)
}

// marks is the legend of reuse.
func (g *page) marks(x, y int) {
	fmt.Fprintf(&g.out, "<path class=\"vector\" marker-end=\"url(#vector)\" d=\"M%d %dh24\"/>\n", x, y-4)
	g.text(x+34, y, "dim", "vector of reuse")
	x += 150
	fmt.Fprintf(&g.out, "<path class=\"moved\" d=\"M%d %dh24v10h-24z\"/>\n", x, y-9)
	g.text(x+32, y, "dim", "the domain, moved")
	x += 165
	for _, m := range []struct {
		added, removed bool
		text           string
	}{{false, false, "reused"}, {true, false, "added"}, {false, true, "subtracted"}} {
		g.instance(float64(x+7), float64(y-4), m.added, m.removed)
		g.text(x+20, y, "dim", m.text)
		x += 32 + 7*len(m.text)
	}
}
