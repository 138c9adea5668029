package functions

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// BesselK is the modified Bessel function of the second kind for x > 0: the integral of
//
//	exp(-x cosh t) cosh(nu t) from t = 0 on (DLMF 10.32.9)
//
// by the trapezoidal rule, which converges faster than any power of the step, as the
// integrand is analytic and falls double exponentially.
func BesselK[T, B any](k kit.Calc[T, B], x, nu T) T {
	one, zero := k.Num(1), k.Num(0)
	ok := k.And(k.And(kit.Positive(k, x), kit.IsFinite(k, x)), kit.IsFinite(k, nu))
	x, nu = kit.OrElse(k, ok, x, 1), k.Abs(kit.OrElse(k, ok, nu, 0))
	// The top of nu t - x cosh t is at sinh t = nu/x, where it falls as x cosh t (dt)^2/2.
	r := k.Div(nu, x)
	root := k.Sqrt(k.Add(one, k.Mul(r, r)))
	big := k.Holds(arith.OGT, r, k.Num(1e150))
	top := k.Pick(big, k.Add(k.Log(r), k.Num(math.Ln2)), k.Log(k.Add(r, root)))
	bend := k.Pick(big, nu, k.Mul(x, root))
	g := func(t T) T {
		return k.Sub(k.Mul(nu, t), kit.Half(k, k.Add(k.Exp(k.Add(k.Log(x), t)), k.Mul(x, k.Exp(k.Neg(t))))))
	}
	height := g(top)
	h := kit.Lesser(k, k.Num(1./16), k.Div(k.Num(0.25), k.Sqrt(bend)))
	term := func(t T) T {
		return k.Mul(k.Exp(k.Sub(g(t), height)), kit.Half(k, k.Add(one, k.Exp(k.Mul(k.Num(-2), k.Mul(nu, t))))))
	}
	s := k.Repeat([]T{zero, one, kit.Half(k, term(zero))}, func(s []T) B {
		more := k.Or(k.Holds(arith.OLE, k.Mul(s[0], h), top), k.Holds(arith.OGE, s[1], k.Mul(s[2], k.Num(1e-18))))
		return k.And(k.Holds(arith.OLT, s[0], k.Num(1e6)), more)
	}, func(s []T) []T {
		n := k.Add(s[0], one)
		y := term(k.Mul(n, h))
		return []T{n, y, k.Add(s[2], y)}
	})
	return kit.OrElse(k, ok, k.Mul(k.Exp(height), k.Mul(h, s[2])), math.NaN())
}
