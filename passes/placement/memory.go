package placement

import (
	"slices"
	"sync"

	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// functionOf knows of no memory yet: launches adds it. Whether the function is alone is found out when it is
// asked.
func functionOf(n ir.Node) *function {
	g := n.Children()[0]
	f := &function{n: n, name: symbols.Of(n), g: g, s: ir.ScheduleOf(g), bases: map[ir.Value]*base{}, users: map[ir.Value][]*kernel{},
		refused: map[ir.Value]string{}, around: map[ir.Value]bool{}, events: map[ir.Value]*event{}}
	f.alone = sync.OnceValue(f.isAlone)
	return f
}

// isHost reports memory of the host.
func isHost(c *ir.Context, t ir.Type) bool {
	space, ok := device.Space(c, t)
	return ok && space == 0 && c.Info(t).Kind == ir.KindMemRef
}

// inSpace is a type of memory in the space of the device.
func inSpace(c *ir.Context, t ir.Type) ir.Type {
	info := *c.Info(t)
	info.Space = c.IntAttr(device.GlobalSpace, ir.I64)
	return c.Type(info)
}

// rootOf is what views are of.
func rootOf(g *ir.Graph, v ir.Value) ir.Value {
	for {
		if _, _, ok := g.Param(v); ok {
			return v
		}
		if _, _, ok := g.Projection(v); ok {
			return v
		}
		view, ok := ir.As[ir.ViewLike](g.NodeOf(v))
		if !ok {
			return v
		}
		v = view.Source
	}
}

// root is rootOf in the function's graph.
func (f *function) root(v ir.Value) ir.Value { return rootOf(f.g, v) }

// use makes a base of memory that a launch uses, or refuses it.
func (f *function) use(v ir.Value) {
	if f.bases[v] != nil || f.refused[v] != "" {
		return
	}
	b := &base{v: v, number: len(f.order), private: true}
	r, i, param := f.g.Param(v)
	info := f.g.Ctx.Info(f.g.Type(v))
	switch {
	case param && r == ir.Root:
		b.param, b.private = true, f.isNoAlias(i)
	case param || f.g.IsOp(v) && f.g.Def(v) != memref.Alloc && f.g.Def(v) != memref.Alloca:
		f.refused[v] = "is neither allocated in the function nor an argument of it"
		return
	}
	if info.Layout != 0 || info.Unranked {
		f.refused[v] = "has a layout of its own"
		return
	}
	f.bases[v] = b
	f.order = append(f.order, b)
}

// refuse keeps memory on the host. The first reason stays.
func (f *function) refuse(v ir.Value, why string) {
	if f.bases[v] != nil {
		delete(f.bases, v)
		f.refused[v] = why
	}
}

// isNoAlias reports that nothing else refers to what a parameter does: it says so, or it is the only memory that is
// passed, and nothing is called.
func (f *function) isNoAlias(i int) bool {
	c := f.g.Ctx
	if a := f.n.Attr("arg_attrs"); a != 0 && i < len(c.AttrInfo(a).List) {
		for _, e := range c.AttrInfo(c.AttrInfo(a).List[i]).Dict {
			if e.Name == funcs.NoAlias {
				return true
			}
		}
	}
	return f.alone()
}

// isAlone reports a function that is passed one memory, calls nothing and knows no globals.
func (f *function) isAlone() bool {
	memory := 0
	for _, p := range f.g.Params(ir.Root) {
		if f.g.Ctx.Info(f.g.Type(p)).Kind == ir.KindMemRef {
			memory++
		}
	}
	alone := memory == 1
	for v := range f.s.All() {
		_, calls := ir.As[ir.CallLike](f.g.NodeOf(v))
		alone = alone && (!calls || f.g.Def(v) == device.Launch) && f.g.Def(v) != memref.GetGlobal
	}
	return alone
}

// check refuses memory of which not all accesses are seen.
func (f *function) check() {
	for _, b := range f.order {
		if !b.private {
			f.refuse(b.v, "may be what another argument is: llvm.noalias says that it is not")
		}
	}
	for v := range f.s.All() {
		n := f.g.NodeOf(v)
		for _, a := range f.g.Args(v) {
			b := f.bases[f.root(a)]
			if b == nil {
				continue
			}
			if n.Def() == memref.Dealloc {
				b.freed = true
			} else if !f.isSeen(n) {
				f.refuse(b.v, "is used by "+n.Def().Name+", which hands it on")
			}
		}
	}
}

// isSeen reports an op that does no more with memory than can be seen.
func (f *function) isSeen(n ir.Node) bool {
	c := f.g.Ctx
	if n.Def() == device.Launch || n.Def() == funcs.Return {
		return true
	}
	if _, ok := ir.As[ir.ViewLike](n); ok {
		return true
	}
	if _, ok := ir.As[ir.AccessLike](n); ok {
		return true
	}
	if _, ok := ir.As[ir.CallLike](n); ok && n.Def() == funcs.Call {
		return !slices.ContainsFunc(c.Results(n.Type()), func(t ir.Type) bool { return c.Info(t).Kind == ir.KindMemRef })
	}
	return false
}
