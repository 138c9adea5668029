package function

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

var Comparisons = map[syntax.Op]arith.CmpFPredicate{
	syntax.OpEq: arith.OEQ, syntax.OpNe: arith.UNE, syntax.OpLt: arith.OLT, syntax.OpLe: arith.OLE,
	syntax.OpGt: arith.OGT, syntax.OpGe: arith.OGE,
}

// Power is y^z; squares are products, which is what x^2 mostly is.
func Power(b *ir.Builder, y, z ir.Value) ir.Value {
	if c, ok := b.Graph().Const(z); ok && c.F64() == 2 {
		return arith.MulF(b, y, y)
	}
	return arith.Float(b, math.Powf, 0, y, z)
}

// mathOp and plainOp make a function of an op of math, and of special.
func mathOp(d *ir.OpDef) func(*ir.Builder, []ir.Value) ir.Value {
	return func(b *ir.Builder, x []ir.Value) ir.Value { return arith.Float(b, d, 0, x...) }
}

func plainOp(d *ir.OpDef) func(*ir.Builder, []ir.Value) ir.Value {
	return func(b *ir.Builder, x []ir.Value) ir.Value { return b.Op(d, x...) }
}

// NumbersAsOps are the functions of numbers as ops, by the table's name.
var NumbersAsOps = map[string]func(b *ir.Builder, x []ir.Value) ir.Value{
	"abs": mathOp(math.Absf), "exp": mathOp(math.Exp), "log": mathOp(math.Log), "sqrt": mathOp(math.Sqrt),
	"pow": func(b *ir.Builder, x []ir.Value) ir.Value { return Power(b, x[0], x[1]) },
	"modulo": func(b *ir.Builder, x []ir.Value) ir.Value {
		zero := arith.ConstF64(b, 0)
		r := arith.Float(b, arith.Remf, 0, x[0], x[1])
		negative := func(v ir.Value) ir.Value { return arith.CmpF(b, arith.OLT, v, zero) }
		other := b.Op(arith.Andi, arith.CmpF(b, arith.ONE, r, zero), b.Op(arith.Xori, negative(r), negative(x[1])))
		return arith.Choose(b, other, arith.AddF(b, r, x[1]), r)
	},
	"cube": func(b *ir.Builder, x []ir.Value) ir.Value { return arith.MulF(b, arith.MulF(b, x[0], x[0]), x[0]) },
	"sin":  mathOp(math.Sin), "cos": mathOp(math.Cos), "tan": mathOp(math.Tan),
	"sinh": mathOp(math.Sinh), "cosh": mathOp(math.Cosh), "tanh": mathOp(math.Tanh),
	"arcsin": mathOp(math.Asin), "arccos": mathOp(math.Acos), "arctan": mathOp(math.Atan),
	"arcsinh": mathOp(math.Asinh), "arccosh": mathOp(math.Acosh), "arctanh": mathOp(math.Atanh),
	"round": func(b *ir.Builder, x []ir.Value) ir.Value {
		return arith.Float(b, math.Floor, 0, arith.AddF(b, x[0], arith.ConstF64(b, 0.5)))
	},
	"trunc": mathOp(math.Trunc),
	"step": func(b *ir.Builder, x []ir.Value) ir.Value {
		return TruthValue(b, arith.CmpF(b, arith.OGE, x[0], arith.ConstF64(b, 0)))
	},
	"equals": func(b *ir.Builder, x []ir.Value) ir.Value { return TruthValue(b, arith.CmpF(b, arith.OEQ, x[0], x[1])) },
	"logit":  plainOp(special.Logit), "ilogit": plainOp(special.Ilogit),
	"probit": plainOp(special.Probit), "phi": plainOp(special.Phi),
	"cloglog": plainOp(special.Cloglog), "icloglog": plainOp(special.Icloglog),
	"loggam": plainOp(special.Lgamma), "logfact": plainOp(special.Logfact), "softplus": plainOp(special.Log1pexp),
	"cut": func(b *ir.Builder, x []ir.Value) ir.Value { return x[0] },
	"ifelse": func(b *ir.Builder, x []ir.Value) ir.Value {
		return arith.Choose(b, arith.CmpF(b, arith.UNE, x[0], arith.ConstF64(b, 0)), x[1], x[2])
	},
}

// Links are the inverse link functions.
var Links = map[string]func(b *ir.Builder, x []ir.Value) ir.Value{
	"log": mathOp(math.Exp), "logit": plainOp(special.Ilogit), "probit": plainOp(special.Phi), "cloglog": plainOp(special.Icloglog),
}

// ReduceOps combine two values of a reduction; reduceStart is what it begins with.
var ReduceOps = map[string]*ir.OpDef{"sum": arith.Addf, "prod": arith.Mulf, "max": arith.Maximumf, "min": arith.Minimumf}

var ReduceStart = map[string]float64{"sum": 0, "prod": 1, "max": gomath.Inf(-1), "min": gomath.Inf(1)}

// TruthValue is 1 where a condition holds, else 0.
func TruthValue(b *ir.Builder, c ir.Value) ir.Value {
	return arith.Choose(b, c, arith.ConstF64(b, 1), arith.ConstF64(b, 0))
}
