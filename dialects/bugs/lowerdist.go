package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// stochastic adds the factor of a node to its sum.
func (l *lowering) stochastic(v ir.Value) {
	g := l.g
	seg, _ := parts(g.Ctx.Ints(g.Attr(v, "operandSegmentSizes")), g.Args(v))
	x := l.read(seg[segNode][0], seg[segIndices])
	var p []ir.Value
	for _, a := range seg[segArgs] {
		p = append(p, l.value(a))
	}
	k := l.kit()
	dist, small := g.Ctx.AttrInfo(g.Attr(v, "dist")).Str, g.Attr(v, smallAttr) != 0
	term := l.linked(dist, small, x, p)
	if term == 0 {
		term = l.density(dist, small, x, p)
	}
	if dist == "dbern" || dist == "dbin" {
		term = l.unlessRounded(term, seg[segArgs][0], x, p)
	}
	if g.Attr(v, "truncated") != 0 {
		term = l.truncated(term, dist, p, seg)
	}
	var lo, hi []ir.Value
	for _, x := range seg[segLower] {
		lo = append(lo, l.value(x))
	}
	for _, x := range seg[segUpper] {
		hi = append(hi, l.value(x))
	}
	term = k.bounded(term, x, lo, hi)
	name := g.Ctx.AttrInfo(g.Attr(v, "name")).Str
	switch g.Ctx.AttrInfo(g.Attr(v, "observed")).Str {
	case "all":
		l.addTo(slot{name, true}, term)
	case "none":
		l.addTo(slot{name, false}, term)
	default:
		l.addParts(name, l.read(seg[segMask][0], seg[segIndices]), g.Ctx.AttrInfo(g.Attr(v, "observed")).Str, term)
	}
}

// bounded is a term within bounds, of which there may be none. Outside of them a node
// without meaning has none still.
func (k kit) bounded(term, x ir.Value, lo, hi []ir.Value) ir.Value {
	ok := k.cmp(arith.ORD, term, term)
	for _, lo := range lo {
		ok, term = k.and(ok, k.cmp(arith.ORD, lo, x)), k.within(k.cmp(arith.OGE, x, lo), term)
	}
	for _, hi := range hi {
		ok, term = k.and(ok, k.cmp(arith.ORD, hi, x)), k.within(k.cmp(arith.OLE, x, hi), term)
	}
	if len(lo) == 1 && len(hi) == 1 {
		ok = k.and(ok, k.cmp(arith.OLE, lo[0], hi[0]))
	}
	if len(lo)+len(hi) > 0 {
		term = k.valid(ok, term)
	}
	return term
}

// addParts adds the factor of a node that is data, a parameter, or left out, by whether
// the number of its mask is above 0, 0 or below.
func (l *lowering) addParts(name string, mask ir.Value, observed string, term ir.Value) {
	k := l.kit()
	zero := k.num(0)
	data := k.cmp(arith.OGT, mask, zero)
	l.addTo(slot{name, true}, arith.Choose(l.b, data, term, zero))
	if observed == "mask" {
		l.addTo(slot{name, false}, arith.Choose(l.b, data, zero, term))
		return
	}
	l.addTo(slot{name, false}, arith.Choose(l.b, k.cmp(arith.OEQ, mask, zero), term, zero))
}

// truncated takes away the log probability between the bounds, without which a node
// has no meaning.
func (l *lowering) truncated(term ir.Value, dist string, p []ir.Value, seg [numSegments][]ir.Value) ir.Value {
	k := l.kit()
	var ends [2]*ir.Value
	for i, s := range [][]ir.Value{seg[segLower], seg[segUpper]} {
		if len(s) == 1 {
			x := l.value(s[0])
			ends[i] = &x
		}
	}
	at := func(x ir.Value) tails[ir.Value] { return cumulativeOps[dist](k, x, p) }
	norm := truncation(calc[ir.Value, ir.Value](k), filled(isCount)[dist], at, ends[0], ends[1])
	return k.valid(k.and(allFinite(k, p), k.cmp(arith.OGT, norm, k.num(gomath.Inf(-1)))), k.sub(term, norm))
}

// A term of a log density has no sign of zero to keep, and rounding a product and a
// sum once only comes closer. Terms are added in any order, but the factors of a
// term keep theirs (see quadratic).
const (
	fused = arith.Contract | arith.Nsz
	loose = fused | arith.Reassoc
)

// kit writes formulas.
type kit struct {
	b     *ir.Builder
	split int // most elements of a matrix that are values, not memory: the target's
}

func (l *lowering) kit() kit { return kit{l.b, l.target.Costs.MaxSplit} }

func (k kit) num(x float64) ir.Value                            { return arith.ConstF64(k.b, x) }
func (k kit) add(x, y ir.Value) ir.Value                        { return arith.Float(k.b, arith.Addf, fused, x, y) }
func (k kit) sub(x, y ir.Value) ir.Value                        { return arith.Float(k.b, arith.Subf, fused, x, y) }
func (k kit) mul(x, y ir.Value) ir.Value                        { return arith.Float(k.b, arith.Mulf, fused, x, y) }
func (k kit) div(x, y ir.Value) ir.Value                        { return arith.DivF(k.b, x, y) }
func (k kit) neg(x ir.Value) ir.Value                           { return arith.NegF(k.b, x) }
func (k kit) log(x ir.Value) ir.Value                           { return arith.Float(k.b, math.Log, 0, x) }
func (k kit) exp(x ir.Value) ir.Value                           { return arith.Float(k.b, math.Exp, 0, x) }
func (k kit) log1p(x ir.Value) ir.Value                         { return arith.Float(k.b, math.Log1p, 0, x) }
func (k kit) abs(x ir.Value) ir.Value                           { return arith.Float(k.b, math.Absf, 0, x) }
func (k kit) pow(x, y ir.Value) ir.Value                        { return arith.Float(k.b, math.Powf, 0, x, y) }
func (k kit) lgamma(x ir.Value) ir.Value                        { return k.b.Op(special.Lgamma, x) }
func (k kit) xlog1py(x, y ir.Value) ir.Value                    { return k.b.Op(special.Xlog1py, x, y) }
func (k kit) half(x ir.Value) ir.Value                          { return k.mul(k.num(0.5), x) }
func (k kit) cmp(p arith.CmpFPredicate, x, y ir.Value) ir.Value { return arith.CmpF(k.b, p, x, y) }
func (k kit) and(x, y ir.Value) ir.Value                        { return k.b.Op(arith.Andi, x, y) }
func (k kit) positive(x ir.Value) ir.Value                      { return k.cmp(arith.OGT, x, k.num(0)) }

// xlogy is x log y, and 0 where x is 0.
func (k kit) xlogy(x, y ir.Value) ir.Value {
	v := k.mul(x, k.log(y))
	if c, ok := k.b.Graph().Const(x); ok && c.F64() != 0 {
		return v
	}
	return arith.Choose(k.b, k.cmp(arith.OEQ, x, k.num(0)), k.num(0), v)
}

func (k kit) within(cond, term ir.Value) ir.Value {
	return arith.Choose(k.b, cond, term, k.num(gomath.Inf(-1)))
}
func (k kit) valid(cond, term ir.Value) ir.Value {
	return arith.Choose(k.b, cond, term, k.num(gomath.NaN()))
}
func (k kit) between(x ir.Value, lo, hi ir.Value) ir.Value {
	return k.and(k.cmp(arith.OGE, x, lo), k.cmp(arith.OLE, x, hi))
}

// whole holds for integers from a bound on; infinity minus itself is NaN.
func (k kit) whole(x ir.Value, from float64) ir.Value {
	return k.and(k.cmp(arith.OGE, x, k.num(from)), k.cmp(arith.OEQ, k.sub(x, arith.Float(k.b, math.Floor, 0, x)), k.num(0)))
}

func (k kit) isProbability(p ir.Value) ir.Value { return k.between(p, k.num(0), k.num(1)) }

// scaled is log(tau)/2 - log(2 pi)/2, NaN for an invalid precision: the part of a
// normal density that does not depend on its value and leaves the loops that tau
// does not depend on.
func (k kit) scaled(tau ir.Value) ir.Value {
	return k.valid(k.positive(tau), k.sub(k.half(k.log(tau)), k.num(0.5*log2Pi)))
}

func (k kit) normal(x, mu, tau ir.Value) ir.Value {
	return k.sub(k.scaled(tau), k.quadratic(k.half(tau), k.sub(x, mu)))
}

// quadratic is a z^2, multiplied so that a large z and a small a do not overflow.
func (k kit) quadratic(a, z ir.Value) ir.Value { return k.mul(k.mul(a, z), z) }

func (k kit) gamma(x, r, rate ir.Value) ir.Value {
	c := k.sub(k.mul(r, k.log(rate)), k.lgamma(r))
	body := k.sub(k.xlogy(k.sub(r, k.num(1)), x), k.mul(rate, x))
	return k.guarded(k.and(k.positive(r), k.positive(rate)), c, k.between(x, k.num(0), k.num(gomath.MaxFloat64)), body)
}

// guarded is c + body where inside holds, else -inf; NaN where ok does not hold. c
// and ok leave the loops that the parameters do not depend on.
func (k kit) guarded(ok, c, inside, body ir.Value) ir.Value {
	return k.valid(ok, k.add(c, k.within(inside, body)))
}

// densities are the log densities of nodes as ops, by the table's name. Support and
// validity are as in families, which tests compare them with.
var densities = map[string]func(k kit, x ir.Value, p []ir.Value) ir.Value{
	"dnorm": func(k kit, x ir.Value, p []ir.Value) ir.Value { return k.normal(x, p[0], p[1]) },
	"dlnorm": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		y := k.log(x)
		body := k.sub(k.neg(k.quadratic(k.half(p[1]), k.sub(y, p[0]))), y)
		return k.guarded(k.positive(p[1]), k.scaled(p[1]), k.and(k.positive(x), k.isFinite(x)), body)
	},
	"dt": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		tau, n := p[1], p[2]
		m := k.half(k.add(n, k.num(1)))
		c := k.add(studentConstant[ir.Value, ir.Value](k, n), k.half(k.log(tau)))
		c = k.valid(k.and(k.positive(tau), k.positive(n)), c)
		return k.sub(c, k.mul(m, logOnePlusSquare[ir.Value, ir.Value](k, k.sub(x, p[0]), k.sqrt(tau), k.sqrt(n))))
	},
	"dlogis": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		z := k.abs(k.mul(p[1], k.sub(x, p[0])))
		c := k.valid(k.positive(p[1]), k.log(p[1]))
		return k.sub(k.sub(c, z), k.mul(k.num(2), k.log1p(k.exp(k.neg(z)))))
	},
	"ddexp": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		c := k.valid(k.positive(p[1]), k.log(k.half(p[1])))
		return k.sub(c, k.mul(p[1], k.abs(k.sub(x, p[0]))))
	},
	"dgamma": func(k kit, x ir.Value, p []ir.Value) ir.Value { return k.gamma(x, p[0], p[1]) },
	"dexp": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		return k.guarded(k.positive(p[0]), k.log(p[0]), k.between(x, k.num(0), k.num(gomath.MaxFloat64)), k.neg(k.mul(p[0], x)))
	},
	"dchisqr": func(k kit, x ir.Value, p []ir.Value) ir.Value { return k.gamma(x, k.half(p[0]), k.num(0.5)) },
	"dweib": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		v, l := p[0], p[1]
		c := k.add(k.log(v), k.log(l))
		body := k.sub(k.xlogy(k.sub(v, k.num(1)), x), k.mul(l, k.pow(x, v)))
		return k.guarded(k.and(k.positive(v), k.positive(l)), c, k.between(x, k.num(0), k.num(gomath.MaxFloat64)), body)
	},
	"dgen.gamma": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		r, l, b := p[0], p[1], p[2]
		br := k.mul(b, r)
		c := k.sub(k.add(k.log(b), k.mul(br, k.log(l))), k.lgamma(r))
		body := k.sub(k.xlogy(k.sub(br, k.num(1)), x), k.pow(k.mul(l, x), b))
		// With an infinite product of finite parameters all is at one point.
		inside := k.and(k.between(x, k.num(0), k.num(gomath.MaxFloat64)), k.or(k.isFinite(br), k.cmp(arith.OEQ, r, k.num(inf))))
		return k.guarded(k.and(k.and(k.positive(r), k.positive(l)), k.positive(b)), c, inside, body)
	},
	"dbeta": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		c := k.neg(k.b.Op(special.Lbeta, p[0], p[1]))
		body := k.add(k.xlogy(k.sub(p[0], k.num(1)), x), k.xlog1py(k.sub(p[1], k.num(1)), k.neg(x)))
		return k.guarded(k.and(k.positive(p[0]), k.positive(p[1])), c, k.isProbability(x), body)
	},
	"dunif": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		return k.guarded(k.cmp(arith.OLT, p[0], p[1]), k.neg(k.log(k.sub(p[1], p[0]))), k.between(x, p[0], p[1]), k.num(0))
	},
	"dpar": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		c := k.add(k.log(p[0]), k.mul(p[0], k.log(p[1])))
		return k.guarded(k.and(k.positive(p[0]), k.positive(p[1])), c, k.cmp(arith.OGE, x, p[1]), k.neg(k.mul(k.add(p[0], k.num(1)), k.log(x))))
	},
	"dflat": func(k kit, x ir.Value, p []ir.Value) ir.Value { return k.num(0) },
	"dbern": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		body := k.add(k.xlogy(x, p[0]), k.xlog1py(k.sub(k.num(1), x), k.neg(p[0])))
		inside := k.and(k.whole(x, 0), k.cmp(arith.OLE, x, k.num(1)))
		return k.valid(k.isProbability(p[0]), k.within(inside, body))
	},
	"dbin": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		q, n := p[0], p[1]
		body := k.add(k.b.Op(special.Lchoose, n, x), k.add(k.xlogy(x, q), k.xlog1py(k.sub(n, x), k.neg(q))))
		inside := k.and(k.whole(x, 0), k.cmp(arith.OLE, x, n))
		return k.valid(k.and(k.isProbability(q), k.whole(n, 0)), k.within(inside, body))
	},
	"dpois": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		body := k.sub(k.sub(k.xlogy(x, p[0]), p[0]), k.b.Op(special.Logfact, x))
		return k.valid(k.cmp(arith.OGE, p[0], k.num(0)), k.within(k.whole(x, 0), body))
	},
	"dnegbin": func(k kit, x ir.Value, p []ir.Value) ir.Value {
		q, r := p[0], p[1]
		ok := k.and(k.and(k.positive(q), k.cmp(arith.OLE, q, k.num(1))), k.positive(r))
		c := k.sub(k.mul(r, k.log(q)), k.lgamma(r))
		body := k.add(k.sub(k.lgamma(k.add(x, r)), k.b.Op(special.Logfact, x)), k.xlog1py(x, k.neg(q)))
		return k.guarded(ok, c, k.whole(x, 0), body)
	},
	"dgeom":  func(k kit, x ir.Value, p []ir.Value) ir.Value { return k.geometric(x, p[0], 1) },
	"dgeom0": func(k kit, x ir.Value, p []ir.Value) ir.Value { return k.geometric(x, p[0], 0) },
}

func (k kit) geometric(x, q ir.Value, from float64) ir.Value {
	return k.guarded(k.and(k.positive(q), k.cmp(arith.OLE, q, k.num(1))), k.log(q), k.whole(x, from), k.xlog1py(k.sub(x, k.num(from)), k.neg(q)))
}
