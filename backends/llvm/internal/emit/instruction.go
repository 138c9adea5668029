package emit

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/arith"
)

var fastFlags = []struct {
	of   arith.FastMath
	flag enum.FastMathFlag
}{
	{arith.Reassoc, enum.FastMathFlagReassoc}, {arith.NNan, enum.FastMathFlagNNaN}, {arith.NInf, enum.FastMathFlagNInf},
	{arith.Nsz, enum.FastMathFlagNSZ}, {arith.Arcp, enum.FastMathFlagARcp}, {arith.Contract, enum.FastMathFlagContract},
	{arith.Afn, enum.FastMathFlagAFn},
}

func (f *Fn) Fast() []enum.FastMathFlag {
	flags := arith.FastMathOf(f.C, f.G.AttrsOf(f.V))
	if flags == 0 {
		return nil
	}
	if flags == arith.Fast {
		return []enum.FastMathFlag{enum.FastMathFlagFast}
	}
	var out []enum.FastMathFlag
	for _, x := range fastFlags {
		if flags&x.of != 0 {
			out = append(out, x.flag)
		}
	}
	return out
}

// Float instructions are literals: llir's constructors want to print their types.
func NewFAdd(x, y value.Value) *llir.InstFAdd { return &llir.InstFAdd{X: x, Y: y, Typ: x.Type()} }

func NewFSub(x, y value.Value) *llir.InstFSub { return &llir.InstFSub{X: x, Y: y, Typ: x.Type()} }

func NewFMul(x, y value.Value) *llir.InstFMul { return &llir.InstFMul{X: x, Y: y, Typ: x.Type()} }

func NewFDiv(x, y value.Value) *llir.InstFDiv { return &llir.InstFDiv{X: x, Y: y, Typ: x.Type()} }

func NewFRem(x, y value.Value) *llir.InstFRem { return &llir.InstFRem{X: x, Y: y, Typ: x.Type()} }

func WidthOf(t types.Type) int64 {
	if v, ok := t.(*types.VectorType); ok {
		return WidthOf(v.ElemType)
	}
	return int64(t.(*types.IntType).BitSize)
}

func ScalarOf(t types.Type) types.Type {
	if v, ok := t.(*types.VectorType); ok {
		return v.ElemType
	}
	return t
}

func (ib *Builder) Fcmp(p enum.FPred, x, y value.Value, fast []enum.FastMathFlag) value.Value {
	return Add(ib, &llir.InstFCmp{Pred: p, X: x, Y: y, Typ: boolsOf(x.Type()), FastMathFlags: fast})
}

// boolsOf returns the type of a comparison of values of type t.
func boolsOf(t types.Type) types.Type {
	if v, ok := t.(*types.VectorType); ok {
		return types.NewVector(v.Len, types.I1)
	}
	return types.I1
}

// Alloca is an instruction whose type prints as ptr.
type Alloca struct{ *llir.InstAlloca }

func (a Alloca) Type() types.Type { return lit.Ptr }

func (a Alloca) String() string { return "ptr " + a.Ident() }

// Instruction is one that has a result.
type Instruction interface {
	llir.Instruction
	value.Value
}

// Arithmetic on i64; constants fold, and so do 0 + x, 0 * x and 1 * x.

// Sum is x + y.
func (ib *Builder) Sum(x, y value.Value, flags ...enum.OverflowFlag) value.Value {
	a, okA := lit.Number(x)
	b, okB := lit.Number(y)
	switch {
	case okA && okB:
		return lit.I64(a + b)
	case okA && a == 0:
		return y
	case okB && b == 0:
		return x
	}
	i := Add(ib, llir.NewAdd(x, y))
	i.OverflowFlags = flags
	return i
}

func (ib *Builder) Times(x, y value.Value, flags ...enum.OverflowFlag) value.Value {
	a, okA := lit.Number(x)
	b, okB := lit.Number(y)
	switch {
	case okA && okB:
		return lit.I64(a * b)
	case okA && a == 0, okB && b == 0:
		return lit.I64(0)
	case okA && a == 1:
		return y
	case okB && b == 1:
		return x
	}
	i := Add(ib, llir.NewMul(x, y))
	i.OverflowFlags = flags
	return i
}

func (ib *Builder) Minus(x, y value.Value) value.Value {
	a, okA := lit.Number(x)
	b, okB := lit.Number(y)
	switch {
	case okA && okB:
		return lit.I64(a - b)
	case okB && b == 0:
		return x
	}
	return Add(ib, llir.NewSub(x, y))
}

func (ib *Builder) Product(xs []value.Value) value.Value {
	var p value.Value = lit.I64(1)
	for _, x := range xs {
		p = ib.Times(p, x)
	}
	return p
}

// RowMajor returns the strides of memory without gaps.
func (ib *Builder) RowMajor(sizes []value.Value) []value.Value {
	out := make([]value.Value, len(sizes))
	var n value.Value = lit.I64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		out[i] = n
		if i > 0 {
			n = ib.Times(n, sizes[i])
		}
	}
	return out
}

// Or and and work on i1; constants fold.
func (ib *Builder) Or(x, y value.Value) value.Value {
	if n, ok := lit.Number(x); ok {
		return map[bool]value.Value{true: x, false: y}[n != 0]
	}
	if n, ok := lit.Number(y); ok {
		return map[bool]value.Value{true: y, false: x}[n != 0]
	}
	return Add(ib, llir.NewOr(x, y))
}

func (ib *Builder) And(x, y value.Value) value.Value {
	if n, ok := lit.Number(x); ok {
		return map[bool]value.Value{true: y, false: x}[n != 0]
	}
	if n, ok := lit.Number(y); ok {
		return map[bool]value.Value{true: x, false: y}[n != 0]
	}
	return Add(ib, llir.NewAnd(x, y))
}

// Icmp compares integers; constants fold.
func (ib *Builder) Icmp(p enum.IPred, x, y value.Value) value.Value {
	a, okA := lit.Number(x)
	b, okB := lit.Number(y)
	if okA && okB && types.Equal(x.Type(), types.I64) {
		switch p {
		case enum.IPredEQ:
			return lit.Bit(a == b)
		case enum.IPredNE:
			return lit.Bit(a != b)
		case enum.IPredSLT:
			return lit.Bit(a < b)
		case enum.IPredSLE:
			return lit.Bit(a <= b)
		case enum.IPredSGT:
			return lit.Bit(a > b)
		case enum.IPredUGE:
			return lit.Bit(uint64(a) >= uint64(b))
		}
	}
	return Add(ib, llir.NewICmp(p, x, y))
}
