package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// Triangular rises from a to the mode c and falls to b.
var Triangular = &family.Law{Name: "dtri", Aliases: []string{"dtriang"}, Params: "a b c", Origin: family.NIMBLE,
	Doc: "triangular on [a, b] with mode c", Functions: family.AllFunctions,
	Support: &support.Ends{Lo: support.Limit{Kind: support.ParamLimit}, Hi: support.Limit{Kind: support.ParamLimit, Param: 1}},
	Draw: func(r *rand.Rand, p []float64) float64 {
		return triangularQuantile[float64, bool](kit.Float{}, draw.Open(r), p)
	},
	Centre: func(p []float64) float64 { return (p[0] + p[1] + p[2]) / 3 },
	Go:     triangularLaw[float64, bool](), Ops: triangularLaw[ir.Value, ir.Value](),
}

func triangularLaw[T, B any]() family.Formulas[T, B] {
	f := family.Ruled([]family.Rule[T, B]{family.Real[T, B](0, "a"), family.Real[T, B](1, "b"), {Why: "the lower end a must be below the upper end b", Holds: func(k kit.Calc[T, B], p []T) B {
		return k.Holds(arith.OLT, p[0], p[1])
	}}, {Why: "the mode c must be between a and b", Holds: func(k kit.Calc[T, B], p []T) B { return kit.Between(k, p[2], p[0], p[1]) }}},
		func(k kit.Calc[T, B], x T, p []T) T {
			up, down, left := triangle(k, x, p)
			height := k.Div(k.Num(2), k.Sub(p[1], p[0]))
			slope := k.Pick(left, up, down)
			in := kit.Between(k, x, p[0], p[1])
			return kit.Within(k, in, k.Add(k.Log(height), k.Log(kit.OrElse(k, in, slope, 1))))
		})
	f.Tails = func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
		up, down, left := triangle(k, x, p)
		n := k.Sub(p[1], p[0])
		low := k.Mul(k.Mul(up, up), k.Div(k.Sub(p[2], p[0]), n))
		high := k.Mul(k.Mul(down, down), k.Div(k.Sub(p[1], p[2]), n))
		one := k.Num(1)
		below := cumulative.Tails[T]{Below: k.Log(low), Above: k.Log1p(k.Neg(low))}
		above := cumulative.Tails[T]{Below: k.Log1p(k.Neg(kit.Lesser(k, high, one))), Above: k.Log(high)}
		return cumulative.OnSupport(k, x, p[0], p[1], cumulative.PickTails(k, left, below, above))
	}
	f.Quantile = triangularQuantile[T, B]
	return f
}

// triangle is how far x is on its way from a up to the mode, and from b down to it, as parts
// of 1; left says that x is below the mode, or the mode is at b.
func triangle[T, B any](k kit.Calc[T, B], x T, p []T) (up, down T, left B) {
	one := k.Num(1)
	rise, fall := k.Sub(p[2], p[0]), k.Sub(p[1], p[2])
	some, rest := kit.Positive(k, rise), kit.Positive(k, fall)
	cx := kit.Lesser(k, kit.Greater(k, x, p[0]), p[1])
	up = kit.Lesser(k, k.Div(k.Sub(cx, p[0]), kit.OrElse(k, some, rise, 1)), one)
	down = kit.Lesser(k, k.Div(k.Sub(p[1], cx), kit.OrElse(k, rest, fall, 1)), one)
	atEnd := k.And(k.Holds(arith.OGE, p[2], p[1]), k.Holds(arith.OLE, cx, p[2]))
	return up, down, k.Or(k.Holds(arith.OLT, cx, p[2]), atEnd)
}

func triangularQuantile[T, B any](k kit.Calc[T, B], u T, p []T) T {
	n, rise, fall := k.Sub(p[1], p[0]), k.Sub(p[2], p[0]), k.Sub(p[1], p[2])
	low := k.Add(p[0], k.Sqrt(k.Mul(u, k.Mul(n, rise))))
	high := k.Sub(p[1], k.Sqrt(k.Mul(k.Sub(k.Num(1), u), k.Mul(n, fall))))
	return k.Pick(k.Holds(arith.OLE, k.Mul(u, n), rise), low, high)
}
