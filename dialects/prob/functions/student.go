package functions

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
)

// StudentTails are those at t of Student's t with n degrees of freedom, where s is t^2/n.
func StudentTails[T, B any](k kit.Calc[T, B], t, s, n T) cumulative.Tails[T] {
	one, half, left := k.Num(1), k.Num(0.5), k.Holds(arith.OLE, t, k.Num(0))
	// Next to the centre a square has lost the slope of t: the tail is 1/2 less |t| times the height there.
	centre := k.Holds(arith.OLE, k.Mul(s, k.Add(n, one)), k.Num(lastTerm))
	far := k.Branch(centre, func() T {
		height := k.Exp(k.Add(StudentConstant(k, n), k.Num(math.Ln2)))
		return k.Log1p(k.Mul(height, k.Pick(left, t, k.Neg(t))))
	}, func() T {
		return BetaTails(k, RealShape, k.Mul(half, n), half, k.Div(one, k.Add(one, s)), k.Div(one, k.Add(one, k.Div(one, s)))).Below
	})
	far = k.Add(k.Num(-math.Ln2), far)
	return cumulative.PickTails(k, left, cumulative.FromBelow(k, far), cumulative.FromAbove(k, far))
}

// StudentConstant is lgamma((n+1)/2) - lgamma(n/2) - log(n pi)/2.
func StudentConstant[T, B any](k kit.Calc[T, B], n T) T {
	half := k.Num(0.5)
	h := k.Mul(half, n)
	big := k.And(k.Holds(arith.OGE, h, k.Num(10)), k.Holds(arith.OLT, h, k.Num(kit.Inf)))
	direct := k.Sub(k.Sub(k.Fn(special.Lgamma, k.Add(h, half)), k.Fn(special.Lgamma, h)), k.Mul(half, k.Add(k.Log(n), k.Num(math.Log(math.Pi)))))
	ch := kit.OrElse(k, big, h, 10)
	rest := k.Sub(StirlingRest(k, k.Add(ch, half)), StirlingRest(k, ch))
	u := k.Div(half, ch)
	far := k.Sub(k.Add(k.Mul(k.Mul(half, u), Log1pRest(k, u)), rest), k.Num(0.5*kit.Log2Pi))
	return k.Pick(big, far, direct)
}

// LogOnePlusSquare is log(1 + (z s/t)^2) for s, t > 0, where a square may overflow.
func LogOnePlusSquare[T, B any](k kit.Calc[T, B], z, s, t T) T {
	u := k.Mul(k.Abs(z), k.Div(s, t))
	big := k.Holds(arith.OGT, u, k.Num(1e8))
	l := k.Log1p(k.Pick(big, k.Sub(u, k.Num(1)), k.Mul(u, u)))
	return k.Pick(big, k.Add(l, l), l)
}

// Log1pRest is (log(1 + x) - x)/x^2 for |x| <= 0.05, by its series: neither it nor its slope loses digits.
func Log1pRest[T, B any](k kit.Calc[T, B], x T) T {
	s := k.Num(1. / 15)
	for n := 14.; n >= 2; n-- {
		s = k.Sub(k.Num(1/n), k.Mul(s, x))
	}
	return k.Neg(s)
}
