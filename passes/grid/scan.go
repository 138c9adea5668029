package grid

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/ir"
)

// A scan is done in three kernels, after what is scanned was collected: each block combines a tile of it; one block scans what
// the tiles have; and each block scans its tile, behind what the tiles before have (Blelloch 1990, "Prefix Sums and Their
// Applications"; Merrill and Garland 2016 save the first read by waiting for other blocks, which we do not). Tuples stay in their
// order, so that operators need not commute.

// tileOf reads the tuples of the thread in its block's tile; those behind the end are identities.
func (b builder) tileOf(o operator, n ir.Value, ms []ir.Value) (xs [][]ir.Value, at ir.Value) {
	at = b.Add(b.Times(b.ID(device.BlockID, 0), scanTile), b.Times(b.ID(device.ThreadID, 0), scanEach))
	for k := range int64(scanEach) {
		xs = append(xs, b.inside(o, b.Plus(at, k), n, ms))
	}
	return xs, at
}

// all is what tuples come to.
func (b builder) all(o operator, xs [][]ir.Value) []ir.Value {
	sum := xs[0]
	for _, x := range xs[1:] {
		sum = o.combine(b, sum, x)
	}
	return sum
}

// totalsKernel combines tiles. Its arguments are how many tuples there are, they, and memory for one of each tile.
func totalsKernel(c *ir.Context, o operator) *ir.Graph {
	g := newBuilder(c)
	n := g.Param(ir.Index)
	from, to := g.rows(o.types), g.rows(o.types)
	scratch := g.scratches(o)
	xs, _ := g.tileOf(o, n, from)
	g.combineBlocks(o, scratch, g.all(o, xs), to, g.ID(device.BlockID, 0))
	return g.End()
}

// prefix is what the threads of the block before this one have together, and what all have. All threads of the block run it; once
// they have, a barrier has to stand before the next one.
func (b builder) prefix(o operator, x, scratch []ir.Value) (before, all []ir.Value) {
	thread := b.ID(device.ThreadID, 0)
	lane, warp := b.Modulo(thread, device.WarpSize), b.Over(thread, device.WarpSize)
	for n := int64(1); n < device.WarpSize; n *= 2 {
		own, others := x, b.passedAll("up", x, n)
		x = b.If(b.Less(lane, b.Index(n)), func() []ir.Value { return own }, func() []ir.Value { return o.combine(b, others, own) })
	}
	b.When(b.Is(arith.EQ, lane, b.Index(device.WarpSize-1)), func() { b.stores(x, scratch, warp) })
	b.Barrier()
	before, all = o.identity(b), o.identity(b)
	for k := range int64(blockWarps) {
		before = b.chooseAll(b.Is(arith.EQ, warp, b.Index(k)), all, before)
		all = o.combine(b, all, b.loads(scratch, b.Index(k)))
	}
	left := b.chooseAll(b.IsZero(lane), o.identity(b), b.passedAll("up", x, 1))
	return o.combine(b, before, left), all
}

// offsetsKernel puts in the place of what each tile has what those before it have: one block goes along them. Its arguments are
// how many there are, and what they have.
func offsetsKernel(c *ir.Context, o operator) *ir.Graph {
	g := newBuilder(c)
	n := g.Param(ir.Index)
	rows := g.rows(o.types)
	scratch := g.scratches(o)
	g.ForStep(g.Index(0), n, g.Index(blockThreads), o.identity(g), func(from ir.Value, carry []ir.Value) []ir.Value {
		i := g.Add(from, g.ID(device.ThreadID, 0))
		before, all := g.prefix(o, g.inside(o, i, n, rows), scratch)
		g.When(g.Less(i, n), func() { g.stores(o.combine(g, carry, before), rows, i) })
		g.Barrier() // before the next ones write what these read
		return o.combine(g, carry, all)
	})
	return g.End()
}

// scanKernel scans the tiles in place. Its arguments are how many tuples there are, they, and what stands before each tile.
func scanKernel(c *ir.Context, o operator) *ir.Graph {
	g := newBuilder(c)
	n := g.Param(ir.Index)
	rows, offsets := g.rows(o.types), g.rows(o.types)
	scratch := g.scratches(o)
	xs, at := g.tileOf(o, n, rows)
	before, _ := g.prefix(o, g.all(o, xs), scratch)
	sum := o.combine(g, g.loads(offsets, g.ID(device.BlockID, 0)), before)
	for i, x := range xs {
		sum = o.combine(g, sum, x)
		to := g.Plus(at, int64(i))
		g.When(g.Less(to, n), func() { g.stores(sum, rows, to) })
	}
	return g.End()
}

// scanKernels are the names of the kernels of a scan: totals, offsets, scan.
type scanKernels [3]string

// newScan makes the three kernels in the order in which scanWith launches them.
func newScan(add func(what string, body *ir.Graph) string, c *ir.Context, o operator) scanKernels {
	return scanKernels{add("totals", totalsKernel(c, o)), add("offsets", offsetsKernel(c, o)), add("scan", scanKernel(c, o))}
}

// scan scans rows of so many tuples in place.
func (h *loopHost) scan(b *ir.Builder, names scanKernels, o operator, size ir.Value, rows []ir.Value) {
	tiles := b.Op(arith.Ceildivui, size, b.Index(scanTile))
	h.scanWith(b, names, size, rows, tiles, rowsOn(b, o.types, tiles))
}

// scanWith is scan with memory for a tuple of each tile.
func (h *loopHost) scanWith(b *ir.Builder, names scanKernels, size ir.Value, rows []ir.Value, tiles ir.Value, totals []ir.Value) {
	both := append(append([]ir.Value{size}, rows...), totals...)
	h.start(b, names[0], tiles, both)
	h.start(b, names[1], b.Index(1), append([]ir.Value{tiles}, totals...))
	h.start(b, names[2], tiles, both)
}
