package llvm

import (
	"maps"
	"slices"
	"sync"

	llir "github.com/llir/llvm/ir"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/kernels"
	"github.com/irc-lang/irc/backends/llvm/internal/memory"
	"github.com/irc-lang/irc/backends/llvm/internal/numbers"
	"github.com/irc-lang/irc/backends/llvm/internal/vectors"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/nvgpu"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
)

// emitters says how ops are translated.
var emitters = sync.OnceValue(makeEmitters)

// Supported lists the ops that are translated.
func Supported() map[*ir.OpDef]bool {
	out := map[*ir.OpDef]bool{arith.Constant: true, funcs.Func: true, funcs.Return: true, builtin.Module: true,
		memref.Global: true}
	for def := range emitters() {
		out[def] = true
	}
	for _, t := range []*ir.OpDef{scf.Yield, scf.Condition, scf.Reduce, scf.ReduceReturn, scf.InParallel,
		memref.AllocaScopeReturn, memref.AtomicYield} {
		out[t] = true // their ops translate them
	}
	return out
}

func makeEmitters() map[*ir.OpDef]func(*emit.Fn) {
	out := map[*ir.OpDef]func(*emit.Fn){
		arith.Addi: numbers.EmitAddi, arith.Subi: numbers.EmitSubi, arith.Muli: numbers.EmitMuli, arith.Shli: numbers.EmitShli,
		arith.Shrui: numbers.Binary(llir.NewLShr), arith.Shrsi: numbers.Binary(llir.NewAShr),
		arith.Andi: numbers.Binary(llir.NewAnd), arith.Ori: numbers.Binary(llir.NewOr), arith.Xori: numbers.Binary(llir.NewXor),
		arith.Maxsi: numbers.IntIntrinsic("smax"), arith.Maxui: numbers.IntIntrinsic("umax"),
		arith.Minsi: numbers.IntIntrinsic("smin"), arith.Minui: numbers.IntIntrinsic("umin"),
		arith.Divui: numbers.EmitDiv(false, numbers.EmitDivui), arith.Divsi: numbers.EmitDiv(true, numbers.EmitDivsi),
		arith.Remui: numbers.EmitDiv(false, numbers.EmitRemui), arith.Remsi: numbers.EmitDiv(true, numbers.EmitRemsi),
		arith.Ceildivui:  numbers.EmitDiv(false, numbers.EmitCeildivui),
		arith.Ceildivsi:  numbers.EmitDiv(true, numbers.EmitRounded(true)),
		arith.Floordivsi: numbers.EmitDiv(true, numbers.EmitRounded(false)),

		arith.AdduiExtended: numbers.EmitAddUI, arith.MuluiExtended: numbers.EmitMulExtended(false), arith.MulsiExtended: numbers.EmitMulExtended(true),

		arith.Addf: numbers.Floating(emit.NewFAdd, numbers.FAddFlags), arith.Subf: numbers.Floating(emit.NewFSub, numbers.FSubFlags),
		arith.Mulf: numbers.Floating(emit.NewFMul, numbers.FMulFlags), arith.Divf: numbers.Floating(emit.NewFDiv, numbers.FDivFlags),
		arith.Remf: numbers.Floating(emit.NewFRem, numbers.FRemFlags), arith.Negf: numbers.EmitNegf,
		arith.Maximumf: numbers.FloatIntrinsic("maximum"), arith.Minimumf: numbers.FloatIntrinsic("minimum"),
		arith.Maxnumf: numbers.EmitNum("maximum"), arith.Minnumf: numbers.EmitNum("minimum"),

		arith.Extui: numbers.Convert(llir.NewZExt), arith.Extsi: numbers.Convert(llir.NewSExt), arith.Trunci: numbers.Convert(llir.NewTrunc),
		arith.Extf: numbers.EmitExtf, arith.Truncf: numbers.EmitTruncf,
		arith.Uitofp: numbers.EmitIntToFloat(false), arith.Sitofp: numbers.EmitIntToFloat(true),
		arith.Fptoui: numbers.Convert(llir.NewFPToUI), arith.Fptosi: numbers.Convert(llir.NewFPToSI),
		arith.IndexCast: numbers.EmitIndexCast(true), arith.IndexCastui: numbers.EmitIndexCast(false), arith.Bitcast: numbers.EmitBitcast,
		arith.Cmpi: numbers.EmitCmpi, arith.Cmpf: numbers.EmitCmpf, arith.Select: numbers.EmitSelect,

		cf.Assert: numbers.EmitAssert, ub.Poison: numbers.EmitPoison, ub.Freeze: numbers.EmitFreeze,

		funcs.Call: emit.EmitCall, funcs.CallIndirect: emit.EmitCallIndirect, funcs.Constant: emit.EmitFuncConstant,

		scf.For: emit.EmitFor, scf.If: emit.EmitIf, scf.While: emit.EmitWhile, scf.Parallel: emit.EmitParallel, scf.Forall: emit.EmitForall,
		scf.IndexSwitch: emit.EmitSwitch, scf.ExecuteRegion: emit.EmitExecute,

		memref.Alloc: memory.EmitAlloc, memref.Alloca: memory.EmitAlloca, memref.AllocaScope: memory.EmitAllocaScope,
		memref.Dealloc: memory.EmitDealloc, memref.Realloc: memory.EmitRealloc, memref.Load: memory.EmitLoad, memref.Store: memory.EmitStore,
		memref.Copy: memory.EmitCopy, memref.AtomicRMW: memory.EmitAtomicRMW, memref.GenericAtomicRMW: memory.EmitGenericAtomic,
		memref.GetGlobal: memory.EmitGetGlobal, memref.Prefetch: memory.EmitPrefetch, memref.AssumeAlignment: memory.EmitAssumeAlignment,
		memref.Dim: memory.EmitDim, memref.Rank: memory.EmitRank, memref.ExtractAlignedPointer: memory.EmitAddress, memref.Cast: memory.EmitSameView, memref.MemorySpaceCast: memory.EmitSameView,
		memref.ReinterpretCast: memory.EmitReinterpret, memref.Subview: memory.EmitSubview, memref.View: memory.EmitView,
		memref.ExpandShape: memory.EmitExpand, memref.CollapseShape: memory.EmitCollapse, memref.Transpose: memory.EmitTranspose,
		memref.Reshape: memory.EmitReshape, memref.ExtractStridedMetadata: memory.EmitMetadata,
	}
	for _, more := range []map[*ir.OpDef]func(*emit.Fn){mathEmitters(), vectors.VectorEmitters(), vectors.MaskedEmitters()} {
		maps.Copy(out, more)
	}
	for def := range emit.Printing {
		out[def] = memory.EmitPrint
	}
	return out
}

// mathEmitters are the ops of math, and what libm has of special.
func mathEmitters() map[*ir.OpDef]func(*emit.Fn) {
	return map[*ir.OpDef]func(*emit.Fn){
		math.Absf: numbers.EmitAbsf, math.Ceil: numbers.FloatIntrinsic("ceil"), math.Copysign: numbers.EmitCopysign,
		math.Cos: numbers.FloatIntrinsic("cos"), math.Exp: numbers.FloatIntrinsic("exp"), math.Exp2: numbers.FloatIntrinsic("exp2"),
		math.Floor: numbers.FloatIntrinsic("floor"), math.Fma: numbers.EmitFma, math.Log: numbers.FloatIntrinsic("log"),
		math.Log10: numbers.FloatIntrinsic("log10"), math.Log2: numbers.FloatIntrinsic("log2"), math.Powf: numbers.FloatIntrinsic("pow"),
		math.Round: numbers.FloatIntrinsic("round"), math.Roundeven: numbers.FloatIntrinsic("roundeven"), math.Sin: numbers.FloatIntrinsic("sin"),
		math.Sqrt: numbers.FloatIntrinsic("sqrt"), math.Trunc: numbers.FloatIntrinsic("trunc"),
		math.Acos: numbers.Libm("acos"), math.Acosh: numbers.Libm("acosh"), math.Asin: numbers.Libm("asin"), math.Asinh: numbers.Libm("asinh"),
		math.Atan: numbers.Libm("atan"), math.Atan2: numbers.Libm("atan2"), math.Atanh: numbers.Libm("atanh"), math.Cbrt: numbers.Libm("cbrt"),
		math.Cosh: numbers.Libm("cosh"), math.Erf: numbers.Libm("erf"), math.Expm1: numbers.Libm("expm1"), math.Log1p: numbers.Libm("log1p"),
		math.Sinh: numbers.Libm("sinh"), math.Tan: numbers.Libm("tan"), math.Tanh: numbers.Libm("tanh"),
		special.Lgamma: numbers.Libm("lgamma"), special.Erfc: numbers.Libm("erfc"),
		math.Rsqrt: numbers.EmitRsqrt, math.Fpowi: numbers.EmitFpowi, math.Ipowi: numbers.EmitIpowi,
		math.Absi: numbers.BitCount("abs"), math.Ctlz: numbers.BitCount("ctlz"), math.Cttz: numbers.BitCount("cttz"), math.Ctpop: numbers.EmitCtpop,
	}
}

// SupportedGPU lists the ops that are translated in kernels.
func SupportedGPU() map[*ir.OpDef]bool {
	out := Supported()
	for def := range out {
		if _, no := kernels.GpuRefused[def]; no {
			delete(out, def)
		}
	}
	for _, def := range kernels.HostMath {
		delete(out, def)
	}
	for def := range kernels.GpuEmitters(emitters()) {
		if kernels.GpuRefused[def] == "" && (slices.Contains(device.Dialect.Ops, def) || slices.Contains(nvgpu.Dialect.Ops, def)) {
			out[def] = true
		}
	}
	out[device.Kernel], out[device.Return] = true, true
	return out
}
