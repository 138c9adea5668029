package gpu

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// longest is how long a sum may be whose loop counts in 32 bits, which takes a GPU half the instructions.
const longest = 1 << 30

// byThreads makes what threads do that multiply by themselves.
func (g *block) byThreads() {
	g.placeOf(g.thread, [2]int64{g.w, g.w})
	sums := g.along()
	var rows, columns []int64 // in groups of w, between which those of the other threads lie
	for r := range g.per[0] {
		rows = append(rows, g.group(0, r/g.w)+r%g.w)
	}
	for c := range g.per[1] / g.w {
		columns = append(columns, g.group(1, c))
	}
	g.finish(rows, columns, g.w, func(r, c int) ir.Value { return sums[r*len(columns)+c] })
}

// group is how far the n-th vector of a thread is from its first, along rows or columns.
func (g *block) group(i int, n int64) int64 { return n * (g.Size[i] / (g.per[i] / g.w)) }

// along goes along what is summed over and returns the sums of the thread, row by row, in vectors.
func (g *block) along() []ir.Value {
	zero := arith.Zero(g.Builder, g.Ctx().Vector([]int64{g.w}, g.elem))
	sums := make([]ir.Value, g.per[0]*g.per[1]/g.w)
	for i := range sums {
		sums[i] = zero
	}
	step := g.Index(g.depth)
	if g.k == ir.Dynamic || g.k == 0 || g.k > longest { // there may be nothing to fetch
		return g.ForStep(g.Index(0), g.deep, step, sums, func(k ir.Value, sums []ir.Value) []ir.Value {
			g.keep(g.fetch(k))
			g.Barrier()
			sums = g.multiply(sums)
			g.Barrier()
			return sums
		})
	}
	// What the next step needs is fetched before this one's work; the last one fetches the first again.
	first := g.fetch(g.Index(0))
	n := len(sums)
	return g.steps(append(sums, first...), func(next ir.Value, carried []ir.Value) []ir.Value {
		g.keep(carried[n:])
		g.Barrier()
		next = g.Choose(g.Less(next, g.Int(ir.I32, g.k)), next, g.Int(ir.I32, 0))
		fetched := g.fetch(g.Widen(next, ir.Index))
		sums := g.multiply(carried[:n])
		g.Barrier()
		return append(sums, fetched...)
	})[:n]
}

// steps makes the loop along a sum of known length. Its number, in 32 bits, is where the next step begins.
func (g *block) steps(carried []ir.Value, body func(next ir.Value, carried []ir.Value) []ir.Value) []ir.Value {
	number := func(n int64) ir.Value { return g.Int(ir.I32, n) }
	return g.ForStep(number(g.depth), number(g.k+g.depth), number(g.depth), carried, body)
}

// wide are the pieces of an operand, vectors where these are aligned.
func (g *block) wide(i int) []piece {
	extent := g.k
	if !g.alongK(i) {
		extent = g.extent[i]
	}
	// Rows of a multiple of w elements keep vectors aligned, and none crosses the end of a row.
	if extent != ir.Dynamic && extent%g.w == 0 && g.In[i].last() != g.In[i].Batch {
		return g.pieces(i, g.w)
	}
	return g.pieces(i, 1)
}

// fetch reads the thread's pieces of both tiles at k.
func (g *block) fetch(k ir.Value) (out []ir.Value) {
	for i := range g.In {
		for _, p := range g.wide(i) {
			at, inside := g.source(i, p, k)
			v := g.Read(g.memory[i], at, int(p.w))
			if inside != 0 {
				v = g.Choose(inside, v, arith.Zero(g.Builder, g.Graph().Type(v)))
			}
			out = append(out, v)
		}
	}
	return out
}

// keep stores the pieces to shared memory, where the summed index comes first.
func (g *block) keep(values []ir.Value) {
	for i := range g.In {
		for _, p := range g.wide(i) {
			v := values[0]
			values = values[1:]
			if !g.alongK(i) {
				g.Write(v, g.shared[i], []ir.Value{p.k, p.x}, int(p.w))
				continue
			}
			for l := range p.w {
				g.Write(g.Lane(v, int(l), int(p.w)), g.shared[i], []ir.Value{g.Plus(p.k, l), p.x}, 1)
			}
		}
	}
}

// multiply adds what the tiles in shared memory come to.
func (g *block) multiply(sums []ir.Value) []ir.Value {
	for k := range g.depth {
		var in [2][]ir.Value // vectors of both operands
		for i := range in {
			for n := range g.per[i] / g.w {
				at := []ir.Value{g.Index(k), g.Plus(g.own[i], g.group(i, n))}
				in[i] = append(in[i], g.Read(g.shared[i], at, int(g.w)))
			}
		}
		next := make([]ir.Value, 0, len(sums))
		for r := range g.per[0] {
			x := vector.BuildBroadcast(g.Builder, g.Lane(in[0][r/g.w], int(r%g.w), int(g.w)), g.w)
			for _, y := range in[1] {
				next = append(next, g.FMA(x, y, sums[len(next)]))
			}
		}
		sums = next
	}
	return sums
}
