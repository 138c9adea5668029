package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
)

var table = interp.Table{Einsum: runEinsum, Map: runMap, Reduce: first(runReduce), Transpose: first(runTranspose), Reshape: first(runReshape),
	Fill: runFill, Iota: runIota, Write: first(runWrite), Argmax: runArgmax, Softmax: runSoftmax, LogSumExp: runLogSumExp, LayerNorm: runLayerNorm,
	Slice: first(runSlice), Pad: first(runPad), Concat: runConcat, Conv: first(runConv), Pool: first(runPool), Extend: first(runExtend), Relu: runRelu, Gelu: runGelu,
	Gather: runGather, GatherElements: runGather, Scatter: runScatter, ScatterElements: runScatter}

// An array is the value of a tensor of a running program.
type array struct {
	shape   []int64
	strides []int64
	elems   ir.Vector
	packed  *ir.Packed // in the place of elems: a large constant
	elem    ir.Type
}

// at is the element at a place, and len how many there are.
func (a array) at(i int64) ir.Val {
	if a.packed != nil {
		return a.packed.At(i)
	}
	return a.elems[i]
}

func (a array) len() int {
	if a.packed != nil {
		return a.packed.Len
	}
	return len(a.elems)
}

// all are the elements as values.
func (a array) all() ir.Vector {
	if a.packed != nil {
		return a.packed.All()
	}
	return a.elems
}

// takesPacked are the ops that take operands as arrays.
var takesPacked = interp.TakesPacked{Einsum: true, Map: true, Reduce: true, Transpose: true, Write: true, Argmax: true, Softmax: true, LogSumExp: true,
	LayerNorm: true, Slice: true, Pad: true, Concat: true, Conv: true, Pool: true, Extend: true, Relu: true, Gelu: true, Gather: true, GatherElements: true,
	Scatter: true, ScatterElements: true, Extract: true}

// at is operand i as an array.
func at(o *interp.Op, args []ir.Val, i int) (array, error) {
	return arrayOf(o.Call, args[i], o.Call.ArgType(i))
}

// first is what runs an op whose first operand is a tensor.
func first(run func(m *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error) interp.Func {
	return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		a, err := at(o, args, 0)
		if err != nil {
			return err
		}
		return run(m, o, a, args, out)
	}
}

func arrayOf(c *ir.Call, v ir.Val, t ir.Type) (array, error) {
	a := array{elem: Elem(c.Ctx(), t)}
	if p, ok := v.Ref.(*ir.Packed); ok {
		a.packed, a.shape = p, Shape(c.Ctx(), t)
	} else {
		var err error
		if a.shape, a.elems, err = c.Ctx().TensorOf(t, v); err != nil {
			return array{}, err
		}
	}
	a.strides, _, _ = strided.RowMajor(a.shape)
	return a, nil
}

// mostEager bounds the elements that are made without asking whether there is memory for them.
const mostEager = 1 << 16

// newVector makes the elements of a result; it is an error if its shape is none, or too large.
func newVector(m *interp.Machine, shape []int64) (ir.Vector, error) {
	for d, n := range shape {
		if n < 0 {
			return nil, ir.Trapf("dimension %d has the extent %d", d, n)
		}
	}
	n, ok := product(shape)
	if !ok || n > ir.MaxElements {
		n = ir.MaxElements
	}
	if n > mostEager {
		b, err := m.Alloc(ir.I64, n)
		if err == nil {
			err = m.Free(b)
		}
		if err != nil {
			return nil, err
		}
	}
	return make(ir.Vector, n), m.Spend(n)
}

// give makes elements the result of an op.
func give(o *interp.Op, out []ir.Val, shape []int64, elems ir.Vector) {
	out[0] = o.Call.Ctx().TensorVal(o.G.Type(o.V), shape, elems)
}

// made makes the elements of a shape, which fill computes, the result of an op.
func made(m *interp.Machine, o *interp.Op, out []ir.Val, shape []int64, fill func(elems ir.Vector) error) error {
	elems, err := newVector(m, shape)
	if err == nil {
		err = fill(elems)
	}
	if err == nil {
		give(o, out, shape, elems)
	}
	return err
}

// each calls f at each place of a shape, in row-major order, with the offsets of arrays whose elements lie
// at the given strides.
func each(shape []int64, strides [][]int64, f func(at []int64) error) error {
	if slices.Contains(shape, 0) {
		return nil
	}
	index, offsets := make([]int64, len(shape)), make([]int64, len(strides))
	for {
		if err := f(offsets); err != nil {
			return err
		}
		d := len(shape) - 1
		for ; d >= 0; d-- {
			index[d]++
			for k, s := range strides {
				offsets[k] += s[d]
			}
			if index[d] < shape[d] {
				break
			}
			for k, s := range strides {
				offsets[k] -= s[d] * shape[d]
			}
			index[d] = 0
		}
		if d < 0 {
			return nil
		}
	}
}

// open extents: the operands for them, in order.
func filled(shape []int64, extents []ir.Val) ([]int64, error) {
	out := slices.Clone(shape)
	for d, n := range out {
		if n == ir.Dynamic {
			x, err := interp.Index(extents[0])
			if err != nil {
				return nil, err
			}
			out[d], extents = x, extents[1:]
		}
	}
	return out, nil
}

// stretched are the strides of an array that is stretched to a shape, and the extents that it has there.
func stretched(a array, static []int64, rank int) (strides, extents []int64) {
	strides, extents = make([]int64, rank), make([]int64, rank)
	for d := range rank {
		extents[d] = 1
		if k := d - (rank - len(a.shape)); k >= 0 && static[k] != 1 {
			strides[d], extents[d] = a.strides[k], a.shape[k]
		}
	}
	return strides, extents
}

func runMap(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	c := o.Call.Ctx()
	shape := slices.Clone(Shape(c, o.G.Type(o.V)))
	arrays, strides := make([]array, len(args)), make([][]int64, len(args))
	known := make([]bool, len(shape))
	for i := range args {
		a, err := at(o, args, i)
		if err != nil {
			return err
		}
		static := Shape(c, o.Call.ArgType(i))
		s, extents := stretched(a, static, len(shape))
		arrays[i], strides[i] = a, s
		for d, n := range extents {
			k := d - (len(shape) - len(static))
			if k < 0 || static[k] == 1 {
				continue
			}
			if (known[d] || shape[d] != ir.Dynamic) && shape[d] != n {
				return ir.Trapf("dimension %d is %d for one operand and %d for another", d, shape[d], n)
			}
			shape[d], known[d] = n, true
		}
	}
	return made(m, o, out, shape, func(elems ir.Vector) error {
		in, i := make([]ir.Val, len(args)), 0
		return each(shape, strides, func(at []int64) error {
			for k, a := range arrays {
				in[k] = a.at(at[k])
			}
			ys, err := m.Run(o.Regions[0], in)
			if err == nil {
				elems[i] = ys[0]
				i++
			}
			return err
		})
	})
}

func runReduce(m *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	c := o.Call.Ctx()
	kind, dims := KindOf(c, o.G.AttrsOf(o.V)), c.Ints(o.G.Attr(o.V, "dims"))
	var shape, strides, inner, innerStrides []int64
	for d, n := range a.shape {
		if slices.Contains(dims, int64(d)) {
			inner, innerStrides = append(inner, n), append(innerStrides, a.strides[d])
		} else {
			shape, strides = append(shape, n), append(strides, a.strides[d])
		}
	}
	return made(m, o, out, shape, func(elems ir.Vector) error {
		if err := m.Spend(int64(a.len())); err != nil {
			return err
		}
		i := 0
		return each(shape, [][]int64{strides}, func(from []int64) error {
			s := newSum(c, a.elem, kind)
			err := each(inner, [][]int64{innerStrides}, func(at []int64) error { s.add(a.at(from[0] + at[0])); return nil })
			elems[i] = s.value()
			i++
			return err
		})
	})
}

func runTranspose(m *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	perm := o.Call.Ctx().Ints(o.G.Attr(o.V, "perm"))
	shape, strides := make([]int64, len(perm)), make([]int64, len(perm))
	for i, d := range perm {
		shape[i], strides[i] = a.shape[d], a.strides[d]
	}
	return made(m, o, out, shape, func(elems ir.Vector) error {
		i := 0
		return each(shape, [][]int64{strides}, func(at []int64) error { elems[i] = a.at(at[0]); i++; return nil })
	})
}

func runReshape(m *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	shape, err := filled(Shape(o.Call.Ctx(), o.G.Type(o.V)), args[1:])
	if err != nil {
		return err
	}
	if n, ok := product(shape); !ok || n != int64(a.len()) || slices.ContainsFunc(shape, func(n int64) bool { return n < 0 }) {
		return ir.Trapf("%d elements under the extents %v", a.len(), shape)
	}
	give(o, out, shape, a.all())
	return nil
}

func runFill(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	shape, err := filled(Shape(o.Call.Ctx(), o.G.Type(o.V)), args[1:])
	if err != nil {
		return err
	}
	elems, err := newVector(m, shape)
	for i := range elems {
		elems[i] = args[0]
	}
	give(o, out, shape, elems)
	return err
}

func runIota(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	c := o.Call.Ctx()
	shape, err := filled(Shape(c, o.G.Type(o.V)), args)
	if err != nil {
		return err
	}
	return made(m, o, out, shape, func(elems ir.Vector) error {
		dim := c.AttrInfo(o.G.Attr(o.V, "dim")).Int
		strides, _, _ := strided.RowMajor(shape)
		elem := Elem(c, o.G.Type(o.V))
		for i := range elems {
			elems[i] = number(c, elem, int64(i)/strides[dim]%shape[dim])
		}
		return nil
	})
}

// number is an integer as a number of a type, rounded or without the bits that it has no room for.
func number(c *ir.Context, t ir.Type, n int64) ir.Val {
	if c.IsFloat(t) {
		return ir.FloatVal(float64(n), t)
	}
	return ir.IntVal(n, c.Info(t).Width)
}

func runWrite(_ *interp.Machine, o *interp.Op, a array, args, _ []ir.Val) error {
	r, err := interp.AsMemRef(args[1])
	if err != nil {
		return err
	}
	if !slices.Equal(r.Sizes, a.shape) {
		return ir.Trapf("a tensor of shape %v is written to memory of shape %v", a.shape, r.Sizes)
	}
	if r.Buf.Freed {
		return ir.Trapf("a tensor is written to memory that was freed")
	}
	if err := r.Check(); err != nil {
		return err
	}
	i := 0
	r.Each(func(at int) { r.Buf.Store(at, a.at(int64(i))); i++ })
	return nil
}
