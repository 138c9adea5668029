package grid

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// Groups are found by a table in which rounds look for their key from where its hash says, by compare-and-swap: a place holds the number
// of the round that came there first in time, whose key all others of the place have. Of each place the lowest round is noted, so that groups get
// numbers in the order in which their keys first appear, whatever came first in time. What groups reduce are integers, which are combined
// atomically, in any order; all else is combined after the rounds are sorted by groups (sorted.go).

// atomics are the kinds of memref.atomic_rmw for ways to combine integers.
var atomics = map[loop.Combine]int64{loop.ByAdd: 1, loop.ByMax: 4, loop.ByMin: 7, loop.ByOr: 11, loop.ByAnd: 12}

// canGroup says what kernels have against a bucket.
func canGroup(c *ir.Context, x loop.Generator) string {
	for _, t := range x.Types {
		if !c.IsInt(t) || c.Info(t).Width > 64 {
			return "groups by other than integers"
		}
	}
	for _, in := range x.Inner {
		if in.Kind != loop.ReduceKind {
			return "makes of groups what kernels do not: " + in.Kind.String()
		}
		if why := canCombine(c, in); why != "" {
			return why
		}
	}
	return ""
}

// A grouping is a bucket, of which some rounds may have no tuple.
type grouping struct {
	loop.Generator
	isFiltered bool
	operators  []operator // by which groups are reduced
}

// grouping is generator i, which is a bucket, with what its kernels need to know.
func (l *gridLoop) grouping(i int) grouping {
	return grouping{l.list[i], l.isFiltered(i), l.inner[i]}
}

// isAtomic reports what atomics do of a group: numbers one by one, and the order of rounds is nothing to them.
func (x grouping) isAtomic(c *ir.Context, k int) bool {
	_, ok := atomics[x.Inner[k].By]
	return ok && !slices.ContainsFunc(x.Inner[k].Types, func(t ir.Type) bool { return !c.IsInt(t) })
}

// sorted is the operator of all that atomics do not, and which of the values it is of; ok is false if there is none.
func (x grouping) sorted(c *ir.Context) (o operator, at []int, ok bool) {
	var list []operator
	next := 0
	for k, in := range x.Inner {
		if !x.isAtomic(c, k) {
			list = append(list, x.operators[k])
			for i := range in.Types {
				at = append(at, next+i)
			}
		}
		next += len(in.Types)
	}
	return together(list...), at, len(list) > 0
}

// bucketRows are parameters of kernels for what rounds have written down for a bucket: keys, what goes to its groups, and flags if it is filtered.
type bucketRows struct {
	keys, values []ir.Value
	flags        ir.Value
}

// bucketRows adds these parameters, in the order in which launches pass them.
func (b builder) bucketRows(x grouping) (r bucketRows) {
	r.keys, r.values = b.rows(x.Types), b.rows(x.Tuple()[len(x.Types):])
	if x.isFiltered {
		r.flags = b.row(ir.Index)
	}
	return r
}

// has is whether a round has a tuple; 0 if each has.
func (b builder) has(r bucketRows, i ir.Value) ir.Value {
	if r.flags == 0 {
		return 0
	}
	return b.Less(b.Index(0), b.Load(r.flags, i))
}

// eachOf runs body for the rounds that have a tuple.
func (b builder) eachOf(n ir.Value, r bucketRows, body func(i ir.Value)) {
	b.each(n, func(i ir.Value) { b.When(b.has(r, i), func() { body(i) }) })
}

// ofEach stores a number for each round: that of body, or another one for rounds without a tuple.
func (b builder) ofEach(n ir.Value, r bucketRows, to, other ir.Value, body func(i ir.Value) ir.Value) {
	b.each(n, func(i ir.Value) {
		x := ir.Value(0)
		if is := b.has(r, i); is == 0 {
			x = body(i)
		} else {
			x = b.Where(is, func() ir.Value { return body(i) }, func() ir.Value { return other })
		}
		b.Store(x, to, i)
	})
}

// lowest is the lowest round of a round's place.
func (b builder) lowest(place, first, i ir.Value) ir.Value {
	return b.index(b.Load(first, b.Load(place, i)))
}

// wide is a number as hashes and atomics have it, and index as memory is indexed.
func (b builder) wide(x ir.Value) ir.Value  { return b.WidenSigned(x, ir.I64) }
func (b builder) index(x ir.Value) ir.Value { return b.WidenSigned(x, ir.Index) }

// hash is a place of so many for keys: Fibonacci hashing (Knuth, volume 3, section 6.4).
func (b builder) hash(keys []ir.Value, places ir.Value) ir.Value {
	i64 := func(n int64) ir.Value { return b.Int(ir.I64, n) }
	h := i64(0)
	for _, k := range keys {
		h = b.Mul(b.Xor(h, b.wide(k)), i64(-7046029254386353131)) // 2^64 by the golden ratio
		h = b.Xor(h, b.Shr(h, i64(29)))
	}
	return b.Op(arith.Remui, b.index(h), places)
}

// placesKernel finds the place of each round's key. Its arguments are how many rounds and places there are, what rounds have, the rounds of
// places, -1 of none, the lowest of these, and memory for the place of each round.
func placesKernel(c *ir.Context, x grouping) *ir.Graph {
	g := newBuilder(c)
	n, places := g.Param(ir.Index), g.Param(ir.Index)
	rows := g.bucketRows(x)
	table, first, to := g.row(ir.I64), g.row(ir.I64), g.row(ir.Index)
	none := g.Int(ir.I64, -1)
	g.eachOf(n, rows, func(i ir.Value) {
		keys, me := g.loads(rows.keys, i), g.wide(i)
		// Probing is linear. More than twice as many places as rounds leave one free, where it ends.
		at := g.Until([]ir.Value{g.hash(keys, places)}, func(args []ir.Value) (ir.Value, []ir.Value) {
			old := g.Op(device.AtomicCAS, none, me, table, args[0])
			// A place that was free is this round's; else it is that of the round which took it.
			who := g.index(g.Choose(g.Is(arith.EQ, old, none), me, old))
			other := g.Int(ir.I1, 0)
			for k, m := range rows.keys {
				other = g.Or(other, g.Is(arith.NE, g.Load(m, who), keys[k]))
			}
			return other, args
		}, func(args []ir.Value) []ir.Value {
			next := g.Plus(args[0], 1)
			return []ir.Value{g.Choose(g.Less(next, places), next, g.Index(0))}
		})[0]
		g.atomic(loop.ByMin, me, first, at)
		g.Store(at, to, i)
	})
	return g.End()
}

// atomic combines an element with a number.
func (b builder) atomic(by loop.Combine, x, m, at ir.Value) {
	b.OpAttr(memref.AtomicRMW, b.Ctx().With(0, "kind", b.Ctx().IntAttr(atomics[by], ir.I64)), x, m, at)
}

// headsKernel flags the rounds in which a key appears first. Its arguments are how many rounds there are, what they have, their places, the lowest
// rounds of places, and memory for the flags.
func headsKernel(c *ir.Context, x grouping) *ir.Graph {
	g := newBuilder(c)
	n, rows := g.Param(ir.Index), g.bucketRows(x)
	place, first, to := g.row(ir.Index), g.row(ir.I64), g.row(ir.Index)
	g.ofEach(n, rows, to, g.Index(0), func(i ir.Value) ir.Value {
		return g.one(g.Is(arith.EQ, g.lowest(place, first, i), i))
	})
	return g.End()
}

// groupsKernel stores the keys of groups, and reduces by atomics what these do. Its arguments are how many rounds there are, what they have, their
// places, the lowest rounds of places, how many groups have appeared up to each round, and memory for the keys of groups and for what they reduce,
// identities at first.
func groupsKernel(c *ir.Context, x grouping) *ir.Graph {
	g := newBuilder(c)
	n, rows := g.Param(ir.Index), g.bucketRows(x)
	place, first, scan := g.row(ir.Index), g.row(ir.I64), g.row(ir.Index)
	x.isFiltered = false
	to := g.bucketRows(x)
	g.eachOf(n, rows, func(i ir.Value) {
		// Groups are numbered by the rounds in which their keys appear first, whichever thread came first.
		low := g.lowest(place, first, i)
		group := g.before(scan, low)
		g.When(g.Is(arith.EQ, low, i), func() { g.stores(g.loads(rows.keys, i), to.keys, group) })
		k := 0
		for at, in := range x.Inner {
			for range in.Types {
				if x.isAtomic(c, at) {
					g.atomic(in.By, g.Load(rows.values[k], i), to.values[k], group)
				}
				k++
			}
		}
	})
	return g.End()
}

// fillKernel makes all elements a number. Its arguments are how many there are, it, and they.
func fillKernel(c *ir.Context, t ir.Type) *ir.Graph {
	g := newBuilder(c)
	n, x, to := g.Param(ir.Index), g.Param(t), g.row(t)
	g.each(n, func(i ir.Value) { g.Store(x, to, i) })
	return g.End()
}

// bucketKernels are the names of what groups need.
type bucketKernels struct {
	places, heads, groups string
	fill                  map[ir.Type]string
	sorted                sortedKernels
}

// newBucketKernels makes the kernels of a bucket: places and what atomics reduce begin as one number, for
// whose types fill is made.
func newBucketKernels(add func(what string, body *ir.Graph) string, c *ir.Context, x grouping) (k bucketKernels) {
	k.places, k.heads, k.groups = add("places", placesKernel(c, x)), add("heads", headsKernel(c, x)), add("groups", groupsKernel(c, x))
	k.fill = map[ir.Type]string{ir.I64: add("fill", fillKernel(c, ir.I64))}
	for i, in := range x.Inner {
		for _, t := range in.Types {
			if x.isAtomic(c, i) {
				k.fill[t] = add("fill", fillKernel(c, t))
			}
		}
	}
	if o, _, ok := x.sorted(c); ok {
		k.sorted = newSortedKernels(add, c, x, o)
	}
	return k
}

// filled is memory of the device with one number in all elements.
func (h *loopHost) filled(b *ir.Builder, k bucketKernels, t ir.Type, size, x ir.Value) ir.Value {
	m := rowsOn(b, []ir.Type{t}, size)[0]
	h.start(b, k.fill[t], h.blocksFor(b, size, 1), []ir.Value{size, x, m})
	return m
}

// group makes groups of what rounds have written down: their keys, and then what they reduce, of n groups.
func (h *loopHost) group(b *ir.Builder, names loopKernels, x grouping, size ir.Value, rows []ir.Value) (out []ir.Value, n ir.Value) {
	k, c := names.bucket, b.Ctx()
	places := arith.AddI(b, arith.AddI(b, size, size), b.Index(1))
	table := h.filled(b, k, ir.I64, places, arith.ConstInt(b, ir.I64, -1))
	first := h.filled(b, k, ir.I64, places, arith.ConstInt(b, ir.I64, math.MaxInt64))
	of := rowsOn(b, []ir.Type{ir.Index, ir.Index}, size)
	place, heads := of[0], of[1]
	blocks := h.blocksFor(b, size, 1)
	h.start(b, k.places, blocks, slices.Concat([]ir.Value{size, places}, rows, []ir.Value{table, first, place}))
	h.start(b, k.heads, blocks, slices.Concat([]ir.Value{size}, rows, []ir.Value{place, first, heads}))
	n = h.count(b, names.counted, size, heads)
	out = rowsOn(b, x.Types, n)
	for i, in := range x.Inner {
		for _, t := range in.Types {
			if x.isAtomic(c, i) {
				out = append(out, h.filled(b, k, t, n, b.Const(t, in.By.Identity(c, t))))
			} else {
				out = append(out, rowsOn(b, []ir.Type{t}, n)...)
			}
		}
	}
	h.start(b, k.groups, blocks, slices.Concat([]ir.Value{size}, rows, []ir.Value{place, first, heads}, out))
	if o, at, ok := x.sorted(c); ok {
		var from, to []ir.Value
		for _, i := range at {
			from, to = append(from, rows[len(x.Types)+i]), append(to, out[len(x.Types)+i])
		}
		s := &sorter{h, b, k.sorted, names.counted.scan, size, blocks}
		numbers, order := s.sort(slices.Concat(rows, []ir.Value{place, first, heads}), n)
		s.reduce(o, numbers, order, from, n, to)
	}
	return out, n
}
