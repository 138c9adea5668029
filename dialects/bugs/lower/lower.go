package lower

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/target"
)

var careful = lower.Choice("careful", false, "densities have the form for counts and shapes of any size alone, with its branches, "+
	"and none that becomes vectors: for what runs once")

var Table = lower.Table{{Level: "scf", Of: []*ir.OpDef{ops.ModelOp},
	Options: []lower.Option{careful.Option},
	New:     func(e *lower.Env) ir.Rules { return rules(e.Target, careful.In(e)) }}}

// Lower is the rule that makes functions of models, for a target.
func Lower(t *target.Target) ir.Rules { return rules(t, false) }

func rules(t *target.Target, careful bool) ir.Rules {
	return ir.Rules{ops.ModelOp: func(m *ir.Mirror, n ir.Node) ir.Value { return lowerModel(t, careful, m, n) }}
}

// lowerModel makes func.func @logdensity(variables..., nodes) -> (f64, i32, i32) of a
// model: the value, the status and the node of finish.
//
// An argument is a scalar parameter (f64) or an array: with the data, with a place
// for parameters, and with one for logical nodes that are wanted or of which the point
// or the data give elements. The last argument takes the sums of the log density by
// variable. Other logical nodes are memory of the function, of which is left what its
// loads and stores need (see doc.go).
// Inside of the function a term without meaning is NaN; finish takes it away.
func lowerModel(t *target.Target, careful bool, m *ir.Mirror, n ir.Node) ir.Value {
	g := n.Graph()
	children := g.Children(n.Old())
	if len(children) != 1 {
		return 0
	}
	return lowerTo(t, careful, m.B, children[0], n.Attrs())
}

// A lowering makes the function of a density: it goes through the ops of a model in the order of the schedule, and has the
// values that it made of those before.
type lowering struct {
	model   *model
	origins *origins
	sums    *sums
	shared  *sharing // nil: nothing is

	target *target.Target
	b      *ir.Builder
	values map[ir.Value]ir.Value // old to new; a declaration to its argument
	zeroIV map[ir.Value]ir.Value // loop variables, counted from 0
	floats map[ir.Value]ir.Value // what a bugs.index is made of
	at     ir.Value              // the op that is being lowered
	// running makes the value of a reduction that the innermost loop carries.
	running map[ir.Value]func() ir.Value
}

func lowerTo(t *target.Target, careful bool, b *ir.Builder, g *ir.Graph, attr ir.Attr) ir.Value {
	wanted := wantedValues(b.Ctx(), attr)
	name := b.Ctx().AttrInfo(b.Ctx().Get(attr, "sym_name")).Str
	l := newLowering(t, modelOf(g, wanted, careful), &sharing{b: b, name: name, names: map[string]string{}})
	l.sums.carefulName = name + ops.CarefulSuffix
	main := l.entry(name, "")
	if l.sums.callsCareful {
		name := l.sums.carefulName
		c := newLowering(t, modelOf(g, wanted, true), &sharing{b: b, name: name, names: map[string]string{}})
		b.Must(c.entry(name, "private"))
	}
	return b.Must(main)
}

func newLowering(t *target.Target, m *model, shared *sharing) *lowering {
	b := ir.NewBuilder(m.g.Ctx)
	l := &lowering{model: m, shared: shared, target: t, b: b, values: map[ir.Value]ir.Value{}, zeroIV: map[ir.Value]ir.Value{},
		floats: map[ir.Value]ir.Value{}, running: map[ir.Value]func() ir.Value{}}
	l.origins = &origins{b: b, model: m, data: map[ir.Value]bool{}}
	l.sums = &sums{k: l.kit(), model: m, origins: l.origins, of: map[slot]ir.Value{}, asked: map[guarded]bool{}}
	return l
}

// entry makes the function of a name.
func (l *lowering) entry(name, visibility string) ir.Call {
	g, c := l.model.g, l.model.g.Ctx
	var in []ir.Type
	var argAttrs []ir.Attr
	argument := func(t ir.Type, dict ...ir.NamedAttr) {
		if t != ir.F64 {
			dict = append(dict, ir.NamedAttr{Name: funcs.NoAlias, Value: c.UnitAttr()})
		}
		in, argAttrs = append(in, t), append(argAttrs, c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: dict}))
	}
	for _, p := range l.model.params {
		dict := []ir.NamedAttr{{Name: ops.NameAttr, Value: g.Attr(p, "name")}}
		if g.Def(p) == ops.Data && !l.model.stable {
			dict = append(dict, ir.NamedAttr{Name: funcs.Static, Value: c.UnitAttr()})
		}
		if l.model.isScalar(p) {
			argument(ir.F64, dict...)
		} else {
			argument(g.Type(p), dict...)
		}
	}
	argument(c.MemRef([]int64{int64(len(l.model.slots))}, ir.F64))
	all := c.ArrayAttr(argAttrs...)

	for _, t := range in {
		l.b.Param(t)
	}
	funcs.Prepare(l.b, c.With(funcs.Props(c, name, visibility, in, nil), "arg_attrs", all))
	for _, p := range l.b.Params(ir.Root) {
		l.b.SetClean(p) // the function with the branches is called with arguments of the public one alone
	}
	l.body()

	props := c.With(funcs.Props(c, name, visibility, in, results()), "arg_attrs", all)
	var names, observed []ir.Attr
	for _, s := range l.model.slots {
		names = append(names, c.StringAttr(s.name))
		observed = append(observed, c.BoolAttr(s.observed))
	}
	props = c.WithDiscardable(props, ops.NodesAttr, c.ArrayAttr(names...))
	props = c.WithDiscardable(props, ops.ObservedAttr, c.ArrayAttr(observed...))
	props = c.WithDiscardable(props, funcs.Doc, c.StringAttr(l.model.describe()))
	return ir.Call{Def: funcs.Func, Attr: props, Graphs: []*ir.Graph{l.b.Finish()}}
}

// results are the types of value, status and node.
func results() []ir.Type { return []ir.Type{ir.F64, ir.I32, ir.I32} }

func wantedValues(c *ir.Context, attr ir.Attr) map[string]bool {
	out := map[string]bool{}
	if a := c.Get(attr, "values"); a != 0 {
		for _, x := range c.AttrInfo(a).List {
			out[c.AttrInfo(x).Str] = true
		}
	}
	return out
}

func (m *model) name(decl ir.Value) string { return m.g.Ctx.AttrInfo(m.g.Attr(decl, "name")).Str }

// isScalar reports a declaration that is passed as a number.
func (m *model) isScalar(decl ir.Value) bool {
	return m.g.Def(decl) != ops.LogicalVar && len(m.g.Ctx.Info(m.g.Type(decl)).Shape) == 0
}

// body makes the function.
func (l *lowering) body() {
	b := l.b
	for i, p := range l.model.params {
		l.values[p] = b.Params(ir.Root)[i]
	}
	for _, d := range l.model.locals {
		l.values[d] = l.local(d)
	}
	for _, s := range append(slices.Clone(l.model.slots), largeNodes, badIndices) {
		l.sums.of[s] = arith.ConstF64(b, 0)
	}
	l.region(ir.Root)
	params := b.Params(ir.Root)
	b.Op(funcs.Return, l.sums.finish(params[len(params)-1])...)
}

// local makes the memory of a variable. Elements that nothing defines are NaN.
func (l *lowering) local(d ir.Value) ir.Value {
	k, shape := l.kit(), l.model.g.Ctx.Info(l.model.g.Type(d)).Shape
	memory := k.Alloc(shape)
	if l.model.g.Attr(d, "holes") == 0 {
		return memory
	}
	var dim func(at []ir.Value)
	dim = func(at []ir.Value) {
		if len(at) == len(shape) {
			l.b.Op(memref.Store, append([]ir.Value{k.Num(gomath.NaN()), memory}, at...)...)
			return
		}
		k.Fold(l.b.Index(shape[len(at)]), nil, func(i ir.Value, _ []ir.Value) []ir.Value {
			dim(append(slices.Clip(at), i))
			return nil
		})
	}
	dim(nil)
	return memory
}

// region lowers the ops of an old region into the one that is open.
func (l *lowering) region(r ir.Region) {
	for _, v := range l.model.s.Body(r) {
		if !l.model.need[v] {
			continue
		}
		if locs := l.model.g.LocsOf(v); len(locs) > 0 {
			l.b.Loc = locs[0]
		}
		l.op(v)
	}
}

func (l *lowering) op(v ir.Value) {
	l.at = v
	args := l.model.g.Args(v)
	switch l.model.g.Def(v) {
	case ops.Data, ops.Param, ops.LogicalVar, ops.Yield, ops.Element:
	case ops.Temporary:
		l.values[v] = l.kit().Alloc(l.model.g.Ctx.Info(l.model.g.Type(v)).Shape)
	case ops.For:
		l.loop(v)
	case ops.Stochastic:
		l.stochastic(v)
	case ops.Multivariate:
		l.multivariate(v)
	case ops.Term:
		l.sums.addTo(slot{l.model.g.Ctx.AttrInfo(l.model.g.Attr(v, "name")).Str, false}, l.value(args[0]))
	case ops.Constrain:
		l.values[v] = l.constrain(v)
	case ops.Assign:
		l.assign(v)
	case ops.Read:
		l.values[v] = l.read(args[0], args[1:])
	case ops.Reduce, ops.Fold:
		l.values[v] = l.reduction(v)
	case ops.Apply, ops.Compute:
		l.call(v)
	case ops.Function:
		l.values[v] = l.function(v)
	case ops.IndexOf:
		l.floats[v] = l.value(args[0])
	case math.Powf:
		flags := arith.Afn // what version-powers asks for
		if _, isConst := l.model.g.Const(args[1]); isConst {
			flags = 0
		}
		l.values[v] = arith.Float(l.b, math.Powf, flags, l.value(args[0]), l.value(args[1]))
	default:
		call := ir.Call{Def: l.model.g.Def(v), Attr: l.model.g.AttrsOf(v), Type: l.model.g.Type(v)}
		for _, a := range args {
			call.Args = append(call.Args, l.value(a))
		}
		l.values[v] = l.b.Must(call)
	}
}

// value is the new value of an old one; an index counts from 1.
func (l *lowering) value(v ir.Value) ir.Value {
	if x, ok := l.values[v]; ok {
		return x
	}
	if iv, ok := l.zeroIV[v]; ok {
		return arith.AddI(l.b, iv, l.b.Index(1))
	}
	if x, ok := l.floats[v]; ok {
		return l.toIndex(arith.Float(l.b, math.Round, 0, x))
	}
	panic("bugs: " + l.model.g.Name(v) + " has no new value")
}

func (l *lowering) toIndex(x ir.Value) ir.Value {
	return arith.Cast(l.b, arith.IndexCast, arith.Cast(l.b, arith.Fptosi, x, ir.I64), ir.Index)
}

// zero is an index counted from 0, without adding 1 and taking it away again.
func (l *lowering) zero(v ir.Value) ir.Value {
	b := l.b
	if iv, ok := l.zeroIV[v]; ok {
		return iv
	}
	if c, ok := l.model.g.Const(v); ok {
		return b.Index(int64(c.Bits) - 1)
	}
	if def := l.model.g.Def(v); def == arith.Addi || def == arith.Subi {
		args := l.model.g.Args(v)
		if c, ok := l.model.g.Const(args[1]); ok {
			return b.OpAttr(def, arith.OverflowProps(b.Ctx(), 0), l.zero(args[0]), b.Index(int64(c.Bits)))
		}
	}
	return arith.SubI(b, l.value(v), b.Index(1))
}

// loop makes a loop for an old one, which carries the sums that its body adds to.
func (l *lowering) loop(v ir.Value) {
	r := l.model.g.Regions(v)[0]
	slots := l.model.slotsIn(r)
	args := l.model.g.Args(v)
	inits := lists.Map(slots, func(s slot) ir.Value { return l.sums.of[s] })
	moving := l.model.runningIn(v)
	for _, x := range moving {
		inits = append(inits, l.runningStart(x, v))
	}
	writes := map[ir.Resource]bool{}
	for _, d := range l.model.writesOf(r) {
		if memory, ok := l.values[d]; ok {
			writes[l.b.ResourceOf(memory)] = true
		}
	}
	// i in lower..upper counts lower-1 <= i-1 < upper.
	depth := len(l.origins.loops)
	loop := scf.BuildForWriting(l.b, writes, l.zero(args[0]), l.value(args[1]), l.b.Index(1), inits, func(iv ir.Value, carried []ir.Value) []ir.Value {
		l.origins.loops = append(l.origins.loops[:depth], iv)
		if l.model.g.Attr(v, "reverse") != 0 {
			iv = arith.SubI(l.b, arith.SubI(l.b, arith.AddI(l.b, l.zero(args[0]), l.value(args[1])), l.b.Index(1)), iv)
		}
		l.zeroIV[l.model.g.Params(r)[0]] = iv
		for i, s := range slots {
			l.sums.of[s] = carried[i]
		}
		for i, x := range moving {
			l.running[x.op] = func() ir.Value { return l.runningStep(x, carried[len(slots)+i]) }
		}
		l.region(r)
		out := lists.Map(slots, func(s slot) ir.Value { return l.sums.of[s] })
		for _, x := range moving {
			out = append(out, l.values[x.op])
		}
		return out
	})
	for i, s := range slots {
		l.sums.of[s] = l.b.Result(loop, i)
	}
	l.origins.loops = l.origins.loops[:depth]
}

// writesOf lists the declarations, and memory of functions of arrays, that a region assigns to.
func (m *model) writesOf(r ir.Region) []ir.Value {
	if list, ok := m.writes[r]; ok {
		return list
	}
	var list []ir.Value
	for _, v := range m.s.Body(r) {
		switch args := m.g.Args(v); m.g.Def(v) {
		case ops.Assign:
			list = append(list, args[1])
		case ops.Compute:
			list = append(list, args[0])
		case ops.Constrain:
			list = append(list, ops.Constrained(m.g, v))
		}
		for _, in := range m.g.Regions(v) {
			list = append(list, m.writesOf(in)...)
		}
	}
	slices.Sort(list)
	m.writes[r] = slices.Compact(list)
	return m.writes[r]
}

func (l *lowering) assign(v ir.Value) {
	args := l.model.g.Args(v)
	x := l.value(args[0])
	if a := l.model.g.Attr(v, "link"); a != 0 {
		x = function.Links[l.model.g.Ctx.AttrInfo(a).Str](l.b, []ir.Value{x})
	}
	at := []ir.Value{x, l.values[args[1]]}
	at = append(at, lists.Map(args[2:], l.zero)...)
	l.b.Op(memref.Store, at...)
}

// read gives the value of an element. Where an index may be wrong it is NaN.
func (l *lowering) read(node ir.Value, indices []ir.Value) ir.Value {
	if l.model.isScalar(node) {
		return l.values[node]
	}
	at := []ir.Value{l.values[node]}
	valid, checked := ir.Value(0), ir.Value(0)
	for d, i := range indices {
		n := l.model.g.Ctx.Info(l.model.g.Type(node)).Shape[d]
		if n == 0 && l.model.invariant[l.at] {
			return arith.ConstF64(l.b, gomath.NaN())
		}
		x, ok := l.checkedIndex(i, n)
		if ok == 0 {
			x, ok = l.earlyIndex(i, x, n)
		} else if l.model.isChecked(i) {
			l.join(&checked, ok)
		}
		at = append(at, x)
		l.join(&valid, ok)
	}
	x := l.b.Op(memref.Load, at...)
	if checked != 0 {
		l.sums.guardIndex(checked)
	}
	if valid != 0 {
		x = arith.Choose(l.b, valid, x, arith.ConstF64(l.b, gomath.NaN()))
	}
	return x
}

// isChecked reports an index that may be none in a statement that runs.
func (m *model) isChecked(v ir.Value) bool { return m.g.Attr(v, "checked") != 0 }

// checkedIndex is an index from 0 into n elements; ok, unless it is 0, says whether
// it was one; where it was not, the index is another of these.
func (l *lowering) checkedIndex(v ir.Value, n int64) (index, ok ir.Value) {
	if l.model.g.Def(v) != ops.IndexOf || !l.model.isChecked(v) && !l.model.invariant[l.at] || n == 0 {
		return l.zero(v), 0
	}
	b, x := l.b, l.floats[v]
	r := arith.Float(b, math.Roundeven, 0, x) // halves are not near
	near := arith.CmpF(b, arith.OLE, arith.Float(b, math.Absf, 0, arith.SubF(b, x, r)), arith.ConstF64(b, function.IndexSlack))
	low := arith.CmpF(b, arith.OGE, r, arith.ConstF64(b, 1))
	high := arith.CmpF(b, arith.OLE, r, arith.ConstF64(b, float64(n)))
	among := b.Op(arith.Andi, low, high)
	ok = b.Op(arith.Andi, near, among)
	safe := arith.Choose(b, among, r, arith.ConstF64(b, 1))
	return arith.SubI(b, l.toIndex(safe), b.Index(1)), ok
}
