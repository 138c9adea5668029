package grid

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// A scan is done in three kernels, after what is scanned was collected: each block combines a tile of it; one block scans what
// the tiles have; and each block scans its tile, behind what the tiles before have (Blelloch 1990, "Prefix Sums and Their
// Applications"; Merrill and Garland 2016 save the first read by waiting for other blocks, which we do not).

// components are those of a scan.
func components(g loop.Generator) (out []partial) {
	for k := range g.Types {
		out = append(out, partial{k, g, nil})
	}
	return out
}

// rowsOf are parameters, one for each component.
func (b builder) rowsOf(list []partial) (out []ir.Value) {
	for _, p := range list {
		out = append(out, b.row(p.typ()))
	}
	return out
}

// tileOf reads the elements of the thread in its block's tile; those behind the end are identities.
func (b builder) tileOf(p partial, n, m ir.Value) (xs []ir.Value, at ir.Value) {
	at = b.add(b.times(b.id(device.BlockID, 0), scanTile), b.times(b.id(device.ThreadID, 0), scanEach))
	for k := range int64(scanEach) {
		xs = append(xs, b.inside(p, b.plus(at, k), n, m))
	}
	return xs, at
}

// inside is an element, or the identity behind the last one.
func (b builder) inside(p partial, i, n, m ir.Value) ir.Value {
	return b.choice(b.less(i, n), func() ir.Value { return b.load(m, []ir.Value{i}, 1) }, func() ir.Value { return b.identity(p) })
}

// totalsKernel combines tiles. Its arguments are how many elements there are, the elements, and memory for an element of each tile.
func totalsKernel(c *ir.Context, x loop.Generator) *ir.Graph {
	g, list := newBuilder(c), components(x)
	n := g.Param(ir.Index)
	from, to := g.rowsOf(list), g.rowsOf(list)
	scratch := g.scratches(list)
	sums := make([]ir.Value, len(list))
	for i, p := range list {
		xs, _ := g.tileOf(p, n, from[i])
		sums[i] = xs[0]
		for _, x := range xs[1:] {
			sums[i] = g.combine(p, sums[i], x)
		}
	}
	g.combineBlocks(list, scratch, sums, to, g.id(device.BlockID, 0))
	g.Op(device.Return)
	return g.Finish()
}

// prefix is what the threads of the block before this one have together, and what all have. All threads of the block run it.
func (b builder) prefix(p partial, x, scratch ir.Value) (before, all ir.Value) {
	thread := b.id(device.ThreadID, 0)
	lane, warp := b.modulo(thread, device.WarpSize), b.over(thread, device.WarpSize)
	for n := int64(1); n < device.WarpSize; n *= 2 {
		other := b.passed("up", x, n)
		x = arith.Choose(b.Builder, b.less(lane, b.Index(n)), x, b.combine(p, other, x))
	}
	b.when(arith.CmpI(b.Builder, arith.EQ, lane, b.Index(device.WarpSize-1)), func() { b.store(x, scratch, []ir.Value{warp}, 1) })
	b.barrier()
	before, all = b.identity(p), b.identity(p)
	for k := range int64(blockThreads / device.WarpSize) {
		before = arith.Choose(b.Builder, arith.CmpI(b.Builder, arith.EQ, warp, b.Index(k)), all, before)
		all = b.combine(p, all, b.load(scratch, []ir.Value{b.Index(k)}, 1))
	}
	b.barrier() // before the next one writes there
	left := b.passed("up", x, 1)
	left = arith.Choose(b.Builder, arith.CmpI(b.Builder, arith.EQ, lane, b.Index(0)), b.identity(p), left)
	return b.combine(p, before, left), all
}

// offsetsKernel puts in the place of what each tile has what those before it have: one block goes along them. Its arguments are
// how many there are, and what they have.
func offsetsKernel(c *ir.Context, x loop.Generator) *ir.Graph {
	g, list := newBuilder(c), components(x)
	n := g.Param(ir.Index)
	rows := g.rowsOf(list)
	scratch := g.scratches(list)
	g.loop(g.Index(0), n, g.Index(blockThreads), g.identities(list), func(from ir.Value, carry []ir.Value) (next []ir.Value) {
		i := g.add(from, g.id(device.ThreadID, 0))
		for k, p := range list {
			before, all := g.prefix(p, g.inside(p, i, n, rows[k]), scratch[k])
			g.when(g.less(i, n), func() { g.store(g.combine(p, carry[k], before), rows[k], []ir.Value{i}, 1) })
			next = append(next, g.combine(p, carry[k], all))
		}
		return next
	})
	g.Op(device.Return)
	return g.Finish()
}

// scanKernel scans the tiles in place. Its arguments are how many elements there are, the elements, and what stands before each tile.
func scanKernel(c *ir.Context, x loop.Generator) *ir.Graph {
	g, list := newBuilder(c), components(x)
	n := g.Param(ir.Index)
	rows, offsets := g.rowsOf(list), g.rowsOf(list)
	scratch := g.scratches(list)
	for k, p := range list {
		xs, at := g.tileOf(p, n, rows[k])
		own := xs[0]
		for _, x := range xs[1:] {
			own = g.combine(p, own, x)
		}
		before, _ := g.prefix(p, own, scratch[k])
		sum := g.combine(p, g.load(offsets[k], []ir.Value{g.id(device.BlockID, 0)}, 1), before)
		for i, x := range xs {
			sum = g.combine(p, sum, x)
			to := g.plus(at, int64(i))
			g.when(g.less(to, n), func() { g.store(sum, rows[k], []ir.Value{to}, 1) })
		}
	}
	g.Op(device.Return)
	return g.Finish()
}
