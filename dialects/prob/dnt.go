package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// NoncentralStudent is Z / sqrt(V/k) with Z normal and V chi-square.
var NoncentralStudent = &family.Law{Name: "dnt", Params: "mu tau k", Origin: family.JAGS,
	Doc: "noncentral Student: Z / sqrt(V/k), Z normal(mu, tau), V chi-square(k)", Support: support.RealLine, Functions: family.AllFunctions,
	Draw: func(r *rand.Rand, p []float64) float64 {
		return draw.Normal(r, p[0], p[1]) / math.Sqrt(draw.Gamma(r, p[2]/2, p[2]/2))
	}, Centre: family.First,
	Go: noncentralStudentLaw[float64, bool](), Ops: noncentralStudentLaw[ir.Value, ir.Value](),
}

func noncentralStudentLaw[T, B any]() family.Formulas[T, B] {
	return family.Ruled([]family.Rule[T, B]{family.Real[T, B](0, "mu"), family.Finite[T, B](1, "the precision"), family.Finite[T, B](2, "the degrees of freedom")},
		noncentralStudent[T, B])
}

// noncentralStudent integrates over u = sqrt V: with t = x sqrt tau and d = mu sqrt
// tau, the density of t is that of
//
//	u^k exp(-A u^2/2 + B u - d^2/2), A = 1 + t^2/k, B = t d/sqrt k
//
// over sqrt(2 pi k) 2^(k/2-1) gamma(k/2). In v = log u it is analytic and falls
// exponentially on both sides of its only maximum, where the trapezoidal rule
// converges faster than any power of the step (Trefethen and Weideman 2014).
func noncentralStudent[T, B any](k kit.Calc[T, B], x T, p []T) T {
	half, one, two := k.Num(0.5), k.Num(1), k.Num(2)
	root := k.Sqrt(p[1])
	// Whose square would overflow is taken for impossible.
	fits := func(z T) B { return k.Holds(arith.OLT, k.Abs(z), k.Num(1e150)) }
	in := k.And(k.And(fits(k.Mul(x, root)), fits(k.Mul(p[0], root))), fits(k.Div(k.Mul(x, root), k.Sqrt(p[2]))))
	t, d, n := k.Mul(kit.OrElse(k, in, x, 0), root), k.Mul(kit.OrElse(k, in, p[0], 0), root), p[2]
	s := k.Div(t, k.Sqrt(n))
	// A u^2/2 - B u + d^2/2 = (u^2 + (s u - d)^2)/2
	b := k.Mul(s, d)
	a := k.Add(one, k.Mul(s, s))
	m := k.Add(n, one)
	am := k.Mul(k.Sqrt(a), k.Sqrt(m))
	r := k.Div(b, am)
	disc := k.Mul(k.Sqrt(k.Add(k.Mul(r, r), k.Num(4))), am)
	top := k.Pick(k.Holds(arith.OGT, b, k.Num(0)), k.Div(k.Add(b, disc), k.Mul(two, a)), k.Div(k.Mul(two, m), k.Sub(disc, b)))
	square := k.Mul(top, top)
	// The logarithm falls by A u^2 q(2w)/2 - B u q(w) at a distance of w from the top.
	au, bu := k.Mul(a, square), k.Mul(b, top)
	g := func(w T) T {
		return k.Sub(k.Mul(bu, expRest(k, w)), k.Mul(k.Mul(half, au), expRest(k, k.Add(w, w))))
	}
	// Minus the second derivative at the top: 2 A u^2 - B u = A u^2 + m.
	h := kit.Lesser(k, k.Num(0.1), k.Div(half, k.Sqrt(k.Add(au, m))))
	side := func(step T) T {
		return k.Repeat([]T{one, one, k.Num(0)}, func(st []T) B {
			return k.And(k.Holds(arith.OGT, st[1], k.Num(1e-19)), k.Holds(arith.OLT, st[0], k.Num(maxSteps)))
		}, func(st []T) []T {
			e := k.Exp(g(k.Mul(st[0], step)))
			return []T{k.Add(st[0], one), e, k.Add(st[2], e)}
		})[2]
	}
	sum := k.Add(one, k.Add(side(h), side(k.Neg(h))))
	// The height of the top, without the cancellation of n log u^2 and lgamma(n/2).
	hn, e := k.Mul(half, n), k.Sub(k.Mul(s, top), d)
	peak := k.Sub(k.Log(top), k.Add(functions.Deviance(k, hn, k.Mul(half, square), k.Mul(half, k.Sub(n, square))), k.Mul(half, k.Mul(e, e))))
	c := k.Sub(k.Sub(k.Num(0.5*math.Ln2-kit.Log2Pi), functions.Stirling(k, hn)), k.Neg(k.Log(root)))
	return k.Pick(in, k.Add(k.Add(peak, c), k.Log(k.Mul(h, sum))), forms.Impossible(k))
}

// maxSteps bounds the steps to one side, of which the slowest fall takes 440.
const maxSteps = 2000

// expRest is e^w - 1 - w.
func expRest[T, B any](k kit.Calc[T, B], w T) T {
	s := k.Num(1. / 18)
	for n := 17.; n >= 3; n-- {
		s = k.Mul(k.Add(k.Num(1), k.Mul(w, s)), k.Num(1/n))
	}
	near := k.Mul(k.Mul(w, w), k.Mul(k.Num(0.5), k.Add(k.Num(1), k.Mul(w, s))))
	far := k.Sub(k.Sub(k.Exp(w), k.Num(1)), w)
	return k.Pick(k.Holds(arith.OLT, k.Abs(w), k.Num(0.5)), near, far)
}
