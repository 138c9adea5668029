package arith

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// derivatives of float arithmetic. At the edges: of equal operands the first is the greater, and the smaller one.
var derivatives = derive.Table{
	{Of: Addf, Says: "d(x + y) = dx + dy", Partials: []derive.Partial{number(1), number(1)}},
	{Of: Subf, Says: "d(x - y) = dx - dy", Partials: []derive.Partial{number(1), number(-1)}},
	{Of: Negf, Says: "d(-x) = -dx", Partials: []derive.Partial{number(-1)}},
	{Of: Mulf, Says: "d(x * y) = y dx + x dy", Partials: []derive.Partial{
		func(o *derive.Op) ir.Value { return o.X(1) },
		func(o *derive.Op) ir.Value { return o.X(0) },
	}},
	{Of: Divf, Says: "d(x / y) = dx / y - (x / y) dy / y", Partials: []derive.Partial{
		func(o *derive.Op) ir.Value { return term(o, Divf, number(1)(o), o.X(1)) },
		func(o *derive.Op) ir.Value { return term(o, Negf, term(o, Divf, o.Y(), o.X(1))) },
	}},
	{Of: Remf, Says: "d(x rem y) = dx - trunc(x / y) dy", Partials: []derive.Partial{
		number(1),
		func(o *derive.Op) ir.Value { // (rem - x) / y is that number, but for rounding
			return term(o, Divf, term(o, Subf, o.Y(), o.X(0)), o.X(1))
		},
	}},
	{Of: Maximumf, Says: "d max(x, y) = dx where x >= y, else dy", Partials: first(OGE)},
	{Of: Maxnumf, Says: "d max(x, y) = dx where x >= y or y is no number, else dy", Partials: firstNumber(OGE)},
	{Of: Minimumf, Says: "d min(x, y) = dx where x <= y, else dy", Partials: first(OLE)},
	{Of: Minnumf, Says: "d min(x, y) = dx where x <= y or y is no number, else dy", Partials: firstNumber(OLE)},
	{Of: Select, Says: "d(c ? x : y) = c ? dx : dy", Tangent: selectTangent, Transpose: selectTranspose},
	{Of: Extf, Says: "d(extf x) = extf dx", Tangent: castTangent(Extf), Transpose: castBack(Truncf)},
	{Of: Truncf, Says: "d(truncf x) = truncf dx", Tangent: castTangent(Truncf), Transpose: castBack(Extf)},
}

var noDerivative = derive.Without{
	Constant: derive.Steps, Uitofp: derive.Steps, Sitofp: derive.Steps, Fptoui: derive.Steps, Fptosi: derive.Steps, Cmpf: derive.Steps,
	Bitcast: derive.Bits,
}

// smooth is what licences the arithmetic of an op's derivative has: it stands for real numbers, so products may be
// contracted with sums and no zero has a sign; what the op may be besides, in other orders say, it may be too.
func smooth(o *derive.Op) FastMath {
	return Contract | Nsz | FastMathOf(o.B.Ctx(), o.Attr)&(Reassoc|Arcp|Afn)
}

func term(o *derive.Op, d *ir.OpDef, x ...ir.Value) ir.Value {
	return Float(o.B, d, smooth(o), x...)
}

func number(x float64) derive.Partial {
	return func(o *derive.Op) ir.Value {
		return o.B.Splat(o.Type, ir.FloatToBits(x, o.B.Ctx().ElemOrSelf(o.Type)))
	}
}

// first is 1 for the first operand where it stands in the order to the second, else for the second.
func first(p CmpFPredicate) []derive.Partial {
	pick := func(yes, no float64) derive.Partial {
		return func(o *derive.Op) ir.Value {
			return Choose(o.B, CmpF(o.B, p, o.X(0), o.X(1)), number(yes)(o), number(no)(o))
		}
	}
	return []derive.Partial{pick(1, 0), pick(0, 1)}
}

// firstNumber is first for ops that are a number where one operand is.
func firstNumber(p CmpFPredicate) []derive.Partial {
	pick := func(yes, no float64) derive.Partial {
		return func(o *derive.Op) ir.Value {
			taken := o.B.Op(Ori, CmpF(o.B, p, o.X(0), o.X(1)), CmpF(o.B, UNO, o.X(1), o.X(1)))
			return Choose(o.B, taken, number(yes)(o), number(no)(o))
		}
	}
	return []derive.Partial{pick(1, 0), pick(0, 1)}
}

func selectTangent(o *derive.Op, d []ir.Value) ir.Value {
	arm := func(v ir.Value) ir.Value {
		if v == 0 {
			return Zero(o.B, o.Type)
		}
		return v
	}
	return Choose(o.B, o.X(0), arm(d[1]), arm(d[2]))
}

func selectTranspose(o *derive.Op, z ir.Value) []ir.Value {
	out, none := make([]ir.Value, 3), Zero(o.B, o.Type)
	if o.Active(1) {
		out[1] = Choose(o.B, o.X(0), z, none)
	}
	if o.Active(2) {
		out[2] = Choose(o.B, o.X(0), none, z)
	}
	return out
}

func castTangent(d *ir.OpDef) func(*derive.Op, []ir.Value) ir.Value {
	return func(o *derive.Op, dx []ir.Value) ir.Value { return Cast(o.B, d, dx[0], o.Type) }
}

func castBack(d *ir.OpDef) func(*derive.Op, ir.Value) []ir.Value {
	return func(o *derive.Op, z ir.Value) []ir.Value {
		return []ir.Value{Cast(o.B, d, z, o.OperandType(0))}
	}
}
