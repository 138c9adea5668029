package draw

import (
	"slices"
	"sort"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// A page is a schedule laid out from above to below: one row an op, regions as
// boxes around their rows.
type page struct {
	src   *diag.Source
	rows  []row
	boxes []box
	wires []wire
}

// row is one op, or one parameter.
type row struct {
	text   []piece
	tip    string // what the mouse shows
	depth  int
	heads  int // boxes that begin above it
	tails  int // boxes that end below it
	in     int // wires that come in from the right
	out    bool
	effect bool
}

// piece is a part of the text of a row; a value has the colour of its wire.
type piece struct {
	text string
	wire int // or -1
}

// width is how many characters a row has.
func (r *row) width() (n int) {
	for _, p := range r.text {
		n += len([]rune(p.text))
	}
	return n
}

// box is a region from one row to another.
type box struct {
	from, to, depth int
	kind, label     string
}

// How an op depends on another.
const (
	value = iota // drawn to the right of the rows
	hard         // to the left
	soft
)

// wire is a line from one row to those that depend on it.
type wire struct {
	from  int
	to    []int // from above to below
	port  []int // of each: its place among what comes in from the right
	kind  int
	lane  int
	ink   int  // of the colours of values
	inner bool // all ends stand in the same region
}

func (w *wire) last() int { return w.to[len(w.to)-1] }

func newPage(g *ir.Graph, src *diag.Source) *page {
	p := &page{src: src}
	p.graph(g, 0)
	values := 0 // neighbours among the rows differ in colour
	colour := make([]int, len(p.rows))
	for i, r := range p.rows {
		if r.out {
			colour[i] = values
			values++
		}
	}
	for i := range p.wires {
		w := &p.wires[i]
		w.ink = colour[w.from]
		w.inner = !slices.ContainsFunc(w.to, func(t int) bool { return p.rows[t].depth != p.rows[w.from].depth })
	}
	return p
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
		w.rows = append(w.rows, row{text: []piece{{w.names[v] + w.typed(v), -1}}, tip: w.full(v, w.src), depth: depth})
	}
	for _, v := range w.s.Body(r) {
		if !w.literal(v) && !w.trivial(v) {
			w.op(v, depth)
		}
	}
}

func (w *drawing) op(v ir.Value, depth int) {
	r := row{tip: w.full(v, w.src), depth: depth, effect: w.g.HasEffect(v) && !w.g.Def(v).Has(ir.Terminator)}
	w.rows = append(w.rows, r)
	at := len(w.rows) - 1
	text := []piece{{w.head(v), -1}}
	for i, a := range w.g.Args(v) {
		n, _, _ := w.g.Projection(a)
		sep := " "
		if i > 0 {
			sep = ", "
		}
		text = append(text, piece{sep, -1}, piece{w.operand(a), w.connect(n, at, value)})
	}
	w.rows[at].text = append(text, piece{w.typed(v), -1})
	for _, h := range w.behind(v, w.g.Hard(v)) {
		w.connect(h, at, hard)
	}
	for _, h := range w.behind(v, w.g.Soft(v)) {
		w.connect(h, at, soft)
	}
	w.at[v] = at
	for i, r := range w.g.Regions(v) {
		w.inner(kindName(w.g.KindOf(r)), regionName(w.g, v, i), depth, func() { w.region(r, depth+1) })
	}
	for _, c := range w.g.Children(v) {
		w.inner("graph", "body", depth, func() { w.graph(c, depth+1) })
	}
}

func (w *drawing) inner(kind, label string, depth int, f func()) {
	from := len(w.rows)
	f()
	if len(w.rows) > from {
		w.rows[from].heads++
		w.rows[len(w.rows)-1].tails++
		w.boxes = append(w.boxes, box{from, len(w.rows) - 1, depth + 1, kind, label})
	}
}

// connect leads a wire from n to a row and returns its index. What comes after its
// own user, as an effect of a loop that is still open, has none.
func (w *drawing) connect(n ir.Value, at, kind int) int {
	from, ok := w.at[n]
	if !ok {
		return -1
	}
	key := [2]int{from, kind}
	i, ok := w.wire[key]
	if !ok {
		i = len(w.wires)
		w.wire[key] = i
		w.wires = append(w.wires, wire{from: from, kind: kind})
	}
	x := &w.wires[i]
	if len(x.to) > 0 && x.last() == at {
		return i
	}
	x.to = append(x.to, at)
	x.port = append(x.port, w.rows[at].in)
	if kind == value {
		w.rows[at].in++
		w.rows[from].out = true
	}
	return i
}

// lanes gives each wire of a side the first lane that is free where it runs, short
// ones first, so that few cross; it returns how many there are.
func (p *page) lanes(side func(kind int) bool) int {
	var order []*wire
	for i := range p.wires {
		if side(p.wires[i].kind) {
			order = append(order, &p.wires[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *wire) int { return (a.last() - a.from) - (b.last() - b.from) })
	var lanes []lane
	for _, w := range order {
		for w.lane = 0; w.lane < min(len(lanes), maxLanes); w.lane++ {
			if lanes[w.lane].take(w) {
				break
			}
		}
		if w.lane == len(lanes) {
			lanes = append(lanes, lane{w})
		}
	}
	return len(lanes)
}

// maxLanes keeps a page at a width that can be looked at; wires that have no lane
// of their own lie over one another in the last.
const maxLanes = 400

// lane is what runs in a lane, from above to below.
type lane []*wire

// take puts a wire into a lane if it is free where the wire runs.
func (l *lane) take(w *wire) bool {
	i := sort.Search(len(*l), func(i int) bool { return (*l)[i].last() >= w.from })
	if i < len(*l) && (*l)[i].from <= w.last() {
		return false
	}
	*l = slices.Insert(*l, i, w)
	return true
}
