package llvm

import (
	"maps"
	"slices"
	"sync"

	llir "github.com/llir/llvm/ir"

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

func makeEmitters() map[*ir.OpDef]func(*fn) {
	out := map[*ir.OpDef]func(*fn){
		arith.Addi: emitAddi, arith.Subi: emitSubi, arith.Muli: emitMuli, arith.Shli: emitShli,
		arith.Shrui: binary(llir.NewLShr), arith.Shrsi: binary(llir.NewAShr),
		arith.Andi: binary(llir.NewAnd), arith.Ori: binary(llir.NewOr), arith.Xori: binary(llir.NewXor),
		arith.Maxsi: intIntrinsic("smax"), arith.Maxui: intIntrinsic("umax"),
		arith.Minsi: intIntrinsic("smin"), arith.Minui: intIntrinsic("umin"),
		arith.Divui: emitDiv(false, emitDivui), arith.Divsi: emitDiv(true, emitDivsi),
		arith.Remui: emitDiv(false, emitRemui), arith.Remsi: emitDiv(true, emitRemsi),
		arith.Ceildivui:  emitDiv(false, emitCeildivui),
		arith.Ceildivsi:  emitDiv(true, emitRounded(true)),
		arith.Floordivsi: emitDiv(true, emitRounded(false)),

		arith.AdduiExtended: emitAddUI, arith.MuluiExtended: emitMulExtended(false), arith.MulsiExtended: emitMulExtended(true),

		arith.Addf: floating(newFAdd, fAddFlags), arith.Subf: floating(newFSub, fSubFlags),
		arith.Mulf: floating(newFMul, fMulFlags), arith.Divf: floating(newFDiv, fDivFlags),
		arith.Remf: floating(newFRem, fRemFlags), arith.Negf: emitNegf,
		arith.Maximumf: floatIntrinsic("maximum"), arith.Minimumf: floatIntrinsic("minimum"),
		arith.Maxnumf: emitNum("maximum"), arith.Minnumf: emitNum("minimum"),

		arith.Extui: convert(llir.NewZExt), arith.Extsi: convert(llir.NewSExt), arith.Trunci: convert(llir.NewTrunc),
		arith.Extf: emitExtf, arith.Truncf: emitTruncf,
		arith.Uitofp: emitIntToFloat(false), arith.Sitofp: emitIntToFloat(true),
		arith.Fptoui: convert(llir.NewFPToUI), arith.Fptosi: convert(llir.NewFPToSI),
		arith.IndexCast: emitIndexCast(true), arith.IndexCastui: emitIndexCast(false), arith.Bitcast: emitBitcast,
		arith.Cmpi: emitCmpi, arith.Cmpf: emitCmpf, arith.Select: emitSelect,

		cf.Assert: emitAssert, ub.Poison: emitPoison, ub.Freeze: emitFreeze,

		funcs.Call: emitCall, funcs.CallIndirect: emitCallIndirect, funcs.Constant: emitFuncConstant,

		scf.For: emitFor, scf.If: emitIf, scf.While: emitWhile, scf.Parallel: emitParallel, scf.Forall: emitForall,
		scf.IndexSwitch: emitSwitch, scf.ExecuteRegion: emitExecute,

		memref.Alloc: emitAlloc, memref.Alloca: emitAlloca, memref.AllocaScope: emitAllocaScope,
		memref.Dealloc: emitDealloc, memref.Realloc: emitRealloc, memref.Load: emitLoad, memref.Store: emitStore,
		memref.Copy: emitCopy, memref.AtomicRMW: emitAtomicRMW, memref.GenericAtomicRMW: emitGenericAtomic,
		memref.GetGlobal: emitGetGlobal, memref.Prefetch: emitPrefetch, memref.AssumeAlignment: emitAssumeAlignment,
		memref.Dim: emitDim, memref.Rank: emitRank, memref.ExtractAlignedPointer: emitAddress, memref.Cast: emitSameView, memref.MemorySpaceCast: emitSameView,
		memref.ReinterpretCast: emitReinterpret, memref.Subview: emitSubview, memref.View: emitView,
		memref.ExpandShape: emitExpand, memref.CollapseShape: emitCollapse, memref.Transpose: emitTranspose,
		memref.Reshape: emitReshape, memref.ExtractStridedMetadata: emitMetadata,
	}
	for _, more := range []map[*ir.OpDef]func(*fn){mathEmitters(), vectorEmitters(), maskedEmitters()} {
		maps.Copy(out, more)
	}
	for def := range printing {
		out[def] = emitPrint
	}
	return out
}

// mathEmitters are the ops of math, and what libm has of special.
func mathEmitters() map[*ir.OpDef]func(*fn) {
	return map[*ir.OpDef]func(*fn){
		math.Absf: emitAbsf, math.Ceil: floatIntrinsic("ceil"), math.Copysign: emitCopysign,
		math.Cos: floatIntrinsic("cos"), math.Exp: floatIntrinsic("exp"), math.Exp2: floatIntrinsic("exp2"),
		math.Floor: floatIntrinsic("floor"), math.Fma: emitFma, math.Log: floatIntrinsic("log"),
		math.Log10: floatIntrinsic("log10"), math.Log2: floatIntrinsic("log2"), math.Powf: floatIntrinsic("pow"),
		math.Round: floatIntrinsic("round"), math.Roundeven: floatIntrinsic("roundeven"), math.Sin: floatIntrinsic("sin"),
		math.Sqrt: floatIntrinsic("sqrt"), math.Trunc: floatIntrinsic("trunc"),
		math.Acos: libm("acos"), math.Acosh: libm("acosh"), math.Asin: libm("asin"), math.Asinh: libm("asinh"),
		math.Atan: libm("atan"), math.Atan2: libm("atan2"), math.Atanh: libm("atanh"), math.Cbrt: libm("cbrt"),
		math.Cosh: libm("cosh"), math.Erf: libm("erf"), math.Expm1: libm("expm1"), math.Log1p: libm("log1p"),
		math.Sinh: libm("sinh"), math.Tan: libm("tan"), math.Tanh: libm("tanh"),
		special.Lgamma: libm("lgamma"), special.Erfc: libm("erfc"),
		math.Rsqrt: emitRsqrt, math.Fpowi: emitFpowi, math.Ipowi: emitIpowi,
		math.Absi: bitCount("abs"), math.Ctlz: bitCount("ctlz"), math.Cttz: bitCount("cttz"), math.Ctpop: emitCtpop,
	}
}

// SupportedGPU lists the ops that are translated in kernels.
func SupportedGPU() map[*ir.OpDef]bool {
	out := Supported()
	for def := range out {
		if _, no := gpuRefused[def]; no {
			delete(out, def)
		}
	}
	for _, def := range hostMath {
		delete(out, def)
	}
	for def := range gpuEmitters(emitters()) {
		if gpuRefused[def] == "" && (slices.Contains(device.Dialect.Ops, def) || slices.Contains(nvgpu.Dialect.Ops, def)) {
			out[def] = true
		}
	}
	out[device.Kernel], out[device.Return] = true, true
	return out
}
