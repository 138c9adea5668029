package c

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

// emitters says how ops are printed. Constants and terminators are with what has them.
var emitters = sync.OnceValue(func() map[*ir.OpDef]func(*function) {
	return map[*ir.OpDef]func(*function){
		arith.Addi: emitSum(source.Sum, "+", sumFits), arith.Subi: emitSum(source.Sum, "-", differenceFits), arith.Muli: emitSum(source.Product, "*", productFits),
		arith.Shli: emitShift("<<", false), arith.Shrui: emitShift(">>", false), arith.Shrsi: emitShift(">>", true),
		arith.Andi: emitBits(source.BitAnd, "&"), arith.Ori: emitBits(source.BitOr, "|"), arith.Xori: emitBits(source.BitXor, "^"),
		arith.Maxsi: emitExtreme("max", true), arith.Maxui: emitExtreme("max", false),
		arith.Minsi: emitExtreme("min", true), arith.Minui: emitExtreme("min", false),
		arith.Divsi: emitDivision("div", "/", true), arith.Divui: emitDivision("div", "/", false),
		arith.Remsi: emitDivision("rem", "%", true), arith.Remui: emitDivision("rem", "%", false),
		arith.Ceildivsi: emitDivision("ceildiv", "", true), arith.Ceildivui: emitDivision("ceildiv", "", false),
		arith.Floordivsi: emitDivision("floordiv", "", true),
		arith.Cmpi:       emitCmpi, arith.Cmpf: emitCmpf, arith.Select: emitSelect,

		arith.Addf: emitFloat(source.Sum, "+"), arith.Subf: emitFloat(source.Sum, "-"), arith.Mulf: emitFloat(source.Product, "*"), arith.Divf: emitFloat(source.Product, "/"),
		arith.Remf: libmCall("fmod"), arith.Negf: emitNegf,
		arith.Maximumf: floatHelper("maximum"), arith.Minimumf: floatHelper("minimum"),
		arith.Maxnumf: floatHelper("maxnum"), arith.Minnumf: floatHelper("minnum"),

		arith.Extui: resize(false), arith.Extsi: resize(true), arith.Trunci: resize(true),
		arith.IndexCast: resize(true), arith.IndexCastui: resize(false), arith.Bitcast: emitBitcast,
		arith.Extf: emitExtf, arith.Truncf: emitTruncf, arith.Uitofp: emitIntToFloat(false), arith.Sitofp: emitIntToFloat(true),
		arith.Fptoui: emitFloatToInt(false), arith.Fptosi: emitFloatToInt(true),

		math.Absf: libmCall("fabs"), math.Ceil: libmCall("ceil"), math.Copysign: libmCall("copysign"), math.Cos: libmCall("cos"),
		math.Exp: libmCall("exp"), math.Exp2: libmCall("exp2"), math.Floor: libmCall("floor"), math.Fma: libmCall("fma"),
		math.Log: libmCall("log"), math.Log10: libmCall("log10"), math.Log2: libmCall("log2"), math.Powf: libmCall("pow"),
		math.Round: libmCall("round"), math.Roundeven: libmCall("rint"), math.Sin: libmCall("sin"), math.Sqrt: libmCall("sqrt"),
		math.Trunc: libmCall("trunc"), math.Acos: libmCall("acos"), math.Acosh: libmCall("acosh"), math.Asin: libmCall("asin"),
		math.Asinh: libmCall("asinh"), math.Atan: libmCall("atan"), math.Atan2: libmCall("atan2"), math.Atanh: libmCall("atanh"),
		math.Cbrt: libmCall("cbrt"), math.Cosh: libmCall("cosh"), math.Erf: libmCall("erf"), math.Expm1: libmCall("expm1"),
		math.Log1p: libmCall("log1p"), math.Sinh: libmCall("sinh"), math.Tan: libmCall("tan"), math.Tanh: libmCall("tanh"),
		special.Lgamma: libmCall("lgamma"), special.Erfc: libmCall("erfc"),
		math.Rsqrt: emitRsqrt, math.Fpowi: emitFpowi, math.Ipowi: emitIpowi, math.Absi: bitHelper("abs"),
		math.Ctlz: bitHelper("ctlz"), math.Cttz: bitHelper("cttz"), math.Ctpop: bitHelper("ctpop"),

		funcs.Call: emitCall,

		memref.Alloc: emitAlloc, memref.Alloca: emitAlloca, memref.Dealloc: emitDealloc, memref.Copy: emitCopy,
	}
})
