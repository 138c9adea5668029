package grid

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/contraction/gpu"
	"github.com/irc-lang/irc/passes/grid/kernel"
)

// A task is what a kernel does in the place of an op.
type task interface {
	what() string // a part of the kernel's name
	says() string // for people
	kernel(c *ir.Context) *ir.Graph
	threads() int64 // of a block
	// blocksAtOnce is how many blocks are to find registers on a multiprocessor at once: one computes while another waits.
	blocksAtOnce() int64
	// launch launches the kernel of that name and returns what takes the place of the op.
	launch(h *host, m *ir.Mirror, n ir.Node, name string) ir.Value
}

// makers are the ops that may become kernels.
var makers = []*ir.OpDef{tensor.Einsum, tensor.Map, tensor.Softmax, tensor.LayerNorm, tensor.Reduce}

// taskOf is what a kernel does of an op, or why none does.
func (p *Pass) taskOf(n ir.Node) (task, string) {
	switch {
	case !slices.Contains(makers, n.Def()):
		return nil, "has no kernel: products, maps, softmax, layer norms and reductions along the last dimension have"
	case n.Def() == tensor.Map:
		x, why := pointwiseOf(n)
		if x == nil {
			return nil, why
		}
		return mapTask{x}, ""
	case n.Def() != tensor.Einsum || n.NumArgs() == 1:
		r, why := rowOpOf(n)
		if r == nil {
			return nil, why
		}
		return rowTask{r}, ""
	}
	if d := dotOf(n); d != nil {
		return dotTask{d}, ""
	}
	x, why := gpu.Of(n, p.TF32)
	if x == nil {
		return nil, why
	}
	return productTask{Product: x, node: n}, ""
}

// A productTask is a product by tiles, with the map that is computed in its registers, or nil.
type productTask struct {
	*gpu.Product
	node     ir.Node
	epilogue *pointwise
}

func (t productTask) what() string   { return "product" }
func (t productTask) threads() int64 { return t.Tile.Threads() }

// blocksAtOnce: extents that are open take registers of their own, and two blocks would have too few.
func (t productTask) blocksAtOnce() int64 {
	if t.IsOpen() {
		return 1
	}
	return 2
}

// kernel has the epilogue computed on the sums in registers: they are the operand that apply knows.
func (t productTask) kernel(*ir.Context) *ir.Graph {
	if t.epilogue == nil {
		return t.Kernel(t.node.Type(), nil)
	}
	return t.Kernel(t.epilogue.n.Type(), func(b kernel.Kit) func(at, sums []ir.Value) []ir.Value {
		g := t.epilogue.params(builder{b})
		return func(at, sums []ir.Value) []ir.Value { return g.apply(at, sums, len(sums), true) }
	})
}

func (t productTask) says() string {
	s := t.String()
	if t.epilogue != nil {
		s += "; the map of its result is its epilogue"
	}
	return s
}

func (t productTask) launch(h *host, m *ir.Mirror, n ir.Node, name string) ir.Value {
	b := m.B
	args, size := h.product(m, t.node, t.Product)
	operands := []ir.Value{h.onDevice(m, args[0]), h.onDevice(m, args[1])}
	if t.epilogue != nil {
		operands = append(operands, t.epilogue.args(h, m, size)...)
	}
	result := alloc(b, kernel.OnDevice(b.Ctx(), n.Type()), size)
	blocks := func(extent ir.Value, tile int64) ir.Value { return b.Op(arith.Ceildivui, extent, b.Index(tile)) }
	batches := b.Index(1)
	if t.Out.Batch >= 0 {
		batches = size[t.Out.Batch]
	}
	// Blocks next to one another go along columns, so that they read the same rows.
	grid := []ir.Value{blocks(size[t.Out.K], t.Tile.Size[1]), blocks(size[t.Out.X], t.Tile.Size[0]), batches}
	return h.run(m, n, t, name, grid, operands, result, size)
}

// product are the operands of a product, that with the rows first, and the extents of its result. Those that operands
// have in common agree.
func (h *host) product(m *ir.Mirror, n ir.Node, p *gpu.Product) (args [2]ir.Value, size []ir.Value) {
	var in [2][]ir.Value
	for i, a := range p.Which {
		args[i] = m.Of(n.Arg(a))
		in[i] = h.extents(m.B, args[i])
	}
	h.agree(m.B, in[0][p.In[0].K], in[1][p.In[1].K])
	size = p.Out.At(0, in[0][p.In[0].X], in[1][p.In[1].X])
	if p.Out.Batch >= 0 {
		size[p.Out.Batch] = in[0][p.In[0].Batch]
		h.agree(m.B, size[p.Out.Batch], in[1][p.In[1].Batch])
	}
	return args, size
}

// A rowTask is an op along rows.
type rowTask struct{ *rowOp }

func (t rowTask) what() string        { return "rows" }
func (t rowTask) threads() int64      { return rowWarps * device.WarpSize }
func (t rowTask) blocksAtOnce() int64 { return 2 }
func (t rowTask) says() string {
	return fmt.Sprintf("a warp for each row, %d of them a block", rowWarps)
}

// launch launches a warp for each row.
func (t rowTask) launch(h *host, m *ir.Mirror, n ir.Node, name string) ir.Value {
	b, args := m.B, m.All(n.Args())
	size := h.extents(b, args[0])
	last := len(size) - 1
	operands := []ir.Value{h.onDevice(m, args[0])}
	for _, a := range args[1:] { // scale and bias
		h.agree(b, size[last], h.extents(b, a)[0])
		operands = append(operands, h.onDevice(m, a))
	}
	blocks := h.blocks(b, size[:last], rowWarps)
	if t.def == tensor.Reduce {
		size = size[:last]
	}
	result := alloc(b, kernel.OnDevice(b.Ctx(), n.Type()), size)
	return h.run(m, n, t, name, []ir.Value{blocks}, operands, result, size)
}
