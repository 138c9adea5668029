package grid

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// Products of f16 and bf16 by tensor cores: tiles of both operands are copied to shared memory as they lie in memory, those of
// the next step while the warps multiply these, and come from there as fragments, transposed on the way where
// they must be.

const (
	stages   = 2  // tiles in shared memory, of either operand
	fragment = 16 // rows of A's and C's
	matrix   = 8  // rows of what ldmatrix loads, and columns of B's fragment and C's
)

// mmaTile is that of a block: by warps of 64 x 32, of which there are two by four.
func (p *product) mmaTile() tile {
	return tile{rows: 128, columns: 128, depth: 4 * p.chunk(), perRow: 64, perColumn: 32, warps: true}
}

// chunk is how many elements a copy of 16 bytes has, and a row of what ldmatrix loads.
func (p *product) chunk() int64 {
	if p.tf32 {
		return 4
	}
	return 8
}

// pads is how many elements are between the rows of a tile in shared memory, so that neither the rows that ldmatrix loads
// nor the elements that threads load by themselves are in the same banks.
func (p *product) pads(operand int) int64 {
	if p.alongK(operand) {
		return p.chunk()
	}
	return 8
}

// A warper makes the kernel of a product by warps.
type warper struct {
	builder
	*product
	t        tile
	memory   [3]ir.Value
	epilogue *mapping // or nil
	shared   [2]ir.Value
	thread   ir.Value
	lane     ir.Value
	batchAt  ir.Value
	from     [2]ir.Value
	warpFrom [2]ir.Value // the first row and column of the warp's part of the tile
}

// alongK reports an operand whose summed index is the last in memory.
func (p *product) alongK(operand int) bool { return p.in[operand].last() == p.in[operand].k }

// warpKernel makes the kernel.
func (p *product) warpKernel(c *ir.Context, t tile) *ir.Graph {
	g := &warper{builder: newBuilder(c), product: p, t: t}
	g.memory, g.epilogue = p.params(g.builder)
	g.begin()
	g.finish(g.along())
	g.Op(device.Return)
	return g.Finish()
}

func (g *warper) begin() {
	g.thread = g.id(device.ThreadID, 0)
	g.from = [2]ir.Value{g.times(g.id(device.BlockID, 1), g.t.rows), g.times(g.id(device.BlockID, 0), g.t.columns)}
	g.batchAt = g.Index(0)
	if g.out.batch >= 0 {
		g.batchAt = g.id(device.BlockID, 2)
	}
	for i, x := range []int64{g.t.rows, g.t.columns} {
		rows, columns := g.t.depth, x
		if g.alongK(i) {
			rows, columns = x, g.t.depth
		}
		g.shared[i] = g.builder.shared(g.operand, stages, rows, columns+g.pads(i))
	}
	across := g.t.columns / g.t.perColumn
	warp := g.over(g.thread, device.WarpSize)
	g.lane = g.modulo(g.thread, device.WarpSize)
	g.warpFrom = [2]ir.Value{g.times(g.over(warp, across), g.t.perRow), g.times(g.modulo(warp, across), g.t.perColumn)}
}

// along goes along what is summed over: the copies of the next tiles are under way while these are multiplied.
func (g *warper) along() []ir.Value {
	zero := arith.Zero(g.Builder, g.Ctx().Vector([]int64{2, 2}, ir.F32))
	sums := make([]ir.Value, g.t.perRow/fragment*(g.t.perColumn/matrix))
	for i := range sums {
		sums[i] = zero
	}
	number := func(n int64) ir.Value { return arith.ConstInt(g.Builder, ir.I32, n) }
	g.fetch(g.Index(0), g.Index(0))
	g.group()
	return g.loop(number(g.t.depth), number(g.k+g.t.depth), number(g.t.depth), sums, func(next ir.Value, sums []ir.Value) []ir.Value {
		at := arith.Cast(g.Builder, arith.IndexCastui, next, ir.Index)
		stage := g.modulo(g.over(at, g.t.depth), stages)
		g.when(g.less(next, number(g.k)), func() { g.fetch(stage, at) })
		g.wait(g.group(), stages-1)
		g.barrier()
		sums = g.multiply(g.Op(arith.Xori, stage, g.Index(1)), sums)
		g.barrier()
		return sums
	})
}

// fetch begins to copy the tiles at k.
func (g *warper) fetch(stage, k ir.Value) {
	for i, x := range []int64{g.t.rows, g.t.columns} {
		for n := range x * g.t.depth / g.chunk() / g.t.threads() {
			v := g.plus(g.thread, n*g.t.threads())
			inRow := g.t.depth / g.chunk() // chunks of a row of the tile
			if !g.alongK(i) {
				inRow = x / g.chunk()
			}
			row, column := g.over(v, inRow), g.times(g.modulo(v, inRow), g.chunk())
			atX, atK, last := column, row, g.chunk()
			if g.alongK(i) {
				atX, atK, last = row, column, 1
			}
			fromX, fromK := g.add(g.from[i], atX), g.add(k, atK)
			if extent := []int64{g.m, g.n}[i]; extent%x != 0 { // nothing comes of other rows and columns
				fromX = g.Op(arith.Minsi, fromX, g.Index(extent-last))
			}
			var read ir.Value
			if g.k%g.t.depth != 0 {
				inside := g.less(fromK, g.Index(g.k))
				read = arith.Choose(g.Builder, inside, g.Index(g.chunk()), g.Index(0))
				fromK = arith.Choose(g.Builder, inside, fromK, g.Index(0))
			}
			g.copyAsync(g.shared[i], []ir.Value{stage, row, column}, g.memory[i], g.in[i].at(g.batchAt, fromX, fromK), g.chunk(), read)
		}
	}
}

// load is a fragment of 16 x 16 (of tf32 16 x 8) of an operand at x and k: of A one, of B two, beside each other. Thread 8 m + r
// says where row r of matrix m is: of A the second one is below the first, of B to its right along k.
func (g *warper) load(operand int, stage, x ir.Value, k int64) ir.Value {
	if g.tf32 && !g.alongK(operand) {
		return g.gather(operand, stage, x, k)
	}
	m, r := g.over(g.lane, matrix), g.modulo(g.lane, matrix)
	alongX, alongK := g.modulo(m, 2), g.over(m, 2)
	if operand == 1 {
		alongX, alongK = alongK, alongX
	}
	if g.alongK(operand) {
		row, column := g.add(g.add(x, g.times(alongX, matrix)), r), g.plus(g.times(alongK, g.chunk()), k)
		return g.ldmatrix(g.shared[operand], []ir.Value{stage, row, column}, false)
	}
	row, column := g.add(g.plus(g.times(alongK, matrix), k), r), g.add(x, g.times(alongX, matrix))
	return g.ldmatrix(g.shared[operand], []ir.Value{stage, row, column}, true)
}

// gather is load of elements that ldmatrix does not transpose: each thread loads its own, as the fragments of f32 have them.
func (g *warper) gather(operand int, stage, x ir.Value, k int64) ir.Value {
	c := g.Ctx()
	v := arith.Zero(g.Builder, c.Vector([]int64{4, 1}, g.operand))
	for i := range int64(4) {
		alongX, alongK := i%2, i/2
		if operand == 1 {
			alongX, alongK = alongK, alongX
		}
		row, column := g.plus(g.modulo(g.lane, 4), k+4*alongK), g.add(g.plus(x, matrix*alongX), g.over(g.lane, 4))
		v = g.withElement(g.builder.load(g.shared[operand], []ir.Value{stage, row, column}, 1), v, i)
	}
	return v
}

func (g *warper) multiply(stage ir.Value, sums []ir.Value) []ir.Value {
	for k := int64(0); k < g.t.depth; k += 2 * g.chunk() {
		var a, b []ir.Value
		for x := int64(0); x < g.t.perRow; x += fragment {
			a = append(a, g.load(0, stage, g.plus(g.warpFrom[0], x), k))
		}
		for x := int64(0); x < g.t.perColumn; x += fragment {
			both := g.load(1, stage, g.plus(g.warpFrom[1], x), k)
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

// finish writes the sums: of each fragment a thread has two neighbours in two rows.
func (g *warper) finish(sums []ir.Value) {
	columns := int(g.t.perColumn / matrix)
	row := g.add(g.add(g.from[0], g.warpFrom[0]), g.over(g.lane, 4))
	column := g.add(g.add(g.from[1], g.warpFrom[1]), g.times(g.modulo(g.lane, 4), 2))
	for i := range g.t.perRow / fragment {
		for h := range int64(2) {
			at := g.plus(row, i*fragment+h*matrix)
			var inRows ir.Value
			if g.m%g.t.rows != 0 {
				inRows = g.less(at, g.Index(g.m))
			}
			g.when(inRows, func() {
				for j := range columns {
					col := g.plus(column, int64(j)*matrix)
					var inColumns ir.Value
					if g.n%g.t.columns != 0 {
						inColumns = g.less(col, g.Index(g.n))
					}
					pair := vector.BuildLane(g.Builder, sums[int(i)*columns+j], h)
					if g.elem != ir.F32 {
						pair = arith.Cast(g.Builder, arith.Truncf, pair, g.Ctx().Vector([]int64{2}, g.elem))
					}
					g.when(inColumns, func() { g.put(pair, 2, g.memory[2], g.out.at(g.batchAt, at, col), g.epilogue) })
				}
			})
		}
	}
}
