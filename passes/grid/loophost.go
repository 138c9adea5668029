package grid

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/grid/kernel"
)

// A loopHost makes what is left of a function with loops.
type loopHost struct {
	*host
	inside map[ir.Node]bool
	most   int64 // blocks that share rounds
}

// rowType is memory of one dimension of a space.
func rowType(c *ir.Context, elem ir.Type, space int64) ir.Type {
	if space == 0 {
		return c.MemRef([]int64{ir.Dynamic}, elem)
	}
	return kernel.InSpace(c, []int64{ir.Dynamic}, elem, space)
}

// array is the device's memory of an array, which moves there unless it is there.
func (h *loopHost) array(m *ir.Mirror, v ir.Value) ir.Value {
	if mem := h.found(m, v); mem != 0 {
		return mem
	}
	elem, _ := loop.ElemOf(m.B.Ctx(), m.B.Graph().Type(v))
	from := m.B.Result(m.B.Op(loop.Unpack, v), 0)
	size := m.B.Op(memref.Dim, from, m.B.Index(0))
	return h.move(m, v, from, rowType(m.B.Ctx(), elem, device.GlobalSpace), []ir.Value{size})
}

// launch runs the rounds of a loop on the device, and is what it makes.
func (h *loopHost) launch(m *ir.Mirror, l *gridLoop) ir.Value {
	b := m.B
	g, c := l.n.Graph(), b.Ctx()
	size := b.Op(arith.Maxsi, m.Of(l.n.Arg(0)), b.Index(0))
	args := []ir.Value{size}
	for _, v := range l.body.free {
		x := m.Of(g.NodeOf(v))
		if _, ok := loop.ElemOf(c, g.Type(v)); !ok {
			args = append(args, x)
			continue
		}
		args = append(args, h.array(m, x))
	}
	for _, v := range l.direct { // which are read in vectors
		n := b.Op(loop.Len, m.Of(g.NodeOf(v)))
		b.OpAttr(cf.Assert, c.Props([]ir.NamedAttr{{Name: "msg", Value: c.StringAttr("a loop reads behind the end of an array")}}, nil), arith.CmpI(b, arith.SGE, n, size))
	}
	memory := make([][]ir.Value, len(l.list)) // of what is collected
	for i := range l.list {
		memory[i] = rowsOn(b, l.written(i), size)
		args = append(args, memory[i]...)
	}
	blocks := h.blocksFor(b, size, l.w)
	o := l.reduction()
	partials, sums := rowsOn(b, o.types, blocks), rowsOn(b, o.types, b.Index(1))
	h.start(b, l.round, blocks, append(args, partials...))
	if len(sums) > 0 {
		h.start(b, l.finish, b.Index(1), append(append([]ir.Value{blocks}, partials...), sums...))
	}
	return b.Pack(h.made(m, l, size, memory, sums)...)
}

// start launches blocks of the usual size.
func (h *loopHost) start(b *ir.Builder, kernel string, blocks ir.Value, args []ir.Value) {
	all := append([]ir.Value{blocks, b.Index(blockThreads)}, args...)
	b.Must(ir.Call{Def: device.Launch, Args: ub.AllFrozen(b, all), Attr: device.LaunchProps(b.Ctx(), kernel, 1, 1, len(args)), Loc: b.Loc})
}

// made lists the results of a loop.
func (h *loopHost) made(m *ir.Mirror, l *gridLoop, size ir.Value, memory [][]ir.Value, sums []ir.Value) (out []ir.Value) {
	b, needed := m.B, h.neededOnHost(l.n)
	for i, x := range l.list {
		if x.Kind == loop.ReduceKind {
			for _, t := range x.Types {
				at := alloc(b, rowType(b.Ctx(), t, 0), []ir.Value{b.Index(1)})
				b.Op(memref.Copy, sums[0], at)
				out, sums = append(out, b.Op(memref.Load, at, b.Index(0))), sums[1:]
			}
			continue
		}
		rows, n, names := memory[i], size, l.more[i]
		if x.Kind == loop.ScanKind {
			h.scan(b, names.scan, l.operators[i], size, rows[:len(x.Types)])
		}
		switch {
		case x.Kind == loop.BucketKind:
			rows, n = h.group(b, names, l.grouping(i), size, rows)
			out = append(out, h.packed(needed[len(out)], loop.Buckets(b.Ctx(), x.Types...), rows[:len(x.Types)], n, b))
			rows = rows[len(x.Types):]
		case l.isFiltered(i):
			rows, n = h.keep(b, names, x.Types, size, rows)
		}
		for _, row := range rows {
			elem := b.Ctx().Info(b.Graph().Type(row)).Elem
			v := h.packed(needed[len(out)], loop.Array(b.Ctx(), elem), []ir.Value{row}, n, b)
			h.there[v] = append(h.there[v], resident{b.Current(), row})
			out = append(out, v)
		}
	}
	return out
}

// packed is a value of memory of the device, which moves to the host if that uses it.
func (h *loopHost) packed(needed bool, t ir.Type, rows []ir.Value, n ir.Value, b *ir.Builder) ir.Value {
	var here []ir.Value
	for _, row := range rows {
		at := alloc(b, rowType(b.Ctx(), b.Ctx().Info(b.Graph().Type(row)).Elem, 0), []ir.Value{n})
		if needed {
			b.Op(memref.Copy, row, at)
		}
		here = append(here, at)
	}
	return b.Must(ir.Call{Def: loop.Pack, Args: here, Type: t})
}

// neededOnHost lists the results of a loop that the host uses.
func (h *loopHost) neededOnHost(n ir.Node) map[int]bool {
	g, needed := n.Graph(), map[int]bool{}
	for _, u := range n.Users() {
		if h.inside[u] || u.Def() == loop.Len {
			continue
		}
		for _, a := range u.Args() {
			if v, i, _ := g.Projection(a.Old()); v == n.Old() {
				needed[i] = true
			}
		}
	}
	return needed
}
