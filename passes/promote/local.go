package promote

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
)

// The ops that memory may be used by, besides loads and stores, and become values.
var (
	allocations = []*ir.OpDef{memref.Alloc, memref.Alloca}
	views       = []*ir.OpDef{memref.Cast, memref.Subview, memref.Transpose, memref.CollapseShape, memref.ExpandShape, memref.ReinterpretCast}
	mentions    = []*ir.OpDef{memref.Dealloc, memref.AssumeAlignment, memref.Prefetch} // mean nothing without memory
)

// local is the memory that a graph allocates, that does not escape, and all of whose
// accesses are to elements known now. Every use is looked at, and what is not known
// to be harmless lets the memory escape.
type local struct {
	s      *ir.Schedule
	g      *ir.Graph
	size   map[ir.Value]int64 // the elements of an allocation
	memory []ir.Value         // by node: the allocation that it is a view of, or 0
	at     map[ir.Value]int64 // by load and store: the element, in row-major order
	copies []ir.Value         // copies from or to it; none if a copy lets memory escape
	split  bool               // a copy may become loads and stores
}

// findLocal finds the local memory of a graph among allocations of at most limit
// elements; nil if there is none. With split it may be copied.
func findLocal(g *ir.Graph, limit int64, split bool) *local {
	if g.IsVerbatim() || !anyOp(g, allocations) {
		return nil
	}
	l := &local{s: ir.ScheduleOf(g), g: g,
		size: map[ir.Value]int64{}, memory: make([]ir.Value, g.Len()), at: map[ir.Value]int64{}, split: split}
	for v := range l.s.All() {
		if slices.Contains(allocations, g.Def(v)) {
			if n := l.elements(v); n > 0 && n <= limit {
				l.size[v], l.memory[v] = n, v
			}
			continue
		}
		for k, a := range g.Args(v) {
			if m := l.memory[a]; m != 0 && !l.use(v, k, m) {
				delete(l.size, m)
			}
		}
	}
	return l.forget()
}

// of is the local memory that an op allocates, views or is about, or 0.
func (l *local) of(v ir.Value) ir.Value {
	if m := l.memory[v]; m != 0 {
		return m
	}
	switch def := l.g.Def(v); {
	case def == memref.Store:
		return l.memory[l.g.Args(v)[1]]
	case def == memref.Load, slices.Contains(mentions, def):
		return l.memory[l.g.Args(v)[0]]
	}
	return 0
}

// localRules adds a rule for ops that are about local memory, as found in each graph.
func localRules[T interface{ of(ir.Value) ir.Value }](rules ir.Rules, found map[*ir.Graph]T, do func(x T, m *ir.Mirror, n ir.Node, memory ir.Value) ir.Value, defs ...*ir.OpDef) {
	for _, def := range defs {
		rules[def] = func(m *ir.Mirror, n ir.Node) ir.Value {
			x, ok := found[n.Graph()]
			if !ok {
				return 0
			}
			if memory := x.of(n.Old()); memory != 0 {
				return do(x, m, n, memory)
			}
			return 0
		}
	}
}

// forget leaves out what is seen to be no local memory; nil if nothing is left.
func (l *local) forget() *local {
	if len(l.size) == 0 {
		return nil
	}
	for v, m := range l.memory {
		if l.size[m] == 0 {
			l.memory[v] = 0
		}
	}
	for v := range l.at {
		if l.of(v) == 0 {
			delete(l.at, v)
		}
	}
	l.copies = slices.DeleteFunc(l.copies, func(v ir.Value) bool {
		args := l.g.Args(v)
		return l.memory[args[0]] == 0 && l.memory[args[1]] == 0
	})
	return l
}

// anyOp reports that a graph has a node of one of some ops.
func anyOp(g *ir.Graph, defs []*ir.OpDef) bool {
	for v := 1; v < g.Len(); v++ {
		if slices.Contains(defs, g.Def(ir.Value(v))) {
			return true
		}
	}
	return false
}

// elements is the number of elements of an allocation, if they are numbers of a
// static shape in rows in the usual memory; else 0.
func (l *local) elements(v ir.Value) int64 {
	info := l.g.Ctx.Info(l.g.Type(v))
	switch l.g.Ctx.Info(info.Elem).Kind {
	case ir.KindMemRef, ir.KindOpaque, ir.KindTensor:
		return 0
	}
	if len(l.g.Args(v)) > 0 || info.Layout != 0 || info.Space != 0 {
		return 0
	}
	n := int64(1)
	for _, extent := range info.Shape {
		if extent <= 0 || n > 1<<30/extent {
			return 0
		}
		n = ir.Times(n, extent)
	}
	return n
}

// use notes a use of memory m as operand k of v; false if that lets it escape.
func (l *local) use(v ir.Value, k int, m ir.Value) bool {
	args, def := l.g.Args(v), l.g.Def(v)
	switch {
	case def == memref.Load && k == 0, def == memref.Store && k == 1:
		at, ok := l.place(args[k], args[k+1:])
		l.at[v] = at
		return ok && at >= 0 && at < l.size[m]
	case def == memref.Copy && l.split:
		l.copies = append(l.copies, v)
		return l.inside(args[k], m) && l.sameShape(args[0], args[1])
	case slices.Contains(views, def) && k == 0:
		l.memory[v] = m
		return true
	}
	return slices.Contains(mentions, def)
}

// place is which element of an allocation a view of it has at constant indices. The
// layout of a view's type tells that by itself: it counts from the allocation's start.
func (l *local) place(view ir.Value, indices []ir.Value) (at int64, ok bool) {
	strides, at, ok := l.layout(view)
	if !ok {
		return 0, false
	}
	for i, extent := range l.g.Ctx.Info(l.g.Type(view)).Shape {
		x, ok := l.g.Const(indices[i])
		if !ok || x.Ref != nil || x.Bits >= uint64(extent) || x.Bits > far {
			return 0, false
		}
		at += int64(x.Bits) * strides[i]
	}
	return at, true
}

// far bounds offsets, strides and indices, so that places do not overflow.
const far = 1 << 28

// layout returns the strides and the offset of a view, if they are static.
func (l *local) layout(view ir.Value) (strides []int64, offset int64, ok bool) {
	strides, offset, ok = layouts.Layout(l.g.Ctx, l.g.Type(view))
	for _, n := range append([]int64{offset}, strides...) {
		ok = ok && n > -far && n < far // ir.Dynamic is farther
	}
	return strides, offset, ok
}

// inside reports a view of static shape that lies within its memory.
func (l *local) inside(view, memory ir.Value) bool {
	at, ok := l.places(view)
	return ok && (len(at) == 0 || slices.Min(at) >= 0 && slices.Max(at) < l.size[memory])
}

// places lists which elements of an allocation a view of it has, in row-major order.
func (l *local) places(view ir.Value) ([]int64, bool) {
	strides, offset, ok := l.layout(view)
	if !ok {
		return nil, false
	}
	out := []int64{offset}
	for i, extent := range l.g.Ctx.Info(l.g.Type(view)).Shape {
		if extent < 0 || ir.Times(extent, int64(len(out))) > l.size[l.memory[view]] {
			return nil, false
		}
		var next []int64
		for _, at := range out {
			for k := range extent {
				next = append(next, at+k*strides[i])
			}
		}
		out = next
	}
	return out, true
}

// sameShape reports two memrefs of one static shape.
func (l *local) sameShape(x, y ir.Value) bool {
	a, b := l.g.Ctx.Info(l.g.Type(x)), l.g.Ctx.Info(l.g.Type(y))
	return !a.Unranked && !b.Unranked && slices.Equal(a.Shape, b.Shape) && !slices.Contains(a.Shape, ir.Dynamic)
}
