package grid

import (
	"slices"

	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A place says which dimensions of a tensor are which; -1 is none. x is that of rows in the first operand, and that
// of columns in the second.
type place struct{ batch, x, k int }

// A product is an einsum that becomes a kernel by tiles.
type product struct {
	elem    ir.Type // of the result
	operand ir.Type // of the operands
	in      [2]place
	types   [2]ir.Type // of the operands' memory
	swapped bool       // the operands of the einsum stand the other way round
	out     place      // k is the dimension of columns
	outType ir.Type
	batch   int64 // extents, Dynamic where they are open
	m, n, k int64

	node     ir.Node
	epilogue *pointwise // the map that is computed in the registers of the product, or nil
	tf32     bool       // of f32 by tensor cores, with 10 bits behind the point
}

// productOf finds the indices of an einsum. Why it is none completes "stays on the host: it".
func productOf(n ir.Node, tf32 bool) (p *product, why string) {
	g := n.Graph()
	s := tensor.SpecOf(g, n.Old())
	elem := tensor.Elem(g.Ctx, n.Type())
	switch {
	case len(s.In) != 2:
		return nil, "is not of two operands"
	case !g.Ctx.IsFloat(elem):
		return nil, "has elements that are no floats"
	}
	p = &product{node: n, elem: elem, operand: tensor.Elem(g.Ctx, n.Arg(0).Type()), outType: n.Type()}
	if tensor.Elem(g.Ctx, n.Arg(1).Type()) != p.operand || p.operand != elem && !(p.isHalf() && elem == ir.F32) {
		return nil, "has operands of different elements, or of others than its result"
	}
	x := s.Product()
	switch {
	case !tensor.IsPlain(s.In[0]) || !tensor.IsPlain(s.In[1]):
		return nil, "takes a diagonal, or repeats what has an extent of 1"
	case len(x.Own) > 0 || !(len(x.Rows) == 1 && len(x.Columns) == 1 && len(x.Sums) == 1 && len(x.Batches) <= 1):
		return nil, "is not a product of matrices: it wants one index of rows, one of columns, one to sum over, and at most one of batches"
	case x.RowOperand < 0:
		return nil, "has its batches last"
	}
	batch, i, j, k, a, b := -1, x.Rows[0], x.Columns[0], x.Sums[0], x.RowOperand, 1-x.RowOperand
	if p.swapped = a == 1; len(x.Batches) > 0 {
		batch = x.Batches[0]
	}
	at := func(of []int, x, k int) place {
		return place{slices.Index(of, batch), slices.Index(of, x), slices.Index(of, k)}
	}
	p.in, p.out = [2]place{at(s.In[a], i, k), at(s.In[b], j, k)}, at(s.Out, i, j)
	p.types = [2]ir.Type{n.Arg(a).Type(), n.Arg(b).Type()}
	p.batch, p.m, p.n, p.k = 1, s.Extents[i], s.Extents[j], s.Extents[k]
	if batch >= 0 {
		p.batch = s.Extents[batch]
	}
	if p.tf32 = tf32 && p.operand == ir.F32; p.tf32 && !p.chunks() {
		p.tf32 = false
	}
	if p.isHalf() && !p.chunks() {
		return nil, "is of f16 or bf16, and not all extents are known, with multiples of 8 last in memory"
	}
	return p, ""
}

// isHalf reports operands of which only tensor cores make products.
func (p *product) isHalf() bool { return p.operand == ir.F16 || p.operand == ir.BF16 }

// chunks reports operands that copies of 16 bytes take apart, and rows of the result by two elements.
func (p *product) chunks() bool {
	if p.m == ir.Dynamic || p.n == ir.Dynamic || p.k == ir.Dynamic || p.k == 0 || p.k > longest || p.n%2 != 0 || p.m == 0 || p.n == 0 {
		return false
	}
	for i, extent := range []int64{p.m, p.n} {
		if p.alongK(i) {
			extent = p.k
		}
		if extent%p.chunk() != 0 || p.in[i].last() == p.in[i].batch {
			return false
		}
	}
	return true
}

// at are the indices of an element.
func (p place) at(batch, x, k ir.Value) []ir.Value {
	n := 2
	if p.batch >= 0 {
		n = 3
	}
	out := make([]ir.Value, n)
	if p.batch >= 0 {
		out[p.batch] = batch
	}
	out[p.x], out[p.k] = x, k
	return out
}

// last is the dimension that has no gaps between its elements.
func (p place) last() int { return max(p.batch, p.x, p.k) }

// A tile is what a block of threads computes, and each of them.
type tile struct {
	rows, columns, depth int64
	perRow, perColumn    int64 // of a thread, or of a warp
	warps                bool
}

func (t tile) threads() int64 {
	n := t.rows / t.perRow * (t.columns / t.perColumn)
	if t.warps {
		n *= device.WarpSize
	}
	return n
}

// byWarps says, for people, that parts of a tile are a warp's.
func (t tile) byWarps() string {
	if t.warps {
		return " warp"
	}
	return ""
}

// tiles are those that there are, the largest first.
var tiles = []tile{{rows: 128, columns: 128, depth: 8, perRow: 8, perColumn: 8}, {rows: 64, columns: 64, depth: 16, perRow: 4, perColumn: 4}}

// fewBlocks are so few that smaller tiles, of which there are more, are better: a GPU has some hundred places for them.
const fewBlocks = 64

// tile chooses one, by what is known of the extents; those that are open are taken to be large.
func (p *product) tile() tile {
	if p.isHalf() || p.tf32 {
		return p.mmaTile()
	}
	for _, t := range tiles[:len(tiles)-1] {
		if p.m == ir.Dynamic || p.n == ir.Dynamic || p.batch == ir.Dynamic || ceil(p.m, t.rows)*ceil(p.n, t.columns)*p.batch >= fewBlocks {
			return t
		}
	}
	return tiles[len(tiles)-1]
}

func ceil(x, y int64) int64 { return (x + y - 1) / y }

// params adds the parameters of a kernel of the product: memory of both operands, what the epilogue needs, and memory of the
// result.
func (p *product) params(b builder) (memory [3]ir.Value, epilogue *mapping) {
	for i := range p.types {
		memory[i] = b.Param(onDevice(b.Ctx(), p.types[i]))
	}
	if p.epilogue != nil {
		epilogue = p.epilogue.params(b)
	}
	memory[2] = b.Param(onDevice(b.Ctx(), p.result().Type()))
	return memory, epilogue
}

// result is the op whose result the kernel writes.
func (p *product) result() ir.Node {
	if p.epilogue != nil {
		return p.epilogue.n
	}
	return p.node
}

// put stores a vector of w, or what the epilogue makes of it.
func (b builder) put(v ir.Value, w int, m ir.Value, at []ir.Value, e *mapping) {
	if e == nil {
		b.store(v, m, at, w)
		return
	}
	lanes := make([]ir.Value, w)
	for l := range lanes {
		lanes[l] = b.lane(v, l, w)
	}
	b.storeLanes(e.apply(at, lanes, w, true), m, at, true)
}
