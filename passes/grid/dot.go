package grid

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/grid/kernel"
)

// A dot is an einsum of a tensor with all indices and one with the index that is summed over and some of the others, as a
// matrix by a vector. If the summed index is the last one of the large tensor, a warp goes along each row; if not, neighbouring
// threads go along neighbouring columns.
type dot struct {
	elem   ir.Type
	in     [2][]int // the indices of the large operand, and of the other
	out    []int
	types  [2]ir.Type
	result ir.Type
	first  int // which operand of the einsum is the large one
	sum    int // the index
}

// dotOf looks at an einsum; nil is none.
func dotOf(n ir.Node) *dot {
	c := n.Graph().Ctx
	s := tensor.SpecOf(n.Graph(), n.Old())
	elem := tensor.Elem(c, n.Type())
	if len(s.In) != 2 || elem != ir.F32 && elem != ir.F64 {
		return nil
	}
	d := &dot{elem: elem, out: s.Out, result: n.Type()}
	if len(s.In[1]) > len(s.In[0]) {
		d.first = 1
	}
	for i := range d.in {
		a := d.first ^ i
		d.in[i], d.types[i] = s.In[a], n.Arg(a).Type()
		if tensor.Elem(c, d.types[i]) != elem || !tensor.IsPlain(d.in[i]) {
			return nil
		}
	}
	// Indices of rows and of columns make a product of matrices: a dot has one kind of them.
	p := s.Product()
	if len(p.Sums) != 1 || len(p.Own) > 0 || len(p.Rows) > 0 && len(p.Columns) > 0 {
		return nil
	}
	d.sum = p.Sums[0]
	return d
}

// isAlongRows reports that the summed index is the last in memory.
func (d *dot) isAlongRows() bool { return d.in[0][len(d.in[0])-1] == d.sum }

// at is the place of an operand for indices of the result and the summed one.
func (d *dot) at(operand int, out []ir.Value, k ir.Value) []ir.Value {
	var at []ir.Value
	for _, x := range d.in[operand] {
		if x == d.sum {
			at = append(at, k)
		} else {
			at = append(at, out[slices.Index(d.out, x)])
		}
	}
	return at
}

// A dotTask is a dot.
type dotTask struct{ *dot }

// what names the kernel. Its blocks have rowWarps warps, which go along rows, or their threads along columns.
func (t dotTask) what() string        { return "dot" }
func (t dotTask) threads() int64      { return rowWarps * device.WarpSize }
func (t dotTask) blocksAtOnce() int64 { return 2 }

func (t dotTask) says() string {
	if t.isAlongRows() {
		return fmt.Sprintf("a warp for each row, %d of them a block", rowWarps)
	}
	return fmt.Sprintf("a thread for each element, which goes along a column, %d of them a block", t.threads())
}

// each is how many elements of the result a block computes.
func (t dotTask) each() int64 {
	if t.isAlongRows() {
		return rowWarps
	}
	return t.threads()
}

// kernel sums in single threads, or in the lanes of a warp, which then add up what they have by shuffles.
func (t dotTask) kernel(c *ir.Context) *ir.Graph {
	g := newBuilder(c)
	var memory [3]ir.Value
	for i, x := range []ir.Type{t.types[0], t.types[1], t.result} {
		memory[i] = g.Param(kernel.OnDevice(c, x))
	}
	size, all := g.Dims(memory[2], len(t.out))
	depth := g.Dim(memory[0], slices.Index(t.in[0], t.sum))
	thread := g.ID(device.ThreadID, 0)
	lane, row, step := g.Index(0), thread, g.Index(1)
	if t.isAlongRows() {
		lane, row, step = g.Modulo(thread, device.WarpSize), g.Over(thread, device.WarpSize), g.Index(device.WarpSize)
	}
	row = g.Add(g.Times(g.ID(device.BlockID, 0), t.each()), row)
	g.When(g.Less(row, all), func() {
		at := g.Unflatten(row, size)
		sum := g.ForStep(lane, depth, step, []ir.Value{arith.ConstFloat(g.Builder, t.elem, 0)}, func(k ir.Value, sum []ir.Value) []ir.Value {
			return []ir.Value{g.FMA(g.Read(memory[0], t.at(0, at, k), 1), g.Read(memory[1], t.at(1, at, k), 1), sum[0])}
		})[0]
		if !t.isAlongRows() {
			g.Write(sum, memory[2], at, 1)
			return
		}
		for n := int64(device.WarpSize / 2); n > 0; n /= 2 {
			sum = arith.AddF(g.Builder, sum, g.Shuffle("xor", sum, n))
		}
		g.When(g.IsZero(lane), func() { g.Write(sum, memory[2], at, 1) })
	})
	return g.End()
}

// launch puts the large operand first, as kernel has it, and checks the extents of what both have in common.
func (t dotTask) launch(h *host, m *ir.Mirror, n ir.Node, name string) ir.Value {
	b, args := m.B, m.All(n.Args())
	args[0], args[1] = args[t.first], args[1-t.first]
	in := [2][]ir.Value{h.extents(b, args[0]), h.extents(b, args[1])}
	for i, x := range t.in[1] {
		h.agree(b, in[0][slices.Index(t.in[0], x)], in[1][i])
	}
	size := lists.Map(t.out, func(x int) ir.Value { return in[0][slices.Index(t.in[0], x)] })
	result := alloc(b, kernel.OnDevice(b.Ctx(), n.Type()), size)
	operands := []ir.Value{h.onDevice(m, args[0]), h.onDevice(m, args[1])}
	return h.run(m, n, t, name, []ir.Value{h.blocks(b, size, t.each())}, operands, result, size)
}
