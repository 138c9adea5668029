package tensors

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text"
)

// A Tensor is a value of a program that is being written.
type Tensor struct {
	b *ir.Builder
	v ir.Value
}

// op makes the op that a method is for.
func (x Tensor) op(call ir.Call) Tensor {
	call.Loc = x.b.Loc
	v, err := x.b.Make(call)
	if err != nil {
		fail("%w", err)
	}
	return Tensor{x.b, v}
}

// caller is the place of the program that called a method of this package.
func caller() string {
	_, here, _, _ := runtime.Caller(0)
	for depth := 1; ; depth++ {
		_, file, line, ok := runtime.Caller(depth)
		if !ok {
			return "tensors"
		}
		if filepath.Dir(file) != filepath.Dir(here) || len(file) > 8 && file[len(file)-8:] == "_test.go" {
			return fmt.Sprintf("%s:%d", filepath.Base(file), line)
		}
	}
}

func (x Tensor) attr(name string, a ir.Attr, to ir.Attr) ir.Attr { return x.b.Ctx().With(to, name, a) }

func (x Tensor) number(n int) ir.Attr { return x.b.Ctx().IntAttr(int64(n), ir.I64) }

func (x Tensor) list(ns []int) ir.Attr {
	out := lists.Map(ns, func(n int) int64 { return int64(n) })
	return tensor.Ints(x.b.Ctx(), out...)
}

func (x Tensor) typ() ir.Type { return x.b.Graph().Type(x.v) }

// Shape is the extents, -1 for those that are open.
func (x Tensor) Shape() []int64 { return extents(x.b.Ctx(), x.typ()) }

// Einsum is the sum of products of elements over the indices that the spec does not keep, "ij,jk->ik" the product of
// two matrices.
func (x Tensor) Einsum(spec string, others ...Tensor) Tensor {
	args := []ir.Value{x.v}
	for _, y := range others {
		args = append(args, y.v)
	}
	return x.op(ir.Call{Def: tensor.Einsum, Args: args, Attr: x.attr("spec", x.b.Ctx().StringAttr(spec), 0)})
}

// mapped is a map of x and others, stretched to one another.
func (x Tensor) mapped(others []Tensor, body func(xs []ir.Value) ir.Value) Tensor {
	c, args, shapes := x.b.Ctx(), []ir.Value{x.v}, [][]int64{tensor.Shape(x.b.Ctx(), x.typ())}
	for _, y := range others {
		args, shapes = append(args, y.v), append(shapes, tensor.Shape(c, y.typ()))
		if tensor.Elem(c, y.typ()) != tensor.Elem(c, x.typ()) {
			fail("elements of two types, %s and %s", text.TypeString(c, tensor.Elem(c, x.typ())), text.TypeString(c, tensor.Elem(c, y.typ())))
		}
	}
	shape, a, b, ok := tensor.Broadcast(shapes...)
	if !ok {
		fail("extents %d and %d of one dimension are neither equal nor 1", a, b)
	}
	return Tensor{x.b, tensor.BuildMap(x.b, c.Tensor(shape, tensor.Elem(c, x.typ())), args, body)}
}

// both is a map of two operands by an op of floats, or one of integers.
func (x Tensor) both(y Tensor, float, integer *ir.OpDef) Tensor {
	return x.mapped([]Tensor{y}, func(xs []ir.Value) ir.Value {
		if x.b.Ctx().IsFloat(tensor.Elem(x.b.Ctx(), x.typ())) {
			return arith.Float(x.b, float, 0, xs...)
		}
		return x.b.Op(integer, xs...)
	})
}

// Add is the sum, element by element; dimensions are aligned at the last one, and extents of 1 are stretched.
func (x Tensor) Add(y Tensor) Tensor { return x.both(y, arith.Addf, arith.Addi) }

// Sub is the difference, as Add has it.
func (x Tensor) Sub(y Tensor) Tensor { return x.both(y, arith.Subf, arith.Subi) }

// Mul is the product of elements, as Add has it.
func (x Tensor) Mul(y Tensor) Tensor { return x.both(y, arith.Mulf, arith.Muli) }

// Max is the greater of elements, as Add has it.
func (x Tensor) Max(y Tensor) Tensor { return x.both(y, arith.Maximumf, arith.Maxsi) }

// Div is the quotient of elements, which are floats, as Add has it.
func (x Tensor) Div(y Tensor) Tensor { x.floats("Div"); return x.both(y, arith.Divf, nil) }

// Exp is e to the power of each element, a float.
func (x Tensor) Exp() Tensor { return x.each("Exp", math.Exp) }

// Sqrt is the root of each element, a float.
func (x Tensor) Sqrt() Tensor { return x.each("Sqrt", math.Sqrt) }

// Tanh is the hyperbolic tangent of each element, a float.
func (x Tensor) Tanh() Tensor { return x.each("Tanh", math.Tanh) }

// each is a map by an op of one float.
func (x Tensor) each(name string, def *ir.OpDef) Tensor {
	x.floats(name)
	return x.mapped(nil, func(xs []ir.Value) ir.Value { return x.b.Op(def, xs[0]) })
}

// floats refuses elements that are none.
func (x Tensor) floats(name string) {
	if elem := tensor.Elem(x.b.Ctx(), x.typ()); !x.b.Ctx().IsFloat(elem) {
		fail("%s takes floats, and the elements are %s", name, text.TypeString(x.b.Ctx(), elem))
	}
}

// Relu is the elements above a threshold, and 0 for the others.
func (x Tensor) Relu(above float64) Tensor {
	return x.op(ir.Call{Def: tensor.Relu, Args: []ir.Value{x.v}, Attr: x.attr("threshold", x.b.Ctx().FloatAttr(above, ir.F64), 0)})
}

// Gelu is x / 2 (1 + erf(x / sqrt 2)) of each element.
func (x Tensor) Gelu() Tensor {
	return x.op(ir.Call{Def: tensor.Gelu, Args: []ir.Value{x.v}, Attr: x.attr("form", x.number(tensor.GeluExact), 0)})
}

func (x Tensor) along(def *ir.OpDef, dim int) Tensor {
	return x.op(ir.Call{Def: def, Args: []ir.Value{x.v}, Attr: x.attr("dim", x.number(dim), 0)})
}

// Softmax is exp(x - m) divided by its sum along a dimension, m the greatest element there.
func (x Tensor) Softmax(dim int) Tensor { return x.along(tensor.Softmax, dim) }

// Argmax is the place of the greatest element along a dimension, which the result, of i64, does not have.
func (x Tensor) Argmax(dim int) Tensor { return x.along(tensor.Argmax, dim) }

// Sum is the sum along dimensions, which the result does not have.
func (x Tensor) Sum(dims ...int) Tensor { return x.reduce(tensor.ByAdd, dims) }

// Greatest is the greatest element along dimensions, which the result does not have.
func (x Tensor) Greatest(dims ...int) Tensor { return x.reduce(tensor.ByMax, dims) }

func (x Tensor) reduce(kind int, dims []int) Tensor {
	return x.op(ir.Call{Def: tensor.Reduce, Args: []ir.Value{x.v}, Attr: x.attr("dims", x.list(dims), x.attr("kind", x.number(kind), 0))})
}

// Transpose has dimension perm[i] of x as dimension i.
func (x Tensor) Transpose(perm ...int) Tensor {
	return x.op(ir.Call{Def: tensor.Transpose, Args: []ir.Value{x.v}, Attr: x.attr("perm", x.list(perm), 0)})
}

// Reshape has the elements in row-major order under other extents, all of them known.
func (x Tensor) Reshape(shape ...int64) Tensor {
	return x.op(ir.Call{Def: tensor.Reshape, Args: []ir.Value{x.v}, Type: x.b.Ctx().Tensor(shape, tensor.Elem(x.b.Ctx(), x.typ()))})
}

// Gather has the parts at places along a dimension, which are integers.
func (x Tensor) Gather(places Tensor, dim int) Tensor {
	return x.op(ir.Call{Def: tensor.Gather, Args: []ir.Value{x.v, places.v}, Attr: x.attr("dim", x.number(dim), 0)})
}

// LayerNorm is (x - mean) / sqrt(variance + epsilon) along the last dimension, times scale, plus bias.
func (x Tensor) LayerNorm(scale, bias Tensor, epsilon float64) Tensor {
	return x.op(ir.Call{Def: tensor.LayerNorm, Args: []ir.Value{x.v, scale.v, bias.v}, Attr: x.attr("epsilon", x.b.Ctx().FloatAttr(epsilon, ir.F64), 0)})
}

// window are the attributes of a window without dilation; pads are the same on both sides.
func (x Tensor) window(pads, strides []int) ir.Attr {
	ones := slices.Repeat([]int{1}, len(strides))
	a := x.attr("low", x.list(pads), 0)
	return x.attr("dilations", x.list(ones), x.attr("strides", x.list(strides), x.attr("high", x.list(pads), a)))
}

// Conv is the convolution of images N x C x D... by kernels M x C x K..., with so many zeros on both sides.
func (x Tensor) Conv(kernels Tensor, pads, strides []int) Tensor {
	return x.op(ir.Call{Def: tensor.Conv, Args: []ir.Value{x.v, kernels.v}, Attr: x.attr("groups", x.number(1), x.window(pads, strides))})
}

// MaxPool is the greatest element under windows of an extent that go by strides.
func (x Tensor) MaxPool(window, strides []int) Tensor { return x.pool(tensor.PoolMax, window, strides) }

// AveragePool is the mean of the elements under windows of an extent that go by strides.
func (x Tensor) AveragePool(window, strides []int) Tensor {
	return x.pool(tensor.PoolAverage, window, strides)
}

func (x Tensor) pool(kind int, window, strides []int) Tensor {
	a := x.window(make([]int, len(window)), strides)
	return x.op(ir.Call{Def: tensor.Pool, Args: []ir.Value{x.v}, Attr: x.attr("window", x.list(window), x.attr("kind", x.number(kind), a))})
}
