package prob

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Dirichlet is a law of probabilities.
var Dirichlet = &family.Law{Name: "ddirch", Aliases: []string{"ddirich"}, Params: "alpha[]", Origin: family.Both,
	Doc: "Dirichlet; components with alpha = 0 are 0", Functions: family.LogDensityFunction, Transform: support.Simplex,
	Where: func([]family.Array) string { return "numbers from 0 with sum 1, and 0 only where alpha is at most 1" },
	Joint: dirichlet,
}

// dirichlet is ddirch(alpha[]): a component whose alpha is 0 is 0.
var dirichlet = &family.Joint{Conditional: conditionalDirichlet,
	Node: 1, Args: []int{1},
	Invalid: func(p []family.Array) string {
		for i, a := range p[0].V {
			if a < 0 || math.IsInf(a, 1) {
				return fmt.Sprintf("alpha[%d] must not be negative, nor infinite", i+1)
			}
		}
		if s := kit.Sum(p[0].V); !(s > 0) || math.IsInf(s, 1) {
			return "alpha must have a positive sum"
		}
		return ""
	},
	Centre: func(p []family.Array, n int) []float64 {
		out, s := make([]float64, n), kit.Sum(p[0].V)
		for i, a := range p[0].V {
			out[i] = a / s
		}
		return out
	},
	Go: dirichletLaw[float64, bool, int](), Ops: dirichletLaw[ir.Value, ir.Value, ir.Value](),
}

func dirichletLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{LogDensity: dirichletDensity[T, B, I], Draw: dirichletDraw[T, B, I]}
}

func dirichletDensity[T, B, I any](k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
	zero := k.Num(0)
	acc := k.Fold(x.Len(), []T{zero, zero, k.Num(1), zero, zero}, func(i I, acc []T) []T {
		y, a := x.Load(i), p[0].Load(i)
		some := kit.Positive(k, a)
		// Inside are y > 0 with a > 0, and y = 0 with a <= 1.
		in := k.Or(k.And(kit.Positive(k, y), some), k.And(k.Holds(arith.OEQ, y, zero), k.Holds(arith.OLE, a, k.Num(1))))
		term := k.Sub(k.Xlogy(k.Sub(a, k.Num(1)), y), lgamma(k, a))
		return []T{k.Plus(acc[0], y), k.Plus(acc[1], a), k.Least(acc[2], kit.Flag(k, in)),
			k.Plus(acc[3], k.Pick(some, term, zero)), k.Least(acc[4], a)}
	})
	sumX, sumA := acc[0], acc[1]
	near := k.Holds(arith.OLE, k.Abs(k.Minus(sumX, k.Num(1))), k.Num(support.SimplexSlack))
	ok := k.And(k.Holds(arith.OGE, acc[4], zero), k.And(kit.Positive(k, sumA), kit.IsFinite(k, sumA)))
	body := k.Branch(k.And(k.Exceeds(sumA), kit.IsFinite(k, sumA)), func() T {
		acc := k.Fold(x.Len(), []T{zero, k.Num(-1), zero}, func(i I, acc []T) []T {
			a := p[0].Load(i)
			some := kit.Positive(k, a)
			term := dirichletTerm(k, x.Load(i), k.Pick(some, a, k.Num(1)), sumA)
			s, rest := added(k, acc[1], acc[2], x.Load(i))
			return []T{k.Plus(acc[0], k.Pick(some, term, zero)), s, rest}
		})
		return k.Add(acc[0], dirichletConstant(k, sumA, k.Plus(acc[1], acc[2])))
	}, func() T { return k.Add(lgamma(k, sumA), acc[3]) })
	return kit.Valid(k, ok, kit.Within(k, k.And(near, kit.Positive(k, acc[2])), body))
}

// The log density of a Dirichlet distribution is the sum of the terms of its components
// and a constant. The sum of the components may differ a little from 1.
func dirichletTerm[T, B any](k kit.Calc[T, B], x, a, sum T) T {
	big := k.And(k.Holds(arith.OGE, a, k.Num(10)), k.Holds(arith.OGT, x, k.Num(0)))
	ca, m := kit.OrElse(k, big, a, 10), k.Mul(sum, x)
	careful := k.Add(k.Add(functions.Deviance(k, ca, m, k.Sub(ca, m)), functions.StirlingRest(k, ca)), k.Mul(k.Num(-0.5), k.Log(ca)))
	careful = k.Neg(k.Add(careful, k.Add(k.Num(0.5*kit.Log2Pi), k.Log(kit.OrElse(k, big, x, 1)))))
	share := k.Sub(m, k.Mul(a, k.Log(sum))) // what the constant adds up
	plain := k.Sub(k.Sub(k.Fn(special.Xlogy, k.Sub(a, k.Num(1)), x), k.Fn(special.Lgamma, a)), share)
	return k.Pick(big, careful, plain)
}

// dirichletConstant is given by how much the sum of the components exceeds 1.
func dirichletConstant[T, B any](k kit.Calc[T, B], sum, excess T) T {
	c := k.Add(k.Mul(k.Num(0.5), k.Sub(k.Num(kit.Log2Pi), k.Log(sum))), functions.Stirling(k, sum))
	return k.Add(k.Mul(sum, excess), c)
}

// added is a sum s + rest and one more number, with what rounding loses kept in rest
// (Knuth's two-sum).
func added[T, B any](k kit.Calc[T, B], s, rest, x T) (T, T) {
	t := k.Plus(s, x)
	b := k.Minus(t, s)
	return t, k.Plus(rest, k.Plus(k.Minus(s, k.Minus(t, b)), k.Minus(x, b)))
}

// conditionalDirichlet: the rest are a Dirichlet vector times what the known ones leave.
func conditionalDirichlet(r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
	left, rest, a := forms.Unknown(x, keep, p[0].V, 1)
	if left < -support.SimplexSlack || !(kit.Sum(a.V) > 0) {
		return errors.New("the known elements leave nothing of the sum")
	}
	for i, y := range forms.DrawBy(dirichletDraw[float64, bool, int], r, []family.Array{a}, len(rest)) {
		x[rest[i]] = math.Max(left, 0) * y
	}
	return nil
}

// dirichletDraw divides gamma variables by their sum, from their logarithms: small shapes
// make numbers below any float.
func dirichletDraw[T, B, I any](k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
	n, none := x.Len(), k.Num(-kit.Inf)
	most := k.Fold(n, []T{none}, func(i I, acc []T) []T {
		a := p[0].Load(i)
		y := k.Branch(kit.Positive(k, a), func() T { return d.LogGamma(i, a) }, func() T { return none })
		x.Store(y, i)
		return []T{kit.Greater(k, acc[0], y)}
	})[0]
	s := k.Fold(n, []T{k.Num(0)}, func(i I, acc []T) []T {
		y := k.Exp(k.Sub(x.Load(i), most))
		x.Store(y, i)
		return []T{k.Plus(acc[0], y)}
	})[0]
	k.Each(k.Index(0), n, func(i I) { x.Store(k.Div(x.Load(i), s), i) })
}
