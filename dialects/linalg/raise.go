package linalg

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/linalg/tensors"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

// Where sums may be taken in any order, ops on tensors of known extents are ops of ten: sums of products are einsums and convolutions, and what
// works element by element is maps. So they get what ten has: tiles in registers, with the maps behind them, orders of products by cost. What an op adds
// its sum to is added to the sum, unless that is a fill of zeros.

// A raising is an op of linalg that may be one of ten.
type raising struct {
	*ir.Mirror
	n ir.Node
	s *Structure
}

// raised makes the ops; 0 if there are none.
func raised(m *ir.Mirror, n ir.Node, s *Structure) ir.Value {
	r := &raising{m, n, s}
	v := ir.Value(0)
	switch {
	case !r.isOfTensors():
	case r.isSum():
		v = r.sum()
	case r.isOnlyBegun():
		v = r.fill(n.Type())
	case r.isElementwise():
		v = r.elementwise()
	}
	if v == 0 {
		return 0
	}
	tensors.Share(m, n)
	return m.B.Pack(v)
}

// isRaised reports an op that becomes ops of ten.
func isRaised(n ir.Node) bool {
	s, err := StructureOf(n.Graph(), n.Old())
	if err != nil {
		return false
	}
	r := &raising{nil, n, s}
	return r.isOfTensors() && r.isSum() && (r.product() != nil || r.convolution() != nil)
}

func (r *raising) ctx() *ir.Context { return r.n.Graph().Ctx }

// isOfTensors reports one result, and operands that are numbers or tensors of known extents.
func (r *raising) isOfTensors() bool {
	if r.s.Outputs() != 1 || r.n.NumRegions() != 1 || len(r.n.Region(0).Yields()) != 1 {
		return false
	}
	for i, a := range r.n.Args() {
		switch info := r.ctx().Info(a.Type()); {
		case info.Kind == ir.KindTensor && !slices.Contains(info.Shape, ir.Dynamic) && tensor.Takes(r.ctx(), a.Type()):
		case i < r.s.Inputs && !shaped(r.ctx(), a.Type()):
		default:
			return false
		}
	}
	return r.ctx().Info(r.output().Type()).Kind == ir.KindTensor
}

func (r *raising) output() ir.Node { return r.n.Arg(r.s.Inputs) }

func (r *raising) elem(n ir.Node) ir.Type { return tensor.Elem(r.ctx(), n.Type()) }

// isSum reports the sum of what there is and a product of both inputs, each as it is or made wider.
func (r *raising) isSum() bool {
	if r.s.Inputs != 2 || !slices.Contains(r.s.Reduction, true) || r.s.Args != 3 {
		return false
	}
	params, y := r.n.Region(0).Params(), r.n.Region(0).Yields()[0]
	elem := r.elem(r.output())
	times := arith.Muli
	switch {
	case y.Def() == arith.Addf && (elem == ir.F32 || elem == ir.F64): // halves would be rounded at each step
		times = arith.Mulf
	case y.Def() != arith.Addi:
		return false
	}
	p := y.Arg(1)
	if y.Arg(0) != params[2] {
		if p = y.Arg(0); y.Arg(1) != params[2] {
			return false
		}
	}
	if p.Def() != times || r.elem(r.n.Arg(0)) != r.elem(r.n.Arg(1)) {
		return false
	}
	for i := range 2 {
		x := p.Arg(i)
		if x.Def() == arith.Extf || x.Def() == arith.Extsi {
			x = x.Arg(0)
		}
		if x != params[i] && x != params[1-i] || p.Arg(0) == p.Arg(1) {
			return false
		}
	}
	return true
}

// sum is the product, or the convolution, and what it is added to.
func (r *raising) sum() ir.Value {
	v := ir.Value(0)
	if spec := r.product(); spec != nil {
		v = tensor.BuildEinsum(r.B, spec, r.elem(r.output()), r.Of(r.n.Arg(0)), r.Of(r.n.Arg(1)))
	} else if w := r.convolution(); w != nil {
		v = r.convolve(w)
	}
	if v == 0 || isZeros(r.output()) {
		return v
	}
	return r.B.Op(r.n.Region(0).Yields()[0].Def(), r.Of(r.output()), v)
}

// isZeros reports a fill of zeros.
func isZeros(n ir.Node) bool {
	if v, _, ok := n.Graph().Projection(n.Old()); ok {
		n = n.Graph().NodeOf(v)
	}
	if named[n.Def()] == nil || named[n.Def()].Name != "fill" {
		return false
	}
	x, ok := n.Graph().Const(n.Arg(0).Old())
	return ok && x.Ref == nil && x.Bits == 0
}

// isOnlyBegun reports a fill of zeros that sums begin with, and nothing else reads.
func (r *raising) isOnlyBegun() bool {
	return isZeros(r.n) && !slices.ContainsFunc(r.n.Users(), func(u ir.Node) bool {
		return !isRaised(u) || u.Arg(u.NumArgs()-1) != r.n || slices.Contains(u.Args()[:u.NumArgs()-1], r.n)
	})
}

func (r *raising) fill(t ir.Type) ir.Value {
	return r.B.Must(ir.Call{Def: tensor.Fill, Args: []ir.Value{r.Of(r.n.Arg(0))}, Type: t, Loc: r.B.Loc})
}

// product is the spec of an einsum; nil if subscripts are more than single loops.
func (r *raising) product() *tensor.Spec {
	s := &tensor.Spec{}
	for d := range r.s.Reduction {
		s.Names, s.Extents = append(s.Names, string(rune('a'+d))), append(s.Extents, 0)
	}
	if len(s.Names) > 26 {
		return nil
	}
	for i, f := range r.s.Maps {
		in, ok := dimsOf(f)
		if !ok {
			return nil
		}
		for at, d := range in {
			s.Extents[d] = tensor.Shape(r.ctx(), r.n.Arg(i).Type())[at]
		}
		if i < 2 {
			s.In = append(s.In, in)
		} else {
			s.Out = in
		}
	}
	for _, d := range s.Out {
		if r.s.Reduction[d] || !slices.Contains(s.In[0], d) && !slices.Contains(s.In[1], d) {
			return nil
		}
	}
	return s
}

// dimsOf are the loops that subscripts are, each once.
func dimsOf(f *expr.Map) (out []int, ok bool) {
	for _, e := range f.Results {
		if e.Op != expr.OpDim || slices.Contains(out, int(e.N)) {
			return nil, false
		}
		out = append(out, int(e.N))
	}
	return out, true
}

// isElementwise reports loops of which none is a sum, over all of the result in its order, and a region of arithmetic.
func (r *raising) isElementwise() bool {
	out, ok := dimsOf(r.s.Maps[r.s.Inputs])
	if !ok || len(out) != len(r.s.Reduction) || !slices.IsSorted(out) || slices.Contains(r.s.Reduction, true) {
		return false
	}
	covered := map[int]bool{} // the dimensions that operands have: a map has no others
	for _, f := range r.s.Maps[:r.s.Inputs] {
		dims, ok := dimsOf(f)
		if !ok {
			return false
		}
		for _, d := range dims {
			covered[d] = true
		}
	}
	begun := r.s.Inputs < r.s.Args && r.n.Region(0).Params()[r.s.Inputs].NumUses() > 0
	return (begun || len(out) > 0 && len(covered) == len(out)) && r.isArithmetic()
}

// isArithmetic reports a region whose result is made of its parameters and of numbers by ops that may not trap.
func (r *raising) isArithmetic() bool {
	params, g := r.n.Region(0).Params(), r.n.Graph()
	seen := map[ir.Node]bool{}
	var visit func(n ir.Node) bool
	visit = func(n ir.Node) bool {
		if seen[n] || slices.Contains(params, n) || n.Def() == arith.Constant {
			return true
		}
		seen[n] = true
		return n.Def().Has(ir.Elementwise) && n.NumRegions() == 0 && g.IsPure(n.Old()) && !g.IsPartial(n.Old()) &&
			!slices.ContainsFunc(n.Args(), func(a ir.Node) bool { return !visit(a) })
	}
	return visit(r.n.Region(0).Yields()[0])
}

// elementwise is a map of the operands in the order of the result, with extents of 1 where they have no dimension.
func (r *raising) elementwise() ir.Value {
	params := r.n.Region(0).Params()
	xs := make([]ir.Value, len(params))
	var args []ir.Value
	var at []int // which parameter each argument is of
	for i, p := range params {
		a := r.n.Arg(i)
		switch {
		case !shaped(r.ctx(), a.Type()):
			xs[i] = r.Of(a)
		case i < r.s.Inputs:
			args, at = append(args, r.aligned(a, r.s.Maps[i])), append(at, i)
		case p.NumUses() > 0:
			args, at = append(args, r.Of(a)), append(at, i)
		}
	}
	return tensor.BuildMap(r.B, r.n.Type(), args, func(ys []ir.Value) ir.Value {
		for k, y := range ys {
			xs[at[k]] = y
		}
		return r.Body(r.n.Region(0), xs...)[0]
	})
}

// aligned is an operand whose dimensions stand where the loops do.
func (r *raising) aligned(a ir.Node, f *expr.Map) ir.Value {
	dims, _ := dimsOf(f)
	v := ordered(r.B, r.Of(a), dims, slices.Sorted(slices.Values(dims)))
	shape := make([]int64, 0, len(r.s.Reduction))
	for d := range r.s.Reduction {
		if at := slices.Index(dims, d); at >= 0 {
			shape = append(shape, tensor.Shape(r.ctx(), a.Type())[at])
		} else if len(shape) > 0 {
			shape = append(shape, 1)
		}
	}
	return reshaped(r.B, v, shape)
}

// ordered is a tensor whose dimensions have another order.
func ordered(b *ir.Builder, v ir.Value, have, want []int) ir.Value {
	if slices.Equal(have, want) {
		return v
	}
	perm := lists.Map(want, func(x int) int64 { return int64(slices.Index(have, x)) })
	return tensor.BuildTranspose(b, v, perm...)
}

// reshaped is a tensor of other extents.
func reshaped(b *ir.Builder, v ir.Value, shape []int64) ir.Value {
	c := b.Ctx()
	t := c.Tensor(shape, tensor.Elem(c, b.Graph().Type(v)))
	if t == b.Graph().Type(v) {
		return v
	}
	return b.Must(ir.Call{Def: tensor.Reshape, Args: []ir.Value{v}, Type: t, Loc: b.Loc})
}
