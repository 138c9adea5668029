package scheduler

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/ir/lists"
)

// maxTries bounds the members that are tried for one common loop.
const maxTries = 1000

// fuse puts loops that follow each other together where that shortens lifetimes: of each
// array, the children of a sequence that access it get common loops, as many as there are in
// which all accesses to an element fall into one round. What is left of the array is then
// what one round needs (the loop fusion of Darte and Huard, "New complexity results on array
// contraction and related problems", Journal of VLSI Signal Processing 40, 2005). It is all
// of them or none: an array that outlives the round gains nothing. One that outlives the round
// of a loop around is no smaller in the loops inside, whose order is not changed for it.
func (s *search) fuse(n *node, ds []*dependence, outliving map[int]bool) *node {
	if n == nil {
		return nil
	}
	out := *n
	switch n.kind {
	case band:
		outliving = maps.Clone(outliving)
		for _, m := range n.members {
			for _, d := range ds {
				if m.rows[d.from] != nil && m.rows[d.to] != nil && d.spread(m.rows[d.from], m.rows[d.to], s.np) != (spread{}) {
					for _, a := range d.lifetimes {
						outliving[a] = true
					}
				}
			}
			ds = s.remaining(ds, m.rows)
		}
		out.children = []*node{s.fuse(n.children[0], ds, outliving)}
		return &out
	case sequence:
		out = *flattened(n)
		for a := range s.arrays {
			if f := s.fusion(&out, a, ds, outliving[a]); f != nil {
				out = *f
			}
		}
		if len(out.children) == 1 {
			return s.fuse(out.children[0], ds, outliving)
		}
	}
	out.children = slices.Clone(out.children)
	for i, c := range out.children {
		out.children[i] = s.fuse(c, within(out.filters[i], ds), outliving)
	}
	return &out
}

// remaining is what rows leave of dependences, of those between statements that have one.
func (s *search) remaining(ds []*dependence, rows map[int]row) []*dependence {
	var out []*dependence
	for _, d := range ds {
		if rows[d.from] == nil || rows[d.to] == nil {
			continue
		}
		if r := d.rest(rows[d.from], rows[d.to], s.np); r != nil {
			out = append(out, r)
		}
	}
	return out
}

// flattened is a sequence in the place of whose children that are sequences or sets stand
// their children.
func flattened(n *node) *node {
	out := &node{kind: sequence}
	for i, c := range n.children {
		if c == nil || c.kind == band {
			out.add(n.filters[i], c)
			continue
		}
		inner := flattened(c)
		for j := range inner.children {
			out.add(inner.filters[j], inner.children[j])
		}
	}
	return out
}

// fusion is a sequence whose children that access an array have common loops, or nil.
func (s *search) fusion(n *node, array int, ds []*dependence, outliving bool) *node {
	g := &group{search: s, sequence: n, array: array, inOrder: outliving, in: make([]bool, len(n.children)), child: map[int]int{}}
	for i, list := range n.filters {
		for _, t := range list {
			g.child[t] = i
		}
	}
	for _, d := range ds {
		if _, ok := g.child[d.from]; !ok {
			continue
		}
		if _, ok := g.child[d.to]; !ok {
			continue
		}
		g.ds = append(g.ds, d)
		if slices.Contains(d.lifetimes, array) {
			g.in[g.child[d.from]], g.in[g.child[d.to]] = true, true
		}
	}
	g.closure()
	for i, in := range g.in {
		if in {
			g.chosen = append(g.chosen, i)
		}
	}
	if len(g.chosen) < 2 || s.outlives(array, g.child) {
		return nil
	}
	members, permutable := g.common()
	if len(members) == 0 {
		return nil
	}
	return g.fused(members, permutable)
}

// outlives reports an array that statements access which are not in a sequence.
func (s *search) outlives(array int, child map[int]int) bool {
	for _, d := range s.dependences {
		if slices.Contains(d.lifetimes, array) {
			_, from := child[d.from]
			_, to := child[d.to]
			if !from || !to {
				return true
			}
		}
	}
	return false
}

// A group is some children of a sequence that are to have common loops.
type group struct {
	*search
	sequence *node
	array    int
	inOrder  bool // loops are not exchanged
	ds       []*dependence
	child    map[int]int // of a statement
	in       []bool      // the children of the group
	chosen   []int       // the same
	taken    [][]int     // of each chosen one, the members that become common
	tries    int
}

// closure adds the children that need one of the group and that one of it needs: they can stand
// neither before it nor after it. The dependences between children go forward.
func (g *group) closure() {
	n := len(g.in)
	needs := make([][]bool, n) // by child: on which it depends
	for i := range needs {
		needs[i] = make([]bool, n)
	}
	for _, d := range g.ds {
		if d.validity {
			needs[g.child[d.to]][g.child[d.from]] = true
		}
	}
	above, below := slices.Clone(g.in), slices.Clone(g.in) // needs one of the group, is needed by one
	for i := range n {
		for j := range i {
			above[i] = above[i] || needs[i][j] && above[j]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			below[i] = below[i] || needs[j][i] && below[j]
		}
	}
	for i := range n {
		g.in[i] = above[i] && below[i]
	}
}

// common finds members for common loops: one of each child of the group, the first that is left or
// any of a permutable band, so that no dependence goes back and all of the array's lifetimes are in
// one round.
func (g *group) common() (members []member, permutable bool) {
	permutable = true
	for _, c := range g.chosen {
		n := g.sequence.children[c]
		if n == nil || n.kind != band {
			return nil, false
		}
		permutable = permutable && n.permutable
	}
	g.taken = make([][]int, len(g.chosen))
	ds := g.inside()
	all := ds
	for {
		rows := g.next(ds)
		if rows == nil {
			break
		}
		m := g.member(rows, ds)
		members = append(members, m)
		for _, d := range all {
			permutable = permutable && !(d.validity && d.spread(rows[d.from], rows[d.to], g.np).negative)
		}
		ds = g.remaining(ds, rows)
	}
	return members, permutable && len(members) > 1
}

// inside are the dependences between statements of the group.
func (g *group) inside() []*dependence {
	return lists.Filter(g.ds, func(d *dependence) bool { return g.in[g.child[d.from]] && g.in[g.child[d.to]] })
}

// next finds the rows of another common loop: a member of the first child, and of each of the
// others one that goes with those before. nil says that there is none.
func (g *group) next(ds []*dependence) map[int]row {
	var pick func(k int, rows map[int]row) bool
	chosen := make([]int, len(g.chosen))
	pick = func(k int, rows map[int]row) bool {
		if k == len(g.chosen) {
			return true
		}
		n := g.sequence.children[g.chosen[k]]
		for i, m := range n.members {
			if slices.Contains(g.taken[k], i) {
				continue
			}
			for t, r := range m.rows {
				rows[t] = r
			}
			if g.goes(ds, rows, g.chosen[:k+1]) {
				chosen[k] = i
				if pick(k+1, rows) {
					return true
				}
			}
			for t := range m.rows {
				delete(rows, t)
			}
			if !n.permutable || g.inOrder {
				break
			}
			if g.tries--; g.tries < 0 {
				return false
			}
		}
		return false
	}
	g.tries = maxTries
	rows := map[int]row{}
	if !pick(0, rows) {
		return nil
	}
	for k, i := range chosen {
		g.taken[k] = append(g.taken[k], i)
	}
	return rows
}

// goes reports that rows of some children satisfy the dependences between these, and that they have
// the lifetimes of the array in one round.
func (g *group) goes(ds []*dependence, rows map[int]row, children []int) bool {
	last := children[len(children)-1]
	for _, d := range ds {
		if rows[d.from] == nil || rows[d.to] == nil || g.child[d.from] != last && g.child[d.to] != last {
			continue
		}
		x := d.spread(rows[d.from], rows[d.to], g.np)
		if d.validity && x.negative || slices.Contains(d.lifetimes, g.array) && x != (spread{}) {
			return false
		}
	}
	return true
}

// fused is the sequence with the group as one child, after what it needs and before what needs it.
func (g *group) fused(members []member, permutable bool) *node {
	inner := &node{kind: sequence}
	var statements []int
	for k, c := range g.chosen {
		statements = append(statements, g.sequence.filters[c]...)
		inner.add(g.sequence.filters[c], without(g.sequence.children[c], g.taken[k]))
	}
	loops := newBand(members, permutable, flattened(inner))
	before := g.needed()
	out := &node{kind: sequence}
	add := func(when bool) {
		for i, c := range g.sequence.children {
			if !g.in[i] && before[i] == when {
				out.add(g.sequence.filters[i], c)
			}
		}
	}
	add(true)
	slices.Sort(statements)
	out.add(statements, loops)
	add(false)
	return out
}

// needed are the children that one of the group depends on, and those that these do.
func (g *group) needed() []bool {
	out := slices.Clone(g.in)
	for changed := true; changed; {
		changed = false
		for _, d := range g.ds {
			if from, to := g.child[d.from], g.child[d.to]; d.validity && out[to] && !out[from] {
				out[from], changed = true, true
			}
		}
	}
	return out
}

// without is a band without some of its members.
func without(n *node, members []int) *node {
	var rest []member
	for i, m := range n.members {
		if !slices.Contains(members, i) {
			rest = append(rest, m)
		}
	}
	if len(rest) == 0 {
		return n.children[0]
	}
	return newBand(rest, n.permutable && len(rest) > 1, n.children[0])
}
