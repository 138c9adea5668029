// Package gpu makes kernels of contractions for GPUs.
//
// A product is a sum of products of two tensors with an index of rows, one of columns, one that is summed over and at
// most one of batches. Each block of threads computes a tile of the result: it goes along the summed index in steps
// and brings a tile of either operand to shared memory. Each thread keeps a part of the result's tile in registers
// (as in Volkov and Demmel 2008, and CUTLASS). Operands may be transposed as they like: what is contiguous in memory
// is read by neighbouring threads, in vectors where the extents allow for it, and transposed on its way to shared
// memory, or from there.
//
// Product says which index is which and chooses a tile; block is what threads and warps do alike. Threads multiply
// numbers (threads.go), warps fragments by tensor cores (mma.go). An Epilogue is done to sums in registers.
package gpu

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/grid/kernel"
)

// A Place says which dimensions of a tensor are which; -1 is none. X is that of rows in the first operand, and that
// of columns in the second.
type Place struct{ Batch, X, K int }

// A Product is an einsum that becomes a kernel by tiles.
type Product struct {
	In    [2]Place
	Out   Place  // K is the dimension of columns
	Tile  Tile   // what a block computes
	Which [2]int // operands of the einsum have the rows and the columns

	node     ir.Node
	elem     ir.Type  // of the result
	operand  ir.Type  // of the operands
	extent   [2]int64 // of rows and columns, Dynamic where it is open
	batch, k int64
	tf32     bool // of f32 by tensor cores, with 10 bits behind the point
}

// Of finds the indices of an einsum. Why it is none completes "stays on the host: it".
func Of(n ir.Node, tf32 bool) (p *Product, why string) {
	g := n.Graph()
	s := tensor.SpecOf(g, n.Old())
	elem := tensor.Elem(g.Ctx, n.Type())
	switch {
	case len(s.In) != 2:
		return nil, "is not of two operands"
	case !g.Ctx.IsFloat(elem):
		return nil, "has elements that are no floats"
	}
	p = &Product{node: n, elem: elem, operand: tensor.Elem(g.Ctx, n.Arg(0).Type()), batch: 1}
	if tensor.Elem(g.Ctx, n.Arg(1).Type()) != p.operand || p.operand != elem && !(p.isHalf() && elem == ir.F32) {
		return nil, "has operands of different elements, or of others than its result"
	}
	x := s.Product()
	switch {
	case !tensor.IsPlain(s.In[0]) || !tensor.IsPlain(s.In[1]):
		return nil, "takes a diagonal, or repeats what has an extent of 1"
	case len(x.Own) > 0 || !(len(x.Rows) == 1 && len(x.Columns) == 1 && len(x.Sums) == 1 && len(x.Batches) <= 1):
		return nil, "is not a product of matrices: it wants one index of rows, one of columns, one to sum over, " +
			"and at most one of batches"
	case x.RowOperand < 0:
		return nil, "has its batches last"
	}
	batch, k := -1, x.Sums[0]
	if len(x.Batches) > 0 {
		batch = x.Batches[0]
		p.batch = s.Extents[batch]
	}
	at := func(of []int, x, k int) Place {
		return Place{slices.Index(of, batch), slices.Index(of, x), slices.Index(of, k)}
	}
	p.Which = [2]int{x.RowOperand, 1 - x.RowOperand}
	for i, own := range []int{x.Rows[0], x.Columns[0]} {
		p.In[i], p.extent[i] = at(s.In[p.Which[i]], own, k), s.Extents[own]
	}
	p.Out, p.k = at(s.Out, x.Rows[0], x.Columns[0]), s.Extents[k]
	if p.tf32 = tf32 && p.operand == ir.F32; p.tf32 && !p.chunks() {
		p.tf32 = false
	}
	if p.isHalf() && !p.chunks() {
		return nil, "is of f16 or bf16, and not all extents are known, with multiples of 8 last in memory"
	}
	p.Tile = p.tile()
	return p, ""
}

// isHalf reports operands of which only tensor cores make products.
func (p *Product) isHalf() bool { return p.operand == ir.F16 || p.operand == ir.BF16 }

// IsOpen reports extents that are not known.
func (p *Product) IsOpen() bool {
	return slices.Contains([]int64{p.extent[0], p.extent[1], p.k, p.batch}, ir.Dynamic)
}

// chunks reports operands that copies of 16 bytes take apart, and rows of the result by two elements.
func (p *Product) chunks() bool {
	if min(p.extent[0], p.extent[1], p.k) <= 0 || p.k > longest || p.extent[1]%2 != 0 {
		return false
	}
	for i, extent := range p.extent {
		if p.alongK(i) {
			extent = p.k
		}
		if extent%p.chunk() != 0 || p.In[i].last() == p.In[i].Batch {
			return false
		}
	}
	return true
}

// alongK reports an operand whose summed index is the last in memory.
func (p *Product) alongK(operand int) bool { return p.In[operand].last() == p.In[operand].K }

// At are the indices of an element.
func (p Place) At(batch, x, k ir.Value) []ir.Value {
	out := make([]ir.Value, 3)
	if p.Batch >= 0 {
		out[p.Batch] = batch
	} else {
		out = out[:2]
	}
	out[p.X], out[p.K] = x, k
	return out
}

// last is the dimension that has no gaps between its elements.
func (p Place) last() int { return max(p.Batch, p.X, p.K) }

// A Tile is what a block of threads computes, and each of them, in rows and columns.
type Tile struct {
	Size  [2]int64
	depth int64
	per   [2]int64 // of a thread, or of a warp
	warps bool
}

// Threads are those of a block.
func (t Tile) Threads() int64 {
	n := t.Size[0] / t.per[0] * (t.Size[1] / t.per[1])
	if t.warps {
		n *= device.WarpSize
	}
	return n
}

// tiles are those of threads, the largest first.
var tiles = []Tile{
	{Size: [2]int64{128, 128}, depth: 8, per: [2]int64{8, 8}},
	{Size: [2]int64{64, 64}, depth: 16, per: [2]int64{4, 4}},
}

// fewBlocks are so few that smaller tiles, of which there are more, are better: a GPU has some hundred places for them.
const fewBlocks = 64

// tile chooses one, by what is known of the extents; those that are open are taken to be large.
func (p *Product) tile() Tile {
	if p.isHalf() || p.tf32 {
		return p.mmaTile()
	}
	m, n := p.extent[0], p.extent[1]
	for _, t := range tiles[:len(tiles)-1] {
		if min(m, n, p.batch) < 0 || ceil(m, t.Size[0])*ceil(n, t.Size[1])*p.batch >= fewBlocks {
			return t
		}
	}
	return tiles[len(tiles)-1]
}

// ceil is a quotient of positive numbers, rounded up.
func ceil(x, y int64) int64 { return (x + y - 1) / y }

// String says, for people, how the kernel works.
func (p *Product) String() string {
	t, warp, bytes := p.Tile, "", int64(0)
	if t.warps {
		warp = " warp"
	}
	for i := range p.In {
		n, _ := ir.Product(p.sharedShape(i)...)
		bytes += n * int64(p.node.Graph().Ctx.ElemSize(p.operand))
	}
	s := fmt.Sprintf("tiles of %d x %d, in steps of %d, by %d threads, %d x %d of it each%s; %d bytes of shared memory",
		t.Size[0], t.Size[1], t.depth, t.Threads(), t.per[0], t.per[1], warp, bytes)
	if p.tf32 {
		s += "; elements lose their lowest 13 bits (tf32)"
	}
	return s
}

// sharedShape is the shape of an operand's tile in shared memory.
func (p *Product) sharedShape(i int) []int64 {
	x, k, pad := p.Tile.Size[i], p.Tile.depth, p.pad(i)
	switch {
	case !p.Tile.warps:
		return []int64{k, x + pad}
	case p.alongK(i):
		return []int64{stages, x, k + pad}
	}
	return []int64{stages, k, x + pad}
}

// An Epilogue adds the parameters that it needs to a kernel. What it returns makes of neighbouring sums, from a place
// on, elements of the result.
type Epilogue func(b kernel.Kit) func(at, sums []ir.Value) []ir.Value

// A block makes the kernel of a product.
type block struct {
	kernel.Kit
	*Product
	Tile
	w        int64       // elements of the widest vector
	memory   [3]ir.Value // of both operands and of the result
	epilogue func(at, sums []ir.Value) []ir.Value
	shared   [2]ir.Value
	thread   ir.Value
	batchAt  ir.Value
	from     [2]ir.Value // the first row and column of the block's tile
	rows     [2]ir.Value // how many rows and columns there are
	deep     ir.Value    // how far the sum goes
	own      [2]ir.Value // the first row and column of the thread, or of its warp, in the tile
	lane     ir.Value    // of the warp
}

// Kernel makes a kernel that computes the product, or what an epilogue, unless it is nil, makes of it. Its arguments are
// the memory of both operands, what the epilogue needs, and the memory of the result, on the device.
func (p *Product) Kernel(result ir.Type, e Epilogue) *ir.Graph {
	c := p.node.Graph().Ctx
	g := &block{Kit: kernel.New(c), Product: p, Tile: p.Tile, w: int64(kernel.VectorBytes / c.ElemSize(p.operand))}
	for i, a := range p.Which {
		g.memory[i] = g.Param(kernel.OnDevice(c, p.node.Arg(a).Type()))
	}
	if e != nil {
		g.epilogue = e(g.Kit)
	}
	g.memory[2] = g.Param(kernel.OnDevice(c, result))
	g.begin()
	if g.warps {
		g.byWarps()
	} else {
		g.byThreads()
	}
	return g.End()
}

// begin finds out where the thread is.
func (g *block) begin() {
	g.thread = g.ID(device.ThreadID, 0)
	g.from = [2]ir.Value{g.Times(g.ID(device.BlockID, 1), g.Size[0]), g.Times(g.ID(device.BlockID, 0), g.Size[1])}
	g.rows = [2]ir.Value{g.Dim(g.memory[2], g.Out.X), g.Dim(g.memory[2], g.Out.K)}
	g.deep = g.Dim(g.memory[0], g.In[0].K)
	g.batchAt = g.Index(0)
	if g.Out.Batch >= 0 {
		g.batchAt = g.ID(device.BlockID, 2)
	}
	for i := range g.shared {
		g.shared[i] = g.Shared(g.operand, g.sharedShape(i)...)
	}
}

// placeOf puts thread or warp n of the block in its place, each so many rows and columns behind the one before.
func (g *block) placeOf(n ir.Value, per [2]int64) {
	across := g.Size[1] / g.per[1]
	g.own = [2]ir.Value{g.Times(g.Over(n, across), per[0]), g.Times(g.Modulo(n, across), per[1])}
}

// A piece is where w elements of an operand's tile begin.
type piece struct {
	x, k ir.Value
	w    int64
}

// pieces are those of an operand that the thread fetches.
func (g *block) pieces(i int, w int64) []piece {
	out := make([]piece, g.Size[i]*g.depth/w/g.Threads())
	for n := range out {
		v := g.Plus(g.thread, int64(n)*g.Threads())
		if g.alongK(i) {
			out[n] = piece{g.Over(v, g.depth/w), g.Times(g.Modulo(v, g.depth/w), w), w}
		} else {
			out[n] = piece{g.Times(g.Modulo(v, g.Size[i]/w), w), g.Over(v, g.Size[i]/w), w}
		}
	}
	return out
}

// source is where a piece of a tile that begins at k is in memory; inside, unless it is 0, whether that is within the sum:
// what is outside is to be zero. Rows and columns outside of the operands are other ones, which nothing comes of.
func (g *block) source(i int, p piece, k ir.Value) (at []ir.Value, inside ir.Value) {
	x, k := g.Add(g.from[i], p.x), g.Add(k, p.k)
	if extent := g.extent[i]; extent == ir.Dynamic || extent%g.Size[i] != 0 {
		last := p.w
		if g.alongK(i) {
			last = 1
		}
		x = g.Min(x, g.Plus(g.rows[i], -last))
	}
	if g.k == ir.Dynamic || g.k%g.depth != 0 {
		inside = g.Less(k, g.deep)
		k = g.Choose(inside, k, g.Index(0))
	}
	return g.In[i].At(g.batchAt, x, k), inside
}

// finish writes sums, vectors of w neighbours at some rows and columns from the thread's first on.
func (g *block) finish(rows, columns []int64, w int64, sum func(r, c int) ir.Value) {
	step := w
	if g.extent[1] == ir.Dynamic || g.extent[1]%w != 0 {
		step = 1
	}
	for r, i := range rows {
		row := g.Add(g.from[0], g.Plus(g.own[0], i))
		g.When(g.inside(0, row), func() {
			for c, j := range columns {
				col := g.Add(g.from[1], g.Plus(g.own[1], j))
				for l := int64(0); l < w; l += step {
					at := g.Plus(col, l)
					g.When(g.inside(1, at), func() { g.put(sum(r, c), l, step, w, g.Out.At(g.batchAt, row, at)) })
				}
			}
		})
	}
}

// inside tests a row or a column; 0 if all are inside.
func (g *block) inside(i int, x ir.Value) ir.Value {
	if g.extent[i] != ir.Dynamic && g.extent[i]%g.Size[i] == 0 {
		return 0
	}
	return g.Less(x, g.rows[i])
}

// put stores n elements of a vector of w from one on, or what the epilogue makes of them.
func (g *block) put(v ir.Value, from, n, w int64, at []ir.Value) {
	if g.epilogue == nil && n == w {
		g.Write(v, g.memory[2], at, int(w))
		return
	}
	lanes := make([]ir.Value, n)
	for l := range lanes {
		lanes[l] = g.Lane(v, int(from)+l, int(w))
	}
	if g.epilogue != nil {
		lanes = g.epilogue(at, lanes)
	}
	g.WriteLanes(lanes, g.memory[2], at, true)
}
