package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// arrays builds what stands for arrays and for values that hold some: their parts, views of them, memory of theirs that
// grows, and tables of them. All of it is in terms of what is built: it knows neither loops nor the graph that is lowered.
type arrays struct{ B *ir.Builder }

func (m arrays) kit() kit.Kit { return kit.Kit{Builder: m.B} }

// viewsIn lists the arrays among the parts of a value; they share the memory of the list.
func (m arrays) viewsIn(t ir.Type, parts []ir.Value) (out []view) {
	c := m.B.Ctx()
	if fields, ok := loop.Fields(c, t); ok {
		for _, f := range fields {
			n := len(loop.Parts(c, f.Type))
			out = append(out, m.viewsIn(f.Type, parts[:n])...)
			parts = parts[n:]
		}
		return out
	}
	for elem, col := range columns(c, loop.RowTypes(c, t), parts) {
		out = append(out, view{elem: elem, parts: col})
	}
	return out
}

// align makes each column of an array as long as the first; n is their length, 0 until the
// first column says it. What lies between offsets is left as it is.
func (m arrays) align(elem ir.Type, parts []ir.Value, n ir.Value) ir.Value {
	c, k := m.B.Ctx(), m.kit()
	if fields, ok := fieldTypes(c, elem); ok {
		for t, col := range columns(c, fields, parts) {
			n = m.align(t, col, n)
		}
		return n
	}
	more := int64(0)
	if loop.IsJagged(c, elem) {
		more = 1
	}
	if n == 0 {
		return k.Sub(k.Len(parts[0]), k.Index(more))
	}
	want := k.Add(n, k.Index(more))
	m.assert(k.Is(arith.EQ, k.Len(parts[0]), want), "the columns of a table differ in length")
	parts[0] = k.Prefix(parts[0], want)
	return n
}

// pack is the value with the given parts.
func (m arrays) pack(t ir.Type, parts ...ir.Value) ir.Value { return packed(m.B, t, parts...) }

func packed(b *ir.Builder, t ir.Type, parts ...ir.Value) ir.Value {
	if b.Ctx().LoweringOf(t) == nil {
		return parts[0]
	}
	return b.Must(ir.Call{Def: loop.Pack, Args: parts, Type: t})
}

// parts lists the parts of a value: itself, if it has none. A view is copied.
func (m arrays) parts(v ir.Value) []ir.Value {
	g := m.B.Graph()
	switch {
	case m.B.Ctx().LoweringOf(g.Type(v)) == nil:
		return []ir.Value{v}
	case g.Def(v) == loop.Pack:
		return append([]ir.Value(nil), g.Args(v)...)
	case g.Def(v) == loop.Slice:
		return m.copied(m.view(v))
	}
	return m.B.Results(m.B.Op(loop.Unpack, v))
}

// wholes puts values of the given types together from parts.
func (m arrays) wholes(types []ir.Type, parts []ir.Value) []ir.Value {
	out := make([]ir.Value, len(types))
	for i, t := range types {
		n := len(loop.Parts(m.B.Ctx(), t))
		out[i], parts = m.pack(t, parts[:n]...), parts[n:]
	}
	return out
}

// allParts lists the parts of values.
func (m arrays) allParts(vs []ir.Value) []ir.Value { return lists.Join(vs, m.parts) }

// assert ends the program unless a condition holds.
func (m arrays) assert(cond ir.Value, msg string) {
	c := m.B.Ctx()
	m.B.OpAttr(cf.Assert, c.Props([]ir.NamedAttr{{Name: "msg", Value: c.StringAttr(msg)}}, nil), cond)
}
