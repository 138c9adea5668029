package linalg

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/lists"
)

var table = allRuns()

func allRuns() interp.Table {
	t := interp.Table{Index: runIndex}
	for _, def := range Structured() {
		t[def] = run
	}
	return t
}

// takesPacked: all that reads tensors.
var takesPacked = func() interp.TakesPacked {
	out := interp.TakesPacked{}
	for _, def := range Structured() {
		out[def] = true
	}
	return out
}()

// points are the places at which ops are that run, innermost last: linalg.index asks for them.
type points struct{ at [][]int64 }

type pointsKey struct{}

func pointsOf(m *interp.Machine) *points {
	return m.Local(pointsKey{}, func() any { return new(points) }).(*points)
}

func runIndex(m *interp.Machine, o *interp.Op, _, out []ir.Val) error {
	p, d := pointsOf(m), dimOf(o.G, o.V)
	if n := len(p.at); n == 0 || d >= int64(len(p.at[n-1])) {
		return ir.Trapf("linalg.index is in no loop %d", d)
	}
	out[0] = ir.Val{Bits: uint64(p.at[len(p.at)-1][d])}
	return nil
}

// plan is what is known of an op before it runs.
type plan struct {
	*Structure
	from   []place
	shaped []bool
}

func planOf(o *interp.Op) (*plan, error) {
	if p, ok := o.Data.(*plan); ok {
		return p, nil
	}
	s, err := StructureOf(o.G, o.V)
	if err != nil {
		return nil, err
	}
	p := &plan{Structure: s}
	p.from, _ = s.Extents()
	for _, t := range typesOf(o.G, o.G.Args(o.V)) {
		p.shaped = append(p.shaped, shaped(o.G.Ctx, t))
	}
	o.Data = p
	return p, nil
}

// run goes through all points in lexicographic order: it reads the elements of all operands, runs the region and writes what
// that yields to the outputs. Memory that is input and output is as it was left by the points before.
func run(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	p, err := planOf(o)
	if err != nil {
		return err
	}
	memories, tensor := make([]*interp.MemRef, len(args)), false
	for i := range args {
		if !p.shaped[i] {
			continue
		}
		if t := o.Call.ArgType(i); o.G.Ctx.Info(t).Kind == ir.KindTensor {
			memories[i], err = memoryOf(m, o.G.Ctx, t, args[i], i < p.Inputs)
			tensor = true
		} else {
			memories[i], err = interp.AsMemRef(args[i])
		}
		if err != nil {
			return err
		}
	}
	err = p.each(m, memories, func(point []int64) error { return p.step(m, o.Regions[0], point, memories, args) })
	if err != nil || !tensor {
		return err
	}
	for i, r := range memories[p.Inputs:] {
		out[i] = tensorOf(o.G.Ctx, o.Call.ArgType(p.Inputs+i), r)
	}
	return nil
}

// memoryOf is memory with the elements of a tensor: of its own, unless it is only read and a large constant.
func memoryOf(m *interp.Machine, c *ir.Context, t ir.Type, v ir.Val, reads bool) (*interp.MemRef, error) {
	if p, ok := v.Ref.(*ir.Packed); ok && reads && !p.Splat {
		if r, ok := m.NewConstant(c.Info(t).Elem, p.Elems, c.Info(t).Shape...); ok {
			return r, nil
		}
	}
	shape, elems, err := c.TensorOf(t, v)
	if err != nil {
		return nil, err
	}
	if err := m.Spend(int64(len(elems))); err != nil {
		return nil, err
	}
	b := interp.NewBuffer(c, c.Info(t).Elem, len(elems), false)
	b.Static = true
	for i, x := range elems {
		b.Store(i, x)
	}
	strides, _, _ := strided.RowMajor(shape)
	return &interp.MemRef{Buf: b, Sizes: shape, Strides: strides}, nil
}

func tensorOf(c *ir.Context, t ir.Type, r *interp.MemRef) ir.Val {
	elems := make(ir.Vector, r.Buf.Len())
	for i := range elems {
		elems[i] = r.Buf.Load(i)
	}
	return c.TensorVal(t, slices.Clone(r.Sizes), elems)
}

// each calls f for all points of the loops.
func (p *plan) each(m *interp.Machine, memories []*interp.MemRef, f func(point []int64) error) error {
	point, ends := make([]int64, len(p.from)), make([]int64, len(p.from))
	for d, from := range p.from {
		if ends[d] = memories[from.operand].Sizes[from.dim]; ends[d] <= 0 {
			return nil
		}
	}
	endScope, at := m.Scope(), pointsOf(m)
	at.at = append(at.at, point)
	defer func() { at.at = at.at[:len(at.at)-1] }()
	for {
		if err := f(point); err != nil {
			return err
		}
		endScope()
		if !lists.NextPoint(point, ends) {
			return nil
		}
	}
}

// step runs the region at one point.
func (p *plan) step(m *interp.Machine, body *interp.Code, point []int64, memories []*interp.MemRef, args []ir.Val) error {
	in, places := make([]ir.Val, p.Args), make([]int, len(args))
	for i, r := range memories {
		if r == nil {
			in[i] = args[i]
			continue
		}
		at, err := subscripts(p.Maps[i], point)
		if err != nil {
			return err
		}
		if places[i], err = r.At(at); err != nil {
			return err
		}
		if i < p.Args {
			in[i] = r.Buf.Load(places[i])
		}
	}
	ys, err := m.Run(body, in)
	if err != nil {
		return err
	}
	for i, y := range ys {
		memories[p.Inputs+i].Buf.Store(places[p.Inputs+i], y)
	}
	return nil
}

func subscripts(f *expr.Map, point []int64) ([]ir.Val, error) {
	out := make([]ir.Val, len(f.Results))
	for i, e := range f.Results {
		n, err := e.Eval(point, nil)
		if err != nil {
			return nil, err
		}
		out[i] = ir.Val{Bits: uint64(n)}
	}
	return out, nil
}
