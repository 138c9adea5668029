package c

import (
	"maps"
	"sync"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

var shared = source.Emitters[*function]{
	Shift: emitShift, Extreme: emitExtreme, Division: emitDivision, Float: emitFloat,
	Resize: resize, IntToFloat: emitIntToFloat, FloatToInt: emitFloatToInt, Libm: libmCall,
	Cmpi: emitCmpi, Cmpf: emitCmpf, Select: emitSelect, Negf: emitNegf, Bitcast: emitBitcast, Extf: emitExtf, Truncf: emitTruncf,
	Rsqrt: emitRsqrt, Fpowi: emitFpowi, Ipowi: emitIpowi,
	Call: emitCall, Alloc: emitAlloc, Alloca: emitAlloca, Dealloc: emitDealloc, Copy: emitCopy,
}

// emitters says how ops are printed. Constants and terminators are with what has them.
var emitters = sync.OnceValue(func() map[*ir.OpDef]func(*function) {
	out := shared.Table()
	maps.Copy(out, map[*ir.OpDef]func(*function){
		arith.Addi: emitSum(source.Sum, "+", sumFits), arith.Subi: emitSum(source.Sum, "-", differenceFits),
		arith.Muli: emitSum(source.Product, "*", productFits),
		arith.Andi: emitBits(source.BitAnd, "&"), arith.Ori: emitBits(source.BitOr, "|"), arith.Xori: emitBits(source.BitXor, "^"),
		arith.Divui: emitDivision("div", "/", false), arith.Remui: emitDivision("rem", "%", false),
		arith.Ceildivui: emitDivision("ceildiv", "", false),
		arith.Maximumf:  floatHelper("maximum"), arith.Minimumf: floatHelper("minimum"),
		arith.Maxnumf: floatHelper("maxnum"), arith.Minnumf: floatHelper("minnum"),
		math.Absi: bitHelper("abs"), math.Ctlz: bitHelper("ctlz"), math.Cttz: bitHelper("cttz"), math.Ctpop: bitHelper("ctpop"),
	})
	return out
})
