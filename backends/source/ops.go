package source

import (
	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Emitters say how a language prints ops of which all languages have the like; F is its translation of a function.
type Emitters[F any] struct {
	Shift                          func(op string, signed bool) func(F)
	Extreme                        func(name string, signed bool) func(F) // max or min
	Division                       func(name, op string, signed bool) func(F)
	Float                          func(prec int, op string) func(F)
	Resize, IntToFloat, FloatToInt func(signed bool) func(F)
	Libm                           func(name string) func(F) // a function by its name in C

	Cmpi, Cmpf, Select, Negf, Bitcast, Extf, Truncf func(F)
	Rsqrt, Fpowi, Ipowi                             func(F)
	Call, Alloc, Alloca, Dealloc, Copy              func(F)
}

// Table has those ops; a language adds its own.
func (e Emitters[F]) Table() map[*ir.OpDef]func(F) {
	out := map[*ir.OpDef]func(F){
		arith.Shli: e.Shift("<<", false), arith.Shrui: e.Shift(">>", false), arith.Shrsi: e.Shift(">>", true),
		arith.Maxsi: e.Extreme("max", true), arith.Maxui: e.Extreme("max", false),
		arith.Minsi: e.Extreme("min", true), arith.Minui: e.Extreme("min", false),
		arith.Divsi: e.Division("div", "/", true), arith.Remsi: e.Division("rem", "%", true),
		arith.Ceildivsi: e.Division("ceildiv", "", true), arith.Floordivsi: e.Division("floordiv", "", true),
		arith.Cmpi: e.Cmpi, arith.Cmpf: e.Cmpf, arith.Select: e.Select,

		arith.Addf: e.Float(Sum, "+"), arith.Subf: e.Float(Sum, "-"),
		arith.Mulf: e.Float(Product, "*"), arith.Divf: e.Float(Product, "/"), arith.Negf: e.Negf,

		arith.Extui: e.Resize(false), arith.Extsi: e.Resize(true), arith.Trunci: e.Resize(true),
		arith.IndexCast: e.Resize(true), arith.IndexCastui: e.Resize(false), arith.Bitcast: e.Bitcast,
		arith.Extf: e.Extf, arith.Truncf: e.Truncf, arith.Uitofp: e.IntToFloat(false), arith.Sitofp: e.IntToFloat(true),
		arith.Fptoui: e.FloatToInt(false), arith.Fptosi: e.FloatToInt(true),

		math.Rsqrt: e.Rsqrt, math.Fpowi: e.Fpowi, math.Ipowi: e.Ipowi,
		funcs.Call:   e.Call,
		memref.Alloc: e.Alloc, memref.Alloca: e.Alloca, memref.Dealloc: e.Dealloc, memref.Copy: e.Copy,
	}
	for def, name := range libm {
		out[def] = e.Libm(name)
	}
	return out
}

// libm are the ops that are functions of C's library of the name.
var libm = map[*ir.OpDef]string{
	arith.Remf: "fmod", math.Absf: "fabs", math.Ceil: "ceil", math.Copysign: "copysign", math.Cos: "cos",
	math.Exp: "exp", math.Exp2: "exp2", math.Floor: "floor", math.Fma: "fma",
	math.Log: "log", math.Log10: "log10", math.Log2: "log2", math.Powf: "pow",
	math.Round: "round", math.Roundeven: "rint", math.Sin: "sin", math.Sqrt: "sqrt",
	math.Trunc: "trunc", math.Acos: "acos", math.Acosh: "acosh", math.Asin: "asin",
	math.Asinh: "asinh", math.Atan: "atan", math.Atan2: "atan2", math.Atanh: "atanh",
	math.Cbrt: "cbrt", math.Cosh: "cosh", math.Erf: "erf", math.Expm1: "expm1",
	math.Log1p: "log1p", math.Sinh: "sinh", math.Tan: "tan", math.Tanh: "tanh",
	special.Lgamma: "lgamma", special.Erfc: "erfc",
}
