package math

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// unaries lists the functions of one float.
var unaries = []*ir.OpDef{Absf, Acos, Acosh, Asin, Asinh, Atan, Atanh, Cbrt, Ceil, Cos, Cosh, Erf, Exp, Exp2, Expm1, Floor,
	Log, Log10, Log1p, Log2, Round, Roundeven, Rsqrt, Sin, Sinh, Sqrt, Tan, Tanh, Trunc}

// roundings are the functions to whole numbers.
var roundings = []*ir.OpDef{Ceil, Floor, Round, Roundeven, Trunc}

var folds = slices.Concat(generated(), mathFolds, poisonFolds())

// poisonFolds: MLIR has the rule for all but cbrt, rsqrt, fma and fpowi.
func poisonFolds() []ir.Fold {
	var out []ir.Fold
	for _, d := range append(slices.Clone(unaries), Atan2, Powf, Copysign, Absi, Ctlz, Cttz, Ctpop, Ipowi) {
		if d != Cbrt && d != Rsqrt {
			out = append(out, ub.Strict(d, d.Name[len("math."):]))
		}
	}
	return out
}

func generated() []ir.Fold {
	out := lists.Map(append(slices.Clone(unaries), Atan2, Powf, Copysign, Fma, Fpowi), elementwise.DefaultFlags)
	for _, d := range roundings {
		out = append(out, ir.Fold{Of: d, Rule: d.Name[5:] + ": of a whole number = itself", Do: ofWhole})
	}
	for _, d := range []*ir.OpDef{Cos, Cosh, Absf} {
		out = append(out, ir.Fold{Of: d, Rule: d.Name[5:] + ": the sign of the operand is dropped", Do: dropSign})
	}
	return append(out, ir.Fold{Of: Copysign, Rule: "copysign: the sign of the first operand is dropped", Do: dropSign})
}

// ofWhole: roundings, and integers as floats (which may be infinite), are whole.
func ofWhole(_ *ir.Builder, c *ir.Call) ir.Value {
	d := c.Graph().Def(c.Args[0])
	if slices.Contains(roundings, d) || d == arith.Sitofp || d == arith.Uitofp {
		return elementwise.Keep(c, c.Args[0])
	}
	return 0
}

// dropSign: the first operand only changes the sign of another value.
func dropSign(b *ir.Builder, c *ir.Call) ir.Value {
	for _, d := range []*ir.OpDef{arith.Negf, Absf, Copysign} {
		if in, _, ok := elementwise.From(c, 0, d); ok {
			if c.Def == Absf && d == Absf {
				return elementwise.Keep(c, c.Args[0])
			}
			args := slices.Clone(c.Args)
			args[0] = in[0]
			return elementwise.Again(b, c, args...)
		}
	}
	return 0
}

func exponent(x float64) func(*ir.Call) bool {
	return func(c *ir.Call) bool { return elementwise.IsFloatNumber(c, 1, x) }
}

func intExponent(x uint64) func(*ir.Call) bool {
	return func(c *ir.Call) bool {
		n, ok := elementwise.Number(c, 1)
		return ok && n == x
	}
}

// one gives the rule that the result is 1 where cond holds.
func one(cond func(*ir.Call) bool) func(*ir.Builder, *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		if !cond(c) {
			return 0
		}
		t := c.Ctx().ElemOrSelf(c.Type)
		if c.Ctx().IsFloat(t) {
			return b.Splat(c.Type, ir.FloatToBits(1, t))
		}
		return b.Splat(c.Type, 1)
	}
}

var mathFolds = []ir.Fold{
	{Of: Absi, Rule: "absi: absi(absi(x)) = absi(x)", Do: elementwise.Operand(0, func(c *ir.Call) bool {
		return c.Graph().Def(c.Args[0]) == Absi
	})},
	{Of: Copysign, Rule: "copysign: x with its own sign = x", Do: elementwise.Operand(0, func(c *ir.Call) bool { return c.Args[0] == c.Args[1] })},
	{Of: Copysign, Rule: "copysign: with the sign of a constant = |x| or -|x|", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		x, ok := elementwise.FloatNumber(c, 1)
		if !ok {
			return 0
		}
		abs := b.Must(ir.Call{Def: Absf, Args: c.Args[:1], Attr: c.Attr, Type: c.Type, Loc: c.Loc})
		if gomath.Signbit(x) {
			return b.Must(ir.Call{Def: arith.Negf, Args: []ir.Value{abs}, Attr: c.Attr, Type: c.Type, Loc: c.Loc})
		}
		return abs
	}},
	{Of: Powf, Rule: "powf: x^1 = x", Do: elementwise.Operand(0, exponent(1))},
	{Of: Powf, Rule: "powf: x^0 = 1", Do: one(func(c *ir.Call) bool {
		x, ok := elementwise.FloatNumber(c, 1)
		return ok && x == 0
	})},
	{Of: Powf, Rule: "powf: x^2 = x * x", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if !exponent(2)(c) {
			return 0
		}
		return b.Must(ir.Call{Def: arith.Mulf, Args: []ir.Value{c.Args[0], c.Args[0]}, Attr: c.Attr, Type: c.Type, Loc: c.Loc})
	}},
	{Of: Powf, Rule: "powf: x^-1 = 1 / x", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if !exponent(-1)(c) {
			return 0
		}
		i := one(func(*ir.Call) bool { return true })(b, c)
		return b.Must(ir.Call{Def: arith.Divf, Args: []ir.Value{i, c.Args[0]}, Attr: c.Attr, Type: c.Type, Loc: c.Loc})
	}},
	{Of: Fpowi, Rule: "fpowi: x^1 = x", Do: elementwise.Operand(0, intExponent(1))},
	{Of: Fpowi, Rule: "fpowi: x^0 = 1", Do: one(intExponent(0))},
	{Of: Ipowi, Rule: "ipowi: x^1 = x", Do: elementwise.Operand(0, func(c *ir.Call) bool {
		return intExponent(1)(c) && c.Ctx().ElemOrSelf(c.Type) != ir.I1 // there 1 is -1
	})},
	{Of: Ipowi, Rule: "ipowi: x^0 = 1", Do: one(intExponent(0))},
	{Of: Fma, Rule: "fma: x * 1 + z = x + z", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		for i := range 2 {
			if elementwise.IsFloatNumber(c, i, 1) {
				return b.Must(ir.Call{Def: arith.Addf, Args: []ir.Value{c.Args[1-i], c.Args[2]}, Attr: c.Attr, Type: c.Type, Loc: c.Loc})
			}
		}
		return 0
	}},
	{Of: Fma, Rule: "fma: x * y + -0.0 = x * y", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if !elementwise.IsFloatNumber(c, 2, gomath.Copysign(0, -1)) {
			return 0
		}
		return b.Must(ir.Call{Def: arith.Mulf, Args: []ir.Value{c.Args[0], c.Args[1]}, Attr: c.Attr, Type: c.Type, Loc: c.Loc})
	}},
}
