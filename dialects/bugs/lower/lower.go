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
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/target"
)

var Table = lower.Table{{Level: "scf", Of: []*ir.OpDef{ops.ModelOp},
	Options: []lower.Option{{Name: "careful", Doc: "densities have the form for counts and shapes of any size alone, with its branches, and none that becomes vectors: for what runs once", Default: false}},
	New:     func(e *lower.Env) ir.Rules { return rules(e.Target, e.Bool("careful")) }}}

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

// slot is one of the sums that the function computes.
type slot struct {
	name     string
	observed bool
}

type lowering struct {
	target    *target.Target
	g         *ir.Graph
	s         *ir.Schedule
	b         *ir.Builder
	need      map[ir.Value]bool
	params    []ir.Value               // declarations that are arguments
	locals    []ir.Value               // and those that are memory of the function
	writes    map[ir.Region][]ir.Value // declarations that a loop assigns to
	slots     []slot
	sums      map[slot]ir.Value
	values    map[ir.Value]ir.Value // old to new; a declaration to its argument
	zeroIV    map[ir.Value]ir.Value // loop variables, counted from 0
	floats    map[ir.Value]ir.Value // what a bugs.index is made of
	loops     []ir.Value            // variables of the open ones
	data      map[ir.Value]bool     // what isData said
	at        ir.Value              // the op that is being lowered
	invariant map[ir.Value]bool     // ops before the loops that need them
	known     affine.Analysis
	asked     map[guarded]bool // indices that guardIndex asked for
	// running makes the value of a reduction that the innermost loop carries.
	running map[ir.Value]func() ir.Value
	// factors are what each bugs.multivariate is lowered as.
	factors map[ir.Value]factor
	wanted  map[string]bool      // logical nodes whose values are stored
	links   map[ir.Value]linkage // what hasLink says; nil: not asked yet
	// stable says that this is the function for large counts and shapes.
	stable       bool
	carefulName  string
	callsCareful bool
	shared       *sharing // nil: nothing is
}

func lowerTo(t *target.Target, careful bool, b *ir.Builder, g *ir.Graph, attr ir.Attr) ir.Value {
	wanted := wantedValues(b.Ctx(), attr)
	name := b.Ctx().AttrInfo(b.Ctx().Get(attr, "sym_name")).Str
	l := newLowering(t, g, wanted)
	l.stable = careful
	l.shared = &sharing{b: b, name: name, names: map[string]string{}}
	l.carefulName = name + ops.CarefulSuffix
	main := l.entry(name, "")
	if l.callsCareful {
		c := newLowering(t, g, wanted)
		c.stable = true
		c.shared = &sharing{b: b, name: l.carefulName, names: map[string]string{}}
		b.Must(c.entry(l.carefulName, "private"))
	}
	return b.Must(main)
}

func newLowering(t *target.Target, g *ir.Graph, wanted map[string]bool) *lowering {
	l := &lowering{target: t, g: g, s: ir.ScheduleOf(g), known: affine.Of(g).Certain(), need: map[ir.Value]bool{}, writes: map[ir.Region][]ir.Value{},
		sums: map[slot]ir.Value{}, values: map[ir.Value]ir.Value{}, zeroIV: map[ir.Value]ir.Value{}, floats: map[ir.Value]ir.Value{},
		data: map[ir.Value]bool{}, invariant: map[ir.Value]bool{}, asked: map[guarded]bool{}, running: map[ir.Value]func() ir.Value{}, wanted: wanted, factors: map[ir.Value]factor{}}
	l.analyze(wanted)
	l.findEarly(ir.Root, false)
	return l
}

// entry makes the function of a name.
func (l *lowering) entry(name, visibility string) ir.Call {
	g, c := l.g, l.g.Ctx
	var in []ir.Type
	var argAttrs []ir.Attr
	argument := func(t ir.Type, dict ...ir.NamedAttr) {
		if t != ir.F64 {
			dict = append(dict, ir.NamedAttr{Name: funcs.NoAlias, Value: c.UnitAttr()})
		}
		in, argAttrs = append(in, t), append(argAttrs, c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: dict}))
	}
	for _, p := range l.params {
		dict := []ir.NamedAttr{{Name: ops.NameAttr, Value: g.Attr(p, "name")}}
		if g.Def(p) == ops.Data && !l.stable {
			dict = append(dict, ir.NamedAttr{Name: funcs.Static, Value: c.UnitAttr()})
		}
		if l.isScalar(p) {
			argument(ir.F64, dict...)
		} else {
			argument(g.Type(p), dict...)
		}
	}
	argument(c.MemRef([]int64{int64(len(l.slots))}, ir.F64))
	all := c.ArrayAttr(argAttrs...)

	l.b = ir.NewBuilder(c)
	for _, t := range in {
		l.b.Param(t)
	}
	funcs.Prepare(l.b, c.With(funcs.Props(c, name, visibility, in, nil), "arg_attrs", all))
	for _, p := range l.b.Params(ir.Root) {
		l.b.SetClean(p) // the function with the branches is called with arguments of the public one alone
	}
	l.body()

	props := c.With(funcs.Props(c, name, visibility, in, l.results()), "arg_attrs", all)
	var names, observed []ir.Attr
	for _, s := range l.slots {
		names = append(names, c.StringAttr(s.name))
		observed = append(observed, c.BoolAttr(s.observed))
	}
	props = c.WithDiscardable(props, ops.NodesAttr, c.ArrayAttr(names...))
	props = c.WithDiscardable(props, ops.ObservedAttr, c.ArrayAttr(observed...))
	props = c.WithDiscardable(props, funcs.Doc, c.StringAttr(l.describe()))
	return ir.Call{Def: funcs.Func, Attr: props, Graphs: []*ir.Graph{l.b.Finish()}}
}

// results are the types of value, status and node.
func (l *lowering) results() []ir.Type { return []ir.Type{ir.F64, ir.I32, ir.I32} }

func wantedValues(c *ir.Context, attr ir.Attr) map[string]bool {
	out := map[string]bool{}
	if a := c.Get(attr, "values"); a != 0 {
		for _, x := range c.AttrInfo(a).List {
			out[c.AttrInfo(x).Str] = true
		}
	}
	return out
}

func (l *lowering) name(decl ir.Value) string { return l.g.Ctx.AttrInfo(l.g.Attr(decl, "name")).Str }

// isScalar reports a declaration that is passed as a number.
func (l *lowering) isScalar(decl ir.Value) bool {
	return l.g.Def(decl) != ops.LogicalVar && len(l.g.Ctx.Info(l.g.Type(decl)).Shape) == 0
}

// body makes the function.
func (l *lowering) body() {
	b := l.b
	for i, p := range l.params {
		l.values[p] = b.Params(ir.Root)[i]
	}
	for _, d := range l.locals {
		l.values[d] = l.local(d)
	}
	for _, s := range append(slices.Clone(l.slots), largeNodes, badIndices) {
		l.sums[s] = arith.ConstF64(b, 0)
	}
	l.region(ir.Root)
	params := b.Params(ir.Root)
	b.Op(funcs.Return, l.finish(params[len(params)-1])...)
}

// local makes the memory of a variable. Elements that nothing defines are NaN.
func (l *lowering) local(d ir.Value) ir.Value {
	k, shape := l.kit(), l.g.Ctx.Info(l.g.Type(d)).Shape
	memory := k.Alloc(shape)
	if l.g.Attr(d, "holes") == 0 {
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
	for _, v := range l.s.Body(r) {
		if !l.need[v] {
			continue
		}
		if locs := l.g.LocsOf(v); len(locs) > 0 {
			l.b.Loc = locs[0]
		}
		l.op(v)
	}
}

func (l *lowering) op(v ir.Value) {
	l.at = v
	args := l.g.Args(v)
	switch l.g.Def(v) {
	case ops.Data, ops.Param, ops.LogicalVar, ops.Yield, ops.Element:
	case ops.Temporary:
		l.values[v] = l.kit().Alloc(l.g.Ctx.Info(l.g.Type(v)).Shape)
	case ops.For:
		l.loop(v)
	case ops.Stochastic:
		l.stochastic(v)
	case ops.Multivariate:
		l.multivariate(v)
	case ops.Term:
		l.addTo(slot{l.g.Ctx.AttrInfo(l.g.Attr(v, "name")).Str, false}, l.value(args[0]))
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
		if _, isConst := l.g.Const(args[1]); isConst {
			flags = 0
		}
		l.values[v] = arith.Float(l.b, math.Powf, flags, l.value(args[0]), l.value(args[1]))
	default:
		call := ir.Call{Def: l.g.Def(v), Attr: l.g.AttrsOf(v), Type: l.g.Type(v)}
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
	panic("bugs: " + l.g.Name(v) + " has no new value")
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
	if c, ok := l.g.Const(v); ok {
		return b.Index(int64(c.Bits) - 1)
	}
	if def := l.g.Def(v); def == arith.Addi || def == arith.Subi {
		args := l.g.Args(v)
		if c, ok := l.g.Const(args[1]); ok {
			return b.OpAttr(def, arith.OverflowProps(b.Ctx(), 0), l.zero(args[0]), b.Index(int64(c.Bits)))
		}
	}
	return arith.SubI(b, l.value(v), b.Index(1))
}

// loop makes a loop for an old one, which carries the sums that its body adds to.
func (l *lowering) loop(v ir.Value) {
	r := l.g.Regions(v)[0]
	slots := l.slotsIn(r)
	args := l.g.Args(v)
	inits := lists.Map(slots, func(s slot) ir.Value { return l.sums[s] })
	moving := l.runningIn(v)
	for _, x := range moving {
		inits = append(inits, l.runningStart(x, v))
	}
	writes := map[ir.Resource]bool{}
	for _, d := range l.writesOf(r) {
		if memory, ok := l.values[d]; ok {
			writes[l.b.ResourceOf(memory)] = true
		}
	}
	// i in lower..upper counts lower-1 <= i-1 < upper.
	depth := len(l.loops)
	loop := scf.BuildForWriting(l.b, writes, l.zero(args[0]), l.value(args[1]), l.b.Index(1), inits, func(iv ir.Value, carried []ir.Value) []ir.Value {
		l.loops = append(l.loops[:depth], iv)
		if l.g.Attr(v, "reverse") != 0 {
			iv = arith.SubI(l.b, arith.SubI(l.b, arith.AddI(l.b, l.zero(args[0]), l.value(args[1])), l.b.Index(1)), iv)
		}
		l.zeroIV[l.g.Params(r)[0]] = iv
		for i, s := range slots {
			l.sums[s] = carried[i]
		}
		for i, x := range moving {
			l.running[x.op] = func() ir.Value { return l.runningStep(x, carried[len(slots)+i]) }
		}
		l.region(r)
		out := lists.Map(slots, func(s slot) ir.Value { return l.sums[s] })
		for _, x := range moving {
			out = append(out, l.values[x.op])
		}
		return out
	})
	for i, s := range slots {
		l.sums[s] = l.b.Result(loop, i)
	}
	l.loops = l.loops[:depth]
}

// writesOf lists the declarations, and memory of functions of arrays, that a region assigns to.
func (l *lowering) writesOf(r ir.Region) []ir.Value {
	if list, ok := l.writes[r]; ok {
		return list
	}
	var list []ir.Value
	for _, v := range l.s.Body(r) {
		switch args := l.g.Args(v); l.g.Def(v) {
		case ops.Assign:
			list = append(list, args[1])
		case ops.Compute, ops.Constrain:
			list = append(list, args[0])
		}
		for _, in := range l.g.Regions(v) {
			list = append(list, l.writesOf(in)...)
		}
	}
	slices.Sort(list)
	l.writes[r] = slices.Compact(list)
	return l.writes[r]
}

func (l *lowering) assign(v ir.Value) {
	args := l.g.Args(v)
	x := l.value(args[0])
	if a := l.g.Attr(v, "link"); a != 0 {
		x = function.Links[l.g.Ctx.AttrInfo(a).Str](l.b, []ir.Value{x})
	}
	at := []ir.Value{x, l.values[args[1]]}
	at = append(at, lists.Map(args[2:], l.zero)...)
	l.b.Op(memref.Store, at...)
}

// read gives the value of an element. Where an index may be wrong it is NaN.
func (l *lowering) read(node ir.Value, indices []ir.Value) ir.Value {
	if l.isScalar(node) {
		return l.values[node]
	}
	at := []ir.Value{l.values[node]}
	valid, checked := ir.Value(0), ir.Value(0)
	for d, i := range indices {
		n := l.g.Ctx.Info(l.g.Type(node)).Shape[d]
		if n == 0 && l.invariant[l.at] {
			return arith.ConstF64(l.b, gomath.NaN())
		}
		x, ok := l.checkedIndex(i, n)
		if ok == 0 {
			x, ok = l.earlyIndex(i, x, n)
		} else if l.isChecked(i) {
			l.join(&checked, ok)
		}
		at = append(at, x)
		l.join(&valid, ok)
	}
	x := l.b.Op(memref.Load, at...)
	if checked != 0 {
		l.guardIndex(checked)
	}
	if valid != 0 {
		x = arith.Choose(l.b, valid, x, arith.ConstF64(l.b, gomath.NaN()))
	}
	return x
}

// isChecked reports an index that may be none in a statement that runs.
func (l *lowering) isChecked(v ir.Value) bool { return l.g.Attr(v, "checked") != 0 }

// checkedIndex is an index from 0 into n elements; ok, unless it is 0, says whether
// it was one; where it was not, the index is another of these.
func (l *lowering) checkedIndex(v ir.Value, n int64) (index, ok ir.Value) {
	if l.g.Def(v) != ops.IndexOf || !l.isChecked(v) && !l.invariant[l.at] || n == 0 {
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
