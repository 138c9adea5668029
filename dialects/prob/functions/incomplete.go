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

// A Shape says whether the shapes of an incomplete function may be what a derivative is by.
//
// Where a shape is a whole number, or next to one, a continued fraction comes to its end early, and its derivative by
// the shape does not: that takes as many terms as the fraction of another shape.
type Shape bool

// The shapes: counts are known, and vary in steps.
const (
	CountShape Shape = false
	RealShape  Shape = true
)

// beside is a shape halfway between two whole numbers, where a fraction takes all of its terms.
func beside[T, B any](k kit.Calc[T, B], a T) T { return k.Add(k.Floor(a), k.Num(0.5)) }

// shapesFor are the shapes of which a fraction must have come to its end: its own first.
func shapesFor[T, B any](k kit.Calc[T, B], shape Shape, a T) []T {
	if shape == RealShape {
		return []T{a, beside(k, a)}
	}
	return []T{a}
}

// lentz is one term a/b more of a continued fraction by the method of Lentz: f is c, d, and the last factor of its value.
func lentz[T, B any](k kit.Calc[T, B], a, b T, f []T) []T {
	d := k.Div(k.Num(1), awayFromZero(k, k.Add(k.Mul(a, f[1]), b)))
	c := awayFromZero(k, k.Add(b, k.Div(a, f[0])))
	return []T{c, d, k.Mul(c, d)}
}

// isFar says that a fraction has not come to its end: the last factors of its value, for each shape, are not 1.
func isFar[T, B any](k kit.Calc[T, B], steps T, factors ...T) B {
	one := k.Num(1)
	far := k.Holds(arith.OGT, k.Abs(k.Sub(factors[0], one)), k.Num(4e-16))
	for _, x := range factors[1:] {
		far = k.Or(far, k.Holds(arith.OGT, k.Abs(k.Sub(x, one)), k.Num(4e-16)))
	}
	return k.And(far, k.Holds(arith.OLT, steps, k.Num(manyTerms)))
}

// GammaTails are the tails at x of a gamma with shape a > 0 and rate 1: a series up
// to a + 1, from there the continued fraction of Lentz (DLMF 8.11.4, 8.9.2).
func GammaTails[T, B any](k kit.Calc[T, B], shape Shape, a, x T) cumulative.Tails[T] {
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
	above := cumulative.FromAbove(k, kit.Lesser(k, k.Add(kernel, k.Log(gammaFraction(k, shape, a, fx))), k.Num(0)))
	return cumulative.OnSupport(k, x, k.Num(0), infinity, cumulative.PickTails(k, left, below, above))
}

// gammaFraction is the continued fraction of the upper tail (DLMF 8.9.2).
func gammaFraction[T, B any](k kit.Calc[T, B], shape Shape, a, x T) T {
	one := k.Num(1)
	shapes := shapesFor(k, shape, a)
	// i, the value, and for each shape b, c, d, and the last factor
	state := []T{one, one}
	for i, a := range shapes {
		b := k.Sub(k.Add(x, one), a)
		d := k.Div(one, b)
		if i == 0 {
			state[1] = d
		}
		state = append(state, b, k.Num(1/lentzTiny), d, k.Num(2))
	}
	return k.Repeat(state, func(s []T) B {
		factors := []T{s[5]}
		for j := 9; j < len(s); j += 4 {
			factors = append(factors, s[j])
		}
		return isFar(k, s[0], factors...)
	}, func(s []T) []T {
		out := []T{k.Add(s[0], one), one}
		for j, a := range shapes {
			b := k.Add(s[2+4*j], k.Num(2))
			f := lentz(k, k.Mul(s[0], k.Sub(a, s[0])), b, s[3+4*j:])
			out = append(out, b, f[0], f[1], f[2])
		}
		out[1] = k.Mul(s[1], out[5])
		return out
	})[1]
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
func BetaTails[T, B any](k kit.Calc[T, B], shape Shape, a, b, x, y T) cumulative.Tails[T] {
	one := k.Num(1)
	a, b = harmless(k, a), harmless(k, b)
	in := k.And(k.Holds(arith.OGT, x, k.Num(0)), k.Holds(arith.OGT, y, k.Num(0)))
	cx, cy := kit.OrElse(k, in, x, 0.5), kit.OrElse(k, in, y, 0.5)
	left := k.Holds(arith.OLT, cx, k.Div(k.Add(a, one), k.Add(k.Add(a, b), k.Num(2))))
	p, q, z, w := k.Pick(left, a, b), k.Pick(left, b, a), k.Pick(left, cx, cy), k.Pick(left, cy, cx)
	h := betaFraction(k, shape, p, q, z)
	v := kit.Lesser(k, k.Sub(k.Add(BetaKernel(k, p, q, z, w), k.Log(h)), k.Log(p)), k.Num(0))
	both := cumulative.PickTails(k, left, cumulative.FromBelow(k, v), cumulative.FromAbove(k, v))
	none, all := k.Num(math.Inf(-1)), k.Num(0)
	both = cumulative.PickTails(k, k.Holds(arith.OLE, x, k.Num(0)), cumulative.Tails[T]{Below: none, Above: all}, both)
	return cumulative.PickTails(k, k.Holds(arith.OLE, y, k.Num(0)), cumulative.Tails[T]{Below: all, Above: none}, both)
}

// BetaTailsOf is BetaTails at the probability p of a link. Where p or 1 - p is next to 0 the fraction is 1, and the
// logarithms are those of the predictor.
func BetaTailsOf[T, B any](k kit.Calc[T, B], shape Shape, a, b T, c Chance[T]) cumulative.Tails[T] {
	a, b = harmless(k, a), harmless(k, b)
	p, q := Shares(k, c)
	logP, logQ := Logs(k, c)
	low, middling := k.Holds(arith.OLT, p, q), isMiddling(k, p, q)
	kernel := k.Sub(k.Add(k.Mul(a, logP), k.Mul(b, logQ)), k.Fn(special.Lbeta, a, b))
	v := kit.Lesser(k, k.Sub(kernel, k.Log(k.Pick(low, a, b))), k.Num(0))
	far := cumulative.PickTails(k, low, cumulative.FromBelow(k, v), cumulative.FromAbove(k, v))
	near := BetaTails(k, shape, a, b, kit.OrElse(k, middling, p, 0.5), kit.OrElse(k, middling, q, 0.5))
	return cumulative.PickTails(k, middling, near, far)
}

// betaFraction is the continued fraction by Lentz's method, two terms a step.
func betaFraction[T, B any](k kit.Calc[T, B], shape Shape, a, b, x T) T {
	one := k.Num(1)
	shapes := shapesFor(k, shape, b)
	up := k.Add(a, one)
	// m, the value, and for each shape c, d, and the last factor
	state := []T{one, one}
	for i, b := range shapes {
		d := k.Div(one, awayFromZero(k, k.Sub(one, k.Div(k.Mul(k.Add(a, b), x), up))))
		if i == 0 {
			state[1] = d
		}
		state = append(state, one, d, k.Num(2))
	}
	return k.Repeat(state, func(s []T) B {
		factors := []T{s[4]}
		for j := 7; j < len(s); j += 3 {
			factors = append(factors, s[j])
		}
		return isFar(k, s[0], factors...)
	}, func(s []T) []T {
		m := s[0]
		am := k.Add(a, k.Mul(k.Num(2), m))
		out := []T{k.Add(m, one), one}
		for j, b := range shapes {
			even := k.Mul(k.Div(m, k.Sub(am, one)), k.Mul(k.Div(k.Sub(b, m), am), x))
			odd := k.Neg(k.Mul(k.Div(k.Add(a, m), am), k.Mul(k.Div(k.Add(k.Add(a, b), m), k.Add(am, one)), x)))
			f := lentz(k, even, one, s[2+3*j:])
			g := lentz(k, odd, one, f)
			if j == 0 {
				out[1] = k.Mul(s[1], k.Mul(f[2], g[2]))
			}
			out = append(out, g...)
		}
		return out
	})[1]
}

// BinomialTails are those of a binomial of a size: P(X > n) is that of a beta(n+1, size-n)
// below p.
func BinomialTails[T, B any](k kit.Calc[T, B], x, p, size T) cumulative.Tails[T] {
	return binomialTails(k, x, size, func(a, b T) cumulative.Tails[T] { return BetaTails(k, CountShape, a, b, p, k.Sub(k.Num(1), p)) })
}

// BinomialTailsOf is BinomialTails for the probability of a link.
func BinomialTailsOf[T, B any](k kit.Calc[T, B], x T, c Chance[T], size T) cumulative.Tails[T] {
	return binomialTails(k, x, size, func(a, b T) cumulative.Tails[T] { return BetaTailsOf(k, CountShape, a, b, c) })
}

func binomialTails[T, B any](k kit.Calc[T, B], x, size T, beta func(a, b T) cumulative.Tails[T]) cumulative.Tails[T] {
	return cumulative.Counted(k, x, 0, size, func(n T) cumulative.Tails[T] {
		most := kit.Greater(k, size, k.Num(1))
		v := beta(k.Add(n, k.Num(1)), kit.Greater(k, k.Sub(most, n), k.Num(1)))
		return cumulative.Tails[T]{Below: v.Above, Above: v.Below}
	})
}
