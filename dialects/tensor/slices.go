package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// Ops that take parts of tensors and put them together.
var (
	Slice = ir.Define(&ir.OpDef{Name: "ten.slice", Doc: "The elements from an index of each dimension on, by steps, which are positive: as many as the type of the result says, or an operand for those that it leaves open. As ONNX Slice with positive steps.",
		Args: []string{"operand", "starts...", "extents..."}, Attrs: []string{"steps", "operandSegmentSizes"}, Traits: ir.Partial, Infer: noRegions(inferSlice), Traps: sliceTraps})
	Pad = ir.Define(&ir.OpDef{Name: "ten.pad", Doc: "The operand with so many elements of one value more before and behind each dimension. As ONNX Pad in mode constant with pads that are not negative.",
		Args: []string{"operand", "value"}, Attrs: []string{"low", "high"}, Infer: noRegions(inferPad)})
	Concat = ir.Define(&ir.OpDef{Name: "ten.concat", Doc: "Tensors one behind the other along a dimension; their other extents are equal. As ONNX Concat.",
		Args: []string{"operands..."}, Attrs: []string{"dim"}, Traits: ir.Partial, Infer: noRegions(inferConcat), Traps: einsumTraps})
)

func inferSlice(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("takes a tensor")
	}
	if err := checkOperands(c, 1, len(c.Args)); err != nil {
		return 0, err
	}
	from := c.Ctx().Info(c.ArgType(0))
	rank := len(from.Shape)
	if len(c.Args) < 1+rank {
		return 0, c.Errorf("begins at %d indices in %d dimensions", len(c.Args)-1, rank)
	}
	to, err := checkResult(c, c.Args[1+rank:])
	if err != nil {
		return 0, err
	}
	steps, err := intsOf(c, "steps")
	if err != nil {
		return 0, err
	}
	if len(steps) != rank || len(to.Shape) != rank || to.Elem != from.Elem {
		return 0, c.Errorf("gives %s by %d steps of %s", spell(c.Ctx(), c.Type), len(steps), spell(c.Ctx(), c.ArgType(0)))
	}
	if slices.ContainsFunc(steps, func(n int64) bool { return n < 1 }) {
		return 0, c.Errorf("has a step that is not positive")
	}
	return c.Type, nil
}

func inferPad(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 2 {
		return 0, c.Errorf("takes a tensor and a number")
	}
	if err := checkTensor(c, 0); err != nil {
		return 0, err
	}
	from := c.Ctx().Info(c.ArgType(0))
	if c.ArgType(1) != from.Elem {
		return 0, c.Errorf("pads %s with %s", spell(c.Ctx(), c.ArgType(0)), spell(c.Ctx(), c.ArgType(1)))
	}
	shape, _, _, err := padded(c, from.Shape)
	if err != nil {
		return 0, err
	}
	return result(c, shape, from.Elem)
}

// mostPad bounds how many elements are added to a dimension, so that extents do not overflow.
const mostPad = ir.MaxElements

func inferConcat(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("takes a tensor at least")
	}
	if err := checkOperands(c, len(c.Args), len(c.Args)); err != nil {
		return 0, err
	}
	first := c.Ctx().Info(c.ArgType(0))
	dim, err := dimOf(c, len(first.Shape))
	if err != nil {
		return 0, err
	}
	shape := slices.Clone(first.Shape)
	for i := 1; i < len(c.Args); i++ {
		info := c.Ctx().Info(c.ArgType(i))
		ok := info.Elem == first.Elem && len(info.Shape) == len(shape)
		for d := 0; ok && d < len(shape); d++ {
			switch n := info.Shape[d]; {
			case d != dim:
				shape[d], ok = agreed(shape[d], n)
			case n == ir.Dynamic || shape[d] == ir.Dynamic:
				shape[d] = ir.Dynamic
			default:
				shape[d] += n
			}
		}
		if !ok {
			return 0, c.Errorf("puts %s behind %s", spell(c.Ctx(), c.ArgType(i)), spell(c.Ctx(), c.ArgType(0)))
		}
	}
	return result(c, shape, first.Elem)
}

func runSlice(m *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	rank := len(a.shape)
	shape, err := filled(Shape(o.Call.Ctx(), o.G.Type(o.V)), args[1+rank:])
	if err != nil {
		return err
	}
	from, strides := int64(0), make([]int64, rank)
	for d, step := range o.Call.Ctx().Ints(o.G.Attr(o.V, "steps")) {
		start, err := interp.Index(args[1+d])
		if err != nil {
			return err
		}
		if n := shape[d]; n < 0 || start < 0 || start > a.shape[d] || n > 0 && (start >= a.shape[d] || (a.shape[d]-1-start)/step < n-1) {
			return ir.Trapf("%d elements from index %d on by steps of %d in a dimension of %d", n, start, step, a.shape[d])
		}
		from += start * a.strides[d]
		strides[d] = step * a.strides[d]
	}
	return made(m, o, out, shape, func(elems ir.Vector) error {
		i := 0
		return each(shape, [][]int64{strides}, func(at []int64) error { elems[i] = a.at(from + at[0]); i++; return nil })
	})
}

// paste puts an array at an index of elements of a shape.
func paste(elems ir.Vector, shape []int64, a array, index []int64) {
	strides, _, _ := strided.RowMajor(shape)
	base := int64(0)
	for d, i := range index {
		base += i * strides[d]
	}
	i := 0
	_ = each(a.shape, [][]int64{strides}, func(at []int64) error { elems[base+at[0]] = a.at(int64(i)); i++; return nil })
}

func runPad(m *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	c := o.Call.Ctx()
	low, high := c.Ints(o.G.Attr(o.V, "low")), c.Ints(o.G.Attr(o.V, "high"))
	shape := slices.Clone(a.shape)
	for d := range shape {
		shape[d] += low[d] + high[d]
	}
	return made(m, o, out, shape, func(elems ir.Vector) error {
		for i := range elems {
			elems[i] = args[1]
		}
		paste(elems, shape, a, low)
		return nil
	})
}

func runConcat(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	dim := o.Call.Ctx().AttrInfo(o.G.Attr(o.V, "dim")).Int
	var arrays []array
	var shape []int64
	for i := range args {
		a, err := at(o, args, i)
		if err != nil {
			return err
		}
		if i == 0 {
			shape = slices.Clone(a.shape)
		} else {
			for d, n := range a.shape {
				if int64(d) == dim {
					shape[d] += n
				} else if n != shape[d] {
					return ir.Trapf("dimension %d is %d in operand #%d and %d in the first", d, n, i, shape[d])
				}
			}
		}
		arrays = append(arrays, a)
	}
	return made(m, o, out, shape, func(elems ir.Vector) error {
		index := make([]int64, len(shape))
		for _, a := range arrays {
			paste(elems, shape, a, index)
			index[dim] += a.shape[dim]
		}
		return nil
	})
}
