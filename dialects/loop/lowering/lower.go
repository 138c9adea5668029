package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
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
		return lists.Map(keep, func(j int) ir.Value { return d.news(ys[j : j+1])[0] })
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
	for elem, col := range columns(c, loop.RowTypes(c, t), parts) {
		out = append(out, view{elem: elem, parts: col})
	}
	return out
}

// align makes each column of an array as long as the first; n is their length, 0 until the
// first column says it. What lies between offsets is left as it is.
func (d down) align(elem ir.Type, parts []ir.Value, n ir.Value) ir.Value {
	c, k := d.B.Ctx(), d.kit()
	if fields, ok := fieldTypes(c, elem); ok {
		for t, col := range columns(c, fields, parts) {
			n = d.align(t, col, n)
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
func (d down) allParts(vs []ir.Value) []ir.Value { return lists.Join(vs, d.parts) }

// assert ends the program unless a condition holds.
func (d down) assert(cond ir.Value, msg string) {
	c := d.B.Ctx()
	d.B.OpAttr(cf.Assert, c.Props([]ir.NamedAttr{{Name: "msg", Value: c.StringAttr(msg)}}, nil), cond)
}
