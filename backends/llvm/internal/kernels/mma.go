package kernels

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/backends/llvm/internal/memory"
	"github.com/irc-lang/irc/dialects/nvgpu"
	"github.com/irc-lang/irc/ir"
)

// Products of matrices by warps, and copies to shared memory that go on by themselves: NVVM's intrinsics.

// words are the lanes of a vector, 32 bits at once.
func words(f *emit.Fn, x value.Value, n int) (out []value.Value) {
	all := emit.Add(f.B, llir.NewBitCast(x, types.NewVector(uint64(n), types.I32)))
	for i := range n {
		out = append(out, emit.Add(f.B, llir.NewExtractElement(all, lit.I32(int64(i)))))
	}
	return out
}

func emitMma(f *emit.Fn) {
	elem := f.C.ElemOrSelf(f.TypeOf(0))
	name, each := "llvm.nvvm.mma.m16n8k16.row.col.bf16", types.Type(types.I32)
	switch elem {
	case ir.F16:
		name, each = "llvm.nvvm.mma.m16n8k16.row.col.f32.f32", types.NewVector(2, types.Half)
	case ir.F32:
		name = "llvm.nvvm.mma.m16n8k8.row.col.tf32"
	}
	var args []value.Value
	for i, n := range []int{4, 2} {
		for _, w := range words(f, f.Arg(i), n) {
			if each != types.Type(types.I32) {
				w = emit.Add(f.B, llir.NewBitCast(w, each))
			}
			args = append(args, w)
		}
	}
	sums := f.Arg(2)
	for i := range 4 {
		args = append(args, emit.Add(f.B, llir.NewExtractElement(sums, lit.I32(int64(i)))))
	}
	ret := types.NewStruct(types.Float, types.Float, types.Float, types.Float)
	got := emit.Add(f.B, llir.NewCall(f.External(name, ret, emit.TypesOf(args), "convergent", "nounwind", "memory(none)"), args...))
	f.Set(gathered(f, got, types.Float, 4))
}

// gathered makes a vector of the fields of a structure.
func gathered(f *emit.Fn, s value.Value, elem types.Type, n int) value.Value {
	var out value.Value = &lit.Lit{Typ: types.NewVector(uint64(n), elem), Text: "poison"}
	for i := range n {
		out = emit.Add(f.B, llir.NewInsertElement(out, emit.Add(f.B, llir.NewExtractValue(s, uint64(i))), lit.I32(int64(i))))
	}
	return out
}

// inSpace is a generic pointer as one of a memory space.
func inSpace(f *emit.Fn, p value.Value, space types.Type) value.Value {
	return emit.Add(f.B, llir.NewAddrSpaceCast(p, space))
}

func emitLdmatrix(f *emit.Fn) {
	tiles := int(f.C.AttrInfo(f.G.Attr(f.V, "numTiles")).Int)
	name := fmt.Sprintf("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x%d.b16.p3", tiles)
	if f.C.AttrInfo(f.G.Attr(f.V, "transpose")).Int != 0 {
		name = fmt.Sprintf("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x%d.trans.b16.p3", tiles)
	}
	p := inSpace(f, f.At(f.MemArg(0), 1), emit.SharedPtr)
	ret := types.Type(types.I32)
	if tiles > 1 {
		fields := make([]types.Type, tiles)
		for i := range fields {
			fields[i] = types.I32
		}
		ret = types.NewStruct(fields...)
	}
	got := value.Value(emit.Add(f.B, llir.NewCall(f.External(name, ret, []types.Type{emit.SharedPtr}, "convergent", "nounwind"), p)))
	if tiles > 1 {
		got = gathered(f, got, types.I32, tiles)
	}
	f.Set(emit.Add(f.B, llir.NewBitCast(got, f.LLType(f.G.Type(f.V)))))
}

func emitAsyncCopy(f *emit.Fn) {
	seg := f.G.Segments(f.V)
	elem := f.C.Info(f.G.Type(seg[0][0])).Elem
	bytes := f.C.AttrInfo(f.G.Attr(f.V, "dstElements")).Int * memory.BytesOf(f, elem)
	to, from := f.Element(f.Of(seg[0][0]).M, f.ValuesOf(seg[1]), seg[1]), f.Element(f.Of(seg[2][0]).M, f.ValuesOf(seg[3]), seg[3])
	level := "ca"
	if bytes == 16 && f.G.Attr(f.V, "bypassL1") != 0 {
		level = "cg"
	}
	name := fmt.Sprintf("llvm.nvvm.cp.async.%s.shared.global.%d", level, bytes)
	args := []value.Value{inSpace(f, to, emit.SharedPtr), inSpace(f, from, emit.GlobalPtr)}
	if len(seg[4]) > 0 {
		name += ".s"
		args = append(args, emit.Add(f.B, llir.NewTrunc(f.B.Times(f.Of(seg[4][0]).V, lit.I64(memory.BytesOf(f, elem))), types.I32)))
	}
	emit.Add(f.B, llir.NewCall(f.External(name, types.Void, emit.TypesOf(args), "nounwind"), args...))
	f.Set(lit.Bit(false)) // nobody looks at a token
}

func emitAsyncGroup(f *emit.Fn) {
	emit.Add(f.B, llir.NewCall(f.External("llvm.nvvm.cp.async.commit.group", types.Void, nil, "nounwind")))
	f.Set(lit.Bit(false))
}

func emitAsyncWait(f *emit.Fn) {
	n := int64(0)
	if a := f.G.Attr(f.V, "numGroups"); a != 0 {
		n = f.C.AttrInfo(a).Int
	}
	emit.Add(f.B, llir.NewCall(f.External("llvm.nvvm.cp.async.wait.group", types.Void, []types.Type{types.I32}, "nounwind"), lit.I32(n)))
}

// warpEmitters translate the ops of nvgpu.
var warpEmitters = map[*ir.OpDef]func(*emit.Fn){
	nvgpu.MmaSync: emitMma, nvgpu.Ldmatrix: emitLdmatrix,
	nvgpu.AsyncCopy: emitAsyncCopy, nvgpu.AsyncGroup: emitAsyncGroup, nvgpu.AsyncWait: emitAsyncWait,
}
