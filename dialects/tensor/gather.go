package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Ops whose places are numbers of tensors. An index is an integer, from -n to n-1 in a dimension of n elements: a negative
// one counts from the end, and any other traps, all of them before anything is moved.
var (
	Gather = ir.Define(&ir.OpDef{Name: "ten.gather", Doc: "The parts of a tensor at given places along a dimension, in whose stead the result has the dimensions of the indices. A negative index counts from the end; one that is outside traps. As ONNX Gather.",
		Args: []string{"operand", "indices"}, Attrs: []string{"dim"}, Traits: ir.Partial, Infer: noRegions(inferGather)})
	GatherElements = ir.Define(&ir.OpDef{Name: "ten.gather_elements", Doc: "At each place of the indices the element of the operand at that place, but for one dimension, along which the index says where. As ONNX GatherElements.",
		Args: []string{"operand", "indices"}, Attrs: []string{"dim"}, Traits: ir.Partial, Infer: noRegions(inferGatherElements)})
	Scatter = ir.Define(&ir.OpDef{Name: "ten.scatter", Doc: "The operand with parts along a dimension replaced (set) or combined with others (add, mul, min, max) at the places that the indices say: the reverse of ten.gather, and of the same shapes. An index that occurs again takes its turn in row-major order, each result rounded: of what is set the last is left. As ONNX ScatterND with indices of one number each, where dim is 0.",
		Args: []string{"operand", "indices", "updates"}, Attrs: []string{"kind", "dim"}, Traits: ir.Partial, Infer: noRegions(inferScatter)})
	ScatterElements = ir.Define(&ir.OpDef{Name: "ten.scatter_elements", Doc: "The operand with elements replaced (set) or combined (add, mul, min, max) with each element of the updates. Each is at its place but for one dimension, along which the index says where. Those of one place take their turns as in ten.scatter. As ONNX ScatterElements.",
		Args: []string{"operand", "indices", "updates"}, Attrs: []string{"kind", "dim"}, Traits: ir.Partial, Infer: noRegions(inferScatterElements)})
)

// The ways in which a scatter combines: BySet, or 1 more than ten.reduce's.
const BySet = 0

var scatterKinds = append([]string{"set"}, kinds...)

// checkIndexed checks the operands of an op along a dimension by indices; n is how many there are.
func checkIndexed(c *ir.Call, n int) (x, at *ir.TypeInfo, dim int, err error) {
	if len(c.Args) != n {
		return nil, nil, 0, c.Errorf("takes %d tensors, has %d", n, len(c.Args))
	}
	for i := range c.Args {
		if err := checkTensor(c, i); err != nil {
			return nil, nil, 0, err
		}
	}
	x, at = c.Ctx().Info(c.ArgType(0)), c.Ctx().Info(c.ArgType(1))
	if c.Ctx().IsFloat(at.Elem) || at.Elem == ir.I1 {
		return nil, nil, 0, c.Errorf("has indices of type %s, not integers of 2 bits at least", spell(c.Ctx(), at.Elem))
	}
	dim, err = dimOf(c, len(x.Shape))
	return x, at, dim, err
}

// gathered is the shape of the parts at some places.
func gathered(x, at []int64, dim int) []int64 {
	return slices.Concat(x[:dim], at, x[dim+1:])
}

func inferGather(c *ir.Call) (ir.Type, error) {
	x, at, dim, err := checkIndexed(c, 2)
	if err != nil {
		return 0, err
	}
	return result(c, gathered(x.Shape, at.Shape, dim), x.Elem)
}

// checkWithin checks that places, but for those along a dimension, are in a tensor.
func checkWithin(c *ir.Call, x, at []int64, dim int) error {
	if len(x) != len(at) {
		return c.Errorf("has indices of %d dimensions for %s", len(at), spell(c.Ctx(), c.ArgType(0)))
	}
	for d, n := range at {
		if d != dim && n != ir.Dynamic && x[d] != ir.Dynamic && n > x[d] {
			return c.Errorf("has %d places in dimension %d for %d elements", n, d, x[d])
		}
	}
	return nil
}

func inferGatherElements(c *ir.Call) (ir.Type, error) {
	x, at, dim, err := checkIndexed(c, 2)
	if err != nil {
		return 0, err
	}
	if err := checkWithin(c, x.Shape, at.Shape, dim); err != nil {
		return 0, err
	}
	return result(c, at.Shape, x.Elem)
}

// checkScatter checks the kind of a scatter and its updates, which have a shape.
func checkScatter(c *ir.Call, x *ir.TypeInfo, shape []int64) (ir.Type, error) {
	k := c.Get("kind")
	if k == 0 || c.Ctx().KindOf(k) != ir.AttrInt || c.Ctx().AttrInfo(k).Int < 0 || c.Ctx().AttrInfo(k).Int >= int64(len(scatterKinds)) {
		return 0, c.Errorf("has an attribute kind: set, add, mul, min or max")
	}
	u := c.Ctx().Info(c.ArgType(2))
	ok := u.Elem == x.Elem && len(u.Shape) == len(shape)
	for d := 0; ok && d < len(shape); d++ {
		_, ok = agreed(u.Shape[d], shape[d])
	}
	if !ok {
		return 0, c.Errorf("takes updates of type %s for these indices, not %s", spell(c.Ctx(), c.Ctx().Tensor(shape, x.Elem)), spell(c.Ctx(), c.ArgType(2)))
	}
	return result(c, x.Shape, x.Elem)
}

func inferScatter(c *ir.Call) (ir.Type, error) {
	x, at, dim, err := checkIndexed(c, 3)
	if err != nil {
		return 0, err
	}
	return checkScatter(c, x, gathered(x.Shape, at.Shape, dim))
}

func inferScatterElements(c *ir.Call) (ir.Type, error) {
	x, at, dim, err := checkIndexed(c, 3)
	if err != nil {
		return 0, err
	}
	if err := checkWithin(c, x.Shape, at.Shape, dim); err != nil {
		return 0, err
	}
	return checkScatter(c, x, at.Shape)
}

// An indexing is an op by indices that runs.
type indexing struct {
	x, at array
	dim   int
	byOne bool    // each element has an index
	index []int64 // along the dimension, not negative
}

func newIndexing(m *interp.Machine, o *interp.Op, args []ir.Val, byOne bool) (*indexing, error) {
	x, err := at(o, args, 0)
	if err != nil {
		return nil, err
	}
	places, err := at(o, args, 1)
	if err != nil {
		return nil, err
	}
	c := o.Call.Ctx()
	n := &indexing{x: x, at: places, dim: int(c.AttrInfo(o.G.Attr(o.V, "dim")).Int), byOne: byOne}
	for d, k := range places.shape {
		if byOne && d != n.dim && k > x.shape[d] {
			return nil, ir.Trapf("%d places in dimension %d for %d elements", k, d, x.shape[d])
		}
	}
	if err := m.Spend(int64(places.len())); err != nil {
		return nil, err
	}
	size := x.shape[n.dim]
	for _, v := range places.all() {
		if v.IsPoison() {
			return nil, ir.Trapf("an index is poison")
		}
		_, i := read(c, v, places.elem)
		if i < -size || i >= size {
			return nil, ir.Trapf("index %d outside of dimension %d of extent %d", i, n.dim, size)
		}
		if i < 0 {
			i += size
		}
		n.index = append(n.index, i)
	}
	return n, nil
}

// shape is that of the parts.
func (n *indexing) shape() []int64 {
	if n.byOne {
		return n.at.shape
	}
	return gathered(n.x.shape, n.at.shape, n.dim)
}

// each calls f for each place of the parts, in row-major order, with that in the operand.
func (n *indexing) each(f func(part, whole int64)) {
	shape := n.shape()
	rank := len(shape) - len(n.x.shape) + 1 // of the indices that stand for a dimension
	if n.byOne {
		rank = 1
	}
	strides, whole := make([]int64, len(shape)), make([]int64, len(shape))
	for d := range shape {
		switch in := d >= n.dim && d < n.dim+rank; {
		case n.byOne:
			strides[d] = n.at.strides[d]
		case in:
			strides[d] = n.at.strides[d-n.dim]
		}
		switch {
		case d < n.dim:
			whole[d] = n.x.strides[d]
		case d >= n.dim+rank:
			whole[d] = n.x.strides[d-rank+1]
		}
	}
	part := int64(0)
	_ = each(shape, [][]int64{strides, whole}, func(at []int64) error {
		f(part, at[1]+n.index[at[0]]*n.x.strides[n.dim])
		part++
		return nil
	})
}

func runGather(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	n, err := newIndexing(m, o, args, o.Call.Def == GatherElements)
	if err != nil {
		return err
	}
	return made(m, o, out, n.shape(), func(elems ir.Vector) error {
		n.each(func(part, whole int64) { elems[part] = n.x.at(whole) })
		return nil
	})
}

func runScatter(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	n, err := newIndexing(m, o, args, o.Call.Def == ScatterElements)
	if err != nil {
		return err
	}
	u, err := at(o, args, 2)
	if err != nil {
		return err
	}
	if want := n.shape(); !slices.Equal(u.shape, want) {
		return ir.Trapf("updates of extents %v, not %v", u.shape, want)
	}
	elems, err := newVector(m, n.x.shape)
	if err == nil {
		err = m.Spend(int64(u.len()))
	}
	if err != nil {
		return err
	}
	copy(elems, n.x.all())
	c, kind := o.Call.Ctx(), KindOf(o.Call.Ctx(), o.G.AttrsOf(o.V))
	n.each(func(part, whole int64) { elems[whole] = together(c, n.x.elem, kind, elems[whole], u.at(part)) })
	give(o, out, n.x.shape, elems)
	return nil
}

// together is what an element becomes by an update.
func together(c *ir.Context, elem ir.Type, kind int, x, y ir.Val) ir.Val {
	if kind == BySet {
		return y
	}
	if x.IsPoison() || y.IsPoison() {
		return ir.Val{Ref: ir.Poison}
	}
	s := newSum(c, elem, kind-1)
	s.x, s.n = read(c, x, elem)
	s.add(y)
	return s.value()
}
