package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
)

// tails are log P(X <= x) and log P(X > x).
type tails[T any] struct{ below, above T }

// fromBelow and fromAbove make both from the one that is known to full precision.
func fromBelow[T, B any](k calc[T, B], x T) tails[T] {
	return tails[T]{x, k.fn(special.Log1mexp, x)}
}

func fromAbove[T, B any](k calc[T, B], x T) tails[T] {
	return tails[T]{k.fn(special.Log1mexp, x), x}
}

func pickTails[T, B any](k calc[T, B], p B, x, y tails[T]) tails[T] {
	return tails[T]{k.pick(p, x.below, y.below), k.pick(p, x.above, y.above)}
}

// onSupport is x where lo < at < hi; at or below lo there is nothing below, at or
// above hi nothing above.
func onSupport[T, B any](k calc[T, B], at, lo, hi T, x tails[T]) tails[T] {
	none, all := k.num(gomath.Inf(-1)), k.num(0)
	x = pickTails(k, k.holds(arith.OLE, at, lo), tails[T]{none, all}, x)
	return pickTails(k, k.holds(arith.OGE, at, hi), tails[T]{all, none}, x)
}

// Series and continued fractions end when a term no longer counts; the bound on
// their number is reached for parameters above 1e9 or so.
const (
	manyTerms = 1e6
	lastTerm  = 1e-17
	lentzTiny = 1e-300
)

// stirlingRest is lgamma(x) - (x - 1/2) log x + x - log(2 pi)/2 for x >= 10 (DLMF 5.11.1).
func stirlingRest[T, B any](k calc[T, B], x T) T {
	z := k.div(k.num(1), k.mul(x, x))
	s := k.num(-3617. / 122400)
	for _, c := range []float64{1. / 156, -691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12} {
		s = k.add(k.mul(s, z), k.num(c))
	}
	return k.div(s, x)
}

// gammaTails are the tails at x of a gamma with shape a > 0 and rate 1: a series up
// to a + 1, from there the continued fraction of Lentz (DLMF 8.11.4, 8.9.2).
func gammaTails[T, B any](k calc[T, B], a, x T) tails[T] {
	one, infinity := k.num(1), k.num(inf)
	a = harmless(k, a)
	in := k.and(k.holds(arith.OGT, x, k.num(0)), k.holds(arith.OLT, x, infinity))
	cx := orElse(k, in, x, 1)
	kernel := gammaKernel(k, a, cx)
	left := k.holds(arith.OLT, cx, k.add(a, one))

	sx := k.pick(left, cx, k.num(0)) // one term where the series is not used
	s := k.repeat([]T{one, one, one}, func(s []T) B {
		return k.and(k.holds(arith.OGT, s[1], k.mul(s[2], k.num(lastTerm))), k.holds(arith.OLT, s[0], k.num(manyTerms)))
	}, func(s []T) []T {
		t := k.mul(s[1], k.div(sx, k.add(a, s[0])))
		return []T{k.add(s[0], one), t, k.add(s[2], t)}
	})
	below := fromBelow(k, lesser(k, k.sub(k.add(kernel, k.log(s[2])), k.log(a)), k.num(0)))

	fx := k.pick(left, k.add(k.add(a, a), k.num(100)), cx) // where the fraction is not used
	b := k.sub(k.add(fx, one), a)
	d := k.div(one, b)
	// i, b, c, d, h, and the last factor of h
	f := k.repeat([]T{one, b, k.num(1 / lentzTiny), d, d, k.num(2)}, func(f []T) B {
		far := k.holds(arith.OGT, k.abs(k.sub(f[5], one)), k.num(4e-16))
		return k.and(far, k.holds(arith.OLT, f[0], k.num(manyTerms)))
	}, func(f []T) []T {
		an := k.mul(f[0], k.sub(a, f[0]))
		b := k.add(f[1], k.num(2))
		d := k.div(one, awayFromZero(k, k.add(k.mul(an, f[3]), b)))
		c := awayFromZero(k, k.add(b, k.div(an, f[2])))
		del := k.mul(c, d)
		return []T{k.add(f[0], one), b, c, d, k.mul(f[4], del), del}
	})
	above := fromAbove(k, lesser(k, k.add(kernel, k.log(f[4])), k.num(0)))
	return onSupport(k, x, k.num(0), infinity, pickTails(k, left, below, above))
}

func awayFromZero[T, B any](k calc[T, B], x T) T {
	return k.pick(k.holds(arith.OLT, k.abs(x), k.num(lentzTiny)), k.num(lentzTiny), x)
}

// harmless is a positive parameter below infinity, 1 where that is invalid: then
// nobody takes the result, and loops must end soon.
func harmless[T, B any](k calc[T, B], a T) T {
	return orElse(k, k.and(k.holds(arith.OGT, a, k.num(0)), k.holds(arith.OLT, a, k.num(inf))), a, 1)
}

// betaTails are the tails at x of a beta(a, b), with y = 1 - x: the continued
// fraction of DLMF 8.17.22 from the side where it converges fast.
func betaTails[T, B any](k calc[T, B], a, b, x, y T) tails[T] {
	one := k.num(1)
	a, b = harmless(k, a), harmless(k, b)
	in := k.and(k.holds(arith.OGT, x, k.num(0)), k.holds(arith.OGT, y, k.num(0)))
	cx, cy := orElse(k, in, x, 0.5), orElse(k, in, y, 0.5)
	left := k.holds(arith.OLT, cx, k.div(k.add(a, one), k.add(k.add(a, b), k.num(2))))
	p, q, z, w := k.pick(left, a, b), k.pick(left, b, a), k.pick(left, cx, cy), k.pick(left, cy, cx)
	h := betaFraction(k, p, q, z)
	v := lesser(k, k.sub(k.add(betaKernel(k, p, q, z, w), k.log(h)), k.log(p)), k.num(0))
	both := pickTails(k, left, fromBelow(k, v), fromAbove(k, v))
	none, all := k.num(gomath.Inf(-1)), k.num(0)
	both = pickTails(k, k.holds(arith.OLE, x, k.num(0)), tails[T]{none, all}, both)
	return pickTails(k, k.holds(arith.OLE, y, k.num(0)), tails[T]{all, none}, both)
}

// betaFraction is the continued fraction by Lentz's method, two terms a step.
func betaFraction[T, B any](k calc[T, B], a, b, x T) T {
	one := k.num(1)
	sum, up := k.add(a, b), k.add(a, one)
	d := k.div(one, awayFromZero(k, k.sub(one, k.div(k.mul(sum, x), up))))
	// m, c, d, h, and the last factor of h
	f := k.repeat([]T{one, one, d, d, k.num(2)}, func(f []T) B {
		far := k.holds(arith.OGT, k.abs(k.sub(f[4], one)), k.num(4e-16))
		return k.and(far, k.holds(arith.OLT, f[0], k.num(manyTerms)))
	}, func(f []T) []T {
		m := f[0]
		am := k.add(a, k.mul(k.num(2), m))
		even := k.mul(k.div(m, k.sub(am, one)), k.mul(k.div(k.sub(b, m), am), x))
		odd := k.neg(k.mul(k.div(k.add(a, m), am), k.mul(k.div(k.add(sum, m), k.add(am, one)), x)))
		d := k.div(one, awayFromZero(k, k.add(one, k.mul(even, f[2]))))
		c := awayFromZero(k, k.add(one, k.div(even, f[1])))
		h := k.mul(f[3], k.mul(c, d))
		d = k.div(one, awayFromZero(k, k.add(one, k.mul(odd, d))))
		c = awayFromZero(k, k.add(one, k.div(odd, c)))
		del := k.mul(c, d)
		return []T{k.add(m, one), c, d, k.mul(h, del), del}
	})
	return f[3]
}
