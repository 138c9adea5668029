package functions

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
)

// Series and continued fractions end when a term no longer counts; the bound on
// their number is reached for parameters above 1e9 or so.
const (
	manyTerms = 1e6
	lastTerm  = 1e-17
	lentzTiny = 1e-300
)

// GammaTails are the tails at x of a gamma with shape a > 0 and rate 1: a series up
// to a + 1, from there the continued fraction of Lentz (DLMF 8.11.4, 8.9.2).
func GammaTails[T, B any](k kit.Calc[T, B], a, x T) cumulative.Tails[T] {
	one, infinity := k.Num(1), k.Num(kit.Inf)
	a = harmless(k, a)
	in := k.And(k.Holds(arith.OGT, x, k.Num(0)), k.Holds(arith.OLT, x, infinity))
	cx := kit.OrElse(k, in, x, 1)
	kernel := GammaKernel(k, a, cx)
	left := k.Holds(arith.OLT, cx, k.Add(a, one))

	sx := k.Pick(left, cx, k.Num(0)) // one term where the series is not used
	s := k.Repeat([]T{one, one, one}, func(s []T) B {
		return k.And(k.Holds(arith.OGT, s[1], k.Mul(s[2], k.Num(lastTerm))), k.Holds(arith.OLT, s[0], k.Num(manyTerms)))
	}, func(s []T) []T {
		t := k.Mul(s[1], k.Div(sx, k.Add(a, s[0])))
		return []T{k.Add(s[0], one), t, k.Add(s[2], t)}
	})
	below := cumulative.FromBelow(k, kit.Lesser(k, k.Sub(k.Add(kernel, k.Log(s[2])), k.Log(a)), k.Num(0)))

	fx := k.Pick(left, k.Add(k.Add(a, a), k.Num(100)), cx) // where the fraction is not used
	b := k.Sub(k.Add(fx, one), a)
	d := k.Div(one, b)
	// i, b, c, d, h, and the last factor of h
	f := k.Repeat([]T{one, b, k.Num(1 / lentzTiny), d, d, k.Num(2)}, func(f []T) B {
		far := k.Holds(arith.OGT, k.Abs(k.Sub(f[5], one)), k.Num(4e-16))
		return k.And(far, k.Holds(arith.OLT, f[0], k.Num(manyTerms)))
	}, func(f []T) []T {
		an := k.Mul(f[0], k.Sub(a, f[0]))
		b := k.Add(f[1], k.Num(2))
		d := k.Div(one, awayFromZero(k, k.Add(k.Mul(an, f[3]), b)))
		c := awayFromZero(k, k.Add(b, k.Div(an, f[2])))
		del := k.Mul(c, d)
		return []T{k.Add(f[0], one), b, c, d, k.Mul(f[4], del), del}
	})
	above := cumulative.FromAbove(k, kit.Lesser(k, k.Add(kernel, k.Log(f[4])), k.Num(0)))
	return cumulative.OnSupport(k, x, k.Num(0), infinity, cumulative.PickTails(k, left, below, above))
}

func awayFromZero[T, B any](k kit.Calc[T, B], x T) T {
	return k.Pick(k.Holds(arith.OLT, k.Abs(x), k.Num(lentzTiny)), k.Num(lentzTiny), x)
}

// harmless is a positive parameter below infinity, 1 where that is invalid: then
// nobody takes the result, and loops must end soon.
func harmless[T, B any](k kit.Calc[T, B], a T) T {
	return kit.OrElse(k, k.And(k.Holds(arith.OGT, a, k.Num(0)), k.Holds(arith.OLT, a, k.Num(kit.Inf))), a, 1)
}

// BetaTails are the tails at x of a beta(a, b), with y = 1 - x: the continued
// fraction of DLMF 8.17.22 from the side where it converges fast.
func BetaTails[T, B any](k kit.Calc[T, B], a, b, x, y T) cumulative.Tails[T] {
	one := k.Num(1)
	a, b = harmless(k, a), harmless(k, b)
	in := k.And(k.Holds(arith.OGT, x, k.Num(0)), k.Holds(arith.OGT, y, k.Num(0)))
	cx, cy := kit.OrElse(k, in, x, 0.5), kit.OrElse(k, in, y, 0.5)
	left := k.Holds(arith.OLT, cx, k.Div(k.Add(a, one), k.Add(k.Add(a, b), k.Num(2))))
	p, q, z, w := k.Pick(left, a, b), k.Pick(left, b, a), k.Pick(left, cx, cy), k.Pick(left, cy, cx)
	h := betaFraction(k, p, q, z)
	v := kit.Lesser(k, k.Sub(k.Add(BetaKernel(k, p, q, z, w), k.Log(h)), k.Log(p)), k.Num(0))
	both := cumulative.PickTails(k, left, cumulative.FromBelow(k, v), cumulative.FromAbove(k, v))
	none, all := k.Num(math.Inf(-1)), k.Num(0)
	both = cumulative.PickTails(k, k.Holds(arith.OLE, x, k.Num(0)), cumulative.Tails[T]{Below: none, Above: all}, both)
	return cumulative.PickTails(k, k.Holds(arith.OLE, y, k.Num(0)), cumulative.Tails[T]{Below: all, Above: none}, both)
}

// BetaTailsOf is BetaTails at the probability p of a link. Where p or 1 - p is next to 0 the fraction is 1, and the
// logarithms are those of the predictor.
func BetaTailsOf[T, B any](k kit.Calc[T, B], a, b T, c Chance[T]) cumulative.Tails[T] {
	a, b = harmless(k, a), harmless(k, b)
	p, q := Shares(k, c)
	logP, logQ := Logs(k, c)
	low, middling := k.Holds(arith.OLT, p, q), isMiddling(k, p, q)
	kernel := k.Sub(k.Add(k.Mul(a, logP), k.Mul(b, logQ)), k.Fn(special.Lbeta, a, b))
	v := kit.Lesser(k, k.Sub(kernel, k.Log(k.Pick(low, a, b))), k.Num(0))
	far := cumulative.PickTails(k, low, cumulative.FromBelow(k, v), cumulative.FromAbove(k, v))
	near := BetaTails(k, a, b, kit.OrElse(k, middling, p, 0.5), kit.OrElse(k, middling, q, 0.5))
	return cumulative.PickTails(k, middling, near, far)
}

// betaFraction is the continued fraction by Lentz's method, two terms a step.
func betaFraction[T, B any](k kit.Calc[T, B], a, b, x T) T {
	one := k.Num(1)
	sum, up := k.Add(a, b), k.Add(a, one)
	d := k.Div(one, awayFromZero(k, k.Sub(one, k.Div(k.Mul(sum, x), up))))
	// m, c, d, h, and the last factor of h
	f := k.Repeat([]T{one, one, d, d, k.Num(2)}, func(f []T) B {
		far := k.Holds(arith.OGT, k.Abs(k.Sub(f[4], one)), k.Num(4e-16))
		return k.And(far, k.Holds(arith.OLT, f[0], k.Num(manyTerms)))
	}, func(f []T) []T {
		m := f[0]
		am := k.Add(a, k.Mul(k.Num(2), m))
		even := k.Mul(k.Div(m, k.Sub(am, one)), k.Mul(k.Div(k.Sub(b, m), am), x))
		odd := k.Neg(k.Mul(k.Div(k.Add(a, m), am), k.Mul(k.Div(k.Add(sum, m), k.Add(am, one)), x)))
		d := k.Div(one, awayFromZero(k, k.Add(one, k.Mul(even, f[2]))))
		c := awayFromZero(k, k.Add(one, k.Div(even, f[1])))
		h := k.Mul(f[3], k.Mul(c, d))
		d = k.Div(one, awayFromZero(k, k.Add(one, k.Mul(odd, d))))
		c = awayFromZero(k, k.Add(one, k.Div(odd, c)))
		del := k.Mul(c, d)
		return []T{k.Add(m, one), c, d, k.Mul(h, del), del}
	})
	return f[3]
}

// BinomialTails are those of a binomial of a size: P(X > n) is that of a beta(n+1, size-n)
// below p.
func BinomialTails[T, B any](k kit.Calc[T, B], x, p, size T) cumulative.Tails[T] {
	return binomialTails(k, x, size, func(a, b T) cumulative.Tails[T] { return BetaTails(k, a, b, p, k.Sub(k.Num(1), p)) })
}

// BinomialTailsOf is BinomialTails for the probability of a link.
func BinomialTailsOf[T, B any](k kit.Calc[T, B], x T, c Chance[T], size T) cumulative.Tails[T] {
	return binomialTails(k, x, size, func(a, b T) cumulative.Tails[T] { return BetaTailsOf(k, a, b, c) })
}

func binomialTails[T, B any](k kit.Calc[T, B], x, size T, beta func(a, b T) cumulative.Tails[T]) cumulative.Tails[T] {
	return cumulative.Counted(k, x, 0, size, func(n T) cumulative.Tails[T] {
		most := kit.Greater(k, size, k.Num(1))
		v := beta(k.Add(n, k.Num(1)), kit.Greater(k, k.Sub(most, n), k.Num(1)))
		return cumulative.Tails[T]{Below: v.Above, Above: v.Below}
	})
}
