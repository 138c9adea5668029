package promote

import (
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// splitRules make an access to an element of an array an access to the allocation of
// that element.
func splitRules(found map[*ir.Graph]*splitting) ir.Rules {
	rules := ir.Rules{}
	localRules(rules, found, (*splitting).allocate, allocations...)
	localRules(rules, found, (*splitting).load, memref.Load)
	localRules(rules, found, (*splitting).store, memref.Store)
	localRules(rules, found, (*splitting).nothing, views...)
	localRules(rules, found, (*splitting).nothing, mentions...)
	rules[memref.Copy] = func(m *ir.Mirror, n ir.Node) ir.Value {
		if x := found[n.Graph()]; x != nil && (x.memory[n.Arg(0).Old()] != 0 || x.memory[n.Arg(1).Old()] != 0) {
			return x.copy(m, n)
		}
		return 0
	}
	return rules
}

// allocate makes an allocation for each element that is accessed. Nothing uses local
// memory after the region ends in which it is allocated, so all of them can be on the
// stack, and none needs to be freed.
func (x *splitting) allocate(m *ir.Mirror, n ir.Node, memory ir.Value) ir.Value {
	c := m.B.Ctx()
	one := c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Elem: c.Info(n.Type()).Elem})
	parts := map[int64]ir.Value{}
	for _, at := range x.used[memory] {
		parts[at] = m.B.Must(ir.Call{Def: memref.Alloca, Type: one, Attr: n.Attrs()})
	}
	x.parts[memory] = parts
	return m.B.Pack()
}

func (x *splitting) load(m *ir.Mirror, n ir.Node, memory ir.Value) ir.Value {
	return m.Op(memref.Load, x.parts[memory][x.at[n.Old()]])
}

func (x *splitting) store(m *ir.Mirror, n ir.Node, memory ir.Value) ir.Value {
	return m.Op(memref.Store, m.Of(n.Arg(0)), x.parts[memory][x.at[n.Old()]])
}

func (x *splitting) nothing(m *ir.Mirror, _ ir.Node, _ ir.Value) ir.Value { return m.B.Pack() }

// copy loads all elements before it stores the first: both may be one memory.
func (x *splitting) copy(m *ir.Mirror, n ir.Node) ir.Value {
	from, to := x.elementsOf(m, n.Arg(0)), x.elementsOf(m, n.Arg(1))
	values := lists.Map(from, func(e []ir.Value) ir.Value { return m.Op(memref.Load, e...) })
	for i, e := range to {
		m.Op(memref.Store, append([]ir.Value{values[i]}, e...)...)
	}
	return m.B.Pack()
}

// elementsOf lists the memref and the indices of each element, in row-major order.
func (x *splitting) elementsOf(m *ir.Mirror, view ir.Node) (out [][]ir.Value) {
	if memory := x.memory[view.Old()]; memory != 0 {
		at, _ := x.places(view.Old())
		for _, k := range at {
			out = append(out, []ir.Value{x.parts[memory][k]})
		}
		return out
	}
	out = [][]ir.Value{{m.Of(view)}}
	for _, extent := range m.B.Ctx().Info(view.Type()).Shape {
		var next [][]ir.Value
		for _, e := range out {
			for k := range extent {
				next = append(next, append(e[:len(e):len(e)], m.B.Index(k)))
			}
		}
		out = next
	}
	return out
}
