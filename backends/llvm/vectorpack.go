package llvm

import (
	"fmt"
	"runtime"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// LLVM's compressstore is, with AVX-512, an instruction that packs and stores, which AMD's processors do lane by lane. To pack
// in a register and to store the first lanes takes two, and is some ten times faster there.

// compressed is how many lanes the machine packs in a register, of those of a vector; 0 if it does not.
func (f *fn) compressed(x value.Value) int {
	t := f.opts.Target
	if runtime.GOARCH != "amd64" || f.gpu != nil || target.Host().Vector < 64 {
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
func (f *fn) storePacked(x, mask, to value.Value, elem ir.Type, lanes int) {
	n, _ := lanesIn(mask)
	bits := types.NewInt(uint64(lanes))
	ones := types.NewVector(uint64(lanes), types.I1)
	for lane := 0; lane < n; lane += lanes {
		part, set := f.lanesFrom(x, lane, lanes), f.lanesFrom(mask, lane, lanes)
		zeros := f.zeroOf(part.Type())
		packed := add(f, llir.NewCall(f.external("llvm.x86.avx512.mask.compress."+overload(part.Type()), part.Type(),
			[]types.Type{part.Type(), part.Type(), ones}), part, zeros, set))
		count := add(f, llir.NewZExt(f.intrinsic(fmt.Sprintf("llvm.ctpop.i%d", lanes), bits, nil, add(f, llir.NewBitCast(set, bits))), types.I64))
		below := add(f, llir.NewSub(add(f, llir.NewShl(i64(1), count)), i64(1)))
		first := add(f, llir.NewBitCast(add(f, llir.NewTrunc(below, bits)), ones))
		f.maskedCall("store", part.Type(), types.Void, packed, to, f.alignLit(elem), first)
		to = add(f, &llir.InstGetElementPtr{ElemType: memType(f.c, elem), Src: to, Indices: []value.Value{count}, Typ: ptr})
	}
}

func (f *fn) zeroOf(t types.Type) value.Value { return &lit{typ: t, text: "zeroinitializer"} }
