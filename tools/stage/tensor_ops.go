package stage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/ir/stage"
	"github.com/irc-lang/irc/tools/tensors"
)

// The ops of tensors are those of tools/tensors: each method names one, and what the host gives it.

// one stages an op of x.
func (x Tensor[T]) one(name string, do func(tensors.Tensor) tensors.Tensor, params ...any) Tensor[T] {
	return apply[T](name, func(a ...tensors.Tensor) tensors.Tensor { return do(a[0]) }, fmt.Sprint(params...), x)
}

// two stages an op of x and y, which may be a Dyn[T] or a number.
func (x Tensor[T]) two(name string, do func(a, b tensors.Tensor) tensors.Tensor, y any) Tensor[T] {
	b, ok := y.(Tensor[T])
	if !ok {
		x.session(name)
		b = full(x.number(name, y), 1, sizes{})
	}
	return apply[T](name, func(a ...tensors.Tensor) tensors.Tensor { return do(a[0], a[1]) }, "", x, b)
}

// number is an operand that is no tensor.
func (x Tensor[T]) number(name string, y any) Dyn[T] {
	if o, ok := y.(operand); ok {
		x.s.fail(name, "both operands have the same elements", "%T and %T", x, o)
	}
	return arg[T](x.s, y, 1)
}

// Einsum is the sum of products of elements over the indices that the spec does not keep, "ij,jk->ik" the product of two matrices.
func (x Tensor[T]) Einsum(spec string, others ...Tensor[T]) Tensor[T] {
	xs := []operand{x}
	for _, y := range others {
		xs = append(xs, y)
	}
	return apply[T]("Einsum", func(a ...tensors.Tensor) tensors.Tensor { return a[0].Einsum(spec, a[1:]...) }, spec, xs...)
}

// Add is the sum, element by element, with a Tensor[T], a Dyn[T] or a number, as are the operands of what follows. Dimensions are
// aligned at the last one, and extents of 1 are stretched.
func (x Tensor[T]) Add(y any) Tensor[T] { return x.two("Add", tensors.Tensor.Add, y) }

// Sub is the difference.
func (x Tensor[T]) Sub(y any) Tensor[T] { return x.two("Sub", tensors.Tensor.Sub, y) }

// Mul is the product of elements.
func (x Tensor[T]) Mul(y any) Tensor[T] { return x.two("Mul", tensors.Tensor.Mul, y) }

// Div is the quotient of elements, which are floats.
func (x Tensor[T]) Div(y any) Tensor[T] { return x.two("Div", tensors.Tensor.Div, y) }

// Max is the greater of elements.
func (x Tensor[T]) Max(y any) Tensor[T] { return x.two("Max", tensors.Tensor.Max, y) }

// Exp is e to the power of each element, a float.
func (x Tensor[T]) Exp() Tensor[T] { return x.one("Exp", tensors.Tensor.Exp) }

// Sqrt is the root of each element, a float.
func (x Tensor[T]) Sqrt() Tensor[T] { return x.one("Sqrt", tensors.Tensor.Sqrt) }

// Tanh is the hyperbolic tangent of each element, a float.
func (x Tensor[T]) Tanh() Tensor[T] { return x.one("Tanh", tensors.Tensor.Tanh) }

// Relu is the elements above a threshold, and 0 for the others.
func (x Tensor[T]) Relu(above float64) Tensor[T] {
	return x.one("Relu", func(a tensors.Tensor) tensors.Tensor { return a.Relu(above) }, above)
}

// Gelu is x / 2 (1 + erf(x / sqrt 2)) of each element.
func (x Tensor[T]) Gelu() Tensor[T] { return x.one("Gelu", tensors.Tensor.Gelu) }

// Softmax is exp(x - m) divided by its sum along a dimension, m the greatest element there.
func (x Tensor[T]) Softmax(dim int) Tensor[T] {
	return x.one("Softmax", func(a tensors.Tensor) tensors.Tensor { return a.Softmax(dim) }, dim)
}

// Argmax is the place of the greatest element along a dimension, which the result does not have.
func (x Tensor[T]) Argmax(dim int) Tensor[int] {
	return apply[int]("Argmax", func(a ...tensors.Tensor) tensors.Tensor { return a[0].Argmax(dim) }, fmt.Sprint(dim), x)
}

// Sum is the sum along dimensions, which the result does not have.
func (x Tensor[T]) Sum(dims ...int) Tensor[T] {
	dims = slices.Clone(dims)
	return x.one("Sum", func(a tensors.Tensor) tensors.Tensor { return a.Sum(dims...) }, dims)
}

// Greatest is the greatest element along dimensions, which the result does not have.
func (x Tensor[T]) Greatest(dims ...int) Tensor[T] {
	dims = slices.Clone(dims)
	return x.one("Greatest", func(a tensors.Tensor) tensors.Tensor { return a.Greatest(dims...) }, dims)
}

// Transpose has dimension perm[i] of x as dimension i.
func (x Tensor[T]) Transpose(perm ...int) Tensor[T] {
	perm = slices.Clone(perm)
	return x.one("Transpose", func(a tensors.Tensor) tensors.Tensor { return a.Transpose(perm...) }, perm)
}

// Reshape has the elements in row-major order under other extents. The program stops if those have another number of elements.
func (x Tensor[T]) Reshape(shape ...any) Tensor[T] {
	s := x.session("Reshape")
	to := s.sizes("Reshape", shape)
	if len(to.open) == 0 {
		return x.one("Reshape", func(a tensors.Tensor) tensors.Tensor { return a.Reshape(to.shape...) }, to.shape)
	}
	if s.run == nil {
		a, now := x.array(), to.now()
		if count(now) != count(a.Shape) {
			panic(fmt.Sprintf("a tensor of %s becomes one of %s", shapeText(a.Shape), shapeText(now)))
		}
		return Tensor[T]{s: s, shape: to.shape, now: &npy.Array{Elem: a.Elem, Shape: now, Data: a.Data}}
	}
	args := append([]stage.Value{x.valueIn(0)}, to.values(1)...)
	return Tensor[T]{s: s, shape: to.shape, v: s.run.Emit(stage.Op{Code: code{op: "reshape", k: kindOf[T](), shape: extentsKey(to.shape)}, Args: args})}
}

// Gather has the parts at places along a dimension, elements of a Tensor of integers.
func (x Tensor[T]) Gather(places any, dim int) Tensor[T] {
	at, ok := places.(operand)
	if !ok {
		x.session("Gather").fail("Gather", "give it a Tensor of integers", "the places are %T", places)
	}
	return apply[T]("Gather", func(a ...tensors.Tensor) tensors.Tensor { return a[0].Gather(a[1], dim) }, fmt.Sprint(dim), x, at)
}

// LayerNorm is (x - mean) / sqrt(variance + epsilon) along the last dimension, times scale, plus bias.
func (x Tensor[T]) LayerNorm(scale, bias Tensor[T], epsilon float64) Tensor[T] {
	return apply[T]("LayerNorm", func(a ...tensors.Tensor) tensors.Tensor { return a[0].LayerNorm(a[1], a[2], epsilon) }, fmt.Sprint(epsilon), x, scale, bias)
}

// Conv is the convolution of images N x C x D... by kernels M x C x K..., with so many zeros on both sides.
func (x Tensor[T]) Conv(kernels Tensor[T], pads, strides []int) Tensor[T] {
	pads, strides = slices.Clone(pads), slices.Clone(strides)
	return apply[T]("Conv", func(a ...tensors.Tensor) tensors.Tensor { return a[0].Conv(a[1], pads, strides) }, fmt.Sprint(pads, strides), x, kernels)
}

// MaxPool is the greatest element under windows of an extent that go by strides.
func (x Tensor[T]) MaxPool(window, strides []int) Tensor[T] {
	window, strides = slices.Clone(window), slices.Clone(strides)
	return x.one("MaxPool", func(a tensors.Tensor) tensors.Tensor { return a.MaxPool(window, strides) }, window, strides)
}

// AveragePool is the mean of the elements under windows of an extent that go by strides.
func (x Tensor[T]) AveragePool(window, strides []int) Tensor[T] {
	window, strides = slices.Clone(window), slices.Clone(strides)
	return x.one("AveragePool", func(a tensors.Tensor) tensors.Tensor { return a.AveragePool(window, strides) }, window, strides)
}

// An operand is a Tensor of whatever elements.
type operand interface {
	session(what string) *S
	typ() tensors.Type
	valueIn(i int) stage.Value
	array() *npy.Array
}

func (x Tensor[T]) typ() tensors.Type { return tensors.Of(elemType[T](), x.shape...) }

// apply stages an op of tools/tensors. What the host gives it is told by params.
func apply[T Element](name string, do tensors.Op, params string, xs ...operand) Tensor[T] {
	s := xs[0].session(name)
	in := make([]tensors.Type, len(xs))
	for i, x := range xs {
		s.takes(name, x.session(name))
		in[i] = x.typ()
	}
	key, out := s.tensorOp(name, params, in, do)
	if s.run == nil {
		arrays := make([]*npy.Array, len(xs))
		for i, x := range xs {
			arrays[i] = x.array()
		}
		a, err := tensors.Apply(s.context(), in, arrays, do)
		if err != nil {
			panic(err)
		}
		return Tensor[T]{s: s, shape: out.Shape(), now: a}
	}
	args := make([]stage.Value, len(xs))
	for i, x := range xs {
		args[i] = x.valueIn(i)
	}
	return Tensor[T]{s: s, shape: out.Shape(), v: s.run.Emit(stage.Op{Code: code{op: "tensor", k: kindOf[T](), name: key, shape: extentsKey(out.Shape())}, Args: args})}
}

// A tensorOp is an op of tensors of some types.
type tensorOp struct {
	do  tensors.Op
	out tensors.Type
}

// tensorOp makes an op of a table of the module, by its name, what the host gives it, and its operands.
func (s *S) tensorOp(name, params string, in []tensors.Type, do tensors.Op) (key string, out tensors.Type) {
	key = fmt.Sprint(name, params, in)
	if s.m != nil {
		if op, ok := s.m.tensors[key]; ok {
			return key, op.out
		}
	}
	out, err := tensors.Infer(s.context(), in, do)
	if err != nil {
		list := lists.Map(in, func(t tensors.Type) string { return shapeText(t.Shape()) })
		s.fail(name, "its operands are "+strings.Join(list, " and ")+": Reshape, Transpose and Load say which extents a tensor has", "%v", err)
	}
	if s.m != nil {
		s.m.tensors[key] = tensorOp{do, out}
	}
	return key, out
}

// makeTensor makes ops of the IR that give or take tensors.
func (e *emitter) makeTensor(c code, args []ir.Value) ir.Value {
	b := e.b
	switch c.op {
	case "tensor":
		return tensors.Build(b, args, e.m.tensors[c.name].do)
	case "fill":
		for i := range args[1:] {
			args[i+1] = e.index(args[i+1])
		}
		return e.full(c.k, c.shape, args)
	case "dim":
		return arith.Cast(b, arith.IndexCast, e.dim(args[0], int64(c.imm)), ir.I64)
	case "reshape":
		return e.reshape(c.k, extentsOf(c.shape), args[0], args[1:])
	case "extract":
		for i := range args[1:] {
			args[i+1] = e.index(args[i+1])
		}
		return b.Op(tensor.Extract, args...)
	case "pack":
		e.m.loads = true
		if openIn(extentsOf(c.shape)) > 0 {
			return e.reshape(c.k, extentsOf(c.shape), b.Op(tensor.Pack, args[0]), args[1:])
		}
		return b.Op(tensor.Pack, e.shaped(c, args[0]))
	}
	if openIn(extentsOf(c.shape)) > 0 {
		size := arith.Cast(b, arith.IndexCast, b.Op(memref.Dim, args[1], b.Index(0)), ir.I64)
		b.Must(ir.Call{Def: tensor.Write, Args: []ir.Value{e.reshape(c.k, []int64{-1}, args[0], []ir.Value{size}), args[1]}, Type: ir.Void, Loc: b.Loc})
		return 0
	}
	b.Must(ir.Call{Def: tensor.Write, Args: []ir.Value{args[0], e.shaped(c, args[1])}, Type: ir.Void, Loc: b.Loc})
	return 0
}

// full makes a tensor of a number, which open extents of type index follow.
func (e *emitter) full(k kind, shape string, args []ir.Value) ir.Value {
	return e.b.Must(ir.Call{Def: tensor.Fill, Args: args, Type: e.m.tensor(k, extentsOf(shape)), Loc: e.b.Loc})
}

// reshape has open extents as numbers of the program.
func (e *emitter) reshape(k kind, shape []int64, x ir.Value, open []ir.Value) ir.Value {
	args := []ir.Value{x}
	for _, n := range open {
		args = append(args, e.index(n))
	}
	return e.b.Must(ir.Call{Def: tensor.Reshape, Args: args, Type: e.m.tensor(k, shape), Loc: e.b.Loc})
}

// dim is an extent, of type index.
func (e *emitter) dim(x ir.Value, d int64) ir.Value {
	return e.b.OpAttr(tensor.Dim, e.m.c.With(0, "dim", e.m.c.IntAttr(d, ir.I64)), x)
}

// shaped is memory under the extents of a tensor, after a check that it has as many elements.
func (e *emitter) shaped(c code, mem ir.Value) ir.Value {
	x, shape := e.m.c, extentsOf(c.shape)
	size := e.b.Op(memref.Dim, mem, e.b.Index(0))
	e.assert(arith.CmpI(e.b, arith.EQ, size, e.b.Index(count(shape))), fmt.Sprintf(otherSize, shapeText(shape)))
	t := tensor.MemoryOf(x, x.Tensor(shape, c.k.typ(x)))
	strides, _, _ := layouts.Layout(x, t)
	list := func(name string, of ...int64) ir.NamedAttr {
		return ir.NamedAttr{Name: name, Value: x.DenseArray(ir.I64, of...)}
	}
	attr := x.Props([]ir.NamedAttr{{Name: "operandSegmentSizes", Value: x.DenseArray(ir.I32, 1, 0, 0, 0)}, list("static_offsets", 0), list("static_sizes", shape...), list("static_strides", strides...)}, nil)
	return e.b.Must(ir.Call{Def: memref.ReinterpretCast, Attr: attr, Args: []ir.Value{mem}, Type: t, Loc: e.b.Loc})
}
