package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

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

func (f *fn) fast() []enum.FastMathFlag {
	flags := arith.FastMathOf(f.c, f.g.AttrsOf(f.v))
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
func newFAdd(x, y value.Value) *llir.InstFAdd { return &llir.InstFAdd{X: x, Y: y, Typ: x.Type()} }

func newFSub(x, y value.Value) *llir.InstFSub { return &llir.InstFSub{X: x, Y: y, Typ: x.Type()} }

func newFMul(x, y value.Value) *llir.InstFMul { return &llir.InstFMul{X: x, Y: y, Typ: x.Type()} }

func newFDiv(x, y value.Value) *llir.InstFDiv { return &llir.InstFDiv{X: x, Y: y, Typ: x.Type()} }

func newFRem(x, y value.Value) *llir.InstFRem { return &llir.InstFRem{X: x, Y: y, Typ: x.Type()} }

func widthOf(t types.Type) int64 {
	if v, ok := t.(*types.VectorType); ok {
		return widthOf(v.ElemType)
	}
	return int64(t.(*types.IntType).BitSize)
}

func scalarOf(t types.Type) types.Type {
	if v, ok := t.(*types.VectorType); ok {
		return v.ElemType
	}
	return t
}

func (f *fn) fcmp(p enum.FPred, x, y value.Value, fast []enum.FastMathFlag) value.Value {
	return add(f, &llir.InstFCmp{Pred: p, X: x, Y: y, Typ: boolsOf(x.Type()), FastMathFlags: fast})
}

// boolsOf returns the type of a comparison of values of type t.
func boolsOf(t types.Type) types.Type {
	if v, ok := t.(*types.VectorType); ok {
		return types.NewVector(v.Len, types.I1)
	}
	return types.I1
}

// alloca is an instruction whose type prints as ptr.
type alloca struct{ *llir.InstAlloca }

func (a alloca) Type() types.Type { return ptr }

func (a alloca) String() string { return "ptr " + a.Ident() }

// instruction is one that has a result.
type instruction interface {
	llir.Instruction
	value.Value
}
