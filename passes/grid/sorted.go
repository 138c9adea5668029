package grid

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// What atomics do not reduce, or in no fixed order, is reduced after the rounds are sorted by the numbers of their groups, those of a group
// in their order: bit by bit, the rounds without it go before those with it, by a scan of these (Blelloch 1990, "Prefix Sums and
// Their Applications", section 1.3). Then one scan, which begins anew with each group, has at the last round of a group what all of it come to.
// The order in which rounds are combined follows from their number and their groups, on any device; a group may have all rounds,
// or each its own.

// numbersKernel numbers rounds by groups. Its arguments are how many rounds and groups there are, what rounds have, their places, the lowest rounds of
// places, how many groups have appeared up to each round, and memory for the number of each round's group, that of groups if it has none, and for
// its own.
func numbersKernel(c *ir.Context, x grouping) *ir.Graph {
	g := newBuilder(c)
	n, groups, rows := g.Param(ir.Index), g.Param(ir.Index), g.bucketRows(x)
	place, first, scan := g.row(ir.Index), g.row(ir.I64), g.row(ir.Index)
	to, order := g.row(ir.Index), g.row(ir.Index)
	g.ofEach(n, rows, to, groups, func(i ir.Value) ir.Value { return g.before(scan, g.lowest(place, first, i)) })
	g.each(n, func(i ir.Value) { g.Store(i, order, i) })
	return g.End()
}

// bitKernel flags the numbers that have a bit. Its arguments are how many there are, which bit, the numbers, and memory for the flags.
func bitKernel(c *ir.Context) *ir.Graph {
	g := newBuilder(c)
	n, bit, numbers, to := g.Param(ir.Index), g.Param(ir.Index), g.row(ir.Index), g.row(ir.Index)
	g.each(n, func(i ir.Value) {
		x := g.Shr(g.Load(numbers, i), bit)
		g.Store(g.And(x, g.Index(1)), to, i)
	})
	return g.End()
}

// splitKernel moves numbers, and what goes with them, behind those that are not flagged if they are. Its arguments are how many there are, the scan of
// their flags, both, and memory for both.
func splitKernel(c *ir.Context) *ir.Graph {
	g := newBuilder(c)
	n, scan := g.Param(ir.Index), g.row(ir.Index)
	both := []ir.Type{ir.Index, ir.Index}
	from, to := g.rows(both), g.rows(both)
	g.each(n, func(i ir.Value) {
		ones := g.before(scan, i)
		zeros := g.Sub(n, g.Load(scan, g.Plus(n, -1)))
		is := g.Less(ones, g.Load(scan, i))
		at := g.Choose(is, g.Add(zeros, ones), g.Sub(i, ones))
		g.stores(g.loads(from, i), to, at)
	})
	return g.End()
}

// gatherKernel makes the tuples that are scanned. Its arguments are how many rounds there are, the numbers of their groups, sorted, their own,
// values of rounds, and memory for a flag where a group begins, and for the values in this order.
func gatherKernel(c *ir.Context, o operator) *ir.Graph {
	g := newBuilder(c)
	n, numbers, order := g.Param(ir.Index), g.row(ir.Index), g.row(ir.Index)
	from, to := g.rows(o.types), g.rows(o.segmented().types)
	g.each(n, func(i ir.Value) {
		begins := g.isOther(numbers, i, g.Less(g.Index(0), i), -1)
		flag := g.Choose(begins, g.Int(ir.I32, 1), g.Int(ir.I32, 0))
		g.stores(append([]ir.Value{flag}, g.loads(from, g.Load(order, i))...), to, i)
	})
	return g.End()
}

// isOther reports a number that is not its neighbour's, or has none.
func (b builder) isOther(numbers, i, hasNeighbour ir.Value, to int64) ir.Value {
	return b.Where(hasNeighbour, func() ir.Value {
		return b.Is(arith.NE, b.Load(numbers, i), b.Load(numbers, b.Plus(i, to)))
	}, func() ir.Value { return arith.ConstBool(b.Builder, true) })
}

// endsKernel takes what groups come to. Its arguments are how many rounds and groups there are, the numbers of the rounds' groups, sorted, the scan, and
// memory for what each group comes to.
func endsKernel(c *ir.Context, o operator) *ir.Graph {
	g := newBuilder(c)
	n, groups, numbers := g.Param(ir.Index), g.Param(ir.Index), g.row(ir.Index)
	scan, to := g.rows(o.types), g.rows(o.types)
	g.each(n, func(i ir.Value) {
		group := g.Load(numbers, i)
		ends := g.isOther(numbers, i, g.Less(g.Plus(i, 1), n), 1)
		g.When(g.And(ends, g.Less(group, groups)), func() { g.stores(g.loads(scan, i), to, group) })
	})
	return g.End()
}

// sortedKernels are the names of what groups need that are reduced after a sort.
type sortedKernels struct {
	numbers, bit, split, gather, ends string
	scan                              scanKernels
}

// newSortedKernels makes the kernels of a radix sort by group, and of a segmented scan along its result.
func newSortedKernels(add func(what string, body *ir.Graph) string, c *ir.Context, x grouping, o operator) sortedKernels {
	return sortedKernels{add("numbers", numbersKernel(c, x)), add("bit", bitKernel(c)), add("split", splitKernel(c)), add("gather", gatherKernel(c, o)), add("ends", endsKernel(c, o)), newScan(add, c, o.segmented())}
}

// A sorter sorts rounds by groups, and reduces these.
type sorter struct {
	*loopHost
	b            *ir.Builder
	names        sortedKernels
	flags        scanKernels // counts them
	size, blocks ir.Value
}

// sort gives the numbers of groups in order, and rounds in this order. found is what rounds have and where groups were found; there are n of them.
func (s *sorter) sort(found []ir.Value, n ir.Value) (numbers, order ir.Value) {
	b := s.b
	both := []ir.Type{ir.Index, ir.Index}
	own, other, flags := rowsOn(b, both, s.size), rowsOn(b, both, s.size), rowsOn(b, []ir.Type{ir.Index}, s.size)
	tiles := b.Op(arith.Ceildivui, s.size, b.Index(scanTile))
	totals := rowsOn(b, []ir.Type{ir.Index}, tiles)
	s.start(b, s.names.numbers, s.blocks, slices.Concat([]ir.Value{s.size, n}, found, own))
	pass := func(bit ir.Value, from, to []ir.Value) {
		s.start(b, s.names.bit, s.blocks, []ir.Value{s.size, bit, from[0], flags[0]})
		s.scanWith(b, s.flags, s.size, flags, tiles, totals)
		s.start(b, s.names.split, s.blocks, slices.Concat([]ir.Value{s.size}, flags, from, to))
	}
	// The highest number is n. Two bits in a round, so that all is back where it was.
	zeros := arith.Cast(b, arith.IndexCast, b.Op(math.Ctlz, arith.Cast(b, arith.IndexCast, n, ir.I64)), ir.Index)
	scf.BuildFor(b, b.Index(0), arith.SubI(b, b.Index(64), zeros), b.Index(2), nil, func(bit ir.Value, _ []ir.Value) []ir.Value {
		pass(bit, own, other)
		pass(arith.AddI(b, bit, b.Index(1)), other, own)
		return nil
	})
	return own[0], own[1]
}

// reduce combines the values of rounds by groups.
func (s *sorter) reduce(o operator, numbers, order ir.Value, from []ir.Value, n ir.Value, to []ir.Value) {
	tuples := rowsOn(s.b, o.segmented().types, s.size)
	s.start(s.b, s.names.gather, s.blocks, slices.Concat([]ir.Value{s.size, numbers, order}, from, tuples))
	s.scan(s.b, s.names.scan, o.segmented(), s.size, tuples)
	s.start(s.b, s.names.ends, s.blocks, slices.Concat([]ir.Value{s.size, n, numbers}, tuples[1:], to))
}
