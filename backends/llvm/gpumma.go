package llvm

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/nvgpu"
	"github.com/irc-lang/irc/ir"
)

// Products of matrices by warps, and copies to shared memory that go on by themselves: NVVM's intrinsics.

// words are the lanes of a vector, 32 bits at once.
func (f *fn) words(x value.Value, n int) (out []value.Value) {
	all := add(f, llir.NewBitCast(x, types.NewVector(uint64(n), types.I32)))
	for i := range n {
		out = append(out, add(f, llir.NewExtractElement(all, i32(int64(i)))))
	}
	return out
}

func emitMma(f *fn) {
	elem := f.c.ElemOrSelf(f.typeOf(0))
	name, each := "llvm.nvvm.mma.m16n8k16.row.col.bf16", types.Type(types.I32)
	switch elem {
	case ir.F16:
		name, each = "llvm.nvvm.mma.m16n8k16.row.col.f32.f32", types.NewVector(2, types.Half)
	case ir.F32:
		name = "llvm.nvvm.mma.m16n8k8.row.col.tf32"
	}
	var args []value.Value
	for i, n := range []int{4, 2} {
		for _, w := range f.words(f.arg(i), n) {
			if each != types.Type(types.I32) {
				w = add(f, llir.NewBitCast(w, each))
			}
			args = append(args, w)
		}
	}
	sums := f.arg(2)
	for i := range 4 {
		args = append(args, add(f, llir.NewExtractElement(sums, i32(int64(i)))))
	}
	ret := types.NewStruct(types.Float, types.Float, types.Float, types.Float)
	got := add(f, llir.NewCall(f.external(name, ret, typesOf(args), "convergent", "nounwind", "memory(none)"), args...))
	f.set(f.gathered(got, types.Float, 4))
}

// gathered makes a vector of the fields of a structure.
func (f *fn) gathered(s value.Value, elem types.Type, n int) value.Value {
	var out value.Value = &lit{typ: types.NewVector(uint64(n), elem), text: "poison"}
	for i := range n {
		out = add(f, llir.NewInsertElement(out, add(f, llir.NewExtractValue(s, uint64(i))), i32(int64(i))))
	}
	return out
}

// inSpace is a generic pointer as one of a memory space.
func (f *fn) inSpace(p value.Value, space types.Type) value.Value {
	return add(f, llir.NewAddrSpaceCast(p, space))
}

func emitLdmatrix(f *fn) {
	tiles := int(f.c.AttrInfo(f.g.Attr(f.v, "numTiles")).Int)
	name := fmt.Sprintf("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x%d.b16.p3", tiles)
	if f.c.AttrInfo(f.g.Attr(f.v, "transpose")).Int != 0 {
		name = fmt.Sprintf("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x%d.trans.b16.p3", tiles)
	}
	p := f.inSpace(f.at(f.memArg(0), 1), sharedPtr)
	ret := types.Type(types.I32)
	if tiles > 1 {
		fields := make([]types.Type, tiles)
		for i := range fields {
			fields[i] = types.I32
		}
		ret = types.NewStruct(fields...)
	}
	got := value.Value(add(f, llir.NewCall(f.external(name, ret, []types.Type{sharedPtr}, "convergent", "nounwind"), p)))
	if tiles > 1 {
		got = f.gathered(got, types.I32, tiles)
	}
	f.set(add(f, llir.NewBitCast(got, f.llType(f.g.Type(f.v)))))
}

func emitAsyncCopy(f *fn) {
	seg := f.segments()
	elem := f.c.Info(f.g.Type(seg[0][0])).Elem
	bytes := f.c.AttrInfo(f.g.Attr(f.v, "dstElements")).Int * f.bytesOf(elem)
	to, from := f.element(f.of(seg[0][0]).m, f.valuesOf(seg[1]), seg[1]), f.element(f.of(seg[2][0]).m, f.valuesOf(seg[3]), seg[3])
	level := "ca"
	if bytes == 16 && f.g.Attr(f.v, "bypassL1") != 0 {
		level = "cg"
	}
	name := fmt.Sprintf("llvm.nvvm.cp.async.%s.shared.global.%d", level, bytes)
	args := []value.Value{f.inSpace(to, sharedPtr), f.inSpace(from, globalPtr)}
	if len(seg[4]) > 0 {
		name += ".s"
		args = append(args, add(f, llir.NewTrunc(f.times(f.of(seg[4][0]).v, i64(f.bytesOf(elem))), types.I32)))
	}
	add(f, llir.NewCall(f.external(name, types.Void, typesOf(args), "nounwind"), args...))
	f.set(bit(false)) // nobody looks at a token
}

func emitAsyncGroup(f *fn) {
	add(f, llir.NewCall(f.external("llvm.nvvm.cp.async.commit.group", types.Void, nil, "nounwind")))
	f.set(bit(false))
}

func emitAsyncWait(f *fn) {
	n := int64(0)
	if a := f.g.Attr(f.v, "numGroups"); a != 0 {
		n = f.c.AttrInfo(a).Int
	}
	add(f, llir.NewCall(f.external("llvm.nvvm.cp.async.wait.group", types.Void, []types.Type{types.I32}, "nounwind"), i32(n)))
}

// warpEmitters translate the ops of nvgpu.
var warpEmitters = map[*ir.OpDef]func(*fn){
	nvgpu.MmaSync: emitMma, nvgpu.Ldmatrix: emitLdmatrix,
	nvgpu.AsyncCopy: emitAsyncCopy, nvgpu.AsyncGroup: emitAsyncGroup, nvgpu.AsyncWait: emitAsyncWait,
}
