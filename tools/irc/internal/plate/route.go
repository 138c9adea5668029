package plate

import (
	"math"
	"slices"
)

// startGap is between edges of different looks that begin at one node.
const startGap = 6.0

type point struct{ x, y float64 }

// A route is the way of an edge, from what is read to what reads it. Points come in
// pairs at the borders of layers; between pairs it bends.
type route struct {
	points []point
	edge   int
}

// routes finds the ways of all edges but those of a node to itself.
func (l *layout) routes() []route {
	var out []route
	box := map[*vertex]*vertex{} // of a port, its plate
	for i, p := range l.m.Plates {
		c, v := l.containers[i], l.containers[p.Parent].plates[i]
		for _, ports := range []map[int]*vertex{c.tops, c.bottoms} {
			for _, port := range ports {
				box[port] = v
			}
		}
	}
	starts := map[int][]int{} // of a node, the nets that begin there, side by side
	for i, n := range l.nets {
		if !n.flipped {
			starts[n.from] = append(starts[n.from], i)
		}
	}
	for _, w := range l.wires {
		vs := l.route(w)
		r := route{edge: w.edge}
		for _, v := range vs {
			switch v.kind {
			case aTop: // upright from above the layer of the plate
				r.points = append(r.points, point{v.x, box[v].top}, point{v.x, v.y})
			case aBottom: // upright beside the label, and to below the layer
				r.points = append(r.points, point{v.x, v.y - labelStrip}, point{v.x, box[v].bottom})
			case aPass:
				r.points = append(r.points, point{v.x, v.top}, point{v.x, v.bottom})
			}
		}
		a, b := l.vertexOf(w.a), l.vertexOf(w.b)
		all := starts[w.a]
		ax, bx := a.x+(float64(slices.Index(all, w.net))-float64(len(all)-1)/2)*startGap, b.x
		if l.nets[w.net].flipped { // beside those that come in
			ax, bx = a.x+a.w/5, bx+b.w*0.45
		}
		r.points = slices.Concat([]point{{ax, a.edgeBelow(ax)}, {ax, a.bottom}}, r.points, []point{{bx, b.top}, {bx, b.edgeAbove(bx)}})
		if l.nets[w.net].flipped {
			slices.Reverse(r.points)
		}
		out = append(out, r)
	}
	l.spread(out)
	return out
}

// edgeBelow and edgeAbove are the height of the border of a node at a place across.
func (v *vertex) edgeBelow(x float64) float64 { return v.y + v.half(x) }
func (v *vertex) edgeAbove(x float64) float64 { return v.y - v.half(x) }

func (v *vertex) half(x float64) float64 {
	if v.h < nodeHeight { // a rectangle
		return v.h / 2
	}
	t := (x - v.x) / (v.w / 2)
	return v.h / 2 * math.Sqrt(max(0, 1-t*t))
}

func (l *layout) vertexOf(node int) *vertex { return l.containers[l.m.Nodes[node].Plate].nodes[node] }

// route lists the places that a wire passes: ports and passes, from a down to b.
func (l *layout) route(w wire) (out []*vertex) {
	top := l.common(w.a, w.b)
	add := func(plate int) {
		c := l.containers[plate]
		from, to, _ := l.ends(c, w)
		if from.kind == aTop {
			out = append(out, from)
		}
		for k := from.layer + 1; k < to.layer; k++ {
			out = append(out, c.passes[[2]int{w.net, k}])
		}
		if to.kind == aBottom {
			out = append(out, to)
		}
	}
	for _, p := range l.around(w.a) {
		if p == top {
			break
		}
		add(p)
	}
	add(top)
	down := l.around(w.b)
	down = down[:slices.Index(down, top)]
	for _, p := range slices.Backward(down) {
		add(p)
	}
	return out
}

// spread moves the ends of edges that come into a node apart, in the order in which
// they come from left to right, and to its border.
func (l *layout) spread(rs []route) {
	into := map[int][]*route{}
	for i := range rs {
		to := l.m.Edges[rs[i].edge].To
		into[to] = append(into[to], &rs[i])
	}
	for node, list := range into {
		v := l.vertexOf(node)
		for _, below := range []bool{false, true} {
			var side []*route
			for _, r := range list {
				if n := len(r.points); (r.points[n-2].y > v.y) == below {
					side = append(side, r)
				}
			}
			comes := func(r *route) float64 { return r.points[len(r.points)-3].x }
			apart := func(i int) bool {
				return i == 0 || math.Abs(comes(side[i])-comes(side[i-1])) > 1 || l.m.Edges[side[i].edge].Style != l.m.Edges[side[i-1].edge].Style
			}
			slices.SortStableFunc(side, func(a, b *route) int { return int(math.Round(comes(a) - comes(b))) })
			var places []float64 // edges from one place share an end
			for i := range side {
				if apart(i) {
					places = append(places, 0)
				}
			}
			k := -1
			for i, r := range side {
				if apart(i) {
					k++
				}
				x := v.x
				if n := float64(len(places)); n > 1 {
					x += min(v.w*arrowShare, (n-1)*2*arrowWidth) * (float64(k)/(n-1) - 0.5)
				} else if below {
					x += v.w / 5 // what it is read by begins in the middle
				}
				n := len(r.points)
				end := v.edgeAbove(x)
				if below {
					end = v.edgeBelow(x)
				}
				r.points[n-2].x, r.points[n-1] = x, point{x, end}
			}
		}
	}
}
