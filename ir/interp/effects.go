package interp

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
)

// What stands in the place of an operand: output, and anything at all.
const (
	printing = -1 - iota
	anything
)

// Declares reports that an op declares an effect on the memory of an operand, or on output where that is -1. It is asked of the op alone, on
// operands that are memory of their own: then an effect on another operand is another resource. Where nothing is known of
// the op, or of the operand as memory, it holds if it may.
func (o *Op) Declares(operand int, kind ir.EffectKind) bool {
	b := ir.NewBuilder(o.G.Ctx)
	call := ir.Call{Def: o.Def, Attr: o.G.AttrsOf(o.V), Type: o.G.Type(o.V)}
	on, known := ir.IO, operand == printing
	for i, a := range o.G.Args(o.V) {
		p := b.Param(o.G.Type(a))
		if o.G.Ctx.Info(o.G.Type(a)).Kind == ir.KindMemRef {
			if own := b.Own(p); i == operand {
				on, known = own, true
			}
		}
		call.Args = append(call.Args, p)
	}
	v, err := b.Make(call)
	if err != nil {
		return true
	}
	g := b.Graph()
	if !g.IsOp(v) || g.Def(v) != o.Def {
		return true // a rule made something else of it
	}
	return slices.ContainsFunc(g.Effects()(v), func(e ir.Effect) bool { return e.Kind >= kind && (!known || g.MayAlias(e.On, on)) })
}

// observed watches one run of an op without regions: what it does to the memory of its operands, and what it prints and
// allocates. What functions do that it calls is theirs.
type observed struct {
	m           *Machine
	o           *Op
	depth, nest int // of the machine as the op begins
	outer       *observed
	memories    []*touched
	prints      bool
	allocates   bool
}

// touched is memory of operands, and what is done to it.
type touched struct {
	by            *observed
	of            *Memory
	was           observer
	freed         bool // before
	reads, writes bool
}

// Access is told of an access.
func (t *touched) Access(b *Buffer, i int, write bool) {
	if t.was != nil {
		t.was.Access(b, i, write)
	}
	if t.by.itself() {
		t.reads, t.writes = t.reads || !write, t.writes || write
	}
}

// itself reports that what happens is done by the op, and not by a function that it calls.
func (x *observed) itself() bool { return x.m.depth == x.depth && x.m.nest == x.nest }

// observe begins to watch an op.
func (m *Machine) observe(o *Op, args []ir.Val) *observed {
	x := &observed{m: m, o: o, depth: m.depth, nest: m.nest, outer: m.observed}
	m.observed = x
	for _, a := range args {
		r, ok := a.Ref.(*MemRef)
		if !ok || slices.ContainsFunc(x.memories, func(t *touched) bool { return t.of == r.Buf.Memory }) {
			continue
		}
		t := &touched{by: x, of: r.Buf.Memory, was: r.Buf.watcher, freed: r.Buf.Freed}
		x.memories = append(x.memories, t)
		t.of.observe(t)
	}
	return x
}

// end ends the watch.
func (x *observed) end() {
	x.m.observed = x.outer
	for _, t := range x.memories {
		t.of.observe(t.was)
	}
}

// An effect is one that an op may declare.
type effect struct {
	o    *Op
	on   int // an operand, printing or anything
	kind ir.EffectKind
}

// declared is which effects ops declare, of those that they were asked about.
type declared map[effect]bool

func (d declared) has(o *Op, on int, kind ir.EffectKind) bool {
	e := effect{o, on, kind}
	yes, asked := d[e]
	if !asked {
		yes = o.Declares(on, kind)
		d[e] = yes
	}
	return yes
}

// undeclared says which effect the op had that it does not declare, or "".
func (x *observed) undeclared(args []ir.Val, d declared) string {
	for _, t := range x.memories {
		for _, e := range []struct {
			had  bool
			kind ir.EffectKind
			does string
		}{{!t.freed && t.of.Freed, ir.Free, "frees"}, {t.writes, ir.Write, "writes"}, {t.reads, ir.Read, "reads"}} {
			if !e.had {
				continue
			}
			if k := t.undeclared(args, e.kind, d); k >= 0 {
				return fmt.Sprintf("%s the memory of operand #%d, and its Effects do not say so", e.does, k)
			}
		}
	}
	switch {
	case x.prints && !d.has(x.o, printing, ir.Write):
		return "prints, and its Effects do not write ir.IO"
	case x.allocates && !x.o.Def.Has(ir.Unique) && !d.has(x.o, anything, ir.Write):
		return "allocates memory, and is not Unique: two of them become one"
	}
	return ""
}

// undeclared is an operand that is the memory if no such operand has an effect of a kind, or -1: of operands that are
// the same memory one is enough.
func (t *touched) undeclared(args []ir.Val, kind ir.EffectKind, d declared) int {
	of := -1
	for k, a := range args {
		if r, ok := a.Ref.(*MemRef); ok && r.Buf.Memory == t.of {
			if d.has(t.by.o, k, kind) {
				return -1
			}
			of = k
		}
	}
	return of
}
