package gpu

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/grid/kernel"
)

// Products of f16 and bf16 by tensor cores: tiles of both operands are copied to shared memory as they lie in memory,
// those of the next step while the warps multiply these. They come from there as fragments, transposed on the way where
// they must be.

const (
	stages   = 2  // tiles in shared memory, of either operand
	fragment = 16 // rows of A's and C's
	matrix   = 8  // rows of what ldmatrix loads, and columns of B's fragment and C's
)

// mmaTile is that of a block: by warps of 64 x 32, of which there are two by four.
func (p *Product) mmaTile() Tile {
	return Tile{Size: [2]int64{128, 128}, depth: 4 * p.chunk(), per: [2]int64{64, 32}, warps: true}
}

// chunk is how many elements a copy of 16 bytes has, and a row of what ldmatrix loads.
func (p *Product) chunk() int64 {
	if p.tf32 {
		return 4
	}
	return 8
}

// pad is how many elements are between the rows of an operand's tile in shared memory: what is accessed at once lies in
// different banks. That is a column, which threads write where they transpose the operand, the rows that ldmatrix loads,
// and the elements that threads load by themselves.
func (p *Product) pad(operand int) int64 {
	switch {
	case p.Tile.warps && p.alongK(operand):
		return p.chunk()
	case p.Tile.warps:
		return 8
	case p.alongK(operand):
		return int64(kernel.VectorBytes / p.node.Graph().Ctx.ElemSize(p.operand))
	}
	return 0
}

// byWarps makes what warps do that multiply by tensor cores. Of each fragment of sums a thread has two neighbours in two
// rows.
func (g *block) byWarps() {
	warp := g.Over(g.thread, device.WarpSize)
	g.lane = g.Modulo(g.thread, device.WarpSize)
	g.placeOf(warp, g.per)
	sums := g.alongAsync()
	// Of a fragment of C a thread has row lane/4, columns 2(lane%4) and the next (PTX ISA, mma.m16n8k16).
	g.from[0] = g.Add(g.Add(g.from[0], g.own[0]), g.Over(g.lane, 4))
	g.from[1] = g.Add(g.Add(g.from[1], g.own[1]), g.Times(g.Modulo(g.lane, 4), 2))
	g.own = [2]ir.Value{g.Index(0), g.Index(0)}
	var rows, columns []int64
	for r := int64(0); r < g.per[0]; r += fragment / 2 {
		rows = append(rows, r)
	}
	for c := int64(0); c < g.per[1]; c += matrix {
		columns = append(columns, c)
	}
	g.finish(rows, columns, 2, func(r, c int) ir.Value {
		pair := vector.BuildLane(g.Builder, sums[r/2*len(columns)+c], int64(r%2))
		if g.elem != ir.F32 {
			pair = arith.Cast(g.Builder, arith.Truncf, pair, g.Ctx().Vector([]int64{2}, g.elem))
		}
		return pair
	})
}

// alongAsync goes along what is summed over: the copies of the next tiles are under way while these are multiplied.
func (g *block) alongAsync() []ir.Value {
	zero := arith.Zero(g.Builder, g.Ctx().Vector([]int64{2, 2}, ir.F32))
	sums := make([]ir.Value, g.per[0]/fragment*(g.per[1]/matrix))
	for i := range sums {
		sums[i] = zero
	}
	g.copyTiles(g.Index(0), g.Index(0))
	g.commit()
	return g.steps(sums, func(next ir.Value, sums []ir.Value) []ir.Value {
		at := g.Widen(next, ir.Index)
		stage := g.Modulo(g.Over(at, g.depth), stages)
		g.When(g.Less(next, g.Int(ir.I32, g.k)), func() { g.copyTiles(stage, at) })
		// The last step commits an empty group, so that wait may always leave the same number under way.
		g.wait(g.commit(), stages-1)
		g.Barrier()
		// There are two stages: the one that is multiplied is not the one being filled.
		sums = g.multiplyFragments(g.Xor(stage, g.Index(1)), sums)
		g.Barrier()
		return sums
	})
}

// copyTiles begins to copy the tiles at k.
func (g *block) copyTiles(stage, k ir.Value) {
	for i := range g.In {
		for _, p := range g.pieces(i, g.chunk()) {
			at, inside := g.source(i, p, k)
			read, to := ir.Value(0), []ir.Value{stage, p.k, p.x}
			if inside != 0 {
				read = g.Choose(inside, g.Index(g.chunk()), g.Index(0))
			}
			if g.alongK(i) {
				to = []ir.Value{stage, p.x, p.k}
			}
			g.copyAsync(g.shared[i], to, g.memory[i], at, g.chunk(), read)
		}
	}
}

// load is a fragment of 16 x 16 (of tf32 16 x 8) of an operand at x and k: of A one, of B two, beside each other. Thread
// 8 m + r says where row r of matrix m is: of A the second one is below the first, of B to its right along k.
func (g *block) load(operand int, stage, x ir.Value, k int64) ir.Value {
	if g.tf32 && !g.alongK(operand) {
		return g.gather(operand, stage, x, k)
	}
	m, r := g.Over(g.lane, matrix), g.Modulo(g.lane, matrix)
	alongX, alongK := g.Modulo(m, 2), g.Over(m, 2)
	if operand == 1 {
		alongX, alongK = alongK, alongX
	}
	if g.alongK(operand) {
		row, column := g.Add(g.Add(x, g.Times(alongX, matrix)), r), g.Plus(g.Times(alongK, g.chunk()), k)
		return g.ldmatrix(g.shared[operand], []ir.Value{stage, row, column}, false)
	}
	row, column := g.Add(g.Plus(g.Times(alongK, matrix), k), r), g.Add(x, g.Times(alongX, matrix))
	return g.ldmatrix(g.shared[operand], []ir.Value{stage, row, column}, true)
}

// gather is load of elements that ldmatrix does not transpose: each thread loads its own, as the fragments of f32 have
// them.
func (g *block) gather(operand int, stage, x ir.Value, k int64) ir.Value {
	c := g.Ctx()
	v := arith.Zero(g.Builder, c.Vector([]int64{4, 1}, g.operand))
	for i := range int64(4) {
		alongX, alongK := i%2, i/2
		if operand == 1 {
			alongX, alongK = alongK, alongX
		}
		row, column := g.Plus(g.Modulo(g.lane, 4), k+4*alongK), g.Add(g.Plus(x, matrix*alongX), g.Over(g.lane, 4))
		v = g.withElement(g.Read(g.shared[operand], []ir.Value{stage, row, column}, 1), v, i)
	}
	return v
}

// multiplyFragments adds what the tiles of a stage come to.
func (g *block) multiplyFragments(stage ir.Value, sums []ir.Value) []ir.Value {
	for k := int64(0); k < g.depth; k += 2 * g.chunk() {
		var a, b []ir.Value
		for x := int64(0); x < g.per[0]; x += fragment {
			a = append(a, g.load(0, stage, g.Plus(g.own[0], x), k))
		}
		for x := int64(0); x < g.per[1]; x += fragment {
			both := g.load(1, stage, g.Plus(g.own[1], x), k)
			b = append(b, g.part(both, 0), g.part(both, 2))
		}
		next := make([]ir.Value, 0, len(sums))
		for i := range a {
			for j := range b {
				next = append(next, g.mma(a[i], b[j], sums[i*len(b)+j], g.tf32))
			}
		}
		sums = next
	}
	return sums
}
