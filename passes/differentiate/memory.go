package differentiate

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// tape holds a value of each round of the loops around it.
type tape struct {
	memory ir.Value
	loops  []*loop // outermost first
}

// loopsAround lists the loops around a region, outermost first.
func (p *plan) loopsAround(r ir.Region) (out []*loop) {
	for ; r != ir.Root; r = p.g.Parent(r) {
		if l := p.loops[r]; l != nil {
			out = append([]*loop{l}, out...)
		}
	}
	return out
}

// position is where a tape has the value of these rounds.
func (f *frame) position(t *tape) []ir.Value {
	at := make([]ir.Value, len(t.loops))
	for i, l := range t.loops {
		x := f
		for x.region != l.Body {
			x = x.up
		}
		at[i] = x.round
	}
	return at
}

// shadow is the memory of the adjoints of a memory's elements.
func (f *frame) shadow(memory ir.Value) ir.Value {
	if s := f.shadows[memory]; s != 0 {
		return s
	}
	view, _ := ir.As[ir.ViewLike](f.g.NodeOf(memory))
	source := f.shadow(view.Source)
	var args []ir.Value
	for _, x := range f.g.Args(memory) {
		if x == view.Source {
			args = append(args, source)
		} else {
			args = append(args, f.value(x))
		}
	}
	return f.repeat(memory, args...)
}

// allocate makes the shadow of what an op allocates, all zeros.
func (f *frame) allocate(v ir.Value, a ir.Allocation) {
	var sizes []ir.Value
	for _, x := range a.Sizes {
		sizes = append(sizes, f.value(x))
	}
	s := memref.BuildOwned(f.b, f.g.Type(v), 0, sizes...)
	f.shadows[v] = s
	eachElement(f.b, s, func(at []ir.Value) {
		f.b.Op(memref.Store, append([]ir.Value{arith.Zero(f.b, f.g.Ctx.Info(f.g.Type(v)).Elem), s}, at...)...)
	})
}

// eachElement makes loops over the elements of a memory.
func eachElement(b *ir.Builder, memory ir.Value, do func(at []ir.Value)) {
	shape := b.Ctx().Info(b.Graph().Type(memory)).Shape
	var nest func(at []ir.Value)
	nest = func(at []ir.Value) {
		d := len(at)
		if d == len(shape) {
			do(at)
			return
		}
		size := b.Index(shape[d])
		if shape[d] == ir.Dynamic {
			size = b.Op(memref.Dim, memory, b.Index(int64(d)))
		}
		scf.BuildFor(b, b.Index(0), size, b.Index(1), nil, func(iv ir.Value, _ []ir.Value) []ir.Value {
			nest(append(at[:d:d], iv))
			return nil
		})
	}
	nest(nil)
}

// rounds is how often a loop runs, an index, and what its index is in a round.
func (f *frame) rounds(l *loop) (n ir.Value, at func(round ir.Value) ir.Value) {
	return roundsOf(f.b, f.g, l, f.value)
}

// roundsOf is rounds where values are those of now.
func roundsOf(b *ir.Builder, g *ir.Graph, l *loop, now func(ir.Value) ir.Value) (n ir.Value, at func(round ir.Value) ir.Value) {
	t := g.Type(l.Indices[0])
	bound := func(x ir.Bound) ir.Value {
		if x.Value != 0 {
			return now(x.Value)
		}
		return b.Const(t, ir.Val{Bits: uint64(x.Const)})
	}
	lower, upper, step := bound(l.Lower[0]), bound(l.Upper[0]), bound(l.Step[0])
	one, zero := b.Const(t, ir.Val{Bits: 1}), b.Const(t, ir.Val{})
	length := arith.SubI(b, upper, lower)
	if l.Inclusive {
		length = arith.AddI(b, length, one)
	}
	length = b.Op(arith.Maxsi, length, zero)
	n = b.Op(arith.Ceildivsi, length, step)
	at = func(round ir.Value) ir.Value {
		if t != ir.Index {
			round = arith.Cast(b, arith.IndexCast, round, t)
		}
		return arith.AddI(b, lower, arith.MulI(b, round, step))
	}
	if t != ir.Index {
		n = arith.Cast(b, arith.IndexCast, n, ir.Index)
	}
	return n, at
}

// round is the number of a round of a loop whose index is given.
func roundOf(b *ir.Builder, g *ir.Graph, l *loop, now func(ir.Value) ir.Value) ir.Value {
	t := g.Type(l.Indices[0])
	bound := func(x ir.Bound) ir.Value {
		if x.Value != 0 {
			return now(x.Value)
		}
		return b.Const(t, ir.Val{Bits: uint64(x.Const)})
	}
	k := b.Op(arith.Divsi, arith.SubI(b, now(l.Indices[0]), bound(l.Lower[0])), bound(l.Step[0]))
	if t != ir.Index {
		k = arith.Cast(b, arith.IndexCast, k, ir.Index)
	}
	return k
}
