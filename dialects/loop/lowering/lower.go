package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// Table: at level scf arrays become memory and loops fill it. All ops on arrays are
// lowered in one go, in the order of the schedule, so that what reads memory stands behind
// what fills it: a value that is Pack (its memory) or Slice (a view of such) stands for an array
// while that is done, and nothing of either is left.
var Table = lower.Table{
	{Level: loop.Level, New: lowerRules, Of: []*ir.OpDef{loop.For, loop.Emit, loop.None, loop.Seq, loop.At, loop.Len, loop.Slice, loop.Struct, loop.Field,
		loop.Zip, loop.Column, loop.Keys, loop.Rekey, loop.Find, loop.Sort, loop.Constant, loop.Compare, loop.Pack, loop.Unpack, loop.Yield}},
	{Level: loop.Level, Name: "loop.emits", Optional: true, Of: []*ir.OpDef{scf.If, arith.Select}, New: emitRules},
}

// A down lowers one graph.
type down struct {
	*ir.Mirror
	e *lower.Env
}

func (d down) kit() kit.Kit { return kit.Kit{Builder: d.B} }

type rule = func(m *ir.Mirror, n ir.Node) ir.Value

func lowerRules(e *lower.Env) ir.Rules {
	on := func(f func(d down, n ir.Node) ir.Value) rule {
		return func(m *ir.Mirror, n ir.Node) ir.Value { return f(down{m, e}, n) }
	}
	nothing := on(func(d down, n ir.Node) ir.Value { return d.placeholders(n) })
	return ir.Rules{
		loop.For: on(down.lowerFor), loop.Yield: nothing, loop.Emit: nothing, loop.None: nothing, loop.Seq: nothing,
		loop.At: on(down.lowerAt), loop.Len: on(down.lowerLen), loop.Slice: on(down.lowerSlice),
		loop.Struct: on(down.lowerStruct), loop.Field: on(down.lowerField), loop.Zip: on(down.lowerZip), loop.Column: on(down.lowerColumn),
		loop.Keys: on(down.lowerKeys), loop.Rekey: on(down.lowerRekey), loop.Find: on(down.lowerFind), loop.Sort: on(down.lowerSort),
		loop.Constant: on(down.lowerConstant), loop.Compare: on(down.lowerCompare),
		loop.Pack:   on(down.lowerPack),
		loop.Unpack: on(func(d down, n ir.Node) ir.Value { return d.B.Pack(d.parts(d.Of(n.Arg(0)))...) }),
	}
}

// emitRules: a conditional that gives sequences is made where they are emitted.
func emitRules(e *lower.Env) ir.Rules {
	return ir.Rules{
		scf.If: func(m *ir.Mirror, n ir.Node) ir.Value { return down{m, e}.lowerIf(n) },
		arith.Select: func(m *ir.Mirror, n ir.Node) ir.Value {
			if loop.IsEmit(m.B.Ctx(), n.Type()) {
				return down{m, e}.placeholders(n)
			}
			return 0
		},
	}
}

// placeholders stand for the results of what emits: nobody asks for them.
func (d down) placeholders(n ir.Node) ir.Value {
	out := make([]ir.Value, len(d.B.Ctx().Results(n.Type())))
	for i := range out {
		out[i] = d.B.Index(0)
	}
	return d.B.Pack(out...)
}

// lowerIf makes again what a conditional gives besides sequences, and if it writes these
// too.
func (d down) lowerIf(n ir.Node) ir.Value {
	types := d.B.Ctx().Results(n.Type())
	var keep []int
	for i, t := range types {
		if !loop.IsEmit(d.B.Ctx(), t) {
			keep = append(keep, i)
		}
	}
	if len(keep) == len(types) {
		return 0
	}
	out := make([]ir.Value, len(types))
	for i := range out {
		out[i] = d.B.Index(0)
	}
	kept := func(branch int) []ir.Value {
		ys := n.Graph().Yields(n.Region(branch).Old())
		vs := make([]ir.Value, len(keep))
		for k, j := range keep {
			vs[k] = d.news(ys[j : j+1])[0]
		}
		return vs
	}
	var vs []ir.Value
	if d.writes(n) {
		items, done := d.takes(n)
		vs = d.giveIf(n, items, kept)
		done()
	} else if len(keep) > 0 {
		vs = d.giveIf(n, nil, kept)
	}
	for k, v := range vs {
		out[keep[k]] = v
	}
	return d.B.Pack(out...)
}

// lowerPack: the columns of an argument are equally long, which is checked once and known
// from there on: the checks of what is read at one place of all columns are one.
func (d down) lowerPack(n ir.Node) ir.Value {
	parts := d.All(n.Args())
	for _, a := range n.Args() {
		if r, _, ok := n.Graph().Param(a.Old()); !ok || r != ir.Root {
			return d.pack(n.Type(), parts...)
		}
	}
	for _, x := range d.viewsIn(n.Type(), parts) {
		d.align(x.elem, x.parts, 0)
	}
	return d.pack(n.Type(), parts...)
}

// viewsIn lists the arrays among the parts of a value; they share the memory of the list.
func (d down) viewsIn(t ir.Type, parts []ir.Value) (out []view) {
	c := d.B.Ctx()
	if fields, ok := loop.Fields(c, t); ok {
		for _, f := range fields {
			n := len(loop.Parts(c, f.Type))
			out = append(out, d.viewsIn(f.Type, parts[:n])...)
			parts = parts[n:]
		}
		return out
	}
	types := loop.RowTypes(c, t)
	for _, elem := range types {
		n := len(loop.PartsOfArray(c, elem))
		out = append(out, view{elem: elem, parts: parts[:n]})
		parts = parts[n:]
	}
	return out
}

// align makes each column of an array as long as the first; n is their length, 0 until the
// first column says it. What lies between offsets is left as it is.
func (d down) align(elem ir.Type, parts []ir.Value, n ir.Value) ir.Value {
	c, k := d.B.Ctx(), d.kit()
	if fields, ok := loop.Fields(c, elem); ok {
		for _, f := range fields {
			m := len(loop.PartsOfArray(c, f.Type))
			n = d.align(f.Type, parts[:m], n)
			parts = parts[m:]
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
	d.assert(k.Is(arith.EQ, k.Len(parts[0]), want), "the columns of a table differ in length")
	parts[0] = k.Prefix(parts[0], want)
	return n
}

// pack is the value with the given parts.
func (d down) pack(t ir.Type, parts ...ir.Value) ir.Value { return packed(d.B, t, parts...) }

func packed(b *ir.Builder, t ir.Type, parts ...ir.Value) ir.Value {
	if b.Ctx().LoweringOf(t) == nil {
		return parts[0]
	}
	return b.Must(ir.Call{Def: loop.Pack, Args: parts, Type: t})
}

// parts lists the parts of a value: itself, if it has none. A view is copied.
func (d down) parts(v ir.Value) []ir.Value {
	g := d.B.Graph()
	switch {
	case d.B.Ctx().LoweringOf(g.Type(v)) == nil:
		return []ir.Value{v}
	case g.Def(v) == loop.Pack:
		return append([]ir.Value(nil), g.Args(v)...)
	case g.Def(v) == loop.Slice:
		return d.copied(d.view(v))
	}
	return d.B.Results(d.B.Op(loop.Unpack, v))
}

// wholes puts values of the given types together from parts.
func (d down) wholes(types []ir.Type, parts []ir.Value) []ir.Value {
	out := make([]ir.Value, len(types))
	for i, t := range types {
		n := len(loop.Parts(d.B.Ctx(), t))
		out[i], parts = d.pack(t, parts[:n]...), parts[n:]
	}
	return out
}

// allParts lists the parts of values.
func (d down) allParts(vs []ir.Value) (out []ir.Value) {
	for _, v := range vs {
		out = append(out, d.parts(v)...)
	}
	return out
}

// assert ends the program unless a condition holds.
func (d down) assert(cond ir.Value, msg string) {
	c := d.B.Ctx()
	d.B.OpAttr(cf.Assert, c.Props([]ir.NamedAttr{{Name: "msg", Value: c.StringAttr(msg)}}, nil), cond)
}

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
	if fields, ok := loop.Fields(c, x.elem); ok {
		var parts []ir.Value
		rest := x.parts
		for _, f := range fields {
			n := len(loop.PartsOfArray(c, f.Type))
			e := d.element(view{elem: f.Type, parts: rest[:n], from: x.from}, i)
			parts, rest = append(parts, d.parts(e)...), rest[n:]
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
	c := d.B.Ctx()
	rest := x.parts[1:]
	var parts []ir.Value
	for _, key := range keys {
		n := len(loop.PartsOfArray(c, key))
		col := view{elem: key, parts: rest[:n], from: from, n: d.kit().Sub(to, from)}
		parts, rest = append(parts, d.copied(col)...), rest[n:]
	}
	return d.pack(x.elem, parts...)
}

// copied is memory of its own with the elements of a view.
func (d down) copied(x view) []ir.Value {
	c, k := d.B.Ctx(), d.kit()
	if fields, ok := loop.Fields(c, x.elem); ok {
		var out []ir.Value
		rest := x.parts
		for _, f := range fields {
			n := len(loop.PartsOfArray(c, f.Type))
			out = append(out, d.copied(view{elem: f.Type, parts: rest[:n], from: x.from, n: x.n})...)
			rest = rest[n:]
		}
		return out
	}
	if !loop.IsJagged(c, x.elem) {
		return []ir.Value{d.copiedFrom(x.parts[0], x.from, x.n)}
	}
	first := k.Load(x.parts[0], x.from)
	last := k.Load(x.parts[0], k.Add(x.from, x.n))
	offsets := d.owned(ir.Index, k.Next(x.n))
	k.Each(k.Index(0), k.Next(x.n), func(i ir.Value) {
		k.Store(k.Sub(k.Load(x.parts[0], k.Add(x.from, i)), first), offsets, i)
	})
	out := []ir.Value{offsets}
	rest := x.parts[1:]
	types := loop.RowTypes(c, x.elem)
	for _, t := range types {
		n := len(loop.PartsOfArray(c, t))
		out = append(out, d.copied(view{elem: t, parts: rest[:n], from: first, n: k.Sub(last, first)})...)
		rest = rest[n:]
	}
	return out
}

// owned is memory for n elements that is given back after its last use, wherever that is
// (passes/buffers). What is made here for a while is not owned, and freed here.
func (d down) owned(elem ir.Type, n ir.Value) ir.Value {
	return d.ownedOf(d.kit().Array(elem), n)
}

// ownedOf is owned memory of a type with one extent that is open.
func (d down) ownedOf(t ir.Type, n ir.Value) ir.Value {
	c := d.B.Ctx()
	attr := c.WithDiscardable(c.Props([]ir.NamedAttr{{Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, 1, 0)}}, nil), memref.OwnedAttr, c.UnitAttr())
	return d.B.Must(ir.Call{Def: memref.Alloc, Args: []ir.Value{n}, Attr: attr, Type: t})
}

// copiedFrom is owned memory with n elements of other memory.
func (d down) copiedFrom(mem, from, n ir.Value) ir.Value {
	k := d.kit()
	out := d.owned(k.Elem(mem), n)
	k.Each(k.Index(0), n, func(i ir.Value) { k.Store(k.Load(mem, k.Add(from, i)), out, i) })
	return out
}

// duplicate is owned memory with what other memory, of one or two dimensions, holds.
func (d down) duplicate(mem ir.Value) ir.Value {
	k := d.kit()
	n, info := k.Len(mem), d.B.Ctx().Info(d.B.Graph().Type(mem))
	if len(info.Shape) == 1 {
		return d.copiedFrom(mem, k.Index(0), n)
	}
	out := d.ownedOf(d.B.Graph().Type(mem), n)
	k.Each(k.Index(0), n, func(i ir.Value) {
		for j := range info.Shape[1] {
			k.Op(memref.Store, k.Op(memref.Load, mem, i, k.Index(j)), out, i, k.Index(j))
		}
	})
	return out
}

// kept is owned memory with the first n elements of memory that is freed.
func (d down) kept(mem, n ir.Value) ir.Value {
	out := d.copiedFrom(mem, d.B.Index(0), n)
	d.kit().Free(mem)
	return out
}
