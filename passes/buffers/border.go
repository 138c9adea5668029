package buffers

import (
	"fmt"
	"slices"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// A function of which a run decides whether what it returns is new memory returns that too,
// a truth value for each such result, to those who call it by name in the module. Whoever
// else calls it, from outside or as a value, is told nothing: for them there is a second
// function under its name, which calls the first and copies what is not new. So results of
// one function are all new or all old, and a copy is made only where they would be both.

// nameInner finds the functions that need a second one, and names the first.
func nameInner(g *ir.Graph, found []*analysis) {
	defined, used := map[string]bool{}, map[string]bool{}
	for n := range g.All() {
		defined[symbols.Of(n)] = true
		attrs := n.Attrs()
		// A call by name can call the inner function. Every other mention needs the one that copies.
		if n.Def() == funcs.Call {
			attrs = g.Ctx.With(attrs, "callee", 0)
		}
		symbols.NamesIn(g.Ctx, attrs, used)
	}
	for _, a := range found {
		name := symbols.Of(a.f.node)
		if symbols.IsPrivate(a.f.node) && !used[name] || !a.f.mixes() {
			continue
		}
		inner := name + ".inner"
		for i := 1; defined[inner]; i++ {
			inner = fmt.Sprintf("%s.inner%d", name, i)
		}
		a.f.inner, defined[inner] = inner, true
	}
}

// mixes reports a function with a result that is new memory in some runs only, or may be the
// memory of an earlier result.
func (f *function) mixes() bool {
	for i, r := range f.gives {
		if r.flag == either || f.repeats(i) {
			return true
		}
	}
	return false
}

// repeats reports a result that is never new memory, but may be that of an earlier one.
func (f *function) repeats(i int) bool {
	return f.gives[i].flag&yes == 0 && len(f.gives[i].with) > 0 && f.copyable(i)
}

// copyable reports a result of a type that can be allocated.
func (f *function) copyable(i int) bool {
	return f.body.Ctx.Info(f.body.Type(f.body.Yields(ir.Root)[i])).Layout == 0
}

// callInner calls the function that says what is new.
func (r *release) callInner(m *ir.Mirror, n ir.Node, f *function) ir.Value {
	c, v := m.B.Ctx(), n.Old()
	attr, types := n.Attrs(), c.Results(n.Type())
	if f.inner != "" {
		attr = c.With(attr, "callee", c.SymbolAttr(f.inner))
	}
	w := m.B.Must(ir.Call{Def: n.Def(), Attr: attr, Args: m.All(n.Args()), Type: c.Multi(f.outside(types)...)})
	results := m.B.Results(w)
	for k, i := range f.extra() {
		if to := (key{v, i}); r.depends(to) {
			m.Op(memref.Store, results[len(types)+k], r.slots(m)[to])
		}
	}
	if len(types) == 1 {
		return results[0]
	}
	return w
}

// outside lists the types of results with those of the truth values behind them.
func (f *function) outside(types []ir.Type) []ir.Type {
	return append(slices.Clone(types), slices.Repeat([]ir.Type{ir.I1}, len(f.extra()))...)
}

// rebuild makes a function that returns more, and the one that copies, if there is
// to be one.
func (f *function) rebuild(m *ir.Mirror, n ir.Node) ir.Value {
	c := m.B.Ctx()
	in, out, _ := symbols.Signature(n)
	attr := c.With(n.Attrs(), "function_type", c.TypeAttr(c.Func(in, f.outside(out))))
	if a := c.Get(attr, resAttrs); a != 0 {
		none := c.Attr(ir.AttrInfo{Kind: ir.AttrDict})
		attr = c.With(attr, resAttrs, c.ArrayAttr(append(slices.Clone(c.AttrInfo(a).List), slices.Repeat([]ir.Attr{none}, len(f.extra()))...)...))
	}
	if f.inner == "" {
		return m.CopyWith(n, attr)
	}
	attr = c.With(c.With(attr, "sym_name", c.StringAttr(f.inner)), "sym_visibility", c.StringAttr("private"))
	w := m.CopyWith(n, c.WithDiscardable(attr, funcs.Doc, 0))
	b := ir.NewBuilder(c)
	b.Loc = m.B.Loc
	for _, t := range in {
		b.Param(t)
	}
	funcs.Prepare(b, n.Attrs())
	// The inner function returns the old results, then a truth value for each of extra.
	rs := b.Results(funcs.CallTo(b, f.inner, f.outside(out), b.Params(ir.Root)...))
	isNew := make([]bool, len(out))
	for i, r := range f.gives {
		if isNew[i] = r.flag&yes != 0; f.repeats(i) {
			rs[i], isNew[i] = duplicate(b, rs[i]), true
		}
	}
	for k, i := range f.extra() {
		// New memory goes on as it is; else its contents do, in new memory.
		same := func() []ir.Value { return []ir.Value{rs[i]} }
		rs[i] = scf.BuildIf(b, rs[len(out)+k], same, func() []ir.Value { return []ir.Value{duplicate(b, rs[i])} })
	}
	b.Op(funcs.Return, rs[:len(out)]...)
	m.B.Must(ir.Call{Def: n.Def(), Attr: withOwned(c, n.Attrs(), isNew), Graphs: []*ir.Graph{b.Finish()}})
	return w
}

// duplicate is new memory with what other memory holds.
func duplicate(b *ir.Builder, from ir.Value) ir.Value {
	to := memref.BuildAlloc(b, b.Graph().Type(from), 0, memref.OpenDims(b, from)...)
	b.Op(memref.Copy, from, to)
	return to
}
