package golang

import (
	"maps"
	"strings"
	"sync"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

var shared = source.Emitters[*function]{
	Shift: emitShift, Extreme: emitExtreme, Division: emitDivision, Float: emitFloat,
	Resize: resize, IntToFloat: emitIntToFloat, FloatToInt: emitFloatToInt, Libm: libmCall,
	Cmpi: emitCmpi, Cmpf: emitCmpf, Select: emitSelect, Negf: emitNegf, Bitcast: emitBitcast, Extf: emitExtf, Truncf: emitTruncf,
	Rsqrt: emitRsqrt, Fpowi: emitPowi, Ipowi: emitIpowi,
	Call: emitCall, Alloc: emitAlloc, Alloca: emitAlloc, Dealloc: emitDealloc, Copy: emitCopy,
}

// goNames are functions of package math that are called otherwise than C's, but for the capital.
var goNames = map[string]string{"fabs": "Abs", "fmod": "Mod", "rint": "RoundToEven"}

// libmCall calls the function of package math that is C's.
func libmCall(name string) func(*function) {
	if other, ok := goNames[name]; ok {
		return mathCall(other)
	}
	return mathCall(strings.ToUpper(name[:1]) + name[1:])
}

// emitters says how ops are printed that depend on Go's types; the others are in backends/source.
var emitters = sync.OnceValue(func() map[*ir.OpDef]func(*function) {
	out := shared.Table()
	maps.Copy(out, map[*ir.OpDef]func(*function){
		arith.Addi: emitSum(source.Sum, "+"), arith.Subi: emitSum(source.Sum, "-"), arith.Muli: emitSum(source.Product, "*"),
		arith.Andi: emitBits(source.Product, "&"), arith.Ori: emitBits(source.Sum, "|"), arith.Xori: emitBits(source.Sum, "^"),
		arith.Divui: emitDivision("", "/", false), arith.Remui: emitDivision("", "%", false),
		arith.Ceildivui: emitDivision("ceildivu", "", false),
		arith.Maximumf:  emitBuiltin("max"), arith.Minimumf: emitBuiltin("min"),
		arith.Maxnumf: emitNum("maxnum"), arith.Minnumf: emitNum("minnum"),
		math.Fma: emitFma, special.Lgamma: mathHelper("lgamma"),
		math.Absi: emitAbsi, math.Ctlz: countBits("LeadingZeros"), math.Cttz: countBits("TrailingZeros"), math.Ctpop: countBits("OnesCount"),
	})
	return out
})
