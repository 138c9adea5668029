package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Fisher is F with n and m degrees of freedom, shifted and scaled.
var Fisher = &family.Law{Name: "df", Params: "n m [mu] [tau]", Origin: family.Both,
	Doc: "Fisher with n and m degrees of freedom; mu and tau shift and scale (OpenBUGS)", Functions: family.AllFunctions,
	Support: &support.Ends{Lo: support.Limit{Kind: support.ParamLimit, Param: 2}}, // 0 where the parameter is left out
	Draw: func(r *rand.Rand, p []float64) float64 {
		return unshifted(draw.Gamma(r, p[0]/2, p[0]/2)/draw.Gamma(r, p[1]/2, p[1]/2), p)
	},
	Centre: func(p []float64) float64 { return unshifted(1, p) },
	Go:     fisherLaw[float64, bool](), Ops: fisherLaw[ir.Value, ir.Value](),
}

func fisherLaw[T, B any]() family.Formulas[T, B] {
	f := family.Ruled([]family.Rule[T, B]{family.Finite[T, B](0, "n"), family.Finite[T, B](1, "m"), forms.Optional(family.Real[T, B](2, "mu"), 2), forms.Optional(family.Finite[T, B](3, "tau"), 3)},
		fisher[T, B])
	f.Tails = fisherTails[T, B]
	return f
}

// fisher is the log density of F with n and m degrees of freedom, and of OpenBUGS's
// four parameters.
func fisher[T, B any](k kit.Calc[T, B], x T, p []T) T {
	half, one := k.Num(0.5), k.Num(1)
	y := fisherScale(k, x, p)
	n, m := p[0], p[1]
	scale := k.Num(0)
	if len(p) > 3 {
		scale = k.Mul(half, k.Log(p[3]))
	}
	in := k.And(k.Holds(arith.OGE, y, k.Num(0)), k.Holds(arith.OLT, y, k.Num(kit.Inf)))
	cy := kit.OrElse(k, in, y, 1)
	r, a, b := k.Div(n, m), k.Mul(half, n), k.Mul(half, m)
	lbeta := k.Fn(special.Lbeta, a, b)
	origin := k.Sub(k.Add(k.Mul(a, k.Log(r)), k.Fn(special.Xlogy, k.Sub(a, one), cy)), lbeta)
	w := k.Mul(r, cy)
	some := k.And(k.Holds(arith.OGT, w, k.Num(0)), k.Holds(arith.OLT, w, k.Num(kit.Inf)))
	cw := kit.OrElse(k, some, w, 1)
	// y f(y) B(a, b) = (1 + 1/w)^-a (1 + w)^-b with w = n y/m.
	other := k.Log1p(cw)
	low := k.Holds(arith.OLT, cw, one)
	// The square of 1/w may be infinite, and the slope of its logarithm.
	inverse := k.Pick(low, k.Sub(other, k.Log(cw)), k.Log1p(k.Div(one, k.Pick(low, one, cw))))
	body := k.Add(k.Mul(a, inverse), k.Mul(b, other))
	small := k.Pick(some, k.Neg(k.Add(k.Add(body, k.Log(kit.OrElse(k, some, cy, 1))), lbeta)), k.Sub(origin, k.Mul(k.Add(a, b), k.Log1p(w))))
	// With large parameters a beta of w = a y/(a y + b), where a - (a + b) w is known.
	ay := k.Mul(a, cy)
	sum := k.Add(ay, b)
	d := k.Div(k.Mul(k.Mul(a, k.Sub(one, cy)), b), sum)
	large := k.Sub(functions.BetaKernelFrom(k, a, b, k.Div(ay, sum), k.Div(b, sum), d), k.Log(cy))
	big := k.And(k.And(k.Holds(arith.OGE, a, k.Num(100)), k.Holds(arith.OGE, b, k.Num(100))), k.Holds(arith.OGT, cy, k.Num(0)))
	return k.Pick(in, k.Add(scale, k.Pick(big, large, small)), forms.Impossible(k))
}

// fisherTails: n x/(n x + m) is beta(n/2, m/2).
func fisherTails[T, B any](k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
	one, half := k.Num(1), k.Num(0.5)
	r := k.Div(k.Mul(p[0], fisherScale(k, x, p)), p[1])
	r = kit.Greater(k, r, k.Num(0))
	return functions.BetaTails(k, functions.RealShape, k.Mul(half, p[0]), k.Mul(half, p[1]), k.Div(one, k.Add(one, k.Div(one, r))), k.Div(one, k.Add(one, r)))
}

// fisherScale is x, or sqrt(tau) (x - mu) in OpenBUGS's df(n, m, mu, tau).
func fisherScale[T, B any](k kit.Calc[T, B], x T, p []T) T {
	if len(p) > 2 {
		x = k.Sub(x, p[2])
	}
	if len(p) > 3 {
		x = k.Mul(k.Sqrt(p[3]), x)
	}
	return x
}

// unshifted is the inverse of fisherScale.
func unshifted(y float64, p []float64) float64 {
	if len(p) > 3 {
		y /= math.Sqrt(p[3])
	}
	if len(p) > 2 {
		y += p[2]
	}
	return y
}
