package libm

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// quick are the functions of Options.Quick, for long sums such as log densities, and for networks: exp
// and log as in Table, and log1p, x log y, x log1p y, log1pexp, tanh and erf with some 2 ulp (tanh 3) in about a quarter of
// the operations of Table's. log1pexp is never less than 2^-1021, and infinite arguments are taken as large.
var quick = append(slices.DeleteFunc(slices.Clone(Table), func(f Function) bool { return f.Op != math.Log }), expOrQuick,
	Function{Op: math.Log1p, F32: 1.5, F64: 1.5, lower: quickLog1p},
	Function{Op: special.Xlogy, F32: 2.5, F64: 2.5, lower: quickTimes(log)},
	Function{Op: special.Xlog1py, F32: 2.5, F64: 2.5, lower: quickTimes(quickLog1p)},
	Function{Op: special.Log1pexp, F32: 3, F64: 3, lower: quickLog1pexp},
	Function{Op: math.Tanh, F32: 3, F64: 3, lower: quickTanh},
	Function{Op: math.Erf, F32: 2, F64: 2, lower: quickErf})

// quickLog1pexp = max(x, 0) + log1p t with t = e^-|x|. As 0 < t <= 1, log1p t is
// 2 atanh s with s = t/(2 + t) <= 1/3, without taking an exponent apart; and e^-|x|
// needs one scaling, as nothing overflows.
func quickLog1pexp(e *env, x []val) val {
	a := e.neg(e.abs(x[0]))
	a = e.pick(e.lt(a, e.by(-87, -708)), e.num(e.by(-87, -708)), a)
	kf, bits := e.round(a, e.part(log2e, 0))
	minus := e.neg(kf)
	r := e.fma(minus, e.part(ln2, 0), a) // exact
	r = e.fma(minus, e.num(e.raw(ln2, 1)+e.raw(ln2, 2)), r)
	p := e.fma(e.mul(r, r), e.horner(r, expPoly), r)
	scale := e.pow2(e.toInt(bits))
	t := e.fma(p, scale, scale)
	s := e.div(t, e.add(t, e.num(2)))
	z := e.mul(s, s)
	l := e.fma(e.mul(s, z), e.horner(z, log1pPoly), s)
	return e.fma(l, e.num(2), e.pick(e.gt(x[0], 0), x[0], e.num(0)))
}

// quickLog1p = log u + c/u, where u is 1 + x rounded and c what that lost, exactly.
func quickLog1p(e *env, x []val) val {
	u := e.add(x[0], e.num(1))
	c := e.div(e.sub(x[0], e.sub(u, e.num(1))), u)
	y := e.logEdges(u, e.logPlus(u, e.num(0), c))
	return e.pick(e.eq(u, 1), x[0], y) // the sign of 0, and what 1 + x has no bit of
}

// quickTimes is x l(y), 0 where x is 0.
func quickTimes(l func(*env, []val) val) func(*env, []val) val {
	return func(e *env, x []val) val { return e.zeroTimes(x, e.mul(x[0], l(e, x[1:]))) }
}

// reducedOnce is e^r - 1 and 2^k of x = k log 2 + r, where 2^k is neither subnormal nor infinite.
func (e *env) reducedOnce(x val) (p, scale val) {
	kf, bits := e.round(x, e.part(log2e, 0))
	minus := e.neg(kf)
	r := e.fma(minus, e.part(ln2, 0), x) // exact
	r = e.fma(minus, e.num(e.raw(ln2, 1)+e.raw(ln2, 2)), r)
	return e.fma(e.mul(r, r), e.horner(r, expPoly), r), e.pow2(e.toInt(bits))
}

// most is the lesser of x and a bound; NaN stays.
func (e *env) most(x val, bound float64) val { return e.pick(e.gt(x, bound), e.num(bound), x) }

// expOrQuick is exp as in Table, but for one that says `afn`: then what is below the least normal number is 0, and what
// is above 2^127.5 (f64: 2^1023.5) may be infinity. It is for exponentials of what is not positive, such as those of a softmax.
var expOrQuick = func() Function {
	exact := Table[slices.IndexFunc(Table, func(f Function) bool { return f.Op == math.Exp })]
	fast := Function{Op: math.Exp, F32: 2, F64: 2, lower: quickExp}
	out := exact
	out.node = func(m *ir.Mirror, n ir.Node) ir.Value {
		if arith.FastMathOf(n.Graph().Ctx, n.Attrs())&arith.Afn != 0 {
			return fast.rule(m, n)
		}
		return exact.rule(m, n)
	}
	return out
}()

// quickExp is e^r 2^k, scaled once.
func quickExp(e *env, x []val) val {
	least := e.by(-87.3, -708.3)
	a := e.clamp(x[0], least, e.by(89, 710))
	p, scale := e.reducedOnce(a)
	return e.pick(e.lt(x[0], least), e.num(0), e.mul(e.add(p, e.num(1)), scale))
}

// quickTanh = m / (m + 2) with m = e^2x - 1, rounded three times.
func quickTanh(e *env, x []val) val {
	a := e.abs(x[0])
	p, scale := e.reducedOnce(e.most(e.add(a, a), e.by(24, 48)))
	m := e.fma(scale, p, e.sub(scale, e.num(1)))
	return e.copysign(e.div(m, e.add(m, e.num(2))), x[0])
}

// quickErf is an odd polynomial to 1, and 1 - e^-P(x) above, where P is -log erfc.
func quickErf(e *env, x []val) val {
	a := e.most(e.abs(x[0]), e.by(4, 6))
	z := e.mul(a, a)
	small := e.fma(a, e.horner(z, erfPoly), a)
	p, scale := e.reducedOnce(e.neg(e.mul(a, e.horner(a, erfcLog))))
	large := e.sub(e.num(1), e.fma(scale, p, scale))
	return e.copysign(e.pick(e.lt(a, 1), small, large), x[0])
}
