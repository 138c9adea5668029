package golang

import (
	"sync"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// emitters says how ops are printed that depend on Go's types; the others are in backends/source.
var emitters = sync.OnceValue(func() map[*ir.OpDef]func(*function) {
	return map[*ir.OpDef]func(*function){
		arith.Addi: emitSum(source.Sum, "+"), arith.Subi: emitSum(source.Sum, "-"), arith.Muli: emitSum(source.Product, "*"),
		arith.Shli: emitShift("<<", false), arith.Shrui: emitShift(">>", false), arith.Shrsi: emitShift(">>", true),
		arith.Andi: emitBits(source.Product, "&"), arith.Ori: emitBits(source.Sum, "|"), arith.Xori: emitBits(source.Sum, "^"),
		arith.Maxsi: emitExtreme("max", true), arith.Maxui: emitExtreme("max", false),
		arith.Minsi: emitExtreme("min", true), arith.Minui: emitExtreme("min", false),
		arith.Divsi: emitDivision("div", "/", true), arith.Divui: emitDivision("", "/", false),
		arith.Remsi: emitDivision("rem", "%", true), arith.Remui: emitDivision("", "%", false),
		arith.Ceildivsi: emitDivision("ceildiv", "", true), arith.Ceildivui: emitDivision("ceildivu", "", false),
		arith.Floordivsi: emitDivision("floordiv", "", true),
		arith.Cmpi:       emitCmpi, arith.Cmpf: emitCmpf, arith.Select: emitSelect,

		arith.Addf: emitFloat(source.Sum, "+"), arith.Subf: emitFloat(source.Sum, "-"), arith.Mulf: emitFloat(source.Product, "*"), arith.Divf: emitFloat(source.Product, "/"),
		arith.Remf: mathCall("Mod"), arith.Negf: emitNegf,
		arith.Maximumf: emitBuiltin("max"), arith.Minimumf: emitBuiltin("min"), arith.Maxnumf: emitNum("maxnum"), arith.Minnumf: emitNum("minnum"),

		arith.Extui: resize(false), arith.Extsi: resize(true), arith.Trunci: resize(true),
		arith.IndexCast: resize(true), arith.IndexCastui: resize(false), arith.Bitcast: emitBitcast,
		arith.Extf: emitExtf, arith.Truncf: emitTruncf, arith.Uitofp: emitIntToFloat(false), arith.Sitofp: emitIntToFloat(true),
		arith.Fptoui: emitFloatToInt(false), arith.Fptosi: emitFloatToInt(true),

		math.Absf: mathCall("Abs"), math.Ceil: mathCall("Ceil"), math.Copysign: mathCall("Copysign"), math.Cos: mathCall("Cos"),
		math.Exp: mathCall("Exp"), math.Exp2: mathCall("Exp2"), math.Floor: mathCall("Floor"), math.Fma: emitFma,
		math.Log: mathCall("Log"), math.Log10: mathCall("Log10"), math.Log2: mathCall("Log2"), math.Powf: mathCall("Pow"),
		math.Round: mathCall("Round"), math.Roundeven: mathCall("RoundToEven"), math.Sin: mathCall("Sin"), math.Sqrt: mathCall("Sqrt"),
		math.Trunc: mathCall("Trunc"), math.Acos: mathCall("Acos"), math.Acosh: mathCall("Acosh"), math.Asin: mathCall("Asin"),
		math.Asinh: mathCall("Asinh"), math.Atan: mathCall("Atan"), math.Atan2: mathCall("Atan2"), math.Atanh: mathCall("Atanh"),
		math.Cbrt: mathCall("Cbrt"), math.Cosh: mathCall("Cosh"), math.Erf: mathCall("Erf"), math.Expm1: mathCall("Expm1"),
		math.Log1p: mathCall("Log1p"), math.Sinh: mathCall("Sinh"), math.Tan: mathCall("Tan"), math.Tanh: mathCall("Tanh"),
		special.Lgamma: mathHelper("lgamma"), special.Erfc: mathCall("Erfc"),
		math.Rsqrt: emitRsqrt, math.Fpowi: emitPowi, math.Ipowi: emitIpowi, math.Absi: emitAbsi,
		math.Ctlz: countBits("LeadingZeros"), math.Cttz: countBits("TrailingZeros"), math.Ctpop: countBits("OnesCount"),

		funcs.Call: emitCall,

		memref.Alloc: emitAlloc, memref.Alloca: emitAlloc, memref.Dealloc: emitDealloc, memref.Copy: emitCopy,
	}
})
