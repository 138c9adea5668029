package grid

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/contraction/gpu"
	"github.com/irc-lang/irc/passes/grid/kernel"
)

// A host makes what is left of a function: transfers and launches.
type host struct {
	*maker
	there map[ir.Value][]resident // what of a tensor is on the device
	sizes map[ir.Value][]ir.Value // the extents of what kernels give
}

// A resident is memory of the device, known in a region and those in it.
type resident struct {
	in  ir.Region
	mem ir.Value
}

// newHost is a host for one builder, for which nothing is on the device yet.
func newHost(m *maker) *host {
	return &host{maker: m, there: map[ir.Value][]resident{}, sizes: map[ir.Value][]ir.Value{}}
}

// found is memory of the device that holds a value and is known here, or 0.
func (h *host) found(m *ir.Mirror, v ir.Value) ir.Value {
	for _, r := range h.there[v] {
		for at := m.B.Current(); ; at = m.B.Graph().Parent(at) {
			if at == r.in {
				return r.mem
			}
			if at == ir.Root {
				break
			}
		}
	}
	return 0
}

// onDevice is the device's memory of a tensor, which moves there unless it is there.
func (h *host) onDevice(m *ir.Mirror, v ir.Value) ir.Value {
	if mem := h.found(m, v); mem != 0 {
		return mem
	}
	t := m.B.Graph().Type(v)
	return h.move(m, v, m.B.Op(tensor.Unpack, v), kernel.OnDevice(m.B.Ctx(), t), h.extents(m.B, v))
}

// move makes memory of the device that holds what memory of the host does.
func (h *host) move(m *ir.Mirror, v, from ir.Value, t ir.Type, size []ir.Value) ir.Value {
	mem := alloc(m.B, t, size)
	m.B.Op(memref.Copy, from, mem)
	h.there[v] = append(h.there[v], resident{m.B.Current(), mem})
	return mem
}

// extents are those of a tensor.
func (h *host) extents(b *ir.Builder, v ir.Value) []ir.Value {
	if known := h.sizes[v]; known != nil {
		return known
	}
	return extents(b, v)
}

// extents are constants where the type has them, and are asked for in the program elsewhere.
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
	open := memref.OpenExtents(b.Ctx(), t, func(d int) ir.Value { return extents[d] })
	return memref.BuildOwned(b, t, kernel.VectorBytes, open...)
}

// replace takes the place of an op that a kernel computes, if one does.
func (h *host) replace(m *ir.Mirror, n ir.Node) ir.Value {
	if h.within[n] { // the kernel of its epilogue computes it
		p, _ := gpu.Of(n, false)
		_, size := h.product(m, n, p)
		return h.standIn(m.B, n.Type(), size)
	}
	if t := h.of[n]; t != nil {
		return t.launch(h, m, n, h.named[n])
	}
	return 0
}

// run launches a kernel, and is the tensor that it gives.
func (h *host) run(m *ir.Mirror, n ir.Node, t task, name string, grid, operands []ir.Value, result ir.Value, size []ir.Value) ir.Value {
	b := m.B
	args := append(append(grid, b.Index(t.threads())), append(operands, result)...)
	b.Must(ir.Call{Def: device.Launch, Args: ub.AllFrozen(b, args), Attr: device.LaunchProps(b.Ctx(), name, len(grid), 1, len(operands)+1), Loc: b.Loc})
	v := h.result(m, n, result, size)
	h.there[v] = append(h.there[v], resident{b.Current(), result})
	return v
}

// blocks is how many blocks have threads for all elements, each of so many.
func (h *host) blocks(b *ir.Builder, size []ir.Value, each int64) ir.Value {
	all := b.Index(1)
	for _, x := range size {
		all = arith.MulI(b, all, x)
	}
	return b.Op(arith.Ceildivui, all, b.Index(each))
}

// result is the tensor that a kernel has computed: its memory moves back if something on the host uses it.
func (h *host) result(m *ir.Mirror, n ir.Node, mem ir.Value, size []ir.Value) ir.Value {
	b := m.B
	// Kernels find the memory of the device by the tensor, and a dim is known: neither needs it on the host.
	needed := false
	for _, u := range n.Users() {
		needed = needed || h.of[u] == nil && !h.within[u] && u.Def() != tensor.Dim
	}
	if !needed {
		return h.standIn(b, n.Type(), size)
	}
	at := alloc(b, tensor.MemoryOf(b.Ctx(), n.Type()), size)
	b.Op(memref.Copy, mem, at)
	v := b.Op(tensor.Pack, at)
	h.sizes[v] = size
	return v
}

// standIn is a tensor that only kernels read, which find their memory by it; its extents can be asked for. Nothing comes of it in the
// end. Each has a number, so that no two are one.
func (h *host) standIn(b *ir.Builder, t ir.Type, size []ir.Value) ir.Value {
	c := b.Ctx()
	args := []ir.Value{arith.ConstInt(b, ir.I64, int64(len(h.sizes)))}
	args = append(args, memref.OpenExtents(c, t, func(d int) ir.Value { return size[d] })...)
	v := b.Must(ir.Call{Def: tensor.Fill, Args: args, Type: c.Tensor(tensor.Shape(c, t), ir.I64), Loc: b.Loc})
	h.sizes[v] = size
	return v
}

// agree ends the program unless two extents of an index are equal.
func (h *host) agree(b *ir.Builder, x, y ir.Value) {
	if x == y {
		return
	}
	c := b.Ctx()
	b.OpAttr(cf.Assert, c.Props([]ir.NamedAttr{{Name: "msg", Value: c.StringAttr("an index runs up to different extents")}}, nil), arith.CmpI(b, arith.EQ, x, y))
}
