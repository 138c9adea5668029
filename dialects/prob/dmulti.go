package prob

import (
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

// Multinomial counts n draws by category.
var Multinomial = &family.Law{Name: "dmulti", Aliases: []string{"dmultinom"}, Params: "p[] n", Origin: family.Both,
	Named: []family.Named{{Name: "prob", Of: 0, Power: 1}, {Name: "size", Of: 1, Power: 1}},
	Doc:   "multinomial of size n with probabilities proportional to p", Counts: true, Functions: family.LogDensityFunction, Transform: support.NoTransform,
	Total:     2,
	Conjugate: []family.Conjugate{{Param: 0, Of: "ddirch"}},
	Where: func(p []family.Array) string {
		return fmt.Sprintf("whole numbers with sum %v, and 0 where the probability is", p[1].V[0])
	},
	Joint: multinomial,
}

// multinomial is dmulti(p[], n): p is normalised by its sum.
var multinomial = &family.Joint{Conditional: conditionalMultinomial,
	Node: 1, Args: []int{1, 0},
	Invalid: func(p []family.Array) string {
		if n := p[1].V[0]; !kit.IsInteger(n) || n < 0 {
			return "the size must be a whole number; the order is dmulti(p[], n)"
		}
		return forms.WeightsInvalid(p[0].V)
	},
	Centre: func(p []family.Array, k int) []float64 {
		// Rounding the sums so far keeps the total.
		out, total, sofar, before := make([]float64, k), kit.Sum(p[0].V), 0.0, 0.0
		for i, w := range p[0].V {
			sofar += w
			upto := math.Round(p[1].V[0] * math.Min(sofar/total, 1))
			out[i], before = upto-before, upto
		}
		return out
	},
	AtLogs: func(x, logs []float64, p []family.Array) float64 {
		n, total, sum := p[1].V[0], kit.LogOfSum(logs), 0.0
		all, out := 0.0, kit.Float{}.Fn(special.Logfact, n)
		for i, y := range x {
			if !kit.IsInteger(y) || y < 0 {
				return -kit.Inf
			}
			if y > 0 {
				sum += y * (logs[i] - total)
			}
			all += y
			out -= kit.Float{}.Fn(special.Logfact, y)
		}
		if all != n {
			return -kit.Inf
		}
		return out + sum
	},
	Go: multinomialLaw[float64, bool, int](), Ops: multinomialLaw[ir.Value, ir.Value, ir.Value](),
}

func multinomialLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{LogDensity: multinomialDensity[T, B, I], LeastWeight: multinomialLeast[T, B, I], Draw: multinomialDraw[T, B, I]}
}

func multinomialDensity[T, B, I any](k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
	total, ok := kit.Weights(k, p[0])
	n := p[1].Number()
	acc := k.Fold(x.Len(), []T{k.Num(0), k.Num(1), k.Num(0)}, func(i I, acc []T) []T {
		y := x.Load(i)
		term := k.Sub(k.Xlogy(y, p[0].Load(i)), k.Fn(special.Logfact, y))
		return []T{k.Plus(acc[0], y), k.Least(acc[1], kit.Flag(k, kit.Whole(k, y, 0))), k.Plus(acc[2], term)}
	})
	inside := k.And(k.Holds(arith.OEQ, acc[0], n), kit.Positive(k, acc[1]))
	plain := func() T { return k.Add(acc[2], k.Sub(k.Fn(special.Logfact, n), k.Mul(n, k.Log(total)))) }
	body := k.Branch(k.And(k.Exceeds(n), kit.IsFinite(k, n)), func() T {
		terms := k.Fold(x.Len(), []T{k.Num(0)}, func(i I, acc []T) []T {
			return []T{k.Plus(acc[0], multinomialTerm(k, x.Load(i), n, k.Div(p[0].Load(i), total)))}
		})[0]
		return k.Add(terms, multinomialConstant(k, n))
	}, plain)
	return kit.Valid(k, k.And(ok, kit.Whole(k, n, 0)), kit.Within(k, inside, body))
}

func multinomialLeast[T, B, I any](k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
	return k.Fold(x.Len(), []T{k.Num(1)}, func(i I, acc []T) []T {
		some := k.Holds(arith.OGT, x.Load(i), k.Num(0))
		return []T{k.Least(acc[0], k.Pick(some, p[0].Load(i), k.Num(1)))}
	})[0]
}

// The log mass of a multinomial of size n > 0 is the sum of the terms of its counts and
// a constant.
func multinomialTerm[T, B any](k kit.Calc[T, B], x, n, p T) T {
	some := k.Holds(arith.OGT, x, k.Num(0))
	cx, m := kit.OrElse(k, some, x, 1), k.Mul(n, p)
	c := k.Add(k.Mul(k.Num(0.5), k.Add(k.Num(kit.Log2Pi), k.Log(cx))), functions.Stirling(k, cx))
	return k.Pick(some, k.Neg(k.Add(c, functions.Deviance(k, cx, m, k.Sub(cx, m)))), k.Neg(m))
}

func multinomialConstant[T, B any](k kit.Calc[T, B], n T) T {
	some := k.Holds(arith.OGT, n, k.Num(0))
	cn := kit.OrElse(k, some, n, 1)
	return kit.OrElse(k, some, k.Add(k.Mul(k.Num(0.5), k.Add(k.Num(kit.Log2Pi), k.Log(cn))), functions.Stirling(k, cn)), 0)
}

// conditionalMultinomial: the rest of the counts are multinomial in the rest of the
// weights, and have what the known ones leave of the size.
func conditionalMultinomial(r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
	left, rest, w := forms.Unknown(x, keep, p[0].V, p[1].V[0])
	if left < 0 || left > 0 && !(kit.Sum(w.V) > 0) {
		return fmt.Errorf("the known counts leave %v of %v", left, p[1].V[0])
	}
	for i, y := range forms.DrawBy(multinomialDraw[float64, bool, int], r, []family.Array{w, {V: []float64{left}}}, len(rest)) {
		x[rest[i]] = y
	}
	return nil
}

// multinomialDraw gives each category a binomial part of what is left.
func multinomialDraw[T, B, I any](k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
	total, _ := kit.Weights(k, p[0])
	last := k.IndexSub(x.Len(), k.Index(1))
	k.Fold(x.Len(), []T{p[1].Number(), total}, func(i I, acc []T) []T {
		n, left, w := acc[0], acc[1], p[0].Load(i)
		q := kit.Lesser(k, k.Div(w, left), k.Num(1))
		none := k.Or(k.Holds(arith.OEQ, n, k.Num(0)), k.Holds(arith.OEQ, w, k.Num(0)))
		all := k.Or(k.Equal(i, last), k.Holds(arith.OEQ, q, k.Num(1)))
		y := k.Branch(none, func() T { return k.Num(0) }, func() T {
			return k.Branch(all, func() T { return n }, func() T { return d.Binomial(i, n, q) })
		})
		x.Store(y, i)
		return []T{k.Sub(n, y), kit.Greater(k, k.Sub(left, w), k.Num(0))}
	})
}
