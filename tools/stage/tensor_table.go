package stage

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/ir/stage"
	"github.com/irc-lang/irc/tools/tensors"
)

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
		var list []string
		for _, t := range in {
			list = append(list, shapeText(t.Shape()))
		}
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
	strides, _, _ := memref.Layout(x, t)
	list := func(name string, of ...int64) ir.NamedAttr {
		return ir.NamedAttr{Name: name, Value: x.DenseArray(ir.I64, of...)}
	}
	attr := x.Props([]ir.NamedAttr{{Name: "operandSegmentSizes", Value: x.DenseArray(ir.I32, 1, 0, 0, 0)}, list("static_offsets", 0), list("static_sizes", shape...), list("static_strides", strides...)}, nil)
	return e.b.Must(ir.Call{Def: memref.ReinterpretCast, Attr: attr, Args: []ir.Value{mem}, Type: t, Loc: e.b.Loc})
}
