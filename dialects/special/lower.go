package special

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	md "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/lower"
)

// lowerings to math leave lgamma and erfc, and what needs loops.
var lowerings = lower.Table{{Level: "math", Rules: ir.Rules{
	Logfact:  rule(lowerLogfact),
	Digamma:  rule(lowerDigamma),
	Trigamma: rule(lowerTrigamma),
	Phi:      rule(lowerPhi),
	LogPhi:   rule(lowerLogPhi),
	Probit:   rule(lowerProbit),
	Log1mexp: rule(lowerLog1mexp),
	Log1pexp: rule(lowerLog1pexp),
	Logit:    rule(lowerLogit),
	Ilogit:   rule(lowerIlogit),
	Cloglog: rule(func(e emit, x []ir.Value) ir.Value {
		return e.fn(md.Log, e.neg(e.fn(md.Log1p, e.neg(x[0]))))
	}),
	Icloglog: rule(func(e emit, x []ir.Value) ir.Value {
		return e.neg(e.fn(md.Expm1, e.neg(e.fn(md.Exp, x[0]))))
	}),
	Step: rule(func(e emit, x []ir.Value) ir.Value {
		return e.pick(e.cmp(arith.OGE, x[0], e.num(0)), e.num(1), e.num(0))
	}),
	Xlogy:   rule(timesLog(md.Log)),
	Xlog1py: rule(timesLog(md.Log1p)),
	Lbeta:   rule(lowerLbeta),
	Lchoose: rule(lowerLchoose),
}}}

// emit makes float ops of one type.
type emit struct {
	b *ir.Builder
	t ir.Type
}

// rule gives the rule that makes an op's result from its operands' new values. Floats of less than 32 bits are
// computed as f32: they have no range for coefficients, and no digits for several roundings.
func rule(f func(e emit, x []ir.Value) ir.Value) func(*ir.Mirror, ir.Node) ir.Value {
	return func(m *ir.Mirror, n ir.Node) ir.Value {
		t, x, c := m.Type(n.Type()), m.All(n.Args()), m.B.Ctx()
		if c.Info(c.ElemOrSelf(t)).Width >= 32 {
			return f(emit{m.B, t}, x)
		}
		wide := elementwise.WithElem(c, t, ir.F32)
		x = lists.Map(x, func(v ir.Value) ir.Value { return arith.Cast(m.B, arith.Extf, v, wide) })
		return arith.Cast(m.B, arith.Truncf, f(emit{m.B, wide}, x), t)
	}
}

func (e emit) num(x float64) ir.Value {
	return e.b.Splat(e.t, ir.FloatToBits(x, e.b.Ctx().ElemOrSelf(e.t)))
}
func (e emit) op(d *ir.OpDef, x ...ir.Value) ir.Value { return e.b.Op(d, x...) }
func (e emit) fn(d *ir.OpDef, x ...ir.Value) ir.Value { return arith.Float(e.b, d, 0, x...) }
func (e emit) add(x, y ir.Value) ir.Value             { return arith.AddF(e.b, x, y) }
func (e emit) sub(x, y ir.Value) ir.Value             { return arith.SubF(e.b, x, y) }
func (e emit) mul(x, y ir.Value) ir.Value             { return arith.MulF(e.b, x, y) }
func (e emit) div(x, y ir.Value) ir.Value             { return arith.DivF(e.b, x, y) }
func (e emit) neg(x ir.Value) ir.Value                { return arith.NegF(e.b, x) }
func (e emit) pick(c, x, y ir.Value) ir.Value         { return arith.Choose(e.b, c, x, y) }
func (e emit) cmp(p arith.CmpFPredicate, x, y ir.Value) ir.Value {
	return arith.CmpF(e.b, p, x, y)
}

// horner is c[0] + c[1] z + c[2] z^2 ...
func (e emit) horner(z ir.Value, c []float64) ir.Value {
	s := e.num(c[len(c)-1])
	for k := len(c) - 2; k >= 0; k-- {
		s = e.fn(md.Fma, s, z, e.num(c[k]))
	}
	return s
}

func timesLog(log *ir.OpDef) func(emit, []ir.Value) ir.Value {
	return func(e emit, x []ir.Value) ir.Value {
		zero := e.b.Op(arith.Andi, e.cmp(arith.OEQ, x[0], e.num(0)), e.cmp(arith.ORD, x[1], x[1]))
		return e.pick(zero, e.num(0), e.mul(x[0], e.fn(log, x[1])))
	}
}

func lowerLogfact(e emit, x []ir.Value) ir.Value {
	y := e.add(x[0], e.num(1))
	slope := e.pick(e.cmp(arith.OGT, y, e.num(1.5)), e.num(1-eulerGamma), e.num(-eulerGamma))
	lost := e.mul(e.sub(x[0], e.sub(y, e.num(1))), slope)
	lost = e.pick(e.cmp(arith.OLT, e.fn(md.Absf, x[0]), e.num(2)), lost, e.num(0)) // inf - inf
	return e.add(e.op(Lgamma, y), lost)
}

func lowerLog1mexp(e emit, x []ir.Value) ir.Value {
	near := e.fn(md.Log, e.neg(e.fn(md.Expm1, x[0])))
	far := e.fn(md.Log1p, e.neg(e.fn(md.Exp, x[0])))
	return e.pick(e.cmp(arith.OGT, x[0], e.num(-math.Ln2)), near, far)
}

func lowerLog1pexp(e emit, x []ir.Value) ir.Value {
	tail := e.fn(md.Log1p, e.fn(md.Exp, e.neg(e.fn(md.Absf, x[0]))))
	return e.add(e.fn(arith.Maximumf, x[0], e.num(0)), tail)
}

func lowerLogit(e emit, x []ir.Value) ir.Value {
	low := e.sub(e.fn(md.Log, x[0]), e.fn(md.Log1p, e.neg(x[0])))
	high := e.mul(e.num(2), e.fn(md.Atanh, e.sub(e.mul(e.num(2), x[0]), e.num(1))))
	return e.pick(e.cmp(arith.OLT, x[0], e.num(0.25)), low, high)
}

func lowerIlogit(e emit, x []ir.Value) ir.Value {
	z := e.fn(md.Exp, e.neg(e.fn(md.Absf, x[0])))
	num := e.pick(e.cmp(arith.OLT, x[0], e.num(0)), z, e.num(1))
	return e.div(num, e.add(e.num(1), z))
}

// lowerPhi is phi in straight line.
func lowerPhi(e emit, x []ir.Value) ir.Value {
	minus := e.neg(x[0])
	h := e.mul(minus, e.num(sqrtHalfHi))
	l := e.sub(e.fn(md.Fma, minus, e.num(sqrtHalfHi), e.neg(h)), e.mul(x[0], e.num(sqrtHalfLo)))
	slope := e.mul(e.num(twoOverSqrtPi), e.fn(md.Exp, e.neg(e.mul(h, h))))
	fix := e.mul(l, slope)
	fix = e.pick(e.cmp(arith.OLT, e.fn(md.Absf, h), e.num(40)), fix, e.num(0)) // inf - inf
	return e.mul(e.num(0.5), e.sub(e.op(Erfc, h), fix))
}

func lowerLogPhi(e emit, x []ir.Value) ir.Value {
	a := e.fn(md.Absf, x[0])
	upper := e.fn(md.Log1p, e.neg(lowerPhi(e, []ir.Value{e.neg(a)})))
	middle := e.fn(md.Log, lowerPhi(e, x))
	tail := e.logTail(x[0], e.tailSeries(x[0]))
	low := e.pick(e.cmp(arith.OLE, x[0], e.num(-12)), tail, middle)
	return e.pick(e.cmp(arith.OGT, x[0], e.num(0)), upper, low)
}

func (e emit) tailSeries(x ir.Value) ir.Value {
	coef, term := []float64{0}, 1.0
	for k := 1.0; k < 40; k += 2 {
		term *= -k
		coef = append(coef, term)
	}
	return e.horner(e.div(e.num(1), e.mul(x, x)), coef)
}

func (e emit) logTail(x, sum ir.Value) ir.Value {
	half := e.neg(e.mul(e.mul(x, x), e.num(0.5)))
	return e.add(e.sub(e.sub(half, e.fn(md.Log, e.fn(md.Absf, x))), e.num(halfLog2Pi)), e.fn(md.Log1p, sum))
}

// lowerProbit starts from Abramowitz and Stegun 26.2.23 (absolute error 4.5e-4) in
// the lower half, where phi is accurate, and takes two steps of Halley's method;
// near 1/2, where phi is not, phi(x) - p is erf(x / sqrt 2) / 2 - (p - 1/2).
func lowerProbit(e emit, p []ir.Value) ir.Value {
	half, one := e.num(0.5), e.num(1)
	upper := e.cmp(arith.OGT, p[0], half)
	q := e.pick(upper, e.sub(one, p[0]), p[0])
	logq := e.fn(md.Log, q)
	t := e.fn(md.Sqrt, e.mul(e.num(-2), logq))
	x := e.sub(e.div(e.horner(t, []float64{2.515517, 0.802853, 0.010328}), e.horner(t, []float64{1, 1.432788, 0.189269, 0.001308})), t)
	tail := e.tailProbit(x, logq)
	central := e.cmp(arith.OGT, q, e.num(0.25))
	for range 2 {
		near := e.sub(e.mul(half, e.fn(md.Erf, e.mul(x, e.num(sqrtHalfHi)))), e.sub(q, half))
		miss := e.pick(central, near, e.sub(lowerPhi(e, []ir.Value{x}), q))
		u := e.mul(miss, e.mul(e.num(math.Sqrt(2*math.Pi)), e.fn(md.Exp, e.mul(e.mul(x, x), half))))
		x = e.sub(x, e.div(u, e.add(one, e.mul(e.mul(x, u), half))))
	}
	// phi(-12) is 1.8e-33. Far below, phi loses digits as a subnormal number, and its inverse slope overflows.
	x = e.pick(e.cmp(arith.OLT, q, e.num(1e-34)), tail, x)
	x = e.pick(upper, e.neg(x), x)
	x = e.pick(e.cmp(arith.OEQ, p[0], half), e.num(0), x)
	x = e.pick(e.cmp(arith.OEQ, p[0], e.num(0)), e.num(math.Inf(-1)), x)
	return e.pick(e.cmp(arith.OEQ, p[0], one), e.num(math.Inf(1)), x)
}

// tailProbit takes two steps of Halley's method from x <= -12 for log(phi(x)) = logq. With s = 1 + the sum of
// the series, the slope is -x/s, and the second derivative by the first x/s - x.
func (e emit) tailProbit(x, logq ir.Value) ir.Value {
	for range 2 {
		sum := e.tailSeries(x)
		quot := e.div(x, e.add(e.num(1), sum))
		u := e.neg(e.div(e.sub(e.logTail(x, sum), logq), quot))
		bend := e.mul(e.mul(u, e.sub(quot, x)), e.num(0.5))
		x = e.sub(x, e.div(u, e.sub(e.num(1), bend)))
	}
	return x
}

// lowerDigamma shifts up to 10 by ten guarded steps, as it has no loop; below 0 it
// reflects.
func lowerDigamma(e emit, x []ir.Value) ir.Value {
	one := e.num(1)
	below := e.cmp(arith.OLT, x[0], e.num(0))
	y := e.pick(below, e.sub(one, x[0]), x[0])
	s := e.num(0)
	for range 10 {
		small := e.cmp(arith.OLT, y, e.num(10))
		s = e.pick(small, e.sub(s, e.div(one, y)), s)
		y = e.pick(small, e.add(y, one), y)
	}
	z := e.div(one, e.mul(y, y))
	series := e.mul(z, e.horner(z, psi[:]))
	value := e.add(s, e.sub(e.fn(md.Log, y), e.add(e.div(e.num(0.5), y), series)))
	turn := e.mul(e.num(math.Pi), e.sub(x[0], e.fn(md.Roundeven, x[0])))
	value = e.pick(below, e.sub(value, e.div(e.num(math.Pi), e.fn(md.Tan, turn))), value)
	pole := e.b.Op(arith.Andi, below, e.cmp(arith.OEQ, x[0], e.fn(md.Floor, x[0])))
	return e.pick(pole, e.num(math.NaN()), value)
}

// lowerTrigamma is trigamma, shifted as digamma is. The square of 1/y overflows only where the result does.
func lowerTrigamma(e emit, x []ir.Value) ir.Value {
	one := e.num(1)
	below := e.cmp(arith.OLT, x[0], e.num(0))
	y := e.pick(below, e.sub(one, x[0]), x[0])
	s := e.num(0)
	for range 10 {
		small, inv := e.cmp(arith.OLT, y, e.num(10)), e.div(one, y)
		s = e.pick(small, e.add(s, e.mul(inv, inv)), s)
		y = e.pick(small, e.add(y, one), y)
	}
	inv := e.div(one, y)
	z := e.mul(inv, inv)
	series := e.mul(e.mul(inv, z), e.horner(z, trigammaTail[:]))
	value := e.add(s, e.add(inv, e.add(e.mul(e.num(0.5), z), series)))
	turn := e.mul(e.num(math.Pi), e.sub(x[0], e.fn(md.Roundeven, x[0])))
	quot := e.div(e.num(math.Pi), e.fn(md.Sin, turn))
	return e.pick(below, e.sub(e.mul(quot, quot), value), value)
}
