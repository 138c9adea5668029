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
	"gonum.org/v1/gonum/stat/distuv"
)

// NoncentralChiSquare is a Poisson mixture of chi-squares.
var NoncentralChiSquare = &family.Law{Name: "dnchisqr", Aliases: []string{"dnchisq"}, Params: "k delta", Origin: family.JAGS,
	Doc: "noncentral chi-square", Support: support.PositiveLine, Functions: family.AllFunctions,
	Draw: func(r *rand.Rand, p []float64) float64 {
		j := 0.0
		if p[1] > 0 {
			j = distuv.Poisson{Lambda: p[1] / 2, Src: r}.Rand()
		}
		return draw.Gamma(r, p[0]/2+j, 0.5)
	},
	Centre: func(p []float64) float64 { return p[0] + p[1] },
	Go:     noncentralChiSquareLaw[float64, bool](), Ops: noncentralChiSquareLaw[ir.Value, ir.Value](),
}

func noncentralChiSquareLaw[T, B any]() family.Formulas[T, B] {
	f := family.Ruled([]family.Rule[T, B]{family.Finite[T, B](0, "the degrees of freedom"), {Why: "the noncentrality must not be negative", Holds: func(k kit.Calc[T, B], p []T) B {
		return k.And(k.Holds(arith.OGE, p[1], k.Num(0)), k.Holds(arith.OLT, p[1], k.Num(kit.Inf)))
	}}}, noncentralChisqr[T, B])
	f.Tails = noncentralTails[T, B]
	return f
}

// noncentralTails sum the tails of the chi-squares that are mixed. The greatest term of the lower tail is that of
// the density at x, or the greatest Poisson mass, whichever comes first; that of the upper one the other.
func noncentralTails[T, B any](k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
	half := k.Num(0.5)
	in := k.And(k.Holds(arith.OGT, x, k.Num(0)), k.Holds(arith.OLT, x, k.Num(kit.Inf)))
	hx, n, d := kit.OrElse(k, in, k.Mul(half, x), 1), k.Mul(half, p[0]), k.Mul(half, p[1])
	top := noncentralTop(k, hx, n, d)
	tail := func(at T, of func(t cumulative.Tails[T]) T) T {
		return aboutTop(k, at, func(j T) T {
			return k.Add(poissonTerm(k, j, d), of(functions.GammaTails(k, functions.RealShape, k.Add(n, j), hx)))
		})
	}
	below := kit.Lesser(k, tail(kit.Lesser(k, top, d), func(t cumulative.Tails[T]) T { return t.Below }), k.Num(0))
	above := kit.Lesser(k, tail(kit.Greater(k, top, d), func(t cumulative.Tails[T]) T { return t.Above }), k.Num(0))
	// The lesser one is summed without cancellation, and the other made of it.
	low := k.Holds(arith.OLT, below, above)
	return cumulative.OnSupport(k, x, k.Num(0), k.Num(kit.Inf), cumulative.PickTails(k, low, cumulative.FromBelow(k, below), cumulative.FromAbove(k, above)))
}

// noncentralChisqr sums the Poisson mixture of chi-squares about its largest term:
// the ratio of the terms j and j - 1 is (delta x/4)/(j (k/2 + j - 1)).
func noncentralChisqr[T, B any](k kit.Calc[T, B], x T, p []T) T {
	half := k.Num(0.5)
	in := k.And(k.Holds(arith.OGE, x, k.Num(0)), k.Holds(arith.OLT, x, k.Num(kit.Inf)))
	hx, n, d := kit.OrElse(k, in, k.Mul(half, x), 1), k.Mul(half, p[0]), k.Add(k.Mul(half, p[1]), k.Num(leastMixed))
	sum := aboutTop(k, noncentralTop(k, hx, n, d), func(j T) T {
		s := k.Add(n, j) // gamma(n + j) at hx
		end := k.Holds(arith.OLE, hx, k.Num(0))
		body := k.Sub(functions.GammaKernel(k, s, k.Pick(end, k.Num(1), hx)), k.Log(k.Pick(end, k.Num(1), hx)))
		return k.Add(poissonTerm(k, j, d), k.Pick(end, k.Fn(special.Xlogy, k.Sub(s, k.Num(1)), k.Num(0)), body))
	})
	return k.Pick(in, k.Sub(sum, k.Num(math.Ln2)), forms.Impossible(k))
}

// leastMixed is added to the mean of the Poisson law that mixes: too little to count, but where that is 0 the slopes of its
// masses have logarithms.
const leastMixed = 1e-300

// noncentralTop is where the terms of the density at 2 hx are greatest.
func noncentralTop[T, B any](k kit.Calc[T, B], hx, n, d T) T {
	one := k.Num(1)
	b, sw := k.Mul(k.Num(0.5), k.Sub(n, one)), k.Mul(k.Sqrt(d), k.Sqrt(hx))
	// sqrt(b^2 + d x/2) - b, without the overflow of squares.
	q := k.Div(sw, kit.OrElse(k, k.Holds(arith.OGT, b, k.Num(0)), b, 1))
	right := k.Pick(k.Holds(arith.OGT, q, k.Num(1e8)), sw, k.Div(k.Mul(sw, q), k.Add(one, k.Sqrt(k.Add(one, k.Mul(q, q))))))
	left := k.Pick(k.Holds(arith.OGT, sw, k.Num(1e100)), sw, k.Sub(k.Sqrt(k.Add(k.Mul(b, b), k.Mul(sw, sw))), b))
	return k.Pick(k.Holds(arith.OGT, b, k.Num(0)), right, left)
}

// poissonTerm is the log mass of a Poisson law of mean d at j, which is the density of a gamma(j) over j.
func poissonTerm[T, B any](k kit.Calc[T, B], j, d T) T {
	first := k.Holds(arith.OLE, j, k.Num(0))
	cj := k.Pick(first, k.Num(1), j)
	return k.Pick(first, k.Neg(d), k.Sub(functions.GammaKernel(k, cj, d), k.Log(cj)))
}

// aboutTop is the log of the sum of the exponentials of terms from 0 on, of which the greatest is near top.
func aboutTop[T, B any](k kit.Calc[T, B], top T, term func(j T) T) T {
	one := k.Num(1)
	// Near the top the terms are like a normal density with a width of sqrt(top/2) at
	// least. Where that is large every step-th will do, as in the trapezoidal rule.
	wide := k.Sqrt(k.Add(top, one))
	step := k.Pick(k.Holds(arith.OGT, top, k.Num(1000)), k.Floor(k.Mul(k.Num(0.35), wide)), one)
	width := k.Add(k.Mul(k.Num(12), wide), k.Num(40))
	lo := kit.Greater(k, k.Floor(k.Sub(top, width)), k.Num(0))
	hi := k.Add(k.Floor(top), width)
	return k.Add(kit.LogSum(k, lo, hi, step, term), k.Log(step))
}
