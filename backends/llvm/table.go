package llvm

import (
	"maps"

	llir "github.com/llir/llvm/ir"
)

// emitters says how ops are translated, by name, so that this package need not
// import every dialect that it can compile.
var emitters map[string]func(*fn)

// Supported lists the ops that are translated.
func Supported() map[string]bool {
	out := map[string]bool{"arith.constant": true, "func.func": true, "func.return": true, "builtin.module": true,
		"memref.global": true}
	for name := range emitters {
		out[name] = true
	}
	for _, t := range []string{"scf.yield", "scf.condition", "scf.reduce", "scf.reduce.return", "scf.forall.in_parallel",
		"memref.alloca_scope.return", "memref.atomic_yield"} {
		out[t] = true // their ops translate them
	}
	for name := range loweredSpecial() {
		out[name] = true
	}
	return out
}

// init, because translating an op with regions refers to the table.
func init() {
	emitters = map[string]func(*fn){
		"arith.addi": emitAddi, "arith.subi": emitSubi, "arith.muli": emitMuli, "arith.shli": emitShli,
		"arith.shrui": binary(llir.NewLShr), "arith.shrsi": binary(llir.NewAShr),
		"arith.andi": binary(llir.NewAnd), "arith.ori": binary(llir.NewOr), "arith.xori": binary(llir.NewXor),
		"arith.maxsi": intIntrinsic("smax"), "arith.maxui": intIntrinsic("umax"),
		"arith.minsi": intIntrinsic("smin"), "arith.minui": intIntrinsic("umin"),
		"arith.divui": emitDiv(false, emitDivui), "arith.divsi": emitDiv(true, emitDivsi),
		"arith.remui": emitDiv(false, emitRemui), "arith.remsi": emitDiv(true, emitRemsi),
		"arith.ceildivui":  emitDiv(false, emitCeildivui),
		"arith.ceildivsi":  emitDiv(true, emitRounded(true)),
		"arith.floordivsi": emitDiv(true, emitRounded(false)),

		"arith.addui_extended": emitAddUI, "arith.mului_extended": emitMulExtended(false), "arith.mulsi_extended": emitMulExtended(true),

		"arith.addf": floating(newFAdd, fAddFlags), "arith.subf": floating(newFSub, fSubFlags),
		"arith.mulf": floating(newFMul, fMulFlags), "arith.divf": floating(newFDiv, fDivFlags),
		"arith.remf": floating(newFRem, fRemFlags), "arith.negf": emitNegf,
		"arith.maximumf": floatIntrinsic("maximum"), "arith.minimumf": floatIntrinsic("minimum"),
		"arith.maxnumf": emitNum("maximum"), "arith.minnumf": emitNum("minimum"),

		"arith.extui": convert(llir.NewZExt), "arith.extsi": convert(llir.NewSExt), "arith.trunci": convert(llir.NewTrunc),
		"arith.extf": emitExtf, "arith.truncf": emitTruncf,
		"arith.uitofp": emitIntToFloat(false), "arith.sitofp": emitIntToFloat(true),
		"arith.fptoui": convert(llir.NewFPToUI), "arith.fptosi": convert(llir.NewFPToSI),
		"arith.index_cast": emitIndexCast(true), "arith.index_castui": emitIndexCast(false), "arith.bitcast": emitBitcast,
		"arith.cmpi": emitCmpi, "arith.cmpf": emitCmpf, "arith.select": emitSelect,

		"cf.assert": emitAssert, "ub.poison": emitPoison,

		"func.call": emitCall, "func.call_indirect": emitCallIndirect, "func.constant": emitFuncConstant,

		"scf.for": emitFor, "scf.if": emitIf, "scf.while": emitWhile, "scf.parallel": emitParallel, "scf.forall": emitForall,
		"scf.index_switch": emitSwitch, "scf.execute_region": emitExecute,

		"memref.alloc": emitAlloc, "memref.alloca": emitAlloca, "memref.alloca_scope": emitAllocaScope,
		"memref.dealloc": emitDealloc, "memref.realloc": emitRealloc, "memref.load": emitLoad, "memref.store": emitStore,
		"memref.copy": emitCopy, "memref.atomic_rmw": emitAtomicRMW, "memref.generic_atomic_rmw": emitGenericAtomic,
		"memref.get_global": emitGetGlobal, "memref.prefetch": emitNothing, "memref.assume_alignment": emitAssumeAlignment,
		"memref.dim": emitDim, "memref.rank": emitRank, "memref.cast": emitSameView, "memref.memory_space_cast": emitSameView,
		"memref.reinterpret_cast": emitReinterpret, "memref.subview": emitSubview, "memref.view": emitView,
		"memref.expand_shape": emitExpand, "memref.collapse_shape": emitCollapse, "memref.transpose": emitTranspose,
		"memref.reshape": emitReshape, "memref.extract_strided_metadata": emitMetadata,
	}
	for _, more := range []map[string]func(*fn){mathEmitters(), specialEmitters(), printEmitters()} {
		maps.Copy(emitters, more)
	}
}

// mathEmitters are the ops of math.
func mathEmitters() map[string]func(*fn) {
	return map[string]func(*fn){
		"math.absf": emitAbsf, "math.ceil": floatIntrinsic("ceil"), "math.copysign": emitCopysign,
		"math.cos": floatIntrinsic("cos"), "math.exp": floatIntrinsic("exp"), "math.exp2": floatIntrinsic("exp2"),
		"math.floor": floatIntrinsic("floor"), "math.fma": emitFma, "math.log": floatIntrinsic("log"),
		"math.log10": floatIntrinsic("log10"), "math.log2": floatIntrinsic("log2"), "math.powf": floatIntrinsic("pow"),
		"math.round": floatIntrinsic("round"), "math.roundeven": floatIntrinsic("roundeven"), "math.sin": floatIntrinsic("sin"),
		"math.sqrt": floatIntrinsic("sqrt"), "math.trunc": floatIntrinsic("trunc"),
		"math.acos": libm("acos"), "math.acosh": libm("acosh"), "math.asin": libm("asin"), "math.asinh": libm("asinh"),
		"math.atan": libm("atan"), "math.atan2": libm("atan2"), "math.atanh": libm("atanh"), "math.cbrt": libm("cbrt"),
		"math.cosh": libm("cosh"), "math.erf": libm("erf"), "math.expm1": libm("expm1"), "math.log1p": libm("log1p"),
		"math.sinh": libm("sinh"), "math.tan": libm("tan"), "math.tanh": libm("tanh"),
		"math.rsqrt": emitRsqrt, "math.fpowi": emitFpowi, "math.ipowi": emitIpowi,
		"math.absi": bitCount("abs"), "math.ctlz": bitCount("ctlz"), "math.cttz": bitCount("cttz"), "math.ctpop": emitCtpop,
	}
}

func emitNothing(f *fn) {}
