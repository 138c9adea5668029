package grid

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/grid/kernel"
)

const (
	blockThreads = 256 // of a block of a loop
	blockWarps   = blockThreads / device.WarpSize
	scanEach     = 4 // elements of a thread in a scan
	scanTile     = blockThreads * scanEach
)

// row is memory of the device of one dimension.
func (b builder) row(elem ir.Type) ir.Value {
	return b.Param(kernel.InSpace(b.Ctx(), []int64{ir.Dynamic}, elem, device.GlobalSpace))
}

// A looper makes the kernel that runs the rounds of a loop. Its arguments are the number of rounds, what the body uses from
// outside, memory of what is collected or is to be scanned, and that of what blocks have of reductions.
type looper struct {
	builder
	*gridLoop
	outer   map[ir.Value]ir.Value
	results []ir.Value // memory, by component of what is collected
	lanes   map[ir.Value]ir.Value
}

// kernel has its parameters in the order in which loopHost.launch passes arguments.
func (l *gridLoop) kernel(c *ir.Context) *ir.Graph {
	g := &looper{builder: newBuilder(c), gridLoop: l}
	n := g.Param(ir.Index)
	var args []ir.Value
	for _, v := range l.body.free {
		t := l.n.Graph().Type(v)
		if elem, ok := loop.ElemOf(c, t); ok {
			args = append(args, g.row(elem))
		} else {
			args = append(args, g.Param(t))
		}
	}
	g.outer = l.body.outside(g.Builder, args)
	for i := range l.list {
		g.results = append(g.results, g.rows(l.written(i))...)
	}
	o := l.reduction()
	partials, scratch := g.rows(o.types), g.scratches(o)
	g.combineBlocks(o, scratch, g.share(n, o.identity(g.builder)), partials, g.ID(device.BlockID, 0))
	return g.End()
}

// share runs the rounds of a thread, w neighbours after the other, and returns what it has of reductions, which begin with identities.
func (g *looper) share(n ir.Value, identities []ir.Value) []ir.Value {
	w := int64(g.w)
	size := g.ID(device.BlockDim, 0)
	first := g.Times(g.Add(g.Mul(g.ID(device.BlockID, 0), size), g.ID(device.ThreadID, 0)), w)
	step := g.Times(g.Mul(g.ID(device.GridDim, 0), size), w)
	return g.ForStep(first, n, step, identities, func(at ir.Value, sums []ir.Value) []ir.Value {
		if w == 1 {
			return g.rounds(at, 1, sums)
		}
		// The last neighbours may be fewer than w: these rounds run one by one, without vectors.
		whole := g.Is(arith.SLE, g.Plus(at, w), n)
		return g.Results(scf.BuildIf(g.Builder, whole, func() []ir.Value { return g.rounds(at, g.w, sums) }, func() []ir.Value {
			return g.ForStep(at, n, g.Index(1), sums, func(i ir.Value, sums []ir.Value) []ir.Value { return g.rounds(i, 1, sums) })
		}))
	})
}

// rounds runs w rounds from one on, and stores what they collect.
func (g *looper) rounds(at ir.Value, w int, sums []ir.Value) []ir.Value {
	vectors := map[ir.Value][]ir.Value{}
	for _, a := range g.direct {
		vectors[a] = g.ReadLanes(g.outer[a], []ir.Value{at}, w, w > 1)
	}
	collected := make([][]ir.Value, len(g.results))
	for k := range w {
		g.lanes = map[ir.Value]ir.Value{}
		for a, v := range vectors {
			g.lanes[a] = v[k]
		}
		ys := ir.Insert(g.Builder, g.body.s, g.body.r.Old(), g.outer, g.rules(), g.Plus(at, int64(k)))
		var next []ir.Value
		out, in := 0, 0
		for i, x := range g.list {
			mine := ys[:len(g.given[i])]
			ys = ys[len(mine):]
			if x.Kind == loop.ReduceKind {
				o := g.operators[i]
				if g.isFiltered(i) {
					// A round without a tuple combines the identity, which changes nothing.
					mine, _ = g.emitted(mine[0], o.identity(g.builder))
				}
				next = append(next, o.combine(g.builder, sums[in:in+len(mine)], mine)...)
				in += len(mine)
				continue
			}
			for _, y := range g.toWrite(i, mine) {
				collected[out] = append(collected[out], y)
				out++
			}
		}
		sums = next
	}
	for k, xs := range collected {
		g.WriteLanes(xs, g.results[k], []ir.Value{at}, w > 1)
	}
	return sums
}

// toWrite is what a round writes down of what it gives to a generator.
func (g *looper) toWrite(i int, given []ir.Value) []ir.Value {
	if !g.isFiltered(i) {
		return given
	}
	x := g.list[i]
	others := g.zeros(x.Tuple())
	if x.Kind == loop.ScanKind {
		others = g.operators[i].identity(g.builder)
	}
	tuple, is := g.emitted(given[0], others)
	return append(slices.Clone(tuple), g.one(is))
}

// rules make of ops on arrays ops on memory.
func (g *looper) rules() ir.Rules {
	number := g.n.Region(0).Params()[0].Old()
	return ir.Rules{
		loop.At: func(m *ir.Mirror, n ir.Node) ir.Value {
			if v, ok := g.lanes[n.Arg(0).Old()]; ok && n.Arg(1).Old() == number {
				return v
			}
			return m.Op(memref.Load, m.Of(n.Arg(0)), m.Of(n.Arg(1)))
		},
		loop.Len: func(m *ir.Mirror, n ir.Node) ir.Value { return m.Op(memref.Dim, m.Of(n.Arg(0)), g.Index(0)) },
		loop.For: g.inner,
	}
}

// inner is a reduction within a round, from the first to the last.
func (g *looper) inner(m *ir.Mirror, n ir.Node) ir.Value {
	list := loop.Generators(n)
	var inits []ir.Value
	for _, x := range list {
		for _, t := range x.Types {
			inits = append(inits, g.Const(t, x.By.Identity(g.Ctx(), t)))
		}
	}
	return g.Pack(g.ForStep(g.Index(0), m.Of(n.Arg(0)), g.Index(1), inits, func(i ir.Value, sums []ir.Value) (out []ir.Value) {
		ys := m.Body(n.Region(0), i)
		for _, x := range list {
			k := len(x.Types)
			out = append(out, x.CombineNamed(g.Builder, sums[:k], ys[:k])...)
			sums, ys = sums[k:], ys[k:]
		}
		return out
	})...)
}

// finishKernel combines what blocks have: one block goes along it. Its arguments are how many there were, what they have, and
// memory of one element for each result.
func (l *gridLoop) finishKernel(c *ir.Context) *ir.Graph {
	g, o := newBuilder(c), l.reduction()
	count := g.Param(ir.Index)
	from, to := g.rows(o.types), g.rows(o.types)
	scratch := g.scratches(o)
	sums := g.ForStep(g.ID(device.ThreadID, 0), count, g.Index(blockThreads), o.identity(g), func(i ir.Value, sums []ir.Value) []ir.Value {
		return o.combine(g, sums, g.loads(from, i))
	})
	g.combineBlocks(o, scratch, sums, to, g.Index(0))
	return g.End()
}
