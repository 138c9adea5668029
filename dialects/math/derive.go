package math

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/internal/formula"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// derivatives of elementary functions, written so that they keep their digits where the function is flat. That of |x| at 0 is the one from
// above: smooth functions are written with |x| and a choice by x < 0, and so come out right there.
var derivatives = derive.Table{
	ruleFor(Absf, "d|x| = dx where x >= 0, else -dx", func(f formula.F, o *derive.Op) ir.Value {
		return f.Pick(f.Cmp(arith.OGE, o.X(0), f.Num(0)), f.Num(1), f.Num(-1))
	}),
	// Roots: at 0 they are infinitely steep, which the formulas give. Where a root is at hand it is used.
	ruleFor(Sqrt, "d sqrt(x) = dx / (2 sqrt(x))", func(f formula.F, o *derive.Op) ir.Value { return f.Div(f.Num(0.5), o.Y()) }),
	ruleFor(Rsqrt, "d(1 / sqrt(x)) = -dx / (2 x sqrt(x))", func(f formula.F, o *derive.Op) ir.Value {
		return f.Div(f.Mul(f.Num(-0.5), o.Y()), o.X(0))
	}),
	ruleFor(Cbrt, "d cbrt(x) = dx / (3 cbrt(x)^2)", func(f formula.F, o *derive.Op) ir.Value {
		return f.Inv(f.Mul(f.Num(3), f.Mul(o.Y(), o.Y())))
	}),
	// Exponentials and logarithms. exp(x) - 1 has no digits of exp(x) where that is small, so its slope is computed anew.
	ruleFor(Exp, "d exp(x) = exp(x) dx", func(_ formula.F, o *derive.Op) ir.Value { return o.Y() }),
	ruleFor(Exp2, "d 2^x = 2^x log(2) dx", func(f formula.F, o *derive.Op) ir.Value { return f.Mul(f.Num(gomath.Ln2), o.Y()) }),
	ruleFor(Expm1, "d(exp(x) - 1) = exp(x) dx", func(f formula.F, o *derive.Op) ir.Value { return f.Fn(Exp, o.X(0)) }),
	ruleFor(Log, "d log(x) = dx / x", func(f formula.F, o *derive.Op) ir.Value { return f.Inv(o.X(0)) }),
	ruleFor(Log2, "d log2(x) = dx / (x log(2))", func(f formula.F, o *derive.Op) ir.Value { return f.Div(f.Num(1/gomath.Ln2), o.X(0)) }),
	ruleFor(Log10, "d log10(x) = dx / (x log(10))", func(f formula.F, o *derive.Op) ir.Value { return f.Div(f.Num(1/gomath.Ln10), o.X(0)) }),
	ruleFor(Log1p, "d log(1 + x) = dx / (1 + x)", func(f formula.F, o *derive.Op) ir.Value { return f.Inv(f.Add(f.Num(1), o.X(0))) }),
	// Circular functions: near 1 the square roots take 1 - x, which is exact.
	ruleFor(Sin, "d sin(x) = cos(x) dx", func(f formula.F, o *derive.Op) ir.Value { return f.Fn(Cos, o.X(0)) }),
	ruleFor(Cos, "d cos(x) = -sin(x) dx", func(f formula.F, o *derive.Op) ir.Value { return f.Neg(f.Fn(Sin, o.X(0))) }),
	ruleFor(Tan, "d tan(x) = (1 + tan(x)^2) dx", func(f formula.F, o *derive.Op) ir.Value { return f.Add(f.Num(1), f.Mul(o.Y(), o.Y())) }),
	ruleFor(Asin, "d asin(x) = dx / sqrt((1 - x) (1 + x))", func(f formula.F, o *derive.Op) ir.Value { return f.Fn(Rsqrt, oneLessSquare(f, o.X(0))) }),
	ruleFor(Acos, "d acos(x) = -dx / sqrt((1 - x) (1 + x))", func(f formula.F, o *derive.Op) ir.Value {
		return f.Neg(f.Fn(Rsqrt, oneLessSquare(f, o.X(0))))
	}),
	ruleFor(Atan, "d atan(x) = dx / (1 + x^2)", func(f formula.F, o *derive.Op) ir.Value {
		return f.Inv(f.Add(f.Num(1), f.Mul(o.X(0), o.X(0))))
	}),
	// Hyperbolic functions: 1 - tanh(x)^2 cancels where tanh is flat, and its exponential does not.
	ruleFor(Sinh, "d sinh(x) = cosh(x) dx", func(f formula.F, o *derive.Op) ir.Value { return f.Fn(Cosh, o.X(0)) }),
	ruleFor(Cosh, "d cosh(x) = sinh(x) dx", func(f formula.F, o *derive.Op) ir.Value { return f.Fn(Sinh, o.X(0)) }),
	ruleFor(Tanh, "d tanh(x) = 4 e / (1 + e)^2 dx, where e = exp(-2 |x|)", func(f formula.F, o *derive.Op) ir.Value {
		e := f.Fn(Exp, f.Mul(f.Num(-2), f.Fn(Absf, o.X(0))))
		n := f.Add(f.Num(1), e)
		return f.Div(f.Mul(f.Num(4), e), f.Mul(n, n))
	}),
	ruleFor(Asinh, "d asinh(x) = dx / sqrt(1 + x^2)", func(f formula.F, o *derive.Op) ir.Value {
		return f.Fn(Rsqrt, f.Add(f.Num(1), f.Mul(o.X(0), o.X(0))))
	}),
	ruleFor(Acosh, "d acosh(x) = dx / sqrt((x - 1) (x + 1))", func(f formula.F, o *derive.Op) ir.Value {
		return f.Fn(Rsqrt, f.Neg(oneLessSquare(f, o.X(0))))
	}),
	ruleFor(Atanh, "d atanh(x) = dx / ((1 - x) (1 + x))", func(f formula.F, o *derive.Op) ir.Value { return f.Inv(oneLessSquare(f, o.X(0))) }),
	// The error function has the density of the normal distribution for its slope, which keeps its digits in the tails.
	ruleFor(Erf, "d erf(x) = 2 / sqrt(pi) exp(-x^2) dx", func(f formula.F, o *derive.Op) ir.Value {
		return f.Mul(f.Num(2/gomath.SqrtPi), f.Fn(Exp, f.Neg(f.Mul(o.X(0), o.X(0)))))
	}),
	// Functions of several numbers: what is 0 times infinity in the formula is 0 where the function is constant.
	ruleFor(Atan2, "d atan2(y, x) = (x dy - y dx) / (x^2 + y^2)",
		func(f formula.F, o *derive.Op) ir.Value { return f.Div(o.X(1), sumOfSquares(f, o)) },
		func(f formula.F, o *derive.Op) ir.Value { return f.Neg(f.Div(o.X(0), sumOfSquares(f, o))) }),
	ruleFor(Powf, "d(x^y) = y x^(y-1) dx + x^y log(x) dy; the first is 0 where y is, the second where x^y is",
		func(f formula.F, o *derive.Op) ir.Value {
			x, y := o.X(0), o.X(1)
			slope := f.Mul(y, f.Fn(Powf, x, f.Sub(y, f.Num(1))))
			return f.Pick(f.Cmp(arith.OEQ, y, f.Num(0)), f.Num(0), slope)
		},
		func(f formula.F, o *derive.Op) ir.Value {
			return f.Pick(f.Cmp(arith.OEQ, o.Y(), f.Num(0)), f.Num(0), f.Mul(o.Y(), f.Fn(Log, o.X(0))))
		}),
	ruleFor(Fpowi, "d(x^n) = n x^(n-1) dx, 0 where n is", func(f formula.F, o *derive.Op) ir.Value {
		n := o.X(1)
		less := f.B.OpAttr(arith.Subi, arith.OverflowProps(f.B.Ctx(), 0), n, f.B.Splat(o.OperandType(1), 1))
		slope := f.Mul(arith.Cast(f.B, arith.Sitofp, n, o.Type), f.Fn(Fpowi, o.X(0), less))
		none := f.B.OpAttr(arith.Cmpi, arith.PredicateI(f.B.Ctx(), arith.EQ), n, arith.Zero(f.B, o.OperandType(1)))
		return f.Pick(none, f.Num(0), slope)
	}, nil),
	ruleFor(Copysign, "d copysign(x, s) = sign(x) sign(s) dx", func(f formula.F, o *derive.Op) ir.Value {
		return f.Mul(f.Fn(Copysign, f.Num(1), o.X(0)), f.Fn(Copysign, f.Num(1), o.X(1)))
	}, nil),
	ruleFor(Fma, "d(a b + c) = b da + a db + dc",
		func(_ formula.F, o *derive.Op) ir.Value { return o.X(1) },
		func(_ formula.F, o *derive.Op) ir.Value { return o.X(0) },
		func(f formula.F, _ *derive.Op) ir.Value { return f.Num(1) }),
}

var noDerivative = derive.Without{
	Ceil: derive.Steps, Floor: derive.Steps, Round: derive.Steps, Roundeven: derive.Steps, Trunc: derive.Steps,
}

type slope = func(f formula.F, o *derive.Op) ir.Value

// ruleFor is the rule of a function of one number or of several, by its slopes in their order; nil is that of a number by
// which it is constant, or changes in steps.
func ruleFor(of *ir.OpDef, says string, slopes ...slope) *derive.Rule {
	r := &derive.Rule{Of: of, Says: says}
	for _, d := range slopes {
		if d == nil {
			r.Partials = append(r.Partials, nil)
			continue
		}
		r.Partials = append(r.Partials, func(o *derive.Op) ir.Value {
			return d(formula.Derivative(o), o)
		})
	}
	return r
}

// oneLessSquare is 1 - x^2 without the cancellation near 1.
func oneLessSquare(f formula.F, x ir.Value) ir.Value {
	return f.Mul(f.Sub(f.Num(1), x), f.Add(f.Num(1), x))
}

func sumOfSquares(f formula.F, o *derive.Op) ir.Value {
	return f.Add(f.Mul(o.X(0), o.X(0)), f.Mul(o.X(1), o.X(1)))
}
