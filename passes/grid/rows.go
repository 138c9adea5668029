package grid

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/grid/kernel"
)

// Ops along the last dimension: a warp goes along each row, neighbouring threads at neighbouring elements, and combines what its
// threads have by shuffles.

// rowWarps is how many warps a block has, and rows.
const rowWarps = 8

// A rowOp is an op along rows.
type rowOp struct {
	def     *ir.OpDef // tensor.Softmax, LayerNorm or Reduce
	by      int       // of Reduce
	epsilon float64   // of LayerNorm
	elem    ir.Type
	in      []ir.Type // of the operands
	out     ir.Type
}

// rowOpOf looks at an op; why it is none completes "stays on the host: it".
func rowOpOf(n ir.Node) (r *rowOp, why string) {
	c := n.Graph().Ctx
	x := n.Arg(0).Type()
	r = &rowOp{def: n.Def(), elem: tensor.Elem(c, x), out: n.Type()}
	last := int64(len(tensor.Shape(c, x)) - 1)
	along := last
	switch n.Def() {
	case tensor.Softmax:
		along = c.AttrInfo(n.Attr("dim")).Int
	case tensor.LayerNorm:
		r.epsilon = gomath.Float64frombits(c.AttrInfo(n.Attr("epsilon")).Bits)
	case tensor.Reduce:
		dims := c.Ints(n.Attr("dims"))
		if len(dims) != 1 {
			return nil, "is along several dimensions"
		}
		r.by, along = tensor.KindOf(c, n.Attrs()), dims[0]
	case tensor.Einsum: // a sum along the last dimension
		s := tensor.SpecOf(n.Graph(), n.Old())
		if len(s.In) != 1 || last < 0 || slices.Contains(s.In[0], tensor.Stretched) || !slices.Equal(s.In[0][:last], s.Out) || len(s.Names) != len(s.In[0]) {
			return nil, "is no sum along the last dimension"
		}
		r.def, r.by = tensor.Reduce, tensor.ByAdd
	}
	switch {
	case along != last || last < 0:
		return nil, "is not along the last dimension"
	case r.elem != ir.F32 && r.elem != ir.F64 || tensor.Elem(c, n.Type()) != r.elem:
		return nil, "has elements that are neither f32 nor f64"
	}
	for _, a := range n.Args() {
		if tensor.Elem(c, a.Type()) != r.elem {
			return nil, "has operands of different elements"
		}
		r.in = append(r.in, a.Type())
	}
	return r, ""
}

// A rower makes the kernel of an op along rows.
type rower struct {
	builder
	*rowOp
	memory []ir.Value // of the operands and the result
	lane   ir.Value
	at     []ir.Value // of the row
	size   ir.Value
}

// kernel gives each warp a row; warps behind the last row do nothing.
func (r *rowOp) kernel(c *ir.Context) *ir.Graph {
	g := &rower{builder: newBuilder(c), rowOp: r}
	for _, t := range append(slices.Clone(r.in), r.out) {
		g.memory = append(g.memory, g.Param(kernel.OnDevice(c, t)))
	}
	thread := g.ID(device.ThreadID, 0)
	g.lane = g.Modulo(thread, device.WarpSize)
	row := g.Add(g.Times(g.ID(device.BlockID, 0), rowWarps), g.Over(thread, device.WarpSize))
	last := len(tensor.Shape(c, r.in[0])) - 1
	g.size = g.Dim(g.memory[0], last)
	extents, rows := g.Dims(g.memory[0], last)
	g.at = g.Unflatten(row, extents)
	g.When(g.Less(row, rows), g.row)
	return g.End()
}

func (g *rower) float(x float64) ir.Value { return arith.ConstFloat(g.Builder, g.elem, x) }

// get is element j of the row.
func (g *rower) get(j ir.Value) ir.Value {
	return g.Read(g.memory[0], append(slices.Clone(g.at), j), 1)
}

// combined is what all threads of the warp come to: each combines what f makes of every 32nd element, and then they do with one another.
func (g *rower) combined(by int, f func(j ir.Value) ir.Value) ir.Value {
	identity := g.float([]float64{0, 1, gomath.Inf(1), gomath.Inf(-1)}[by])
	own := g.ForStep(g.lane, g.size, g.Index(device.WarpSize), []ir.Value{identity}, func(j ir.Value, sum []ir.Value) []ir.Value {
		return []ir.Value{g.together(by, sum[0], f(j))}
	})[0]
	// After this butterfly each thread has the result: no broadcast follows.
	for n := int64(device.WarpSize / 2); n > 0; n /= 2 {
		own = g.together(by, own, g.Shuffle("xor", own, n))
	}
	return own
}

// together combines two numbers. The ops are in the order of the kinds of tensor.Reduce, and so are the
// identities in combined.
func (g *rower) together(by int, x, y ir.Value) ir.Value {
	return arith.Float(g.Builder, []*ir.OpDef{arith.Addf, arith.Mulf, arith.Minimumf, arith.Maximumf}[by], 0, x, y)
}

// each stores what f makes of the elements of the row.
func (g *rower) each(f func(j ir.Value) ir.Value) {
	g.EachStep(g.lane, g.size, g.Index(device.WarpSize), func(j ir.Value) {
		g.Write(f(j), g.memory[len(g.memory)-1], append(slices.Clone(g.at), j), 1)
	})
}

// row computes a row.
func (g *rower) row() {
	b := g.Builder
	switch g.def {
	case tensor.Softmax:
		// exp of what is at most 0 does not overflow; the factor exp(-high) falls out of the quotient.
		high := g.combined(tensor.ByMax, g.get)
		exp := func(j ir.Value) ir.Value { return g.Op(math.Exp, arith.SubF(b, g.get(j), high)) }
		sum := g.combined(tensor.ByAdd, exp)
		g.each(func(j ir.Value) ir.Value { return arith.DivF(b, exp(j), sum) })
	case tensor.LayerNorm:
		size := arith.Cast(b, arith.Sitofp, arith.Cast(b, arith.IndexCast, g.size, ir.I64), g.elem)
		mean := arith.DivF(b, g.combined(tensor.ByAdd, g.get), size)
		variance := arith.DivF(b, g.combined(tensor.ByAdd, func(j ir.Value) ir.Value {
			x := arith.SubF(b, g.get(j), mean)
			return arith.MulF(b, x, x)
		}), size)
		root := g.Op(math.Sqrt, arith.AddF(b, variance, g.float(g.epsilon)))
		g.each(func(j ir.Value) ir.Value {
			x := arith.DivF(b, arith.SubF(b, g.get(j), mean), root)
			return g.FMA(x, g.Load(g.memory[1], j), g.Load(g.memory[2], j))
		})
	default:
		all := g.combined(g.by, g.get)
		g.When(arith.CmpI(b, arith.EQ, g.lane, g.Index(0)), func() { g.Write(all, g.memory[1], g.at, 1) })
	}
}
