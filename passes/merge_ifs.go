package passes

import (
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/ordering"
)

// merger merges conditionals on the same condition that stand in one region, where
// nothing between them hinders it: `if(k) a=1; t=a; if(k) c=t` stay apart.
type merger struct {
	s        *ir.Schedule
	groups   *ordering.Groups
	farthest int // how many ops may lie between the two
}

// newMerger finds the pairs; between two of them lie at most as many ops as given.
func newMerger(s *ir.Schedule, farthest int) *merger {
	x := &merger{s: s, farthest: farthest, groups: ordering.NewGroups(s)}
	x.region(ir.Root)
	return x
}

// region pairs each conditional with the one before it on the same condition, in a region and in those within.
// The condition is one value, so equal conditions are found by identity.
func (x *merger) region(r ir.Region) {
	g, body := x.s.Graph(), x.s.Body(r)
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
		if i >= 0 && j-i <= x.farthest && g.AttrsOf(body[i]) == g.AttrsOf(v) {
			x.groups.Add(body[i], v)
		}
	}
}

// rule is that of the conditionals.
func (x *merger) rule() func(m *ir.Mirror, n ir.Node) ir.Value {
	return x.groups.Rule(func(m *ir.Mirror, members []ir.Node) []ir.Value { return both(m, members[0], members[1]) })
}

// both makes one conditional of two and gives each its results.
func both(m *ir.Mirror, a, b ir.Node) []ir.Value {
	g := a.Graph()
	call := ir.Call{Def: scf.If, Args: []ir.Value{m.Of(a.Arg(0))}, Attr: a.Attrs()}
	na, nb := g.Results(a.Old()), g.Results(b.Old())
	for i := range a.NumRegions() {
		// A missing else is an empty branch: where only the second conditional has one, its region is the
		// pattern.
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
	return []ir.Value{m.B.Pack(all[:na]...), m.B.Pack(all[na : na+nb]...)}
}
