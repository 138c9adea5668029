package plate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

type rect struct{ x0, y0, x1, y1 float64 }

func (a rect) meets(b rect) bool { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1 }
func (a rect) holds(b rect) bool {
	return a.x0 <= b.x0 && a.y0 <= b.y0 && a.x1 >= b.x1 && a.y1 >= b.y1
}
func (a rect) has(p point) bool { return rect{p.x, p.y, p.x, p.y}.meets(a) }

func (v *vertex) rect() rect { return rect{v.x - v.w/2, v.y - v.h/2, v.x + v.w/2, v.y + v.h/2} }

// Overlaps lists what is drawn over something else, or outside of what it belongs to:
// nodes, plates, their labels, and edges, which keep off all nodes but their own, all
// labels, and plates around neither of their ends.
func Overlaps(m *Model) []string {
	o := &overlaps{layout: newLayout(m)}
	o.boxes()
	o.nodes()
	o.edges()
	return o.out
}

type overlaps struct {
	*layout
	all            rect
	plates, labels []rect
	out            []string
}

func (o *overlaps) say(format string, args ...any) {
	if len(o.out) < 20 {
		o.out = append(o.out, fmt.Sprintf(format, args...))
	}
}

func (o *overlaps) boxes() {
	l, m, say := o.layout, o.m, o.say
	page := l.containers[-1]
	all := rect{margin, titleHeight, margin + page.w, titleHeight + page.h}
	plates, labels := make([]rect, len(m.Plates)), make([]rect, len(m.Plates))
	for i, p := range m.Plates {
		plates[i] = l.containers[p.Parent].plates[i].rect()
		r := plates[i]
		labels[i] = rect{r.x1 - 7 - textWidth("for "+p.Label, labelSize), r.y1 - labelStrip + 2, r.x1 - 7, r.y1 - 3}
		if !r.holds(labels[i]) {
			say("label %q is wider than its plate", p.Label)
		}
		around := all
		if p.Parent >= 0 {
			around = plates[p.Parent]
		}
		if !around.holds(r) {
			say("plate %q is outside of what is around it", p.Label)
		}
		for j := range i {
			if !l.within(i, j) && r.meets(plates[j]) {
				say("plates %q and %q overlap", p.Label, m.Plates[j].Label)
			}
		}
	}
	o.all, o.plates, o.labels = all, plates, labels
}

func (o *overlaps) nodes() {
	l, m, say, plates, labels := o.layout, o.m, o.say, o.plates, o.labels
	for i := range m.Nodes {
		r := l.vertexOf(i).rect()
		if textWidth(clip(m.Nodes[i].Label), nodeSizeOf)*map[bool]float64{true: constSize / nodeSizeOf, false: 1}[m.Nodes[i].Kind == Constant] > r.x1-r.x0 {
			say("label %q is wider than its node", m.Nodes[i].Label)
		}
		for j := range i {
			if r.meets(l.vertexOf(j).rect()) {
				say("nodes %q and %q overlap", m.Nodes[i].Label, m.Nodes[j].Label)
			}
		}
		for p := range plates {
			in := m.Nodes[i].Plate >= 0 && l.within(m.Nodes[i].Plate, p)
			if in && !plates[p].holds(r) || !in && plates[p].meets(r) {
				say("node %q is on the wrong side of the border of %q", m.Nodes[i].Label, m.Plates[p].Label)
			}
			if labels[p].meets(r) {
				say("node %q is on the label %q", m.Nodes[i].Label, m.Plates[p].Label)
			}
		}
		if !o.all.holds(r) {
			say("node %q is outside of the page", m.Nodes[i].Label)
		}
	}
}

func (o *overlaps) edges() {
	l, m, say, plates, labels := o.layout, o.m, o.say, o.plates, o.labels
	for _, r := range l.routes() {
		e := m.Edges[r.edge]
		name := m.Nodes[e.From].Label + " -> " + m.Nodes[e.To].Label
		for _, p := range r.samples() {
			for i := range m.Nodes {
				if i != e.From && i != e.To && l.vertexOf(i).rect().has(p) {
					say("edge %s runs through node %q at %.0f, %.0f", name, m.Nodes[i].Label, p.x, p.y)
				}
			}
			for i := range plates {
				if labels[i].has(p) {
					say("edge %s runs through label %q", name, m.Plates[i].Label)
				}
				ends := false
				for _, n := range []int{e.From, e.To} {
					ends = ends || m.Nodes[n].Plate >= 0 && l.within(m.Nodes[n].Plate, i)
				}
				if !ends && plates[i].has(p) {
					say("edge %s runs through plate %q", name, m.Plates[i].Label)
				}
			}
		}
		if a, b := l.vertexOf(e.From), r.points[0]; math.Abs(math.Abs(b.y-a.y)-a.half(b.x)) > 0.1 {
			say("edge %s begins off its node", name)
		}
		if a, b := l.vertexOf(e.To), r.points[len(r.points)-1]; math.Abs(math.Abs(b.y-a.y)-a.half(b.x)) > 0.1 || math.Abs(b.x-a.x) > a.w/2 {
			say("edge %s ends off its node", name)
		}
	}
}

// within reports that plate p is q or in it.
func (l *layout) within(p, q int) bool {
	for ; p >= 0; p = l.m.Plates[p].Parent {
		if p == q {
			return true
		}
	}
	return false
}

// samples are points on the line as it is drawn.
func (r *route) samples() (out []point) {
	for i := 1; i < len(r.points); i++ {
		p, q := r.points[i-1], r.points[i]
		mid := (p.y + q.y) / 2
		for k := 0; k <= 20; k++ {
			t := float64(k) / 20
			u := 1 - t
			b := [4]float64{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t}
			out = append(out, point{b[0]*p.x + b[1]*p.x + b[2]*q.x + b[3]*q.x, b[0]*p.y + b[1]*mid + b[2]*mid + b[3]*q.y})
		}
	}
	return out
}

// Random models, circles included, are drawn without overlaps.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for k := range 400 {
		m := random(rng, 1+rng.IntN(25))
		if list := Overlaps(m); list != nil {
			t.Fatalf("model %d: %q\n%s", k, list, DOT(m))
		}
	}
}

func random(rng *rand.Rand, n int) *Model {
	m := &Model{Title: "random"}
	for i := range rng.IntN(6) {
		m.Plates = append(m.Plates, Plate{Label: fmt.Sprintf("i%d in 1:(N[%d] + M)", i, i), Parent: rng.IntN(i+1) - 1})
	}
	for i := range n {
		m.Nodes = append(m.Nodes, Node{Label: fmt.Sprintf("node%d[i, j + %d]", i, rng.IntN(100000)), Kind: Kind(rng.IntN(5)), Shade: Shade(rng.IntN(3)), Plate: rng.IntN(len(m.Plates)+1) - 1})
	}
	seen := map[Edge]bool{}
	for range rng.IntN(3 * n) {
		e := Edge{rng.IntN(n), rng.IntN(n), rng.IntN(2)}
		if rng.IntN(4) > 0 && e.From > e.To {
			e.From, e.To = e.To, e.From
		}
		if !seen[e] {
			seen[e] = true
			m.Edges = append(m.Edges, e)
		}
	}
	return m
}

// An empty model and one with empty plates are drawn too.
func TestSmall(t *testing.T) {
	for _, m := range []*Model{{Title: "none"}, {Title: "a & b", Plates: []Plate{{"i in 1:N", -1}, {"j in 1:M", 0}}}} {
		if list := Overlaps(m); list != nil {
			t.Error(list)
		}
		if SVG(m) == "" || DOT(m) == "" {
			t.Error("nothing is drawn")
		}
	}
}

// A long row becomes several, and the heads of many arrows into one node stay apart.
func TestLongRow(t *testing.T) {
	m := &Model{Title: "long", Nodes: []Node{{Label: "mu", Kind: Logical, Plate: -1}}}
	for i := range 60 {
		m.Nodes = append(m.Nodes, Node{Label: fmt.Sprintf("alpha%d", i), Law: "dnorm", Plate: -1})
		m.Edges = append(m.Edges, Edge{From: i + 1, To: 0})
	}
	l := newLayout(m)
	if w := l.containers[-1].w; w > 2400 { // one row has 5500
		t.Errorf("the page is %.0f wide", w)
	}
	rows := map[float64]int{}
	for i := range m.Nodes[1:] {
		rows[l.vertexOf(i+1).y]++
	}
	if len(rows) < 4 {
		t.Errorf("rows %v", rows)
	}
	var ends []float64
	for _, r := range l.routes() {
		ends = append(ends, r.points[len(r.points)-1].x)
	}
	slices.Sort(ends)
	for i := 1; i < len(ends); i++ {
		if gap := ends[i] - ends[i-1]; gap < 9 {
			t.Errorf("arrows %d and %d end %.1f apart", i-1, i, gap)
		}
	}
}
