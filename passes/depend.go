package passes

import "github.com/irc-lang/irc/ir"

// order tells what the ops that stand in one region need of one another: what is
// computed or written (needs), and what must be done before if at all (after).
type order struct {
	s     *ir.Schedule
	g     *ir.Graph
	r     ir.Region
	body  []ir.Value
	needs map[ir.Value]map[ir.Value]bool
	after map[ir.Value]map[ir.Value]bool
	seen  [2]map[ir.Value]bool // tokens and dead writes that were looked through for an op
}

func orderOf(s *ir.Schedule, r ir.Region) *order {
	o := &order{s: s, g: s.Graph(), r: r, body: s.Body(r), needs: map[ir.Value]map[ir.Value]bool{}, after: map[ir.Value]map[ir.Value]bool{}}
	for _, v := range o.body {
		o.needs[v], o.after[v] = map[ir.Value]bool{}, map[ir.Value]bool{}
		o.seen = [2]map[ir.Value]bool{{}, {}}
		o.collect(v, v)
	}
	return o
}

// collect adds what v, which stands in op or is it, depends on.
func (o *order) collect(op, v ir.Value) {
	for _, a := range o.g.Args(v) {
		o.hard(op, a)
	}
	for _, h := range o.g.Hard(v) {
		o.hard(op, h)
	}
	for _, e := range o.g.Soft(v) {
		o.soft(op, e)
	}
	for _, r := range o.g.Regions(v) {
		for _, w := range o.s.Body(r) {
			o.collect(op, w)
		}
	}
}

func (o *order) hard(op, v ir.Value) {
	v, _, _ = o.g.Projection(v)
	if !o.g.IsOp(v) { // a token of memory, a pack or a parameter
		if !o.enter(0, v) {
			return
		}
		for _, a := range o.g.Args(v) {
			o.hard(op, a)
		}
		for _, h := range o.g.Hard(v) {
			o.hard(op, h)
		}
		for _, e := range o.g.Soft(v) {
			o.soft(op, e)
		}
		return
	}
	if t := o.top(v); t != 0 && t != op {
		o.needs[op][t] = true
	}
}

func (o *order) soft(op, v ir.Value) {
	v, _, _ = o.g.Projection(v)
	if !o.g.IsOp(v) || !o.s.Live(v) { // what is dead still stands between its neighbours
		if !o.enter(1, v) {
			return
		}
		for _, h := range o.g.Hard(v) {
			o.soft(op, h)
		}
		for _, e := range o.g.Soft(v) {
			o.soft(op, e)
		}
		return
	}
	if t := o.top(v); t != 0 && t != op {
		o.after[op][t] = true
	}
}

// enter says whether to look through a node: once, and not out of the region.
func (o *order) enter(i int, v ir.Value) bool {
	if o.seen[i][v] || o.s.Depth(o.g.Home(v)) < o.s.Depth(o.r) {
		return false
	}
	o.seen[i][v] = true
	return true
}

// top returns the op of the region in which v stands, or 0.
func (o *order) top(v ir.Value) ir.Value {
	if !o.s.Live(v) {
		return 0
	}
	for r := o.s.Place(v); r != o.r; r = o.s.Place(v) {
		if o.s.Depth(r) <= o.s.Depth(o.r) {
			return 0
		}
		v = o.g.Owner(r)
	}
	return v
}

// slice adds to out what an op needs of the region, itself included.
func (o *order) slice(v ir.Value, out map[ir.Value]bool) {
	if out[v] {
		return
	}
	out[v] = true
	for t := range o.needs[v] {
		o.slice(t, out)
	}
}

// depends lists which ops from place i+1 to j of the body depend on that at i,
// directly or not.
func (o *order) depends(i, j int) map[ir.Value]bool {
	out := map[ir.Value]bool{o.body[i]: true}
	for _, v := range o.body[i+1 : j+1] {
		for t := range out {
			if o.needs[v][t] || o.after[v][t] {
				out[v] = true
				break
			}
		}
	}
	delete(out, o.body[i])
	return out
}

// dependsOn reports that the op at j depends on one between i and j, directly.
func (o *order) dependsOn(i, j int) bool {
	for _, t := range o.body[i+1 : j] {
		if v := o.body[j]; o.needs[v][t] || o.after[v][t] {
			return true
		}
	}
	return false
}
