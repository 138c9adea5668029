package tensor

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	dmath "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// A row is the ops along one dimension, in a type in which their sums lose little.
type row struct {
	*derive.Op
	dim  int
	elem ir.Type
}

// rowAlong is an op along a dimension.
func rowAlong(o *derive.Op, dim int) row {
	return row{o, dim, wideOf(Elem(o.B.Ctx(), o.Type))}
}

func dimAttr(o *derive.Op) int { return int(o.B.Ctx().AttrInfo(o.B.Ctx().Get(o.Attr, "dim")).Int) }

// wide is a tensor in that type, and back one in that of the result.
func (r row) wide(x ir.Value) ir.Value { return withElem(r.B, x, r.elem) }
func (r row) back(x ir.Value) ir.Value { return withElem(r.B, x, Elem(r.B.Ctx(), r.Type)) }

// sum is the sum along the dimension, which stays, with one element.
func (r row) sum(x ir.Value) ir.Value {
	var keep []int
	for d := range Shape(r.B.Ctx(), r.B.Graph().Type(x)) {
		if d != r.dim {
			keep = append(keep, d)
		}
	}
	return withDim(r.B, sumTo(r.B, x, keep), r.dim)
}

// sumOfProducts is that of the products of the elements of two.
func (r row) sumOfProducts(x, y ir.Value) ir.Value {
	info := r.B.Ctx().Info(r.B.Graph().Type(x))
	s := &Spec{Extents: info.Shape, In: [][]int{nil, nil}}
	for d := range info.Shape {
		s.Names = append(s.Names, letter(d))
		s.In[0], s.In[1] = append(s.In[0], d), append(s.In[1], d)
		if d != r.dim {
			s.Out = append(s.Out, d)
		}
	}
	return withDim(r.B, BuildEinsum(r.B, s, info.Elem, x, y), r.dim)
}

// where is x, and 0 where a row of adjoints is 0 that come from an arm that may not be taken.
func (r row) where(z, x ir.Value) ir.Value {
	if !r.Guarded() {
		return x
	}
	isZero := r.sum(pointwise(r.B, []ir.Value{z}, func(xs []ir.Value) ir.Value { return r.B.Op(dmath.Absf, xs[0]) }))
	return pointwise(r.B, []ir.Value{x, isZero}, func(xs []ir.Value) ir.Value {
		zero := arith.Zero(r.B, r.elem)
		return arith.Choose(r.B, arith.CmpF(r.B, arith.OEQ, xs[1], zero), zero, xs[0])
	})
}

// softmaxBack is the tangent of a softmax for that of its operand, and the adjoint of the operand for its own: they are
// the same linear map, y (z - sum(y z)).
func softmaxBack(o *derive.Op, z ir.Value) ir.Value {
	r := rowAlong(o, dimAttr(o))
	y, z := r.wide(o.Y()), r.wide(z)
	x := pointwise(o.B, []ir.Value{y, z, r.sumOfProducts(y, z)}, func(xs []ir.Value) ir.Value {
		return times(o.B, xs[0], minus(o.B, xs[1], xs[2]))
	})
	return r.back(r.where(z, x))
}

// shares are the elements of softmax, by the result of a logsumexp: exp(x - y). Where that is infinite they are those of an infinite
// element, as its loops have it.
func (r row) shares(x, y ir.Value) ir.Value {
	return pointwise(r.B, []ir.Value{x, y}, func(xs []ir.Value) ir.Value {
		return r.B.Op(dmath.Exp, minus(r.B, xs[0], xs[1]))
	})
}

func logSumExpTangent(o *derive.Op, d []ir.Value) ir.Value {
	r := rowAlong(o, dimAttr(o))
	y := withDim(o.B, r.wide(o.Y()), r.dim)
	return r.back(reshaped(o.B, r.sumOfProducts(r.shares(r.wide(o.X(0)), y), r.wide(d[0])), Shape(o.B.Ctx(), o.Type), nil))
}

func logSumExpBack(o *derive.Op, z ir.Value) []ir.Value {
	r := rowAlong(o, dimAttr(o))
	y, z := withDim(o.B, r.wide(o.Y()), r.dim), withDim(o.B, r.wide(z), r.dim)
	x := pointwise(o.B, []ir.Value{r.shares(r.wide(o.X(0)), y), z}, func(xs []ir.Value) ir.Value { return times(o.B, xs[0], xs[1]) })
	return []ir.Value{r.back(r.where(z, x))}
}

// A normed is a layer norm: its rows less their mean, over their deviation.
type normed struct {
	row
	unit  ir.Value // the normed elements
	rate  ir.Value // 1 / deviation, of each row
	count float64
}

func normedOf(o *derive.Op) normed {
	c, shape := o.B.Ctx(), Shape(o.B.Ctx(), o.Type)
	n := normed{row: rowAlong(o, len(shape)-1), count: float64(shape[len(shape)-1])}
	x := n.wide(o.X(0))
	number := func(v float64) ir.Value { return arith.ConstFloat(o.B, n.elem, v) }
	centred := pointwise(o.B, []ir.Value{x, n.sum(x)}, func(xs []ir.Value) ir.Value {
		return minus(o.B, xs[0], times(o.B, xs[1], number(1/n.count)))
	})
	epsilon := math.Float64frombits(c.AttrInfo(c.Get(o.Attr, "epsilon")).Bits)
	n.rate = pointwise(o.B, []ir.Value{n.sumOfProducts(centred, centred)}, func(xs []ir.Value) ir.Value {
		return o.B.Op(dmath.Rsqrt, plus(o.B, times(o.B, xs[0], number(1/n.count)), number(epsilon)))
	})
	n.unit = pointwise(o.B, []ir.Value{centred, n.rate}, func(xs []ir.Value) ir.Value { return times(o.B, xs[0], xs[1]) })
	return n
}

// through is the linear map from the tangent of the operand to that of the normed rows, which is that from their adjoint to the
// operand's, too.
func (n normed) through(z ir.Value) ir.Value {
	return pointwise(n.B, []ir.Value{z, n.sum(z), n.sumOfProducts(z, n.unit), n.unit, n.rate}, func(xs []ir.Value) ir.Value {
		per := arith.ConstFloat(n.B, n.elem, 1/n.count)
		mean := plus(n.B, times(n.B, xs[1], per), times(n.B, xs[3], times(n.B, xs[2], per)))
		return times(n.B, xs[4], minus(n.B, xs[0], mean))
	})
}

// scaled is a tensor times one of the last dimension.
func (n normed) scaled(x, scale ir.Value) ir.Value {
	return pointwise(n.B, []ir.Value{x, scale}, func(xs []ir.Value) ir.Value { return times(n.B, xs[0], xs[1]) })
}

func layerNormTangent(o *derive.Op, d []ir.Value) ir.Value {
	n := normedOf(o)
	sum := stretchedTo(o.B, arith.Zero(o.B, o.B.Ctx().Tensor([]int64{}, n.elem)), Shape(o.B.Ctx(), o.Type))
	add := func(x ir.Value) {
		sum = pointwise(o.B, []ir.Value{sum, x}, func(xs []ir.Value) ir.Value { return plus(o.B, xs[0], xs[1]) })
	}
	if d[0] != 0 {
		add(n.scaled(n.through(n.wide(d[0])), n.wide(o.X(1))))
	}
	if d[1] != 0 {
		add(n.scaled(n.unit, n.wide(d[1])))
	}
	if d[2] != 0 {
		add(n.wide(d[2]))
	}
	return n.back(sum)
}

func layerNormBack(o *derive.Op, z ir.Value) []ir.Value {
	n, out, last := normedOf(o), make([]ir.Value, 3), len(Shape(o.B.Ctx(), o.Type))-1
	z = n.wide(z)
	if o.Active(0) {
		out[0] = n.back(n.where(z, n.through(n.scaled(z, n.wide(o.X(1))))))
	}
	if o.Active(1) {
		terms := pointwise(o.B, []ir.Value{z, n.unit}, func(xs []ir.Value) ir.Value {
			y := times(o.B, xs[0], xs[1])
			if !o.Guarded() {
				return y
			}
			zero := arith.Zero(o.B, n.elem)
			return arith.Choose(o.B, arith.CmpF(o.B, arith.OEQ, xs[0], zero), zero, y)
		})
		out[1] = n.back(sumTo(o.B, terms, []int{last}))
	}
	if o.Active(2) {
		out[2] = n.back(sumTo(o.B, z, []int{last}))
	}
	return out
}
