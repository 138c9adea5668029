package grid

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A host makes what is left of a function: transfers and launches.
type host struct {
	*maker
	there map[ir.Value][]resident // what of a tensor is on the device
}

// A resident is memory of the device, known in a region and those in it.
type resident struct {
	in  ir.Region
	mem ir.Value
}

// onDevice is the device's memory of a tensor, which moves there unless it is there.
func (h *host) onDevice(m *ir.Mirror, v ir.Value) ir.Value {
	g := m.B.Graph()
	for _, r := range h.there[v] {
		for at := m.B.Current(); ; at = g.Parent(at) {
			if at == r.in {
				return r.mem
			}
			if at == ir.Root {
				break
			}
		}
	}
	from := m.B.Op(tensor.Unpack, v)
	t := g.Type(v)
	mem := alloc(m.B, onDevice(m.B.Ctx(), t), extents(m.B, v))
	m.B.Op(memref.Copy, from, mem)
	h.there[v] = append(h.there[v], resident{m.B.Current(), mem})
	return mem
}

// extents are those of a tensor.
func extents(b *ir.Builder, v ir.Value) (out []ir.Value) {
	c := b.Ctx()
	for d, n := range tensor.Shape(c, b.Graph().Type(v)) {
		if n == ir.Dynamic {
			out = append(out, b.OpAttr(tensor.Dim, c.With(0, "dim", c.IntAttr(int64(d), ir.I64)), v))
		} else {
			out = append(out, b.Index(n))
		}
	}
	return out
}

// alloc is new memory of a type, whose vectors are aligned.
func alloc(b *ir.Builder, t ir.Type, extents []ir.Value) ir.Value {
	c := b.Ctx()
	var open []ir.Value
	for i, n := range c.Info(t).Shape {
		if n == ir.Dynamic {
			open = append(open, extents[i])
		}
	}
	attr := c.Props([]ir.NamedAttr{{Name: "alignment", Value: c.IntAttr(vectorBytes, ir.I64)}, {Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, int64(len(open)), 0)}}, nil)
	return b.Must(ir.Call{Def: memref.Alloc, Args: open, Attr: c.WithDiscardable(attr, memref.OwnedAttr, c.UnitAttr()), Type: t})
}

// launch takes the place of an op.
func (h *host) launch(m *ir.Mirror, n ir.Node, w *work) ir.Value {
	b, args := m.B, m.All(n.Args())
	if w.rows != nil {
		return h.launchRows(m, n, w, args)
	}
	if w.swapped {
		args[0], args[1] = args[1], args[0]
	}
	in := [2][]ir.Value{extents(b, args[0]), extents(b, args[1])}
	h.agree(b, in[0][w.in[0].k], in[1][w.in[1].k])
	size := w.out.at(0, in[0][w.in[0].x], in[1][w.in[1].x])
	batches := b.Index(1)
	if w.out.batch >= 0 {
		batches = in[0][w.in[0].batch]
		h.agree(b, batches, in[1][w.in[1].batch])
		size[w.out.batch] = batches
	}
	result := alloc(b, onDevice(b.Ctx(), n.Type()), size)
	operands := []ir.Value{h.onDevice(m, args[0]), h.onDevice(m, args[1])}
	blocks := func(extent ir.Value, tile int64) ir.Value { return b.Op(arith.Ceildivui, extent, b.Index(tile)) }
	grid := []ir.Value{blocks(size[w.out.k], w.t.columns), blocks(size[w.out.x], w.t.rows), batches}
	return h.run(m, n, w, grid, operands, result, size)
}

// launchRows launches a warp for each row.
func (h *host) launchRows(m *ir.Mirror, n ir.Node, w *work, args []ir.Value) ir.Value {
	b := m.B
	size := extents(b, args[0])
	last := len(size) - 1
	operands := []ir.Value{h.onDevice(m, args[0])}
	for _, a := range args[1:] { // scale and bias
		h.agree(b, size[last], extents(b, a)[0])
		operands = append(operands, h.onDevice(m, a))
	}
	rows := b.Index(1)
	for _, x := range size[:last] {
		rows = arith.MulI(b, rows, x)
	}
	if w.rows.def == tensor.Reduce {
		size = size[:last]
	}
	result := alloc(b, onDevice(b.Ctx(), n.Type()), size)
	return h.run(m, n, w, []ir.Value{b.Op(arith.Ceildivui, rows, b.Index(rowWarps))}, operands, result, size)
}

// run launches the kernel, and is the tensor that it gives.
func (h *host) run(m *ir.Mirror, n ir.Node, w *work, grid, operands []ir.Value, result ir.Value, size []ir.Value) ir.Value {
	b := m.B
	args := append(append(grid, b.Index(w.threads())), append(operands, result)...)
	b.Must(ir.Call{Def: device.Launch, Args: args, Attr: device.LaunchProps(b.Ctx(), w.name, len(grid), 1, len(operands)+1), Loc: b.Loc})
	v := h.result(m, n, result, size)
	h.there[v] = append(h.there[v], resident{b.Current(), result})
	return v
}

// result is the tensor that a kernel has computed: its memory moves back if something on the host uses it.
func (h *host) result(m *ir.Mirror, n ir.Node, mem ir.Value, size []ir.Value) ir.Value {
	b := m.B
	needed := false
	for _, u := range n.Users() {
		needed = needed || h.of[u] == nil && u.Def() != tensor.Dim
	}
	if !needed {
		// Nothing reads it, but kernels, which find the memory by this value.
		return b.Op(tensor.Pack, alloc(b, tensor.MemoryOf(b.Ctx(), n.Type()), size))
	}
	at := alloc(b, tensor.MemoryOf(b.Ctx(), n.Type()), size)
	b.Op(memref.Copy, mem, at)
	return b.Op(tensor.Pack, at)
}

// agree ends the program unless two extents of an index are equal.
func (h *host) agree(b *ir.Builder, x, y ir.Value) {
	if x == y {
		return
	}
	c := b.Ctx()
	b.OpAttr(cf.Assert, c.Props([]ir.NamedAttr{{Name: "msg", Value: c.StringAttr("an index of an einsum runs up to different extents")}}, nil), arith.CmpI(b, arith.EQ, x, y))
}
