package lowering

import (
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A store is memory for elements of a type that is no record, with room for more: numbers, or
// arrays one after the other, between offsets.
type store struct {
	elem  ir.Type
	owned bool     // the memory is given out as it is; else it grows, and is freed here
	mem   ir.Value // the numbers, or the offsets
	total ir.Value // of arrays: how many elements they have together
	inner []*store // of these
}

// stores are memory for elements of types, of n at first; records have one of each leaf.
func (m arrays) stores(types []ir.Type, n ir.Value, owned bool) (out []*store) {
	c, k := m.B.Ctx(), m.kit()
	alloc := k.Alloc
	if owned {
		alloc = m.owned
	}
	for _, t := range loop.Leaves(c, types...) {
		s := &store{elem: t, owned: owned}
		if loop.IsJagged(c, t) {
			s.mem, s.total = alloc(ir.Index, k.Next(n)), k.Index(0)
			k.Store(s.total, s.mem, s.total)
			rowTypes := loop.RowTypes(c, t)
			s.inner = m.stores(rowTypes, k.Index(firstRoom), false)
		} else {
			s.mem = alloc(t, n)
		}
		out = append(out, s)
	}
	return out
}

func storeState(ss []*store) (out []ir.Value) {
	for _, s := range ss {
		out = append(out, s.mem)
		if s.inner != nil {
			out = append(append(out, s.total), storeState(s.inner)...)
		}
	}
	return out
}

// setStores takes a state and returns what is left of it.
func setStores(ss []*store, state []ir.Value) []ir.Value {
	for _, s := range ss {
		s.mem, state = state[0], state[1:]
		if s.inner != nil {
			s.total = state[0]
			state = setStores(s.inner, state[1:])
		}
	}
	return state
}

// put stores the leaves of a tuple at a place: of arrays the next one.
func (m arrays) put(ss []*store, at ir.Value, leaves []ir.Value) {
	k := m.kit()
	for i, s := range ss {
		if s.inner == nil {
			k.Store(leaves[i], s.mem, at)
			continue
		}
		m.putArray(s, leaves[i])
		k.Store(s.total, s.mem, k.Next(at))
	}
}

// putArray appends the elements of an array.
func (m arrays) putArray(s *store, v ir.Value) {
	k := m.kit()
	x := m.viewOfRows(v)
	end := k.Add(s.total, x[0].n)
	for _, in := range s.inner {
		m.reserve(in, end)
	}
	carried := storeState(s.inner)
	out := k.For(k.Index(0), x[0].n, carried, func(i ir.Value, state []ir.Value) []ir.Value {
		setStores(s.inner, state)
		vs := lists.Join(x, func(col view) []ir.Value { return m.explode(col.elem, m.element(col, i)) })
		m.put(s.inner, k.Add(s.total, i), vs)
		return storeState(s.inner)
	})
	setStores(s.inner, out)
	s.total = end
}

// reserve makes room for n elements in all.
func (m arrays) reserve(s *store, n ir.Value) {
	k := m.kit()
	need := n
	if s.inner != nil {
		need = k.Next(n)
	}
	has := k.Len(s.mem)
	s.mem = k.Where(k.Less(has, need), func() ir.Value { return k.Resize(s.mem, k.Max(need, k.Add(has, has))) },
		func() ir.Value { return s.mem })
}

// explode lists the leaves of a value: of a record its fields, theirs too.
func (m arrays) explode(t ir.Type, v ir.Value) []ir.Value {
	if types, vs, ok := m.fields(t, v); ok {
		return m.explodeAll(types, vs)
	}
	return []ir.Value{v}
}

// explodeAll lists the leaves of a tuple.
func (m arrays) explodeAll(types []ir.Type, vs []ir.Value) (out []ir.Value) {
	for i, v := range vs {
		out = append(out, m.explode(types[i], v)...)
	}
	return out
}

// filled lists the parts of an array of n elements that stores hold. Memory that is owned may
// be larger.
func (m arrays) filled(ss []*store, n ir.Value) (out []ir.Value) {
	k := m.kit()
	for _, s := range ss {
		take := m.kept
		if s.owned {
			take = k.Prefix
		}
		if s.inner == nil {
			out = append(out, take(s.mem, n))
			continue
		}
		out = append(append(out, take(s.mem, k.Next(n))), m.filled(s.inner, s.total)...)
	}
	return out
}
