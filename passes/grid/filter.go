package grid

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A filter is done after its rounds have written down what they emit, and whether they do: a scan of these flags says how many
// there are and where each goes, and a kernel moves them there (Blelloch 1990, "Prefix Sums and Their Applications", section 1.4).

// emitted is the tuple that a sequence with at most one has, and whether it has one; otherwise others.
func (b builder) emitted(e ir.Value, others []ir.Value) (tuple []ir.Value, is ir.Value) {
	g := b.Graph()
	n, i, _ := g.Projection(e)
	both := func(e ir.Value) []ir.Value {
		tuple, is := b.emitted(e, others)
		return append(slices.Clone(tuple), is)
	}
	var out []ir.Value
	switch g.Def(n) {
	case loop.Emit:
		return g.Args(n), b.Int(ir.I1, -1)
	case loop.None:
		return others, b.Int(ir.I1, 0)
	case arith.Select:
		args := g.Args(n)
		x, y := both(args[1]), both(args[2])
		for k := range x {
			out = append(out, b.Choose(args[0], x[k], y[k]))
		}
	default: // loop.AtMostOne has seen all
		rs, cond := g.Regions(n), g.Args(n)[0]
		branch := func(k int) func() []ir.Value {
			return func() []ir.Value { return both(b.Splice(rs[k], nil)[i]) }
		}
		out = b.Results(scf.BuildIf(b.Builder, cond, branch(0), branch(1)))
	}
	return out[:len(others)], out[len(others)]
}

// zeros are values of types, of which nothing depends.
func (b builder) zeros(ts []ir.Type) (out []ir.Value) {
	return lists.Map(ts, func(t ir.Type) ir.Value { return b.Const(t, ir.Val{}) })
}

// one is 1 where a condition holds, and 0.
func (b builder) one(is ir.Value) ir.Value {
	return b.Choose(is, b.Index(1), b.Index(0))
}

// each runs body in a thread for its share of 0 to n.
func (b builder) each(n ir.Value, body func(i ir.Value)) {
	size := b.ID(device.BlockDim, 0)
	first := b.Add(b.Mul(b.ID(device.BlockID, 0), size), b.ID(device.ThreadID, 0))
	b.EachStep(first, n, b.Mul(b.ID(device.GridDim, 0), size), body)
}

// before is what a scan has before an element.
func (b builder) before(scan, i ir.Value) ir.Value {
	return b.Where(b.Less(b.Index(0), i), func() ir.Value { return b.Load(scan, b.Plus(i, -1)) }, func() ir.Value { return b.Index(0) })
}

// lastKernel takes the last element of a scan, 0 of none. Its arguments are how many elements there are, they, and memory for one.
func lastKernel(c *ir.Context) *ir.Graph {
	g := newBuilder(c)
	n, scan, to := g.Param(ir.Index), g.row(ir.Index), g.row(ir.Index)
	g.When(g.IsZero(g.ID(device.ThreadID, 0)), func() {
		g.Store(g.before(scan, n), to, g.Index(0))
	})
	return g.End()
}

// keepKernel moves the elements that are counted to where the scan of the count says. Its arguments are how many elements there are,
// the scan, the elements, and memory for those that are kept.
func keepKernel(c *ir.Context, ts []ir.Type) *ir.Graph {
	g := newBuilder(c)
	n, scan := g.Param(ir.Index), g.row(ir.Index)
	from, to := g.rows(ts), g.rows(ts)
	g.each(n, func(i ir.Value) {
		at := g.before(scan, i)
		g.When(g.Less(at, g.Load(scan, i)), func() { g.stores(g.loads(from, i), to, at) })
	})
	return g.End()
}

// counted are the names of the kernels that count flags.
type counted struct {
	scan scanKernels
	last string
}

// counting is the operator that counts.
var counting = named(loop.Counter())

// newCounted makes the kernels that scan flags, and that read how many there are.
func newCounted(add func(what string, body *ir.Graph) string, c *ir.Context) counted {
	return counted{newScan(add, c, counting), add("last", lastKernel(c))}
}

// count scans flags in place, and is how many there are.
func (h *loopHost) count(b *ir.Builder, names counted, size, flags ir.Value) ir.Value {
	c := b.Ctx()
	h.scan(b, names.scan, counting, size, []ir.Value{flags})
	there, here := alloc(b, rowType(c, ir.Index, device.GlobalSpace), []ir.Value{b.Index(1)}), alloc(b, rowType(c, ir.Index, 0), []ir.Value{b.Index(1)})
	h.start(b, names.last, b.Index(1), []ir.Value{size, flags, there})
	// The host waits for this number: it says how large memory has to be.
	b.Op(memref.Copy, there, here)
	return b.Op(memref.Load, here, b.Index(0))
}

// blocksFor is how many blocks go along so many elements, some at once by a thread.
func (h *loopHost) blocksFor(b *ir.Builder, size ir.Value, each int) ir.Value {
	return b.Op(arith.Minui, b.Op(arith.Ceildivui, size, b.Index(int64(blockThreads*each))), b.Index(h.most))
}

// rowsOn is memory of the device for elements of types.
func rowsOn(b *ir.Builder, ts []ir.Type, size ir.Value) []ir.Value {
	return lists.Map(ts, func(t ir.Type) ir.Value {
		return alloc(b, rowType(b.Ctx(), t, device.GlobalSpace), []ir.Value{size})
	})
}

// keep moves what is flagged to memory of its own.
func (h *loopHost) keep(b *ir.Builder, names loopKernels, ts []ir.Type, size ir.Value, rows []ir.Value) (kept []ir.Value, n ir.Value) {
	flags := rows[len(ts)]
	n = h.count(b, names.counted, size, flags)
	kept = rowsOn(b, ts, n)
	h.start(b, names.keep, h.blocksFor(b, size, 1), slices.Concat([]ir.Value{size, flags}, rows[:len(ts)], kept))
	return kept, n
}
