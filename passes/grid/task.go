package grid

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
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
	x, why := productOf(n, p.TF32)
	if x == nil {
		return nil, why
	}
	return productTask{x, x.tile()}, ""
}

// A productTask is a product by tiles.
type productTask struct {
	*product
	t tile
}

func (t productTask) what() string   { return "product" }
func (t productTask) threads() int64 { return t.t.threads() }

// blocksAtOnce: extents that are open take registers of their own, and two blocks would have too few.
func (t productTask) blocksAtOnce() int64 {
	if t.m == ir.Dynamic || t.n == ir.Dynamic || t.k == ir.Dynamic || t.batch == ir.Dynamic {
		return 1
	}
	return 2
}

func (t productTask) kernel(c *ir.Context) *ir.Graph { return t.product.kernel(c, t.t) }

func (t productTask) says() string {
	s := fmt.Sprintf("tiles of %d x %d, in steps of %d, by %d threads, %d x %d of it each%s; %d bytes of shared memory", t.t.rows, t.t.columns, t.t.depth, t.t.threads(),
		t.t.perRow, t.t.perColumn, t.t.byWarps(), t.sharedBytes(t.node.Graph().Ctx, t.t))
	if t.tf32 {
		s += "; elements lose their lowest 13 bits (tf32)"
	}
	if t.epilogue != nil {
		s += "; the map of its result is its epilogue"
	}
	return s
}

func (t productTask) launch(h *host, m *ir.Mirror, n ir.Node, name string) ir.Value {
	b, args := m.B, m.All(t.node.Args())
	if t.swapped {
		args[0], args[1] = args[1], args[0]
	}
	in := [2][]ir.Value{h.extents(b, args[0]), h.extents(b, args[1])}
	size := t.size(h, b, in)
	operands := []ir.Value{h.onDevice(m, args[0]), h.onDevice(m, args[1])}
	if t.epilogue != nil {
		operands = append(operands, t.epilogue.args(h, m, size)...)
	}
	result := alloc(b, onDevice(b.Ctx(), n.Type()), size)
	blocks := func(extent ir.Value, tile int64) ir.Value { return b.Op(arith.Ceildivui, extent, b.Index(tile)) }
	batches := b.Index(1)
	if t.out.batch >= 0 {
		batches = size[t.out.batch]
	}
	grid := []ir.Value{blocks(size[t.out.k], t.t.columns), blocks(size[t.out.x], t.t.rows), batches}
	return h.run(m, n, t, name, grid, operands, result, size)
}

// size are the extents of the product, of operands of the given ones, which agree.
func (p *product) size(h *host, b *ir.Builder, in [2][]ir.Value) []ir.Value {
	h.agree(b, in[0][p.in[0].k], in[1][p.in[1].k])
	size := p.out.at(0, in[0][p.in[0].x], in[1][p.in[1].x])
	if p.out.batch >= 0 {
		size[p.out.batch] = in[0][p.in[0].batch]
		h.agree(b, size[p.out.batch], in[1][p.in[1].batch])
	}
	return size
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
	result := alloc(b, onDevice(b.Ctx(), n.Type()), size)
	return h.run(m, n, t, name, []ir.Value{blocks}, operands, result, size)
}
