package libm

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// fpowi is |x|^n with the sign of x for odd n. The exponent is a sum of two floats.
func fpowi(e *env, x []val) val {
	long := elementwise.WithElem(e.b.Ctx(), e.t, ir.I64)
	n := widen(e.b, x[1], long)
	konst := func(k int64) val { return e.b.Splat(long, uint64(k)) }
	digit := func(v val, scale float64) val { // of base 2^22: exact in f32
		return e.times(arith.Cast(e.b, arith.Sitofp, v, e.t), scale)
	}
	const base = 1<<22 - 1
	top := digit(e.b.Op(arith.Shrsi, n, konst(44)), 0x1p44)
	middle := digit(e.b.Op(arith.Andi, e.b.Op(arith.Shrui, n, konst(22)), konst(base)), 0x1p22)
	s := e.fastSum(top, middle)
	y := e.fastSum(s.h, digit(e.b.Op(arith.Andi, n, konst(base)), 1))
	a := e.abs(x[0])
	v := e.powAbs(a, dd{y.h, e.add(y.l, s.l)})
	v = e.pick(e.eq(a, 1), e.num(1), v)
	odd := arith.CmpI(e.b, arith.NE, e.b.Op(arith.Andi, n, konst(1)), konst(0))
	v = e.pick(odd, e.copysign(v, x[0]), v)
	v = e.pick(e.isNaN(x[0]), x[0], v)
	return e.pick(arith.CmpI(e.b, arith.EQ, n, konst(0)), e.num(1), v)
}

// widen is a signed integer of at most 64 bits as i64.
func widen(b *ir.Builder, n val, long ir.Type) val {
	ctx, t := b.Ctx(), b.Graph().Type(n)
	switch elem := ctx.ElemOrSelf(t); {
	case elem == ir.Index:
		return arith.Cast(b, arith.IndexCast, n, long)
	case ctx.Info(elem).Width < 64:
		return arith.Cast(b, arith.Extsi, n, long)
	}
	return n
}

// fits reports an exponent that widen takes.
func fits(c *ir.Context, t ir.Type) bool {
	elem := c.ElemOrSelf(t)
	return elem == ir.Index || c.Info(elem).Width <= 64
}

// ipowi is x^n by squaring; for n < 0 it is 1/x^-n rounded towards zero. A scalar
// loops over the bits of n, a vector over all bits that there are.
func ipowi(m *ir.Mirror, n ir.Node) ir.Value {
	b, t := m.B, m.Type(n.Type())
	ctx := b.Ctx()
	if info := ctx.Info(t); info.Unranked || info.Scalable != nil || !fits(ctx, t) {
		return 0
	}
	for _, extent := range ctx.Info(t).Shape {
		if extent <= 0 {
			return 0
		}
	}
	width := 64
	if elem := ctx.ElemOrSelf(t); elem != ir.Index {
		width = ctx.Info(elem).Width
	}
	x, p := m.Of(n.Arg(0)), m.Of(n.Arg(1))
	konst := func(k int64) val { return b.Splat(t, uint64(k)&(math.MaxUint64>>(64-width))) }
	is := func(p arith.CmpIPredicate, v val, k int64) val { return arith.CmpI(b, p, v, konst(k)) }
	odd := func(v val) val { return arith.CmpI(b, arith.NE, b.Op(arith.Andi, v, konst(1)), konst(0)) }
	next := func(v []val) []val { // exponent, square, result
		r := arith.Choose(b, odd(v[0]), arith.MulI(b, v[2], v[1]), v[2])
		k := konst(0)
		if width > 1 {
			k = b.Op(arith.Shrui, v[0], konst(1))
		}
		return []val{k, arith.MulI(b, v[1], v[1]), r}
	}
	state := []val{p, x, konst(1)}
	if ctx.ElemOrSelf(t) == t {
		w := scf.BuildWhile(b, state, func(v []val) (val, []val) { return is(arith.NE, v[0], 0), v }, next)
		state = b.Results(w)
	} else {
		for range width {
			state = next(state)
		}
	}
	minus := arith.Choose(b, odd(p), konst(-1), konst(1))
	inverse := arith.Choose(b, is(arith.EQ, x, -1), minus, konst(0))
	inverse = arith.Choose(b, is(arith.EQ, x, 1), konst(1), inverse)
	return arith.Choose(b, is(arith.SLT, p, 0), inverse, state[2])
}
