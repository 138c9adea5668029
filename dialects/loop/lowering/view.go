package lowering

import (
	"iter"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// A view is a part of an array: the elements from, from+1, ... of what the parts hold.
type view struct {
	elem    ir.Type // of the array
	parts   []ir.Value
	from, n ir.Value
	whole   bool // from is 0 and n all that there are
}

func (m arrays) view(v ir.Value) view {
	g, k := m.B.Graph(), m.kit()
	elem, _ := loop.ElemOf(m.B.Ctx(), g.Type(v))
	if g.Def(v) == loop.Slice {
		a := g.Args(v)
		x := m.view(a[0])
		x.n, x.from, x.whole = k.Sub(a[2], a[1]), k.Add(x.from, a[1]), false
		return x
	}
	parts := m.parts(v)
	return view{elem: elem, parts: parts, from: k.Index(0), n: m.length(elem, parts), whole: true}
}

// length is the number of elements that the parts of an array hold.
func (m arrays) length(elem ir.Type, parts []ir.Value) ir.Value {
	c, k := m.B.Ctx(), m.kit()
	for {
		fields, ok := loop.Fields(c, elem)
		if !ok {
			break
		}
		elem = fields[0].Type
	}
	n := k.Len(parts[0])
	if loop.IsJagged(c, elem) {
		n = k.Last(n)
	}
	return n
}

// element is element i of a view, which is there.
func (m arrays) element(x view, i ir.Value) ir.Value {
	c, k := m.B.Ctx(), m.kit()
	at := k.Add(x.from, i)
	if fields, ok := fieldTypes(c, x.elem); ok {
		var parts []ir.Value
		for t, col := range columns(c, fields, x.parts) {
			e := m.element(view{elem: t, parts: col, from: x.from}, i)
			parts = append(parts, m.parts(e)...)
		}
		return m.pack(x.elem, parts...)
	}
	if !loop.IsJagged(c, x.elem) {
		return k.Load(x.parts[0], at)
	}
	from, to := k.Load(x.parts[0], at), k.Load(x.parts[0], k.Next(at))
	if keys, ok := loop.KeysOf(c, x.elem); ok {
		return m.groupsAt(x, keys, from, to)
	}
	return m.slice(m.pack(x.elem, x.parts[1:]...), from, to)
}

// slice is a view of an array, whose bounds are right.
func (m arrays) slice(v, from, to ir.Value) ir.Value { return m.B.Op(loop.Slice, v, from, to) }

// groupsAt are buckets that are an element of an array of such.
func (m arrays) groupsAt(x view, keys []ir.Type, from, to ir.Value) ir.Value {
	var parts []ir.Value
	for t, col := range columns(m.B.Ctx(), keys, x.parts[1:]) {
		parts = append(parts, m.copied(view{elem: t, parts: col, from: from, n: m.kit().Sub(to, from)})...)
	}
	return m.pack(x.elem, parts...)
}

// viewOfRows takes an array, a string or buckets for arrays.
func (m arrays) viewOfRows(v ir.Value) []view {
	c := m.B.Ctx()
	keys, ok := loop.KeysOf(c, m.B.Graph().Type(v))
	if !ok {
		return []view{m.view(v)}
	}
	var out []view
	for t, col := range columns(c, keys, m.parts(v)) {
		out = append(out, view{elem: t, parts: col, from: m.B.Index(0), n: m.length(t, col), whole: true})
	}
	return out
}

// columns lists the parts of arrays, of elements of the given types, that stand one after the
// other in parts, whose memory they share.
func columns(c *ir.Context, types []ir.Type, parts []ir.Value) iter.Seq2[ir.Type, []ir.Value] {
	return func(yield func(ir.Type, []ir.Value) bool) {
		rest := parts
		for _, t := range types {
			n := len(loop.PartsOfArray(c, t))
			if !yield(t, rest[:n:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// fieldTypes lists the types of the fields of a record; ok is false for what is none.
func fieldTypes(c *ir.Context, t ir.Type) (types []ir.Type, ok bool) {
	fields, ok := loop.Fields(c, t)
	for _, f := range fields {
		types = append(types, f.Type)
	}
	return types, ok
}

// fields lists the fields of a record and their types; ok is false for what is none.
func (m arrays) fields(t ir.Type, v ir.Value) (types []ir.Type, vs []ir.Value, ok bool) {
	if types, ok = fieldTypes(m.B.Ctx(), t); ok {
		vs = m.wholes(types, m.parts(v))
	}
	return types, vs, ok
}
