package binding

import (
	"context"
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// Specialize divides functions with static arguments.
type Specialize struct{}

// SpecializeInfo is the row of specialize-data.
var SpecializeInfo = &pass.Info{
	Name: "specialize-data",
	Doc: "Divides a function with arguments that are the same in every call (func.static) in two: @f_setup, which computes into a buffer what these alone decide, and @f, which reads it there. " +
		"Both have the arguments of @f and the buffer behind them, which has the attribute func.staged: the setup is to be called once, before. " +
		"Floats leave that cost more than reading them, and are computed in every call, at the same place of the code: the results of loops and conditionals, and expressions; in a loop with constant bounds they become a table, which is no larger than the data it is made of; so does, on a target with vectors, what a loop reads of data that stay in a cache with steps of more than an element. " +
		"Memory that the function allocates, fills with what is static, and only reads otherwise, is static too: checks of data, sorting, components of a graph. " +
		"What may trap is computed ahead only if no effect comes before it. A function that is called in the module keeps its arguments, and stays as it is.",
	Why: "After licm and split-sums, which take what is static out of loops and sums that are not; before parallelize, vectorize and unroll, for which less is left.",
	Example: `func.func @f(%x: memref<100xf64> {func.static, llvm.noalias}, %a: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 100 : index
  %none = arith.constant 0.0 : f64
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (f64) {
    %v = memref.load %x[%i] : memref<100xf64>
    %l = math.log %v : f64
    %t = arith.mulf %a, %l : f64
    %next = arith.addf %s, %t : f64
    scf.yield %next : f64
  }
  return %r : f64
}
`,
	Scope: pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "functions", Doc: "functions with a setup"},
		{Name: "values", Doc: "values that are computed ahead"},
		{Name: "elements", Doc: "numbers that buffers keep"},
	},
	New: func() pass.Pass { return &Specialize{} },
}

// SetupSuffix makes the name of the function that fills the buffer.
const SetupSuffix = "_setup"

// Run divides every function that nothing in the module names.
func (*Specialize) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	taken, named := symbolsIn(g)
	found := map[ir.Node]*plan{}
	var all []ir.Node // what is found, in order
	eachCode(g, ir.Node{}, func(c *code, owner ir.Node) {
		if t := c.times(owner); t != nil {
			if p := newPlan(t, ctx.Target()); len(p.slots) > 0 {
				found[owner], all = p, append(all, owner)
			}
		}
	})
	for _, n := range all {
		name, p := symbols.Of(n), found[n]
		if named[name] || taken[name+SetupSuffix] {
			delete(found, n)
			ctx.Remark("@%s stays whole: something in the module names it, or @%s", name, name+SetupSuffix)
			continue
		}
		ctx.Count("functions", 1)
		ctx.Count("values", len(p.slots))
		ctx.Count("elements", int(p.size))
		ctx.Remark("@%s has a setup that computes %d values", name, len(p.slots))
	}
	if len(found) == 0 {
		return g, nil
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{funcs.Func: func(m *ir.Mirror, n ir.Node) ir.Value {
		if p := found[n]; p != nil {
			m.B.Must(p.setup(n))
			return m.B.Must(p.rest(n))
		}
		return 0
	}}, nil), nil
}

// setup is the function that fills the buffer: the code of the other one without what that
// writes, which stores what is kept.
func (p *plan) setup(f ir.Node) ir.Call {
	rules := ir.Rules{}
	kept := p.byOp()
	for v := range p.s.All() {
		def := p.g.Def(v)
		if rules[def] != nil || def.Has(ir.Terminator) {
			continue
		}
		rules[def] = func(m *ir.Mirror, n ir.Node) ir.Value {
			if xs := kept[n.Old()]; xs != nil {
				v := m.Copy(n)
				for _, x := range xs {
					m.B.Op(memref.Store, x.of(m.B, v, p.g), p.buffer(m.B), x.index(m))
				}
				return v
			}
			if p.isDynamicAct(n.Old()) || p.isDynamicControl(n.Old()) { // what it gives is dynamic, and nothing that stays asks for it
				return m.B.Pack(p.poison(m.B, n.Old())...)
			}
			return 0
		}
	}
	b, attr := p.function(f, symbols.Of(f)+SetupSuffix, nil, false)
	ir.Insert(b, p.s, ir.Root, nil, rules, b.Params(ir.Root)[:len(p.args)]...)
	b.Op(funcs.Return)
	return p.finished(b, attr)
}

// poison stands for the results of an op.
func (p *plan) poison(b *ir.Builder, v ir.Value) []ir.Value {
	out := make([]ir.Value, p.g.Results(v))
	for i := range out {
		if t := p.g.Ctx.Info(p.g.Type(v)); t.Kind == ir.KindMulti {
			out[i] = ub.Of(b, t.Types[i])
		} else {
			out[i] = ub.Of(b, p.g.Type(v))
		}
	}
	return out
}

// isDynamicAct reports an op without regions that does more than read, allocate, and store into static
// memory.
func (p *plan) isDynamicAct(v ir.Value) bool {
	if len(p.g.Regions(v)) > 0 || p.storesInto(v) != 0 || p.g.Results(v) > 0 && !p.g.HasEffect(v) {
		return false
	}
	for _, e := range p.effects(v) {
		if e.Writes() {
			return true
		}
	}
	return p.g.HasEffect(v)
}

// isDynamicControl reports an op whose regions do not run alike in every call: no value and no store in them is static.
func (p *plan) isDynamicControl(v ir.Value) bool {
	return len(p.g.Regions(v)) > 0 && !p.isFixedLoop(v) && !p.isFixedIf(v) && !p.isFixedWhile(v)
}

// rest is what is left of a function: what is kept is read, and static memory that
// nothing needs is not written: what reads it goes with what nobody needs.
func (p *plan) rest(f ir.Node) ir.Call {
	kept := p.byOp()
	rule := func(m *ir.Mirror, n ir.Node) ir.Value {
		xs := kept[n.Old()]
		if own := p.storesInto(n.Old()); own != 0 && !p.needed[own] {
			return m.B.Pack()
		}
		if xs == nil {
			return 0
		}
		load := func(x slot) ir.Value { return m.Op(memref.Load, p.buffer(m.B), x.index(m)) }
		if p.g.Results(n.Old()) == 1 && !p.g.HasEffect(n.Old()) {
			return load(xs[0])
		}
		out := m.B.Results(m.Copy(n))
		for _, x := range xs {
			_, i, _ := p.g.Projection(x.v)
			out[i] = load(x)
		}
		return m.B.Pack(out...)
	}
	rules := ir.Rules{memref.Store: rule}
	for v := range kept {
		rules[p.g.Def(v)] = rule
	}
	b, attr := p.function(f, symbols.Of(f), funcs.TypeOf(p.g.Ctx, f.Attrs()).Types[len(p.args):], true)
	ys := ir.Insert(b, p.s, ir.Root, nil, rules, b.Params(ir.Root)[:len(p.args)]...)
	b.Op(funcs.Return, ys...)
	return p.finished(b, attr)
}

// byOp lists what is kept by the op that makes it.
func (p *plan) byOp() map[ir.Value][]slot {
	out := map[ir.Value][]slot{}
	for _, x := range p.slots {
		n, _, ok := p.g.Projection(x.v)
		if !ok {
			n = x.v
		}
		out[n] = append(out[n], x)
	}
	return out
}

// of is the value in what the new op gives.
func (x slot) of(b *ir.Builder, v ir.Value, old *ir.Graph) ir.Value {
	if _, i, ok := old.Projection(x.v); ok {
		return b.Result(v, i)
	}
	return v
}

// index is where the buffer has the value, in the round that is being built.
func (x slot) index(m *ir.Mirror) ir.Value {
	at := m.B.Index(x.at)
	for _, l := range x.loops {
		iv := m.Of(l.iv)
		k := arith.SubI(m.B, iv, m.B.Index(l.lower))
		if l.stride != 1 {
			k = arith.MulI(m.B, k, m.B.Index(l.stride))
		}
		at = arith.AddI(m.B, k, at)
	}
	return at
}

func (p *plan) buffer(b *ir.Builder) ir.Value { return b.Params(ir.Root)[len(p.args)] }

// function begins one of the two functions, with the buffer behind its arguments.
func (p *plan) function(f ir.Node, name string, out []ir.Type, isStatic bool) (*ir.Builder, ir.Attr) {
	c := p.g.Ctx
	b := ir.NewBuilder(c)
	in := lists.Map(p.g.Params(ir.Root), p.g.Type)
	in = append(in, c.MemRef([]int64{p.size}, ir.F64))
	for _, t := range in {
		b.Param(t)
	}
	dict := func(list ...ir.NamedAttr) ir.Attr { return c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: list}) }
	var attrs []ir.Attr
	for _, a := range c.AttrInfo(f.Attr("arg_attrs")).List {
		var list []ir.NamedAttr
		for _, e := range c.AttrInfo(a).Dict {
			if isStatic || e.Name != funcs.Static {
				list = append(list, e)
			}
		}
		attrs = append(attrs, dict(list...))
	}
	owner := []ir.NamedAttr{{Name: funcs.NoAlias, Value: c.UnitAttr()}}
	doc := fmt.Sprintf("arg%d: what @%s computes from arguments that are the same in every call", len(p.args), name)
	attr := c.With(c.With(f.Attrs(), "sym_name", c.StringAttr(name)), "function_type", c.TypeAttr(c.Func(in, out)))
	if isStatic {
		owner = append([]ir.NamedAttr{{Name: funcs.Staged, Value: c.StringAttr(name + SetupSuffix)}}, owner...)
		doc = fmt.Sprintf("arg%d: what @%s has filled, which has the same arguments and is called once", len(p.args), name+SetupSuffix)
		if old := f.Attr(funcs.Doc); old != 0 {
			doc = c.AttrInfo(old).Str + "\n" + doc
		}
	}
	attr = c.With(attr, "arg_attrs", c.ArrayAttr(append(attrs, dict(owner...))...))
	attr = c.WithDiscardable(attr, funcs.Doc, c.StringAttr(doc))
	funcs.Prepare(b, attr)
	return b, attr
}

// finished is a function that is cleaned of what it does not need.
func (p *plan) finished(b *ir.Builder, attr ir.Attr) ir.Call {
	g := b.Finish()
	g, _, _ = fixpoint.Settle(context.Background(), g, g.Ctx.Cleanups(), fixpoint.MostRebuilds)
	return ir.Call{Def: funcs.Func, Attr: attr, Graphs: []*ir.Graph{g}}
}
