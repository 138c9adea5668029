package passes

import (
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// merger merges conditionals on the same condition that stand in one region. Of
// the ops between two, either none depends on the first, which then moves down to
// the second, or the second depends on none, and moves up to the first. Where
// both depend on what lies between, they stay apart: `if(k) a=1; t=a; if(k) c=t`.
type merger struct {
	s     *ir.Schedule
	first map[ir.Value]ir.Value // the second of a pair -> the first
	other map[ir.Value]ir.Value // the first -> the second
	up    map[ir.Value]bool     // pairs, by their first, that are made in the place of it
	done  int

	farthest int // how many ops may lie between the two
}

// newMerger finds the pairs; between two of them lie at most as many ops as given.
func newMerger(s *ir.Schedule, farthest int) *merger {
	x := &merger{s: s, farthest: farthest, first: map[ir.Value]ir.Value{}, other: map[ir.Value]ir.Value{}, up: map[ir.Value]bool{}}
	x.region(ir.Root)
	return x
}

func (x *merger) region(r ir.Region) {
	g, body := x.s.Graph(), x.s.Body(r)
	var o *order
	last := map[ir.Value]int{} // by condition: the place of the last conditional, from 1
	for j, v := range body {
		for _, in := range g.Regions(v) {
			x.region(in)
		}
		if g.Def(v) != scf.If {
			continue
		}
		c := g.Args(v)[0]
		i := last[c] - 1
		last[c] = j + 1
		if i < 0 || j-i > x.farthest || x.first[body[i]] != 0 || g.AttrsOf(body[i]) != g.AttrsOf(v) {
			continue
		}
		if o == nil {
			o = orderOf(x.s, r)
		}
		down := len(o.depends(i, j-1)) == 0
		if !down && o.dependsOn(i, j) {
			continue
		}
		x.first[v], x.other[body[i]], x.up[body[i]] = body[i], v, !down
	}
}

func (x *merger) rule(m *ir.Mirror, n ir.Node) ir.Value {
	if first := x.first[n.Old()]; first != 0 {
		if x.up[first] {
			return m.Of(n) // made with the first
		}
		_, b := x.both(m, n.Graph().NodeOf(first), n)
		return b
	}
	second := x.other[n.Old()]
	switch {
	case second == 0:
		return 0
	case x.up[n.Old()]:
		a, _ := x.both(m, n, n.Graph().NodeOf(second))
		return a
	}
	return m.B.Pack() // nothing in between uses it
}

// both makes one conditional of two and gives each its results.
func (x *merger) both(m *ir.Mirror, a, b ir.Node) (ra, rb ir.Value) {
	g := a.Graph()
	x.done++
	call := ir.Call{Def: scf.If, Args: []ir.Value{m.Of(a.Arg(0))}, Attr: a.Attrs()}
	na, nb := g.Results(a.Old()), g.Results(b.Old())
	for i := range a.NumRegions() {
		old := a.Region(i)
		if !g.HasBlock(old.Old()) {
			old = b.Region(i)
		}
		call.Regions = append(call.Regions, m.RegionWith(old, ir.Branch, nil, func([]ir.Value) {
			if !g.HasBlock(old.Old()) {
				return
			}
			m.B.Enter(scf.If, 0, call.Args, i, nil)
			var ys []ir.Value
			for _, n := range []ir.Node{a, b} {
				if r := n.Region(i); g.HasBlock(r.Old()) {
					of := m.Body(r)
					m.Set(n, m.B.Pack(of...)) // what the second uses of the first
					ys = append(ys, of...)
				}
			}
			m.Op(scf.Yield, ys...)
		}))
	}
	all := m.B.Results(m.B.Must(call))
	ra, rb = m.B.Pack(all[:na]...), m.B.Pack(all[na:na+nb]...)
	m.Set(a, ra)
	m.Set(b, rb)
	return ra, rb
}
