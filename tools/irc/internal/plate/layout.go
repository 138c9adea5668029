package plate

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/ir/lists"
)

// Measures, in pixels.
const (
	nodeHeight  = 30.0
	constHeight = 19.0
	boxHeight   = 24.0
	passWidth   = 10.0 // of an edge that crosses a layer
	nodeGap     = 14.0
	passGap     = 4.0
	layerGap    = 22.0
	pad         = 12.0 // between a plate's border and what is in it
	labelStrip  = 18.0 // at the bottom of a plate
)

// What a vertex of a layer is.
type vertexKind uint8

const (
	aNode vertexKind = iota
	aPlate
	aPass   // an edge that crosses the layer
	aTop    // where edges enter the plate
	aBottom // where they leave it
)

// A vertex is what stands in a layer of a container.
type vertex struct {
	kind        vertexKind
	id          int // of the node, plate or net
	layer       int
	w, h        float64
	x, y        float64 // centre: in its container, later on the page
	up, down    []link  // to the layers above and below
	top, bottom float64 // of its layer, later on the page
}

// A link leads to a vertex of a neighbouring layer. At a plate it ends where the
// net passes the border; dx is how far from the centres that is.
type link struct {
	to       *vertex
	net      int
	dx, toDx float64
}

// A net is all that leads down from one node, or with flipped all that leads up to
// it: edges against the order of layers are laid out the other way round.
type net struct {
	from    int
	flipped bool
	style   int
}

// A wire is an edge in layout: a stands above b.
type wire struct {
	a, b int
	net  int
	edge int
}

// A container is a plate, or the page.
type container struct {
	plate    int // -1 is the page
	layers   [][]*vertex
	nodes    map[int]*vertex    // by node
	plates   map[int]*vertex    // by plate
	tops     map[int]*vertex    // by net
	bottoms  map[int]*vertex    // by net
	passes   map[[2]int]*vertex // by net and layer
	w, h     float64
	label    float64         // width of its label
	segments map[segKey]bool // entered already
}

type segKey struct{ a, b *vertex }

// layout places everything.
type layout struct {
	m          *Model
	depth      []int // of plates
	nets       []net
	wires      []wire
	containers map[int]*container
	self       map[int]bool // nodes that read themselves
}

func newLayout(m *Model) *layout {
	l := &layout{m: m, containers: map[int]*container{}, self: map[int]bool{}}
	for i, p := range m.Plates {
		d := 0
		if p.Parent >= 0 {
			d = l.depth[p.Parent] + 1
		}
		l.depth = append(l.depth, d)
		l.containers[i] = newContainer(i)
		l.containers[i].label = textWidth("for "+p.Label, labelSize)
	}
	l.containers[-1] = newContainer(-1)
	parents := map[int]int{}
	for _, e := range m.Edges {
		parents[e.To]++
	}
	for i := range m.Nodes {
		w, h := nodeSize(&m.Nodes[i], parents[i])
		l.containers[m.Nodes[i].Plate].nodes[i] = &vertex{kind: aNode, id: i, w: w, h: h}
	}
	for i, p := range m.Plates {
		l.containers[p.Parent].plates[i] = &vertex{kind: aPlate, id: i}
	}
	l.orient()
	l.box(-1)
	l.absolute(-1, margin, titleHeight)
	return l
}

func newContainer(plate int) *container {
	return &container{plate: plate, nodes: map[int]*vertex{}, plates: map[int]*vertex{}, tops: map[int]*vertex{},
		bottoms: map[int]*vertex{}, passes: map[[2]int]*vertex{}, segments: map[segKey]bool{}}
}

// around lists the plates around a node, innermost first, the page last.
func (l *layout) around(node int) (out []int) {
	for p := l.m.Nodes[node].Plate; p >= 0; p = l.m.Plates[p].Parent {
		out = append(out, p)
	}
	return append(out, -1)
}

// common is the innermost container of two nodes.
func (l *layout) common(a, b int) int {
	in := l.around(b)
	for _, p := range l.around(a) {
		if slices.Contains(in, p) {
			return p
		}
	}
	return -1
}

// item is the vertex of a container that a node stands in.
func (l *layout) item(c *container, node int) *vertex {
	if v := c.nodes[node]; v != nil {
		return v
	}
	for _, p := range l.around(node) {
		if v := c.plates[p]; v != nil {
			return v
		}
	}
	return nil
}

// orient turns edges around that lead back in their container, so that what is left
// has no circle: those that a depth-first search finds to lead to where it comes from.
func (l *layout) orient() {
	type between struct{ a, b *vertex }
	out := map[*vertex][]*vertex{}
	items := map[between][]int{}
	var order []*vertex
	for i, e := range l.m.Edges {
		if e.From == e.To {
			l.self[e.From] = true
			continue
		}
		c := l.containers[l.common(e.From, e.To)]
		k := between{l.item(c, e.From), l.item(c, e.To)}
		if items[k] == nil {
			out[k.a] = append(out[k.a], k.b)
			order = append(order, k.a)
		}
		items[k] = append(items[k], i)
	}
	back := map[between]bool{}
	state := map[*vertex]int{}
	var visit func(v *vertex)
	visit = func(v *vertex) {
		state[v] = 1
		for _, w := range out[v] {
			switch state[w] {
			case 0:
				visit(w)
			case 1:
				back[between{v, w}] = true
			}
		}
		state[v] = 2
	}
	for _, v := range order {
		if state[v] == 0 {
			visit(v)
		}
	}
	nets := map[net]int{}
	for i, e := range l.m.Edges {
		if e.From == e.To {
			continue
		}
		c := l.containers[l.common(e.From, e.To)]
		w := wire{a: e.From, b: e.To, edge: i}
		n := net{from: e.From, style: e.Style}
		if back[between{l.item(c, e.From), l.item(c, e.To)}] {
			w.a, w.b = e.To, e.From
			n = net{from: e.To, flipped: true, style: e.Style}
		}
		if _, ok := nets[n]; !ok {
			nets[n] = len(l.nets)
			l.nets = append(l.nets, n)
		}
		w.net = nets[n]
		l.wires = append(l.wires, w)
	}
}

// ends are the vertices between which a wire runs in a container; ok is false if it
// does not.
func (l *layout) ends(c *container, w wire) (from, to *vertex, ok bool) {
	from, to = l.item(c, w.a), l.item(c, w.b)
	switch {
	case from == nil && to == nil || from == to:
		return nil, nil, false
	case from == nil:
		if c.tops[w.net] == nil {
			c.tops[w.net] = &vertex{kind: aTop, id: w.net, w: passWidth}
		}
		from = c.tops[w.net]
	case to == nil:
		if c.bottoms[w.net] == nil {
			c.bottoms[w.net] = &vertex{kind: aBottom, id: w.net, w: passWidth}
		}
		to = c.bottoms[w.net]
	}
	return from, to, true
}

// box lays out a container, those in it first, and finds its size.
func (l *layout) box(plate int) {
	c := l.containers[plate]
	for p := range l.m.Plates {
		if v := c.plates[p]; v != nil {
			l.box(p)
			v.w, v.h = l.containers[p].w, l.containers[p].h
		}
	}
	l.rank(c)
	for _, w := range l.wires {
		if from, to, ok := l.ends(c, w); ok {
			l.connect(c, w, from, to)
		}
	}
	c.order()
	c.place()
	l.size(c)
}

// rank gives each vertex its layer: below all that it depends on, and what depends on
// nothing just above the first that needs it.
func (l *layout) rank(c *container) {
	items := l.items(c)
	below := map[*vertex][]*vertex{}
	waits, fed := map[*vertex]int{}, map[*vertex]bool{}
	seen := map[segKey]bool{}
	for _, w := range l.wires {
		from, to, ok := l.ends(c, w)
		if !ok {
			continue
		}
		fed[to] = true
		if from.kind == aTop || to.kind == aBottom || seen[segKey{from, to}] {
			continue
		}
		seen[segKey{from, to}] = true
		below[from] = append(below[from], to)
		waits[to]++
	}
	queue := lists.Filter(items, func(v *vertex) bool { return waits[v] == 0 })
	last := 0
	for k := 0; k < len(queue); k++ {
		v := queue[k]
		last = max(last, v.layer)
		for _, w := range below[v] {
			w.layer = max(w.layer, v.layer+1)
			if waits[w]--; waits[w] == 0 {
				queue = append(queue, w)
			}
		}
	}
	for _, v := range slices.Backward(queue) {
		if !fed[v] && len(below[v]) > 0 {
			lowest := last
			for _, w := range below[v] {
				lowest = min(lowest, w.layer-1)
			}
			v.layer = lowest
		}
	}
	l.fill(c, items, wrap(items, last))
}

// mostWide is the width above which a layer becomes several, in pixels.
const mostWide = 1000.0

// wrap deals what is too much for one layer out to several, so that edges from the upper ones
// pass between what stands in the lower; what is below moves down. It returns the last layer.
func wrap(items []*vertex, last int) int {
	layers := make([][]*vertex, last+1)
	for _, v := range items {
		layers[v.layer] = append(layers[v.layer], v)
	}
	at := 0
	for _, layer := range layers {
		width := 0.0
		for _, v := range layer {
			width += v.w + nodeGap
		}
		rows := max(1, int(math.Ceil(width/mostWide)))
		for k, v := range layer {
			v.layer = at + k%rows
		}
		at += rows
	}
	return at - 1
}

// items lists the nodes and plates of a container.
func (l *layout) items(c *container) (out []*vertex) {
	for i := range l.m.Nodes {
		if v := c.nodes[i]; v != nil {
			out = append(out, v)
		}
	}
	for i := range l.m.Plates {
		if v := c.plates[i]; v != nil {
			out = append(out, v)
		}
	}
	return out
}

// fill makes the layers of a container: the first is for tops, the last for bottoms.
func (l *layout) fill(c *container, items []*vertex, last int) {
	c.layers = make([][]*vertex, last+3)
	for _, v := range items {
		v.layer++
		c.layers[v.layer] = append(c.layers[v.layer], v)
	}
	for n := range l.nets {
		if v := c.tops[n]; v != nil {
			c.layers[0] = append(c.layers[0], v)
		}
		if v := c.bottoms[n]; v != nil {
			v.layer = last + 2
			c.layers[v.layer] = append(c.layers[v.layer], v)
		}
	}
}

// connect leads a wire from one vertex of a container to another through the layers
// between them. Wires of one net run together as far as they can.
func (l *layout) connect(c *container, w wire, from, to *vertex) {
	at := from
	for k := from.layer + 1; k < to.layer; k++ {
		p := c.passes[[2]int{w.net, k}]
		if p == nil {
			p = &vertex{kind: aPass, id: w.net, layer: k, w: passWidth}
			c.passes[[2]int{w.net, k}] = p
			c.layers[k] = append(c.layers[k], p)
		}
		l.segment(c, w.net, at, p)
		at = p
	}
	l.segment(c, w.net, at, to)
}

func (l *layout) segment(c *container, net int, a, b *vertex) {
	if c.segments[segKey{a, b}] && a.kind != aPlate && b.kind != aPlate {
		return
	}
	dx, toDx := 0.0, 0.0
	if a.kind == aPlate {
		inner := l.containers[a.id]
		dx = inner.bottoms[net].x - inner.w/2
	}
	if b.kind == aPlate {
		inner := l.containers[b.id]
		toDx = inner.tops[net].x - inner.w/2
	}
	if slices.ContainsFunc(a.down, func(x link) bool { return x.to == b && x.net == net }) {
		return
	}
	c.segments[segKey{a, b}] = true
	a.down = append(a.down, link{to: b, net: net, dx: dx, toDx: toDx})
	b.up = append(b.up, link{to: a, net: net, dx: toDx, toDx: dx})
}
