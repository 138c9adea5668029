package vectors

import (
	"fmt"
	"runtime"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// LLVM's compressstore is, with AVX-512, an instruction that packs and stores, which AMD's processors do lane by lane. To pack
// in a register and to store the first lanes takes two, and is some ten times faster there.

// compressed is how many lanes the machine packs in a register, of those of a vector; 0 if it does not.
func compressed(f *emit.Fn, x value.Value) int {
	t := f.Opts.Target
	if runtime.GOARCH != "amd64" || f.Gpu != nil || target.Host().Vector < 64 {
		return 0
	}
	if t != nil && (t.Kind != target.CPU || t.Triple != "" || t.CPU != "" || len(t.Features) > 0) {
		return 0
	}
	v, ok := x.Type().(*types.VectorType)
	if !ok {
		return 0
	}
	lanes := map[string]int{"double": 8, "i64": 8, "float": 16, "i32": 16}[v.ElemType.String()]
	if lanes == 0 || int(v.Len)%lanes != 0 {
		return 0
	}
	return lanes
}

// storePacked stores the lanes that a mask sets one behind the other, some at a time.
func storePacked(f *emit.Fn, x, mask, to value.Value, elem ir.Type, lanes int) {
	n, _ := emit.LanesIn(mask)
	bits := types.NewInt(uint64(lanes))
	ones := types.NewVector(uint64(lanes), types.I1)
	for lane := 0; lane < n; lane += lanes {
		part, set := lanesFrom(f, x, lane, lanes), lanesFrom(f, mask, lane, lanes)
		zeros := zeroOf(f, part.Type())
		packed := emit.Add(f.B, llir.NewCall(f.External("llvm.x86.avx512.mask.compress."+emit.Overload(part.Type()), part.Type(),
			[]types.Type{part.Type(), part.Type(), ones}), part, zeros, set))
		count := emit.Add(f.B, llir.NewZExt(f.B.Intrinsic(fmt.Sprintf("llvm.ctpop.i%d", lanes), bits, nil, emit.Add(f.B, llir.NewBitCast(set, bits))), types.I64))
		below := emit.Add(f.B, llir.NewSub(emit.Add(f.B, llir.NewShl(lit.I64(1), count)), lit.I64(1)))
		first := emit.Add(f.B, llir.NewBitCast(emit.Add(f.B, llir.NewTrunc(below, bits)), ones))
		maskedCall(f, "store", part.Type(), types.Void, packed, to, alignLit(f, elem), first)
		to = emit.Add(f.B, &llir.InstGetElementPtr{ElemType: lit.MemType(f.C, elem), Src: to, Indices: []value.Value{count}, Typ: lit.Ptr})
	}
}

func zeroOf(f *emit.Fn, t types.Type) value.Value { return &lit.Lit{Typ: t, Text: "zeroinitializer"} }
