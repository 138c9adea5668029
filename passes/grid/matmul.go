package grid

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// vectorBytes is the widest access of a thread.
const vectorBytes = 16

// longest is how long a sum may be whose loop counts in 32 bits, which takes a GPU half the instructions.
const longest = 1 << 30

// A generator makes the kernel of a product.
type generator struct {
	builder
	*product
	t        tile
	w        int // elements of the widest vector
	memory   [3]ir.Value
	epilogue *mapping // or nil
	shared   [2]ir.Value
	thread   ir.Value
	batchAt  ir.Value
	from     [2]ir.Value // the first row and column of the block's tile
	extent   [2]ir.Value // rows and columns
	depth    ir.Value
	row, col ir.Value // of the thread among those of the block, times w
}

// kernel makes a kernel that computes the product; its arguments are the memory of both operands and of the result, on
// the device.
func (p *product) kernel(c *ir.Context, t tile) *ir.Graph {
	if t.warps {
		return p.warpKernel(c, t)
	}
	g := &generator{builder: newBuilder(c), product: p, t: t, w: vectorBytes / c.ElemSize(p.elem)}
	g.memory, g.epilogue = p.params(g.builder)
	g.begin()
	sums := g.along()
	g.finish(sums)
	g.Op(device.Return)
	return g.Finish()
}

// onDevice is the type of the device's memory for a tensor.
func onDevice(c *ir.Context, t ir.Type) ir.Type {
	return inSpace(c, tensor.Shape(c, t), tensor.Elem(c, t), device.GlobalSpace)
}

// begin finds out where the thread is.
func (g *generator) begin() {
	g.thread = g.id(device.ThreadID, 0)
	g.from = [2]ir.Value{g.times(g.id(device.BlockID, 1), g.t.rows), g.times(g.id(device.BlockID, 0), g.t.columns)}
	g.extent = [2]ir.Value{g.dim(g.memory[2], g.out.x), g.dim(g.memory[2], g.out.k)}
	g.depth = g.dim(g.memory[0], g.in[0].k)
	g.batchAt = g.Index(0)
	if g.out.batch >= 0 {
		g.batchAt = g.id(device.BlockID, 2)
	}
	for i, x := range []int64{g.t.rows, g.t.columns} {
		g.shared[i] = g.builder.shared(g.elem, g.t.depth, x+g.pad(i, g.w))
	}
	across := g.t.columns / g.t.perColumn
	g.row, g.col = g.times(g.over(g.thread, across), int64(g.w)), g.times(g.modulo(g.thread, across), int64(g.w))
}

// pad is how many elements are between the rows of an operand's tile in shared memory, so that a column of them, as
// they are written if the operand is transposed on its way, is not all in one bank.
func (p *product) pad(operand, w int) int64 {
	if p.in[operand].last() == p.in[operand].k {
		return int64(w)
	}
	return 0
}

// sharedBytes is how much shared memory a kernel has.
func (p *product) sharedBytes(c *ir.Context, t tile) int64 {
	size := c.ElemSize(p.operand)
	if t.warps {
		n := int64(0)
		for i, x := range []int64{t.rows, t.columns} {
			if p.alongK(i) {
				n += x * (t.depth + p.pads(i))
			} else {
				n += t.depth * (x + p.pads(i))
			}
		}
		return stages * n * int64(size)
	}
	w := vectorBytes / size
	return t.depth * (t.rows + p.pad(0, w) + t.columns + p.pad(1, w)) * int64(size)
}

// along goes along what is summed over and returns the sums of the thread, row by row, in vectors.
func (g *generator) along() []ir.Value {
	zero := arith.Zero(g.Builder, g.Ctx().Vector([]int64{int64(g.w)}, g.elem))
	sums := make([]ir.Value, g.t.perRow*g.t.perColumn/int64(g.w))
	for i := range sums {
		sums[i] = zero
	}
	step := g.Index(g.t.depth)
	if g.k == ir.Dynamic || g.k == 0 || g.k > longest { // there may be nothing to fetch
		return g.loop(g.Index(0), g.depth, step, sums, func(k ir.Value, sums []ir.Value) []ir.Value {
			g.keep(g.fetch(k))
			g.barrier()
			sums = g.multiply(sums)
			g.barrier()
			return sums
		})
	}
	// What the next step needs is fetched before this one's work; the last one fetches the first again.
	first := g.fetch(g.Index(0))
	n := len(sums)
	number := func(n int64) ir.Value { return arith.ConstInt(g.Builder, ir.I32, n) }
	out := g.loop(number(g.t.depth), number(g.k+g.t.depth), number(g.t.depth), append(sums, first...), func(next ir.Value, carried []ir.Value) []ir.Value {
		g.keep(carried[n:])
		g.barrier()
		next = arith.Choose(g.Builder, g.less(next, number(g.k)), next, number(0))
		fetched := g.fetch(arith.Cast(g.Builder, arith.IndexCastui, next, ir.Index))
		sums := g.multiply(carried[:n])
		g.barrier()
		return append(sums, fetched...)
	})
	return out[:n]
}

// A piece is where a thread finds w elements of an operand's tile.
type piece struct {
	x, k   ir.Value
	w      int
	alongK bool
}

// pieces are those of a thread.
func (g *generator) pieces(operand int) (out []piece) {
	size, extent := []int64{g.t.rows, g.t.columns}[operand], g.k
	p := g.in[operand]
	alongK := p.last() == p.k
	if !alongK {
		extent = []int64{g.m, g.n}[operand]
	}
	w := int64(1)
	if extent != ir.Dynamic && extent%int64(g.w) == 0 && p.last() != p.batch {
		w = int64(g.w)
	}
	for i := range size * g.t.depth / w / g.t.threads() {
		v := g.plus(g.thread, i*g.t.threads())
		if alongK {
			out = append(out, piece{g.over(v, g.t.depth/w), g.times(g.modulo(v, g.t.depth/w), w), int(w), true})
		} else {
			out = append(out, piece{g.times(g.modulo(v, size/w), w), g.over(v, size/w), int(w), false})
		}
	}
	return out
}

// fetch reads the thread's pieces of both tiles at k. What is outside of the summed index is zero; rows and columns
// outside of the operands are other ones, which nothing comes of.
func (g *generator) fetch(k ir.Value) (out []ir.Value) {
	for i := range g.in {
		for _, p := range g.pieces(i) {
			x, at := g.add(g.from[i], p.x), g.add(k, p.k)
			if extent := []int64{g.m, g.n}[i]; extent == ir.Dynamic || extent%[]int64{g.t.rows, g.t.columns}[i] != 0 {
				last := int64(1)
				if !p.alongK {
					last = int64(p.w)
				}
				x = g.Op(arith.Minsi, x, g.plus(g.extent[i], -last))
			}
			var inside ir.Value
			if g.k == ir.Dynamic || g.k%g.t.depth != 0 {
				inside = g.less(at, g.depth)
				at = arith.Choose(g.Builder, inside, at, g.Index(0))
			}
			v := g.load(g.memory[i], g.in[i].at(g.batchAt, x, at), p.w)
			if inside != 0 {
				v = arith.Choose(g.Builder, inside, v, arith.Zero(g.Builder, g.Graph().Type(v)))
			}
			out = append(out, v)
		}
	}
	return out
}

// keep stores the pieces to shared memory, where the summed index comes first.
func (g *generator) keep(values []ir.Value) {
	for i := range g.in {
		for _, p := range g.pieces(i) {
			v := values[0]
			values = values[1:]
			if !p.alongK {
				g.store(v, g.shared[i], []ir.Value{p.k, p.x}, p.w)
				continue
			}
			for l := range p.w {
				g.store(g.lane(v, l, p.w), g.shared[i], []ir.Value{g.plus(p.k, int64(l)), p.x}, 1)
			}
		}
	}
}

// multiply adds what the tiles in shared memory come to.
func (g *generator) multiply(sums []ir.Value) []ir.Value {
	w := int64(g.w)
	for k := range g.t.depth {
		var a, b []ir.Value
		for r := range g.t.perRow / w {
			a = append(a, g.load(g.shared[0], []ir.Value{g.Index(k), g.plus(g.row, r*g.rowStep())}, g.w))
		}
		for c := range g.t.perColumn / w {
			b = append(b, g.load(g.shared[1], []ir.Value{g.Index(k), g.plus(g.col, c*g.columnStep())}, g.w))
		}
		next := make([]ir.Value, 0, len(sums))
		for r := range g.t.perRow {
			x := vector.BuildBroadcast(g.Builder, g.lane(a[r/w], int(r%w), g.w), w)
			for c := range b {
				next = append(next, g.fma(x, b[c], sums[int(r)*len(b)+c]))
			}
		}
		sums = next
	}
	return sums
}

// rowStep is how far the vectors of a thread are apart: its rows lie in groups of w, between which those of the other
// threads lie.
func (g *generator) rowStep() int64    { return g.t.rows / (g.t.perRow / int64(g.w)) }
func (g *generator) columnStep() int64 { return g.t.columns / (g.t.perColumn / int64(g.w)) }

// finish writes the sums.
func (g *generator) finish(sums []ir.Value) {
	w := int64(g.w)
	columns := int(g.t.perColumn / w)
	whole := g.n != ir.Dynamic && g.n%w == 0
	for r := range g.t.perRow {
		row := g.add(g.from[0], g.plus(g.row, r/w*g.rowStep()+r%w))
		var inRows ir.Value
		if g.m == ir.Dynamic || g.m%g.t.rows != 0 {
			inRows = g.less(row, g.extent[0])
		}
		g.when(inRows, func() {
			for c := range columns {
				col := g.add(g.from[1], g.plus(g.col, int64(c)*g.columnStep()))
				v := sums[int(r)*columns+c]
				if whole {
					g.when(g.inColumns(col), func() { g.put(v, g.w, g.memory[2], g.out.at(g.batchAt, row, col), g.epilogue) })
					continue
				}
				for l := range g.w {
					at := g.plus(col, int64(l))
					g.when(g.inColumns(at), func() { g.put(g.lane(v, l, g.w), 1, g.memory[2], g.out.at(g.batchAt, row, at), g.epilogue) })
				}
			}
		})
	}
}

func (g *generator) inColumns(col ir.Value) ir.Value {
	if g.n != ir.Dynamic && g.n%g.t.columns == 0 {
		return 0
	}
	return g.less(col, g.extent[1])
}
