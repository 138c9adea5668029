package fuse

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// LLVM runs a loop in vectors, several rounds at once, if all of it can be: a map in the loop of a
// scan, of a sum that has an order, or of a hash table is computed number by number. Where that is
// much work it is dearer than the array between two loops, and they stay two.

// vectors notes whether a loop by itself runs in vectors, and how many operations its body has.
func (x *region) vectors(l *member) {
	l.vector = !l.readsMem
	for k, gen := range l.gens {
		switch e := l.emits[k]; {
		case gen.Kind == loop.CollectKind && e == 0:
		case gen.Kind != loop.ReduceKind || gen.By == loop.ByRegion || e != 0 && !loop.AtMostOne(x.g, e):
			l.vector = false
		case !gen.Reassoc && x.floats(gen.Types):
			l.vector = false
		}
	}
	x.numeric(l, x.g.Regions(l.v)[0])
}

// floats reports a float among types: sums of floats have an order unless reassociation is allowed.
func (x *region) floats(ts []ir.Type) bool {
	return slices.ContainsFunc(ts, x.g.Ctx.IsFloat)
}

// numeric counts the operations of a region, and looks for what has no vectors: what may trap,
// elements at a computed place, values that are no numbers, loops.
func (x *region) numeric(l *member, r ir.Region) {
	g := x.g
	for _, v := range x.s.Body(r) {
		def := g.Def(v)
		switch {
		case def.Has(ir.ConstantLike) || def.Has(ir.Terminator) || def == loop.Emit || def == loop.None || def == loop.Seq:
			continue
		case def == scf.If:
			for _, in := range g.Regions(v) {
				x.numeric(l, in)
			}
		case def == loop.At:
			l.vector = l.vector && x.inTurn(l, g.Args(v)[1])
		case def.Has(ir.Partial) || def.Eval == nil || len(g.Regions(v)) > 0:
			l.vector = false
		default:
			l.work += int(special.Operations(def))
		}
		for _, t := range g.Ctx.Results(g.Type(v)) {
			l.vector = l.vector && (loop.IsEmit(g.Ctx, t) || g.Ctx.Info(t).Width > 0 || t == ir.Index)
		}
	}
}

// inTurn reports an index of elements that are side by side in rounds that are: the loop's, or a
// sum with it.
func (x *region) inTurn(l *member, index ir.Value) bool {
	g := x.g
	return index == l.index || (g.Def(index) == arith.Addi || g.Def(index) == arith.Subi) && (g.Args(index)[0] == l.index || g.Args(index)[1] == l.index)
}

// scalar is what it costs that loop l in cluster k, or what is there, runs in vectors no more.
func (m *model) scalar(l, k int, p *plan) float64 {
	x, c := m.loops[l], p.clusters[k]
	// An operation of a vector takes a share of one of a number; the rest is lost.
	lost := 1 - m.lanes.Share()
	switch {
	case c.vector && !x.vector:
		sum := 0.0
		for _, j := range c.members {
			sum += m.rounds(m.loops[j].key) * float64(m.loops[j].work)
		}
		return sum * lost
	case !c.vector && x.vector:
		return m.rounds(x.key) * float64(x.work) * lost
	}
	return 0
}
