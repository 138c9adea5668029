package tensor

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Ops along one dimension: of each row of elements along it they make an element, or another row.
var (
	Argmax = ir.Define(&ir.OpDef{Name: "ten.argmax", Doc: "The place of the greatest element along a dimension, which the result does not have: of several the first. NaN is greater than all numbers. As ONNX ArgMax with keepdims=0, and NumPy's for NaN.",
		Args: []string{"operand"}, Attrs: []string{"dim"}, Traits: ir.Partial, Infer: noRegions(inferArgmax), Traps: argmaxTraps})
	Softmax = ir.Define(&ir.OpDef{Name: "ten.softmax", Doc: "exp(x - m) divided by its sum along a dimension, m the greatest element there. As ONNX Softmax.",
		Args: []string{"operand"}, Attrs: []string{"dim"}, Infer: noRegions(inferSoftmax)})
	LogSumExp = ir.Define(&ir.OpDef{Name: "ten.logsumexp", Doc: "log of the sum of exp(x) along a dimension, which the result does not have, without overflow: m + log sum exp(x - m), m the greatest element. Where that is infinite, it is the result. As ONNX ReduceLogSumExp with keepdims=0.",
		Args: []string{"operand"}, Attrs: []string{"dim"}, Infer: noRegions(inferLogSumExp)})
	LayerNorm = ir.Define(&ir.OpDef{Name: "ten.layer_norm", Doc: "(x - mean) / sqrt(variance + epsilon) along the last dimension, times scale, plus bias, which have that dimension. As ONNX LayerNormalization with axis=-1.",
		Args: []string{"operand", "scale", "bias"}, Attrs: []string{"epsilon"}, Traits: ir.Partial, Infer: takes(3, inferLayerNorm), Traps: layerNormTraps})
)

// rowOf checks an op along a dimension.
func rowOf(c *ir.Call, float bool) (info *ir.TypeInfo, dim int, err error) {
	if err := checkOperands(c, 1, 1); err != nil {
		return nil, 0, err
	}
	info = c.Ctx().Info(c.ArgType(0))
	if float && !c.Ctx().IsFloat(info.Elem) {
		return nil, 0, c.Errorf("takes floats, not %s", spell(c.Ctx(), info.Elem))
	}
	dim, err = dimOf(c, len(info.Shape))
	return info, dim, err
}

func inferArgmax(c *ir.Call) (ir.Type, error) {
	info, dim, err := rowOf(c, false)
	if err != nil {
		return 0, err
	}
	return result(c, slices.Delete(slices.Clone(info.Shape), dim, dim+1), ir.I64)
}

// argmaxTraps: of no elements none is the greatest.
func argmaxTraps(c *ir.Call) bool {
	n := Shape(c.Ctx(), c.ArgType(0))[c.Ctx().AttrInfo(c.Get("dim")).Int]
	return n == ir.Dynamic || n == 0
}

func inferSoftmax(c *ir.Call) (ir.Type, error) {
	info, _, err := rowOf(c, true)
	if err != nil {
		return 0, err
	}
	return result(c, info.Shape, info.Elem)
}

func inferLogSumExp(c *ir.Call) (ir.Type, error) {
	info, dim, err := rowOf(c, true)
	if err != nil {
		return 0, err
	}
	return result(c, slices.Delete(slices.Clone(info.Shape), dim, dim+1), info.Elem)
}

func inferLayerNorm(c *ir.Call) (ir.Type, error) {
	info := c.Ctx().Info(c.ArgType(0))
	if !c.Ctx().IsFloat(info.Elem) || len(info.Shape) == 0 {
		return 0, c.Errorf("takes floats of one dimension at least, not %s", spell(c.Ctx(), c.ArgType(0)))
	}
	for i := 1; i < 3; i++ {
		x := c.Ctx().Info(c.ArgType(i))
		ok := x.Elem == info.Elem && len(x.Shape) == 1
		if ok {
			_, ok = agreed(x.Shape[0], info.Shape[len(info.Shape)-1])
		}
		if !ok {
			return 0, c.Errorf("operand #%d is %s, and not of the last dimension of %s", i, spell(c.Ctx(), c.ArgType(i)), spell(c.Ctx(), c.ArgType(0)))
		}
	}
	if a := c.Get("epsilon"); a == 0 || c.Ctx().KindOf(a) != ir.AttrFloat || c.Ctx().TypeOf(a) != ir.F64 {
		return 0, c.Errorf("has an attribute epsilon, an f64")
	}
	return result(c, info.Shape, info.Elem)
}

// layerNormTraps: extents that are open may differ.
func layerNormTraps(c *ir.Call) bool {
	shape := Shape(c.Ctx(), c.ArgType(0))
	return shape[len(shape)-1] == ir.Dynamic || isOpen(Shape(c.Ctx(), c.ArgType(1))) || isOpen(Shape(c.Ctx(), c.ArgType(2)))
}

// eachRow hands f the places of the elements of each row along a dimension, the rows in row-major order.
func eachRow(a array, dim int, f func(row []int64)) {
	row := make([]int64, a.shape[dim])
	shape, strides := slices.Delete(slices.Clone(a.shape), dim, dim+1), slices.Delete(slices.Clone(a.strides), dim, dim+1)
	_ = each(shape, [][]int64{strides}, func(at []int64) error {
		for i := range row {
			row[i] = at[0] + int64(i)*a.strides[dim]
		}
		f(row)
		return nil
	})
}

// alongDim is the operand, the dimension, and room for elements of the shape of the result: the operand's, or without
// the dimension.
func alongDim(m *interp.Machine, o *interp.Op, args []ir.Val, keep bool) (a array, dim int, shape []int64, elems ir.Vector, err error) {
	if a, err = at(o, args, 0); err != nil {
		return
	}
	dim = int(o.Call.Ctx().AttrInfo(o.G.Attr(o.V, "dim")).Int)
	if shape = slices.Clone(a.shape); !keep {
		shape = slices.Delete(shape, dim, dim+1)
	}
	if elems, err = newVector(m, shape); err == nil {
		err = m.Spend(int64(a.len()))
	}
	return
}

func runArgmax(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	a, dim, shape, elems, err := alongDim(m, o, args, false)
	if err != nil {
		return err
	}
	if a.shape[dim] == 0 && len(elems) > 0 {
		return ir.Trapf("the place of the greatest of no elements")
	}
	c, k := o.Call.Ctx(), 0
	eachRow(a, dim, func(row []int64) {
		best := 0
		for i, at := range row {
			if a.at(at).IsPoison() {
				elems[k] = a.at(at)
			}
			x, n := read(c, a.at(at), a.elem)
			y, b := read(c, a.at(row[best]), a.elem)
			if x > y || n > b || math.IsNaN(x) && !math.IsNaN(y) {
				best = i
			}
		}
		if !elems[k].IsPoison() {
			elems[k] = ir.IntVal(int64(best), 64)
		}
		k++
	})
	give(o, out, shape, elems)
	return nil
}

// greatest is that of a row; NaN if there is one.
func greatest(a array, row []int64) float64 {
	m := math.Inf(-1)
	for _, at := range row {
		m = max(m, a.at(at).Float(a.elem))
	}
	return m
}

// isPoisoned reports poison in a row.
func isPoisoned(a array, row []int64) bool {
	return slices.ContainsFunc(row, func(at int64) bool { return a.at(at).IsPoison() })
}

func runSoftmax(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	a, dim, shape, elems, err := alongDim(m, o, args, true)
	if err != nil {
		return err
	}
	eachRow(a, dim, func(row []int64) {
		high, sum, poison := greatest(a, row), 0.0, isPoisoned(a, row)
		for _, at := range row {
			sum += math.Exp(a.at(at).Float(a.elem) - high)
		}
		for _, at := range row {
			if elems[at].Ref = nil; poison {
				elems[at].Ref = ir.Poison
				continue
			}
			elems[at] = ir.FloatVal(math.Exp(a.at(at).Float(a.elem)-high)/sum, a.elem)
		}
	})
	give(o, out, shape, elems)
	return nil
}

func runLogSumExp(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	a, dim, shape, elems, err := alongDim(m, o, args, false)
	if err != nil {
		return err
	}
	k := 0
	eachRow(a, dim, func(row []int64) {
		high, sum := greatest(a, row), 0.0
		for _, at := range row {
			sum += math.Exp(a.at(at).Float(a.elem) - high)
		}
		y := high
		if !math.IsInf(high, 0) {
			y += math.Log(sum)
		}
		if elems[k] = ir.FloatVal(y, a.elem); isPoisoned(a, row) {
			elems[k] = ir.Val{Ref: ir.Poison}
		}
		k++
	})
	give(o, out, shape, elems)
	return nil
}

func runLayerNorm(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	var xs [3]array
	for i := range xs {
		x, err := at(o, args, i)
		if err != nil {
			return err
		}
		xs[i] = x
	}
	a := xs[0]
	last := len(a.shape) - 1
	for i := 1; i < 3; i++ {
		if xs[i].shape[0] != a.shape[last] {
			return ir.Trapf("a dimension of %d elements with %d numbers for it", a.shape[last], xs[i].shape[0])
		}
	}
	return made(m, o, out, a.shape, func(elems ir.Vector) error {
		c := o.Call.Ctx()
		epsilon := math.Float64frombits(c.AttrInfo(o.G.Attr(o.V, "epsilon")).Bits)
		eachRow(a, last, func(row []int64) {
			n, mean, variance := float64(len(row)), 0.0, 0.0
			for _, at := range row {
				mean += a.at(at).Float(a.elem) / n
			}
			for _, at := range row {
				d := a.at(at).Float(a.elem) - mean
				variance += d * d / n
			}
			poison := isPoisoned(a, row)
			for i, at := range row {
				s, b := xs[1].at(int64(i)), xs[2].at(int64(i))
				if poison || s.IsPoison() || b.IsPoison() {
					elems[at] = ir.Val{Ref: ir.Poison}
					continue
				}
				elems[at] = ir.FloatVal((a.at(at).Float(a.elem)-mean)/math.Sqrt(variance+epsilon)*s.Float(a.elem)+b.Float(a.elem), a.elem)
			}
		})
		return nil
	})
}
