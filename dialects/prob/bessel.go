package prob

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
)

// BesselK is the modified Bessel function of the second kind for x > 0: the integral of
//
//	exp(-x cosh t) cosh(nu t) from t = 0 on (DLMF 10.32.9)
//
// by the trapezoidal rule, which converges faster than any power of the step, as the
// integrand is analytic and falls double exponentially.
func BesselK[T, B any](k Calc[T, B], x, nu T) T {
	one, zero := k.Num(1), k.Num(0)
	ok := k.And(k.And(positive(k, x), isFinite(k, x)), isFinite(k, nu))
	x, nu = orElse(k, ok, x, 1), k.Abs(orElse(k, ok, nu, 0))
	// The top of nu t - x cosh t is at sinh t = nu/x, where it falls as x cosh t (dt)^2/2.
	r := k.Div(nu, x)
	root := k.Sqrt(k.Add(one, k.Mul(r, r)))
	big := k.Holds(arith.OGT, r, k.Num(1e150))
	top := k.Pick(big, k.Add(k.Log(r), k.Num(math.Ln2)), k.Log(k.Add(r, root)))
	bend := k.Pick(big, nu, k.Mul(x, root))
	g := func(t T) T {
		return k.Sub(k.Mul(nu, t), half(k, k.Add(k.Exp(k.Add(k.Log(x), t)), k.Mul(x, k.Exp(k.Neg(t))))))
	}
	height := g(top)
	h := Lesser(k, k.Num(1./16), k.Div(k.Num(0.25), k.Sqrt(bend)))
	term := func(t T) T {
		return k.Mul(k.Exp(k.Sub(g(t), height)), half(k, k.Add(one, k.Exp(k.Mul(k.Num(-2), k.Mul(nu, t))))))
	}
	s := k.Repeat([]T{zero, one, half(k, term(zero))}, func(s []T) B {
		more := k.Or(k.Holds(arith.OLE, k.Mul(s[0], h), top), k.Holds(arith.OGE, s[1], k.Mul(s[2], k.Num(1e-18))))
		return k.And(k.Holds(arith.OLT, s[0], k.Num(1e6)), more)
	}, func(s []T) []T {
		n := k.Add(s[0], one)
		y := term(k.Mul(n, h))
		return []T{n, y, k.Add(s[2], y)}
	})
	return orElse(k, ok, k.Mul(k.Exp(height), k.Mul(h, s[2])), math.NaN())
}
