package lowering

import (
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// copied is memory of its own with the elements of a view.
func (m arrays) copied(x view) []ir.Value {
	c, k := m.B.Ctx(), m.kit()
	if fields, ok := fieldTypes(c, x.elem); ok {
		var out []ir.Value
		for t, col := range columns(c, fields, x.parts) {
			out = append(out, m.copied(view{elem: t, parts: col, from: x.from, n: x.n})...)
		}
		return out
	}
	if !loop.IsJagged(c, x.elem) {
		return []ir.Value{m.copiedFrom(x.parts[0], x.from, x.n)}
	}
	first := k.Load(x.parts[0], x.from)
	last := k.Load(x.parts[0], k.Add(x.from, x.n))
	offsets := m.owned(ir.Index, k.Next(x.n))
	k.Each(k.Index(0), k.Next(x.n), func(i ir.Value) {
		k.Store(k.Sub(k.Load(x.parts[0], k.Add(x.from, i)), first), offsets, i)
	})
	out := []ir.Value{offsets}
	for t, col := range columns(c, loop.RowTypes(c, x.elem), x.parts[1:]) {
		out = append(out, m.copied(view{elem: t, parts: col, from: first, n: k.Sub(last, first)})...)
	}
	return out
}

// owned is memory for n elements that is given back after its last use, wherever that is
// (passes/buffers). What is made here for a while is not owned, and freed here.
func (m arrays) owned(elem ir.Type, n ir.Value) ir.Value {
	return m.ownedOf(m.kit().Array(elem), n)
}

// ownedOf is owned memory of a type with one extent that is open.
func (m arrays) ownedOf(t ir.Type, n ir.Value) ir.Value { return memref.BuildOwned(m.B, t, 0, n) }

// copiedFrom is owned memory with n elements of other memory.
func (m arrays) copiedFrom(mem, from, n ir.Value) ir.Value {
	k := m.kit()
	out := m.owned(k.Elem(mem), n)
	k.Each(k.Index(0), n, func(i ir.Value) { k.Store(k.Load(mem, k.Add(from, i)), out, i) })
	return out
}

// duplicate is owned memory with what other memory, of one or two dimensions, holds.
func (m arrays) duplicate(mem ir.Value) ir.Value {
	k := m.kit()
	n, info := k.Len(mem), m.B.Ctx().Info(m.B.Graph().Type(mem))
	if len(info.Shape) == 1 {
		return m.copiedFrom(mem, k.Index(0), n)
	}
	out := m.ownedOf(m.B.Graph().Type(mem), n)
	k.Each(k.Index(0), n, func(i ir.Value) {
		for j := range info.Shape[1] {
			k.Op(memref.Store, k.Op(memref.Load, mem, i, k.Index(j)), out, i, k.Index(j))
		}
	})
	return out
}

// kept is owned memory with the first n elements of memory that is freed.
func (m arrays) kept(mem, n ir.Value) ir.Value {
	out := m.copiedFrom(mem, m.B.Index(0), n)
	m.kit().Free(mem)
	return out
}
