package grid

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/grid/kernel"
)

// A pointwise is a ten.map that threads compute, element by element: of its own kernel, or as the epilogue of a product.
type pointwise struct {
	n     ir.Node
	body  *body
	types []ir.Type // of the operands
	known ir.Node   // an operand that the kernel has in its registers, or none
}

// pointwiseOf looks at a map; why it is none completes "stays on the host: it".
func pointwiseOf(n ir.Node) (*pointwise, string) {
	c := n.Graph().Ctx
	b, why := bodyOf(ir.ScheduleOf(n.Graph()), n.Region(0), nil)
	if why != "" {
		return nil, why
	}
	p := &pointwise{n: n, body: b}
	for _, a := range n.Args() {
		p.types = append(p.types, a.Type())
	}
	for _, t := range append([]ir.Type{n.Type()}, p.types...) {
		if !isScalar(c, tensor.Elem(c, t)) {
			return nil, "has elements that a launch does not pass"
		}
	}
	return p, ""
}

// shape is that of the result.
func (p *pointwise) shape() []int64 { return tensor.Shape(p.n.Graph().Ctx, p.n.Type()) }

// isStretched reports an operand whose elements a dimension of the result repeats.
func (p *pointwise) isStretched(operand, d int) bool {
	c := p.n.Graph().Ctx
	shape := tensor.Shape(c, p.types[operand])
	at := d - (len(p.shape()) - len(shape))
	return at < 0 || shape[at] == 1 && p.shape()[d] != 1
}

// isSame reports an operand of the extents of the result.
func (p *pointwise) isSame(operand int) bool {
	if len(tensor.Shape(p.n.Graph().Ctx, p.types[operand])) != len(p.shape()) {
		return false
	}
	for d := range p.shape() {
		if p.isStretched(operand, d) {
			return false
		}
	}
	return true
}

// isKnown reports an operand that the kernel has in its registers.
func (p *pointwise) isKnown(operand int) bool { return p.n.Arg(operand) == p.known }

// params adds the parameters of a kernel that the map needs: memory of the operands, and numbers.
func (p *pointwise) params(g builder) *mapping {
	out := &mapping{builder: g, pointwise: p}
	for i, t := range p.types {
		m := ir.Value(0)
		if !p.isKnown(i) {
			m = g.Param(kernel.OnDevice(g.Ctx(), t))
		}
		out.memory = append(out.memory, m)
	}
	numbers := lists.Map(p.body.free, func(v ir.Value) ir.Value { return g.Param(p.n.Graph().Type(v)) })
	out.outer = p.body.outside(g.Builder, numbers)
	return out
}

// args are those of a launch, as params has them; size are the extents of the result, with which those of operands agree.
func (p *pointwise) args(h *host, m *ir.Mirror, size []ir.Value) (out []ir.Value) {
	for i, a := range m.All(p.n.Args()) {
		if p.isKnown(i) {
			continue
		}
		shape := h.extents(m.B, a)
		for at, x := range shape {
			if d := at + len(size) - len(shape); !p.isStretched(i, d) {
				h.agree(m.B, size[d], x)
			}
		}
		out = append(out, h.onDevice(m, a))
	}
	for _, v := range p.body.free {
		out = append(out, m.Of(p.n.Graph().NodeOf(v)))
	}
	return out
}

// size are the extents of the result: each that of an operand that is not stretched.
func (p *pointwise) size(h *host, b *ir.Builder, args []ir.Value) []ir.Value {
	out := make([]ir.Value, len(p.shape()))
	for d, n := range p.shape() {
		if n != ir.Dynamic {
			out[d] = b.Index(n)
			continue
		}
		for i, a := range args {
			if !p.isStretched(i, d) {
				shape := h.extents(b, a)
				out[d] = shape[d-len(out)+len(shape)]
			}
		}
	}
	return out
}

// A mapping computes the elements of a map in a kernel.
type mapping struct {
	builder
	*pointwise
	memory []ir.Value // of the operands, but for what is known
	outer  map[ir.Value]ir.Value
}

// apply gives w neighbours of the result, from at on; known are those of the operand that is. Vectors are used where
// isWhole says that they do not cross the end of a row, and are aligned.
func (g *mapping) apply(at, known []ir.Value, w int, isWhole bool) []ir.Value {
	lanes := make([][]ir.Value, len(g.types))
	for i := range g.types {
		if lanes[i] = known; !g.isKnown(i) {
			lanes[i] = g.read(i, at, w, isWhole)
		}
	}
	out := make([]ir.Value, w)
	for l := range out {
		params := make([]ir.Value, len(lanes))
		for i := range lanes {
			params[i] = lanes[i][l]
		}
		out[l] = g.body.insert(g.Builder, g.outer, params...)[0]
	}
	return out
}

// read is what w neighbours of the result need of an operand.
func (g *mapping) read(operand int, at []ir.Value, w int, isWhole bool) []ir.Value {
	shape := tensor.Shape(g.Ctx(), g.types[operand])
	from := make([]ir.Value, len(shape))
	for i := range shape {
		d := i + len(at) - len(shape)
		from[i] = at[d]
		if g.isStretched(operand, d) {
			from[i] = g.Index(0)
		}
	}
	if len(at) == 0 || g.isStretched(operand, len(at)-1) {
		x, out := g.Read(g.memory[operand], from, 1), make([]ir.Value, w)
		for l := range out {
			out[l] = x
		}
		return out
	}
	return g.ReadLanes(g.memory[operand], from, w, isWhole)
}

// A mapTask is a map that has a kernel of its own: threads compute neighbouring elements, or neighbouring vectors of them.
type mapTask struct{ *pointwise }

// mapThreads are those of a block of a map.
const mapThreads = 256

// w is how many neighbours a thread computes.
func (t mapTask) w() int {
	c := t.n.Graph().Ctx
	widest := c.ElemSize(tensor.Elem(c, t.n.Type()))
	for _, x := range t.types {
		widest = max(widest, c.ElemSize(tensor.Elem(c, x)))
	}
	shape := t.shape()
	for w := kernel.VectorBytes / widest; w > 1; w /= 2 {
		if len(shape) > 0 && shape[len(shape)-1] != ir.Dynamic && shape[len(shape)-1]%int64(w) == 0 {
			return w
		}
	}
	return 1
}

func (t mapTask) what() string        { return "map" }
func (t mapTask) threads() int64      { return mapThreads }
func (t mapTask) blocksAtOnce() int64 { return 2 }

func (t mapTask) says() string {
	return fmt.Sprintf("%d neighbours by a thread, %d threads a block", t.w(), mapThreads)
}

// kernel gives each thread w neighbours. w divides the last extent, so that none of its vectors crosses the
// end of a row.
func (t mapTask) kernel(c *ir.Context) *ir.Graph {
	b := newBuilder(c)
	g := t.params(b)
	result := g.Param(kernel.OnDevice(c, t.n.Type()))
	w := t.w()
	size, all := g.Dims(result, len(t.shape()))
	first := g.Times(g.Add(g.Times(g.ID(device.BlockID, 0), mapThreads), g.ID(device.ThreadID, 0)), int64(w))
	g.When(g.Less(first, all), func() {
		at := g.Unflatten(first, size)
		g.WriteLanes(g.apply(at, nil, w, true), result, at, true)
	})
	return g.End()
}

// launch takes the extents of the result from its operands, as there is no result yet.
func (t mapTask) launch(h *host, m *ir.Mirror, n ir.Node, name string) ir.Value {
	b := m.B
	size := t.size(h, b, m.All(n.Args()))
	operands := t.args(h, m, size)
	result := alloc(b, kernel.OnDevice(b.Ctx(), n.Type()), size)
	return h.run(m, n, t, name, []ir.Value{h.blocks(b, size, int64(t.w()*mapThreads))}, operands, result, size)
}
