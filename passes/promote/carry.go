package promote

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// carriers make an op again whose regions store to memory that becomes values: what
// the memory holds is carried in and out. An op that is not here cannot.
var carriers = map[*ir.OpDef]func(c *carried, m *ir.Mirror, n ir.Node) ir.Value{
	scf.If:             (*carried).branches,
	scf.IndexSwitch:    (*carried).branches,
	scf.ExecuteRegion:  (*carried).branches,
	memref.AllocaScope: (*carried).branches,
	scf.For:            (*carried).loop,
	scf.While:          (*carried).while,
}

// carried is the memory that an op gives on.
type carried struct {
	p      *promotion
	memory []ir.Value
}

// held lists what the memory holds now.
func (c *carried) held() []ir.Value {
	return lists.Map(c.memory, func(a ir.Value) ir.Value { return c.p.holds[a] })
}

func (c *carried) set(vs []ir.Value) {
	for i, a := range c.memory {
		c.p.holds[a] = vs[i]
	}
}

// results splits the results of the new op in those of the old one and what the
// memory holds after it.
func (c *carried) results(m *ir.Mirror, call ir.Call) ir.Value {
	all := m.B.Results(m.B.Must(call))
	n := len(all) - len(c.memory)
	c.set(all[n:])
	return m.B.Pack(all[:n]...)
}

// branches gives the regions that run, each at most once, further results. A region
// that is not there stores nothing.
func (c *carried) branches(m *ir.Mirror, n ir.Node) ir.Value {
	before := c.held()
	call := ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: n.Attrs()}
	for i := range n.NumRegions() {
		old := n.Region(i)
		kind := n.Graph().KindOf(old.Old())
		if !n.Graph().HasBlock(old.Old()) {
			call.Regions = append(call.Regions, m.B.Region(kind, nil, func([]ir.Value) { m.Op(scf.Yield, before...) }))
			continue
		}
		call.Regions = append(call.Regions, m.RegionWith(old, kind, nil, func([]ir.Value) {
			m.B.Enter(call.Def, call.Attr, call.Args, i, nil)
			c.set(before)
			ys := m.Body(old)
			m.Op(terminator(old, scf.Yield), append(ys, c.held()...)...)
		}))
	}
	return c.results(m, call)
}

// terminator is what ends a region.
func terminator(r ir.Block, usual *ir.OpDef) *ir.OpDef {
	if t, ok := r.Term(); ok {
		return t.Def()
	}
	return usual
}

// loop carries what the memory holds from one iteration to the next. The parameters
// of the region are in the order of the operands, so those of the memory come last.
func (c *carried) loop(m *ir.Mirror, n ir.Node) ir.Value {
	before, old := c.held(), n.Region(0)
	call := ir.Call{Def: n.Def(), Args: append(m.All(n.Args()), before...), Attr: n.Attrs()}
	call.Regions = []ir.Region{m.RegionWith(old, ir.Loop, typesOf(m, before), func(params []ir.Value) {
		m.B.Enter(call.Def, call.Attr, call.Args, 0, params)
		m.Op(scf.Yield, c.body(m, old, params)...)
	})}
	return c.results(m, call)
}

// body replays a region whose last parameters are what the memory holds, and returns
// what it yields, with what the memory holds then.
func (c *carried) body(m *ir.Mirror, old ir.Block, params []ir.Value) []ir.Value {
	n := len(params) - len(c.memory)
	c.set(params[n:])
	return slices.Concat(m.Body(old, params[:n]...), c.held())
}

// while carries it through both regions, as both may store to it.
func (c *carried) while(m *ir.Mirror, n ir.Node) ir.Value {
	before := c.held()
	call := ir.Call{Def: n.Def(), Args: append(m.All(n.Args()), before...), Attr: n.Attrs()}
	for i, end := range []*ir.OpDef{scf.Condition, scf.Yield} {
		old := n.Region(i)
		call.Regions = append(call.Regions, m.RegionWith(old, ir.Loop, typesOf(m, before), func(params []ir.Value) {
			m.B.Enter(call.Def, call.Attr, call.Args, i, params)
			m.Op(end, c.body(m, old, params)...)
		}))
	}
	return c.results(m, call)
}

func typesOf(m *ir.Mirror, vs []ir.Value) []ir.Type {
	return lists.Map(vs, func(v ir.Value) ir.Type { return m.B.Graph().Type(v) })
}
