package special

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	md "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// stirlingOf is stirlingError; what it gives below 10 is not used.
func (e emit) stirlingOf(x ir.Value) ir.Value {
	return e.div(e.horner(e.div(e.num(1), e.mul(x, x)), stirling[:]), x)
}

// lowerLbeta is lbeta with the choice among its three formulas made by select, and
// lgamma in place of gamma for small arguments.
func lowerLbeta(e emit, x []ir.Value) ir.Value {
	a, b := e.fn(arith.Minimumf, x[0], x[1]), e.fn(arith.Maximumf, x[0], x[1])
	sum := e.add(a, b)
	lga := e.op(Lgamma, a)
	small := e.sub(e.add(lga, e.op(Lgamma, b)), e.op(Lgamma, sum))

	ratio := e.div(a, sum)
	rest := e.fn(md.Log1p, e.neg(ratio))
	fix := e.sub(e.stirlingOf(b), e.stirlingOf(sum))
	half := e.num(0.5)
	mixed := e.add(e.add(lga, fix), e.sub(a, e.mul(a, e.fn(md.Log, sum))))
	mixed = e.add(mixed, e.mul(e.sub(b, half), rest))
	large := e.add(e.sub(e.num(halfLog2Pi), e.mul(half, e.fn(md.Log, b))), e.add(e.stirlingOf(a), fix))
	large = e.add(large, e.add(e.mul(e.sub(a, half), e.fn(md.Log, ratio)), e.mul(b, rest)))

	ten := e.num(10)
	v := e.pick(e.cmp(arith.OGE, b, ten), e.pick(e.cmp(arith.OGE, a, ten), large, mixed), small)
	v = e.pick(e.cmp(arith.OEQ, b, e.num(math.Inf(1))), e.num(math.Inf(-1)), v)
	v = e.pick(e.cmp(arith.OEQ, a, e.num(0)), e.num(math.Inf(1)), v)
	return e.pick(e.cmp(arith.FULT, a, e.num(0)), e.num(math.NaN()), v)
}

func lowerLchoose(e emit, x []ir.Value) ir.Value {
	n, k := x[0], x[1]
	one, zero := e.num(1), e.num(0)
	v := e.sub(e.neg(e.fn(md.Log1p, n)), lowerLbeta(e, []ir.Value{e.add(e.sub(n, k), one), e.add(k, one)}))
	or := func(p, q ir.Value) ir.Value { return e.b.Op(arith.Ori, p, q) }
	edge := or(e.cmp(arith.OEQ, k, zero), e.cmp(arith.OEQ, k, n))
	next := or(e.cmp(arith.OEQ, k, one), e.cmp(arith.OEQ, k, e.sub(n, one)))
	v = e.pick(next, e.fn(md.Log, n), v)
	v = e.pick(edge, zero, v)
	v = e.pick(or(e.cmp(arith.OLT, k, zero), e.cmp(arith.OGT, k, n)), e.num(math.Inf(-1)), v)
	return e.pick(or(e.cmp(arith.FULT, n, zero), e.cmp(arith.UNO, k, k)), e.num(math.NaN()), v)
}
