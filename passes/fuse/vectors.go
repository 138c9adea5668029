package fuse

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special/opcost"
	"github.com/irc-lang/irc/ir"
)

// LLVM runs a loop in vectors, several rounds at once, if all of it can be: a map in the loop of a
// scan, of a sum that has an order, or of a hash table is computed number by number. Where that is
// much work it is dearer than the array between two loops, and they stay two.

// An effort is what a round of a loop by itself takes, from which follows what is lost where it becomes part of another.
type effort struct {
	ops    int  // of the loop, those of loops in it too
	work   int  // operations on numbers, of its body
	vector bool // LLVM runs it in vectors
}

// count notes whether a loop by itself runs in vectors, and how many operations its body has.
func (w *effort) count(x *region, l *member) {
	w.vector = !l.readsMem
	for k, gen := range l.gens {
		switch e := l.emits[k]; {
		case gen.Kind == loop.CollectKind && e == 0:
		case gen.Kind != loop.ReduceKind || gen.By == loop.ByRegion || e != 0 && !loop.AtMostOne(x.g, e):
			w.vector = false
		case !gen.Reassoc && x.floats(gen.Types):
			w.vector = false
		}
	}
	w.numeric(x, l.index, x.g.Regions(l.v)[0])
}

// floats reports a float among types: sums of floats have an order unless reassociation is allowed.
func (x *region) floats(ts []ir.Type) bool {
	return slices.ContainsFunc(ts, x.g.Ctx.IsFloat)
}

// numeric counts the operations of a region, and looks for what has no vectors: what may trap,
// elements at a computed place, values that are no numbers, loops.
func (w *effort) numeric(x *region, index ir.Value, r ir.Region) {
	g := x.g
	for _, v := range x.s.Body(r) {
		def := g.Def(v)
		switch {
		case def.Has(ir.ConstantLike) || def.Has(ir.Terminator) || def == loop.Emit || def == loop.None || def == loop.Seq:
			continue
		case def == scf.If:
			for _, in := range g.Regions(v) {
				w.numeric(x, index, in)
			}
		case def == loop.At:
			w.vector = w.vector && x.inTurn(index, g.Args(v)[1])
		case def.Has(ir.Partial) || def.Eval == nil || len(g.Regions(v)) > 0:
			w.vector = false
		default:
			w.work += int(opcost.Of(def))
		}
		for _, t := range g.Ctx.Results(g.Type(v)) {
			w.vector = w.vector && (loop.IsEmit(g.Ctx, t) || g.Ctx.Info(t).Width > 0 || t == ir.Index)
		}
	}
}

// inTurn reports an index of elements that are side by side in rounds that are: that of the loop, or a
// sum with it.
func (x *region) inTurn(own, index ir.Value) bool {
	g := x.g
	return index == own || (g.Def(index) == arith.Addi || g.Def(index) == arith.Subi) && (g.Args(index)[0] == own || g.Args(index)[1] == own)
}

// scalar is what it costs that loop l in cluster k, or what is there, runs in vectors no more.
func (m *model) scalar(l, k int, p *plan) float64 {
	x, c := m.loops[l], p.clusters[k]
	// An operation of a vector takes a share of one of a number; the rest is lost.
	lost := 1 - m.lanes.Share()
	switch {
	case c.vector && !x.effort.vector:
		sum := 0.0
		for _, j := range c.members {
			sum += m.rounds(m.loops[j].key) * float64(m.loops[j].effort.work)
		}
		return sum * lost
	case !c.vector && x.effort.vector:
		return m.rounds(x.key) * float64(x.effort.work) * lost
	}
	return 0
}
