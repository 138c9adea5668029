package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/math/values"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A space is the points that a reduction goes through: for each lane of its result the reduced
// ones, in order. lane says which lane of an operand stands at a point, by its map.
type space struct {
	extents         []int64
	parallel, whole []int // dimensions of the result, in its order, and those that are reduced
}

// kept is the shape of the result.
func (s *space) kept() []int64 { return pick(s.extents, s.parallel) }

// reduced is the shape of what is combined for a lane of the result.
func (s *space) reduced() []int64 { return pick(s.extents, s.whole) }

func pick(list []int64, at []int) []int64 {
	return lists.Map(at, func(d int) int64 { return list[d] })
}

// lanes lists, for reduced point r, which lanes of a vector stand at the points of the result. The
// vector has the dimensions dims of the space.
func (s *space) lanes(dims []int, r int) []int {
	strides := make([]int, len(s.extents))
	for i, n := range stridesOf(pick(s.extents, dims)) {
		strides[dims[i]] = n
	}
	first := 0
	whole := stridesOf(s.reduced())
	for i, d := range s.whole {
		first += r / whole[i] * strides[d]
		r %= whole[i]
	}
	out := make([]int, count(s.kept()))
	points(s.kept(), func(i int, at []int) {
		out[i] = first
		for k, d := range s.parallel {
			out[i] += at[k] * strides[d]
		}
	})
	return out
}

// all lists the dimensions of the space.
func (s *space) all() []int {
	out := make([]int, len(s.extents))
	for i := range out {
		out[i] = i
	}
	return out
}

// multiSpace is that of a multi_reduction of a shape.
func multiSpace(shape []int64, reduced []int64) *space {
	s := &space{extents: shape}
	for d := range shape {
		if slices.Contains(reduced, int64(d)) {
			s.whole = append(s.whole, d)
		} else {
			s.parallel = append(s.parallel, d)
		}
	}
	return s
}

func inferMultiReduction(c *ir.Call) (ir.Type, error) {
	info, err := vectorAt(c, 2, 2, "operand #0", 0)
	if err != nil {
		return 0, err
	}
	dims, err := numbers(c, "reduction_dims")
	if err != nil {
		return 0, err
	}
	var seen []int64
	for _, d := range dims {
		if d < 0 || d >= int64(len(info.Shape)) || slices.Contains(seen, d) {
			return 0, c.Errorf("reduces dimension %d, which is none of the %d of its operand, or named before", d, len(info.Shape))
		}
		seen = append(seen, d)
	}
	want := likeVector(c.Ctx(), info, multiSpace(info.Shape, dims).parallel)
	if c.ArgType(1) != want {
		return 0, c.Errorf("destination type %s is incompatible with source type %s: what is left of it is %s", quote(c, c.ArgType(1)), quote(c, c.ArgType(0)), quote(c, want))
	}
	return want, anyKind(c, info.Elem)
}

func evalMultiReduction(c *ir.Call, args []ir.Val) (ir.Val, error) {
	return multiReduced(c, args, nil)
}

// multiReduced is a multi_reduction of the lanes that a mask leaves; nil leaves all.
func multiReduced(c *ir.Call, args []ir.Val, mask ir.Vector) (ir.Val, error) {
	x := c.Ctx()
	n, err := lanesEach(c, c.ArgType(0))
	if err != nil {
		return ir.Val{}, err
	}
	s := multiSpace(shapeOf(x, c.ArgType(0)), intsOf(x, c.Get("reduction_dims")))
	k, elem := kindOf(x, c.Attr), x.ElemOrSelf(c.Type)
	in := lanesOf(args[0], n[0])
	return s.fold(x, c.Type, args[1], func(acc ir.Val, lane int) (ir.Val, error) { return k.combine(x, elem, acc, in[lane]) }, mask)
}

// fold goes through the points of a space: what step makes of the lane of the accumulator and a
// point takes its place, unless the mask leaves the point out.
func (s *space) fold(c *ir.Context, t ir.Type, acc ir.Val, step func(acc ir.Val, point int) (ir.Val, error), mask ir.Vector) (ir.Val, error) {
	out := slices.Clone(lanesOf(acc, count(s.kept())))
	all := s.all()
	for r := range count(s.reduced()) {
		for i, point := range s.lanes(all, r) {
			if mask != nil {
				if mask[point].Ref != nil {
					out[i] = elementwise.Poisoned
					continue
				}
				if !mask[point].Bool() {
					continue
				}
			}
			var err error
			if out[i], err = step(out[i], point); err != nil {
				return ir.Val{}, err
			}
		}
	}
	return valOf(c, t, out), nil
}

// scanType is the type of a scan's initial value.
func scanType(c *ir.Context, info *ir.TypeInfo, dim int) ir.Type {
	var dims []int
	for d := range info.Shape {
		if d != dim {
			dims = append(dims, d)
		}
	}
	if len(dims) == 0 {
		return c.Vector(nil, info.Elem)
	}
	return likeVector(c, info, dims)
}

func inferScan(c *ir.Call) (ir.Type, error) {
	info, err := vectorAt(c, 2, 2, "operand #0", 0)
	if err != nil {
		return 0, err
	}
	x := c.Ctx()
	dim, incl := c.Get("reduction_dim"), c.Get("inclusive")
	if dim == 0 || x.AttrInfo(dim).Kind != ir.AttrInt || x.AttrInfo(dim).Int < 0 || x.AttrInfo(dim).Int >= int64(len(info.Shape)) {
		return 0, c.Errorf("requires attribute 'reduction_dim', a dimension of %s", quote(c, c.ArgType(0)))
	}
	if incl == 0 || x.AttrInfo(incl).Kind != ir.AttrInt {
		return 0, c.Errorf("requires attribute 'inclusive', true or false")
	}
	if want := scanType(x, info, int(x.AttrInfo(dim).Int)); c.ArgType(1) != want {
		return 0, c.Errorf("incompatible input/initial value shapes: the initial value is %s, and must be %s", quote(c, c.ArgType(1)), quote(c, want))
	}
	return x.Multi(c.ArgType(0), c.ArgType(1)), checkKind(c, info.Elem)
}

// evalScan: the first slice is the operand's own, or of an exclusive scan the initial value, and
// each further one combines the slice before it with the operand's, or with that before.
func evalScan(c *ir.Call, args []ir.Val) (ir.Val, error) {
	x := c.Ctx()
	n, ok := lanes(x, c.ArgType(0))
	if !ok {
		return ir.Val{}, tooLong
	}
	shape := shapeOf(x, c.ArgType(0))
	dim := x.AttrInfo(c.Get("reduction_dim")).Int
	inclusive := x.AttrInfo(c.Get("inclusive")).Int != 0
	s, k, elem := multiSpace(shape, []int64{dim}), kindOf(x, c.Attr), x.ElemOrSelf(c.ArgType(0))
	in, out := lanesOf(args[0], n), make(ir.Vector, n)
	acc := slices.Clone(lanesOf(args[1], count(s.kept())))
	var before []int
	for r := range int(shape[dim]) {
		lanes := s.lanes(s.all(), r)
		for i, lane := range lanes {
			var err error
			switch {
			case r == 0 && inclusive:
				acc[i] = in[lane]
			case inclusive:
				acc[i], err = k.combine(x, elem, acc[i], in[lane])
			case r > 0:
				acc[i], err = k.combine(x, elem, acc[i], in[before[i]])
			}
			if err != nil {
				return ir.Val{}, err
			}
			out[lane] = acc[i]
		}
		before = lanes
	}
	return ir.Val{Ref: ir.Vector{{Ref: out}, {Ref: acc}}}, nil
}

// contracted combines the accumulator with a product. Of floats that are added the sum is rounded
// once.
func (k *kind) contracted(c *ir.Context, elem ir.Type, acc, x, y ir.Val) (ir.Val, error) {
	if acc.Ref != nil || x.Ref != nil || y.Ref != nil {
		return elementwise.Poisoned, nil
	}
	mul := kinds[1]
	if k.name == "add" && c.IsFloat(elem) {
		if !elementwise.Computable(elem) {
			return ir.Val{}, ir.ErrNoValue
		}
		return values.MulAdd(elem, x, y, acc), nil
	}
	p, err := mul.combine(c, elem, x, y)
	if err != nil {
		return p, err
	}
	return k.combine(c, elem, p, acc)
}
