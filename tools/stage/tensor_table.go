package stage

import (
	"fmt"
	"strconv"
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
		a, err := tensors.Apply(s.context(), arrays, do)
		if err != nil {
			panic(err)
		}
		return Tensor[T]{s: s, shape: a.Shape, now: a}
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
		return e.full(c, args[0])
	case "extract":
		for i := range args[1:] {
			args[i+1] = e.index(args[i+1])
		}
		return b.Op(tensor.Extract, args...)
	case "pack":
		return b.Op(tensor.Pack, e.shaped(c, args[0]))
	}
	b.Must(ir.Call{Def: tensor.Write, Args: []ir.Value{args[0], e.shaped(c, args[1])}, Type: ir.Void, Loc: b.Loc})
	return 0
}

func (e *emitter) full(c code, x ir.Value) ir.Value {
	return e.b.Must(ir.Call{Def: tensor.Fill, Args: []ir.Value{x}, Type: e.m.c.Tensor(extentsOf(c.shape), c.k.typ(e.m.c)), Loc: e.b.Loc})
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

// extentsKey tells the extents of tensors apart; what is no tensor has "".
func extentsKey(shape []int64) string { return fmt.Sprint(shape) }

// extentsOf is what extentsKey was given.
func extentsOf(key string) (out []int64) {
	for _, n := range strings.Fields(strings.Trim(key, "[]")) {
		k, _ := strconv.ParseInt(n, 10, 64)
		out = append(out, k)
	}
	return out
}
