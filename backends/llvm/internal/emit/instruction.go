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

func (f *Fn) Fcmp(p enum.FPred, x, y value.Value, fast []enum.FastMathFlag) value.Value {
	return Add(f, &llir.InstFCmp{Pred: p, X: x, Y: y, Typ: boolsOf(x.Type()), FastMathFlags: fast})
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
