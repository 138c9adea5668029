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

func (d down) view(v ir.Value) view {
	g, k := d.B.Graph(), d.kit()
	elem, _ := loop.ElemOf(d.B.Ctx(), g.Type(v))
	if g.Def(v) == loop.Slice {
		a := g.Args(v)
		x := d.view(a[0])
		x.n, x.from, x.whole = k.Sub(a[2], a[1]), k.Add(x.from, a[1]), false
		return x
	}
	parts := d.parts(v)
	return view{elem: elem, parts: parts, from: k.Index(0), n: d.length(elem, parts), whole: true}
}

// length is the number of elements that the parts of an array hold.
func (d down) length(elem ir.Type, parts []ir.Value) ir.Value {
	c, k := d.B.Ctx(), d.kit()
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
func (d down) element(x view, i ir.Value) ir.Value {
	c, k := d.B.Ctx(), d.kit()
	at := k.Add(x.from, i)
	if fields, ok := fieldTypes(c, x.elem); ok {
		var parts []ir.Value
		for t, col := range columns(c, fields, x.parts) {
			e := d.element(view{elem: t, parts: col, from: x.from}, i)
			parts = append(parts, d.parts(e)...)
		}
		return d.pack(x.elem, parts...)
	}
	if !loop.IsJagged(c, x.elem) {
		return k.Load(x.parts[0], at)
	}
	from, to := k.Load(x.parts[0], at), k.Load(x.parts[0], k.Next(at))
	if keys, ok := loop.KeysOf(c, x.elem); ok {
		return d.groupsAt(x, keys, from, to)
	}
	return d.slice(d.pack(x.elem, x.parts[1:]...), from, to)
}

// slice is a view of an array, whose bounds are right.
func (d down) slice(v, from, to ir.Value) ir.Value { return d.B.Op(loop.Slice, v, from, to) }

// groupsAt are buckets that are an element of an array of such.
func (d down) groupsAt(x view, keys []ir.Type, from, to ir.Value) ir.Value {
	var parts []ir.Value
	for t, col := range columns(d.B.Ctx(), keys, x.parts[1:]) {
		parts = append(parts, d.copied(view{elem: t, parts: col, from: from, n: d.kit().Sub(to, from)})...)
	}
	return d.pack(x.elem, parts...)
}

// viewOfRows takes an array, a string or buckets for arrays.
func (d down) viewOfRows(v ir.Value) []view {
	c := d.B.Ctx()
	keys, ok := loop.KeysOf(c, d.B.Graph().Type(v))
	if !ok {
		return []view{d.view(v)}
	}
	var out []view
	for t, col := range columns(c, keys, d.parts(v)) {
		out = append(out, view{elem: t, parts: col, from: d.B.Index(0), n: d.length(t, col), whole: true})
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
func (d down) fields(t ir.Type, v ir.Value) (types []ir.Type, vs []ir.Value, ok bool) {
	if types, ok = fieldTypes(d.B.Ctx(), t); ok {
		vs = d.wholes(types, d.parts(v))
	}
	return types, vs, ok
}
