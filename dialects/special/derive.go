package special

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/internal/formula"
	md "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// derivatives of special functions. Those of distribution functions are those of the loops
// that compute them.
var derivatives = derive.Table{
	ruleFor(Lgamma, "d lgamma(x) = digamma(x) dx", func(f formula.F, o *derive.Op) ir.Value { return f.Op(Digamma, o.X(0)) }),
	ruleFor(Digamma, "d digamma(x) = trigamma(x) dx", func(f formula.F, o *derive.Op) ir.Value { return f.Op(Trigamma, o.X(0)) }),
	ruleFor(Logfact, "d log x! = digamma(x + 1) dx", func(f formula.F, o *derive.Op) ir.Value { return digammaOfNext(f, o.X(0)) }),
	ruleFor(Erfc, "d erfc(x) = -2 / sqrt(pi) exp(-x^2) dx", func(f formula.F, o *derive.Op) ir.Value {
		return f.Mul(f.Num(-2/math.SqrtPi), f.Fn(md.Exp, f.Neg(f.Mul(o.X(0), o.X(0)))))
	}),
	ruleFor(Phi, "d phi(x) = exp(-x^2 / 2) / sqrt(2 pi) dx", func(f formula.F, o *derive.Op) ir.Value {
		return f.Fn(md.Exp, logNormal(f, o.X(0)))
	}),
	ruleFor(LogPhi, "d log(phi(x)) = exp(-x^2 / 2 - log(phi(x))) / sqrt(2 pi) dx", func(f formula.F, o *derive.Op) ir.Value {
		return f.Fn(md.Exp, f.Sub(logNormal(f, o.X(0)), o.Y()))
	}),
	ruleFor(Probit, "d probit(p) = sqrt(2 pi) exp(probit(p)^2 / 2) dp", func(f formula.F, o *derive.Op) ir.Value {
		return f.Fn(md.Exp, f.Neg(logNormal(f, o.Y())))
	}),
	ruleFor(Log1mexp, "d log(1 - exp(x)) = -dx / (exp(-x) - 1)", func(f formula.F, o *derive.Op) ir.Value {
		return f.Neg(f.Inv(f.Fn(md.Expm1, f.Neg(o.X(0)))))
	}),
	ruleFor(Log1pexp, "d log(1 + exp(x)) = ilogit(x) dx", func(f formula.F, o *derive.Op) ir.Value { return f.Op(Ilogit, o.X(0)) }),
	ruleFor(Logit, "d logit(p) = dp / (p (1 - p))", func(f formula.F, o *derive.Op) ir.Value {
		return f.Inv(f.Mul(o.X(0), f.Sub(f.Num(1), o.X(0))))
	}),
	ruleFor(Ilogit, "d ilogit(x) = ilogit(x) ilogit(-x) dx", func(f formula.F, o *derive.Op) ir.Value {
		return f.Mul(o.Y(), f.Op(Ilogit, f.Neg(o.X(0))))
	}),
	ruleFor(Cloglog, "d log(-log(1 - p)) = -dp / ((1 - p) log(1 - p))", func(f formula.F, o *derive.Op) ir.Value {
		return f.Neg(f.Inv(f.Mul(f.Sub(f.Num(1), o.X(0)), f.Fn(md.Log1p, f.Neg(o.X(0))))))
	}),
	ruleFor(Icloglog, "d(1 - exp(-exp(x))) = exp(x - exp(x)) dx", func(f formula.F, o *derive.Op) ir.Value {
		return f.Fn(md.Exp, f.Sub(o.X(0), f.Fn(md.Exp, o.X(0))))
	}),
	ruleFor(Xlogy, "d(x log(y)) = log(y) dx + x / y dy; the second is 0 where x is",
		func(f formula.F, o *derive.Op) ir.Value { return f.Fn(md.Log, o.X(1)) },
		func(f formula.F, o *derive.Op) ir.Value { return unlessBothZero(f, o.X(0), o.X(1)) }),
	ruleFor(Xlog1py, "d(x log(1 + y)) = log(1 + y) dx + x / (1 + y) dy; the second is 0 where x is",
		func(f formula.F, o *derive.Op) ir.Value { return f.Fn(md.Log1p, o.X(1)) },
		func(f formula.F, o *derive.Op) ir.Value {
			return unlessBothZero(f, o.X(0), f.Add(f.Num(1), o.X(1)))
		}),
	ruleFor(Lbeta, "d lbeta(a, b) = (digamma(a) - digamma(a + b)) da + (digamma(b) - digamma(a + b)) db", lbetaBy(0), lbetaBy(1)),
	ruleFor(Lchoose, "d lchoose(n, k) = (digamma(n + 1) - digamma(n - k + 1)) dn + (digamma(n - k + 1) - digamma(k + 1)) dk",
		func(f formula.F, o *derive.Op) ir.Value {
			return f.Sub(digammaOfNext(f, o.X(0)), digammaOfNext(f, f.Sub(o.X(0), o.X(1))))
		},
		func(f formula.F, o *derive.Op) ir.Value {
			return f.Sub(digammaOfNext(f, f.Sub(o.X(0), o.X(1))), digammaOfNext(f, o.X(1)))
		}),
}

var noDerivative = derive.Without{Step: derive.Steps, Trigamma: derive.Unknown, Print: derive.Effect,
	Gammainc: inLoops, Gammaincc: inLoops, Gammaincinv: inLoops, Betainc: inLoops, Betaincinv: inLoops}

// inLoops is of functions that the dialect prob lowers.
const inLoops derive.Reason = "it has that of a loop, which lower{to=scf} makes of it first"

// ruleFor is a rule by its partial derivatives.
func ruleFor(of *ir.OpDef, says string, slopes ...func(f formula.F, o *derive.Op) ir.Value) *derive.Rule {
	r := &derive.Rule{Of: of, Says: says}
	for _, d := range slopes {
		r.Partials = append(r.Partials, func(o *derive.Op) ir.Value {
			return d(formula.Derivative(o), o)
		})
	}
	return r
}

// logNormal is the logarithm of the density of the standard normal distribution.
func logNormal(f formula.F, x ir.Value) ir.Value {
	const logSqrtTwoPi = 0.918938533204672741780329736406
	return f.Sub(f.Num(-logSqrtTwoPi), f.Mul(f.Num(0.5), f.Mul(x, x)))
}

func digammaOfNext(f formula.F, x ir.Value) ir.Value { return f.Op(Digamma, f.Add(x, f.Num(1))) }

// unlessBothZero is x / y, or 0 where both are 0. At x = 0 beside another y it is the quotient, as that has a slope by x.
func unlessBothZero(f formula.F, x, y ir.Value) ir.Value {
	quot := f.Div(x, y)
	return f.Pick(f.Cmp(arith.OEQ, y, f.Num(0)), f.Pick(f.Cmp(arith.OEQ, x, f.Num(0)), f.Num(0), quot), quot)
}

func lbetaBy(i int) func(f formula.F, o *derive.Op) ir.Value {
	return func(f formula.F, o *derive.Op) ir.Value { return f.Neg(digammaRise(f, o.X(i), o.X(1-i))) }
}

// digammaRise is digamma(a + b) - digamma(a) for a, b > 0. From 10 on it takes the asymptotic series together, term by term,
// as b may be small beside a (DLMF 5.11.2).
func digammaRise(f formula.F, a, b ir.Value) ir.Value {
	sum := f.Add(a, b)
	rest := func(x ir.Value) ir.Value {
		z := f.Inv(f.Mul(x, x))
		s := f.Num(psi[len(psi)-1])
		for k := len(psi) - 2; k >= 0; k-- {
			s = f.Add(f.Mul(s, z), f.Num(psi[k]))
		}
		return f.Mul(s, z)
	}
	part := f.Div(b, a)
	far := f.Add(f.Fn(md.Log1p, part), f.Add(f.Div(f.Mul(f.Num(0.5), part), sum), f.Sub(rest(a), rest(sum))))
	near := f.Sub(f.Op(Digamma, sum), f.Op(Digamma, a))
	return f.Pick(f.Cmp(arith.OGE, a, f.Num(10)), far, near)
}
