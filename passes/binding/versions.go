package binding

import (
	"sync"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// versions are the loops of a program of which there are two copies, and what is to be done in these.
type versions[V any] struct {
	of   map[ir.Node]V
	open sync.Map // by graph, of which several are rebuilt at once: the copy that is being made
}

// A copying is the loop that is being copied, and whether as the version that runs if its condition holds.
type copying[V any] struct {
	of    V
	first bool
}

// find gives the outermost loops of a graph a version for which there is one.
func (x *versions[V]) find(c *code, version func(loop *nest) (V, bool)) {
	var look func(r ir.Region)
	look = func(r ir.Region) {
		for _, v := range c.s.Body(r) {
			if isCounted(c.g, v) {
				loop, size := &nest{code: c, body: c.g.Regions(v)[0]}, 0
				c.within(loop.body, func(ir.Value) { size++ })
				if size <= maxVersioned {
					if made, ok := version(loop); ok {
						x.of[c.g.NodeOf(v)] = made
						continue
					}
				}
			}
			for _, in := range c.g.Regions(v) {
				look(in)
			}
		}
	}
	look(ir.Root)
}

// maxVersioned bounds the ops of a loop that is copied, and with them the time that compiling
// it takes.
const maxVersioned = 512

// isCounted reports a loop whose indices are between bounds.
func isCounted(g *ir.Graph, v ir.Value) bool { return g.Def(v) == scf.For || g.Def(v) == scf.Parallel }

// copied is the copy of a loop of a graph that is being made, or nil.
func (x *versions[V]) copied(g *ir.Graph) *copying[V] {
	v, _ := x.open.Load(g)
	c, _ := v.(*copying[V])
	return c
}

// rebuild makes the versions: an op is a conditional of two copies, of which the first runs if the condition holds.
func (x *versions[V]) rebuild(g *ir.Graph, rules ir.Rules, condition func(m *ir.Mirror, n ir.Node, of V) ir.Value) *ir.Graph {
	loop := func(m *ir.Mirror, n ir.Node) ir.Value {
		of, ok := x.of[n]
		if !ok || x.copied(n.Graph()) != nil {
			return 0
		}
		b, args := m.B, []ir.Value{condition(m, n, of)}
		var rs []ir.Region
		for i := range 2 {
			rs = append(rs, b.Region(ir.Branch, nil, func([]ir.Value) {
				b.Enter(scf.If, 0, args, i, nil)
				x.open.Store(n.Graph(), &copying[V]{of, i == 0})
				defer x.open.Delete(n.Graph())
				b.Op(scf.Yield, b.Results(m.CopyWith(n, n.Attrs()))...)
			}))
		}
		return b.Must(ir.Call{Def: scf.If, Args: args, Regions: rs})
	}
	rules[scf.For], rules[scf.Parallel] = loop, loop
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil)
}
