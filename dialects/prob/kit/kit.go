package kit

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// A term of a log density has no sign of zero to keep, and rounding a product and a
// sum once only comes closer. Terms are added in any order, but the factors of a
// term keep theirs (see quadratic).
//
// Fused are the flags of sums and products.
const Fused = arith.Contract | arith.Nsz

// Ops makes ops of formulas.
type Ops struct {
	B     *ir.Builder
	Split int  // most elements beside the diagonal of a factor of values, not memory: the target's
	Terms bool // the terms of a density may be added to others in any order
}

func (k Ops) Num(x float64) ir.Value { return arith.ConstF64(k.B, x) }

func (k Ops) Add(x, y ir.Value) ir.Value { return arith.Float(k.B, arith.Addf, Fused, x, y) }

func (k Ops) Sub(x, y ir.Value) ir.Value { return arith.Float(k.B, arith.Subf, Fused, x, y) }

func (k Ops) Mul(x, y ir.Value) ir.Value { return arith.Float(k.B, arith.Mulf, Fused, x, y) }

func (k Ops) Div(x, y ir.Value) ir.Value { return arith.DivF(k.B, x, y) }

func (k Ops) Neg(x ir.Value) ir.Value { return arith.NegF(k.B, x) }

func (k Ops) Log(x ir.Value) ir.Value { return arith.Float(k.B, math.Log, 0, x) }

func (k Ops) Exp(x ir.Value) ir.Value { return arith.Float(k.B, math.Exp, 0, x) }

func (k Ops) Log1p(x ir.Value) ir.Value { return arith.Float(k.B, math.Log1p, 0, x) }

func (k Ops) Expm1(x ir.Value) ir.Value { return arith.Float(k.B, math.Expm1, 0, x) }

func (k Ops) Abs(x ir.Value) ir.Value { return arith.Float(k.B, math.Absf, 0, x) }

func (k Ops) Pow(x, y ir.Value) ir.Value { return arith.Float(k.B, math.Powf, 0, x, y) }

func (k Ops) Lgamma(x ir.Value) ir.Value { return k.B.Op(special.Lgamma, x) }

func (k Ops) Xlog1py(x, y ir.Value) ir.Value { return k.B.Op(special.Xlog1py, x, y) }

func (k Ops) Half(x ir.Value) ir.Value { return k.Mul(k.Num(0.5), x) }

func (k Ops) Cmp(p arith.CmpFPredicate, x, y ir.Value) ir.Value { return arith.CmpF(k.B, p, x, y) }

func (k Ops) And(x, y ir.Value) ir.Value { return k.B.Op(arith.Andi, x, y) }

func (k Ops) Positive(x ir.Value) ir.Value { return k.Cmp(arith.OGT, x, k.Num(0)) }

// xlogy is x log y, and 0 where x is 0.
func (k Ops) Xlogy(x, y ir.Value) ir.Value {
	v := k.Mul(x, k.Log(y))
	if c, ok := k.B.Graph().Const(x); ok && c.F64() != 0 {
		return v
	}
	return arith.Choose(k.B, k.Cmp(arith.OEQ, x, k.Num(0)), k.Num(0), v)
}

func (k Ops) Within(cond, term ir.Value) ir.Value {
	return arith.Choose(k.B, cond, term, k.Num(gomath.Inf(-1)))
}

func (k Ops) Valid(cond, term ir.Value) ir.Value {
	return arith.Choose(k.B, cond, term, k.Num(gomath.NaN()))
}

func (k Ops) Between(x ir.Value, lo, hi ir.Value) ir.Value {
	return k.And(k.Cmp(arith.OGE, x, lo), k.Cmp(arith.OLE, x, hi))
}

// whole holds for integers from a bound on; infinity minus itself is NaN.
func (k Ops) Whole(x ir.Value, from float64) ir.Value {
	return k.And(k.Cmp(arith.OGE, x, k.Num(from)), k.Cmp(arith.OEQ, k.Sub(x, arith.Float(k.B, math.Floor, 0, x)), k.Num(0)))
}

func (k Ops) IsProbability(p ir.Value) ir.Value { return k.Between(p, k.Num(0), k.Num(1)) }

// quadratic is a z^2, multiplied so that a large z and a small a do not overflow.
func (k Ops) Quadratic(a, z ir.Value) ir.Value { return k.Mul(k.Mul(a, z), z) }

func (k Ops) IsFinite(x ir.Value) ir.Value {
	return k.Cmp(arith.OLE, k.Abs(x), k.Num(gomath.MaxFloat64))
}

// toFloat is an index as a number.
func (k Ops) ToFloat(i ir.Value) ir.Value {
	return arith.Cast(k.B, arith.Sitofp, arith.Cast(k.B, arith.IndexCast, i, ir.I64), ir.F64)
}

// plus adds to a sum, in the order of the program.
func (k Ops) Plus(sum, x ir.Value) ir.Value { return arith.AddF(k.B, sum, x) }

// branch is one of two values, of which only that one is computed.
func (k Ops) Branch(cond ir.Value, yes, no func() ir.Value) ir.Value {
	if c, ok := k.B.Graph().Const(cond); ok {
		if c.Bits&1 != 0 {
			return yes()
		}
		return no()
	}
	v := scf.BuildIf(k.B, cond, func() []ir.Value { return []ir.Value{yes()} }, func() []ir.Value { return []ir.Value{no()} })
	return k.B.Result(v, 0)
}

// exceeds holds where one of some numbers is large.
func (k Ops) Exceeds(xs ...ir.Value) ir.Value {
	var out ir.Value
	for i, x := range xs {
		if c := k.Cmp(arith.OGT, x, k.Num(Large)); i == 0 {
			out = c
		} else {
			out = k.Or(out, c)
		}
	}
	return out
}

func (k Ops) FinitePositive(xs ...ir.Value) ir.Value {
	ok := k.Cmp(arith.OEQ, k.Num(0), k.Num(0))
	for _, x := range xs {
		ok = k.And(ok, k.And(k.Positive(x), k.IsFinite(x)))
	}
	return ok
}

func (k Ops) Sqrt(x ir.Value) ir.Value { return arith.Float(k.B, math.Sqrt, 0, x) }

// isNumber holds for what is not NaN.
func (k Ops) IsNumber(x ir.Value) ir.Value { return k.Cmp(arith.OEQ, x, x) }

// numberOr is x, or another number where x is NaN.
func (k Ops) NumberOr(x ir.Value, other float64) ir.Value {
	return arith.Choose(k.B, k.IsNumber(x), x, k.Num(other))
}

// logAdd is log(e^x + e^y).
func (k Ops) LogAdd(x, y ir.Value) ir.Value {
	top := arith.Float(k.B, arith.Maximumf, 0, x, y)
	some := k.Cmp(arith.OGT, top, k.Num(-Inf))
	d := k.Pick(some, k.Neg(k.Abs(k.Sub(x, y))), k.Num(0))
	return k.Pick(some, k.Add(top, k.B.Op(special.Log1pexp, d)), top)
}

func (k Ops) ToIndex(x ir.Value) ir.Value {
	return arith.Cast(k.B, arith.IndexCast, arith.Cast(k.B, arith.Fptosi, x, ir.I64), ir.Index)
}

func (k Ops) Minus(x, y ir.Value) ir.Value { return arith.SubF(k.B, x, y) }

func (k Ops) Floor(x ir.Value) ir.Value { return arith.Float(k.B, math.Floor, 0, x) }

func (k Ops) Round(x ir.Value) ir.Value { return arith.Float(k.B, math.Roundeven, 0, x) }

func (k Ops) Fn(d *ir.OpDef, x ...ir.Value) ir.Value { return k.B.Op(d, x...) }

func (k Ops) Holds(p arith.CmpFPredicate, x, y ir.Value) ir.Value { return k.Cmp(p, x, y) }

func (k Ops) Or(p, q ir.Value) ir.Value { return k.B.Op(arith.Ori, p, q) }

func (k Ops) Pick(p, x, y ir.Value) ir.Value { return arith.Choose(k.B, p, x, y) }

func (k Ops) Repeat(state []ir.Value, more func([]ir.Value) ir.Value, step func([]ir.Value) []ir.Value) []ir.Value {
	loop := scf.BuildWhile(k.B, state, func(s []ir.Value) (ir.Value, []ir.Value) { return more(s), s }, step)
	out := make([]ir.Value, len(state))
	for i := range out {
		out[i] = k.B.Result(loop, i)
	}
	return out
}
