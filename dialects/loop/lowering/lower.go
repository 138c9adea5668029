package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
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

// A down lowers the loops of one graph, and what is made of arrays in it.
type down struct {
	*ir.Mirror
	e       *lower.Env
	source  source
	arrays  arrays
	streams *streamFusion
}

func newDown(m *ir.Mirror, e *lower.Env) down {
	return down{m, e, source{m.Schedule()}, arrays{m.B}, streamsOf(m)}
}

func (d down) kit() kit.Kit { return kit.Kit{Builder: d.B} }

type rule = func(m *ir.Mirror, n ir.Node) ir.Value

func lowerRules(e *lower.Env) ir.Rules {
	on := func(f func(d down, n ir.Node) ir.Value) rule {
		return func(m *ir.Mirror, n ir.Node) ir.Value { return f(newDown(m, e), n) }
	}
	nothing := on(func(d down, n ir.Node) ir.Value { return d.placeholders(n) })
	return ir.Rules{
		loop.For: on(down.lowerFor), loop.Yield: nothing, loop.Emit: nothing, loop.None: nothing, loop.Seq: nothing,
		loop.At: on(down.lowerAt), loop.Len: on(down.lowerLen), loop.Slice: on(down.lowerSlice),
		loop.Struct: on(down.lowerStruct), loop.Field: on(down.lowerField), loop.Zip: on(down.lowerZip), loop.Column: on(down.lowerColumn),
		loop.Keys: on(down.lowerKeys), loop.Rekey: on(down.lowerRekey), loop.Find: on(down.lowerFind), loop.Sort: on(down.lowerSort),
		loop.Constant: on(down.lowerConstant), loop.Compare: on(down.lowerCompare),
		loop.Pack:   on(down.lowerPack),
		loop.Unpack: on(func(d down, n ir.Node) ir.Value { return d.B.Pack(d.arrays.parts(d.Of(n.Arg(0)))...) }),
	}
}

// emitRules: a conditional that gives sequences is made where they are emitted.
func emitRules(e *lower.Env) ir.Rules {
	return ir.Rules{
		scf.If: func(m *ir.Mirror, n ir.Node) ir.Value { return newDown(m, e).lowerIf(n) },
		arith.Select: func(m *ir.Mirror, n ir.Node) ir.Value {
			if loop.IsEmit(m.B.Ctx(), n.Type()) {
				return newDown(m, e).placeholders(n)
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
	if writes(n) {
		items, done := d.streams.takes(d, n)
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
			return d.arrays.pack(n.Type(), parts...)
		}
	}
	for _, x := range d.arrays.viewsIn(n.Type(), parts) {
		d.arrays.align(x.elem, x.parts, 0)
	}
	return d.arrays.pack(n.Type(), parts...)
}
