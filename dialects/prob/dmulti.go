package prob

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"gonum.org/v1/gonum/stat/distuv"
)

// Multinomial counts n draws by category.
var Multinomial = &family.Law{Name: "dmulti", Aliases: []string{"dmultinom"}, Params: "p[] n", Origin: family.Both,
	Named: []family.Named{{Name: "prob", Of: 0, Power: 1}, {Name: "size", Of: 1, Power: 1}},
	Doc:   "multinomial of size n with probabilities proportional to p", Counts: true, Functions: family.LogDensityFunction, Transform: support.NoTransform,
	Conjugate: []family.Conjugate{{Param: 0, Of: "ddirch"}},
	Where: func(p []family.Array) string {
		return fmt.Sprintf("whole numbers with sum %v, and 0 where the probability is", p[1].V[0])
	},
	Joint: multinomial,
}

// multinomial is dmulti(p[], n): p is normalised by its sum.
var multinomial = &family.Joint{Ops: lowerMultinomial, Given: conditionalMultinomial,
	Node: 1, Args: []int{1, 0},
	Invalid: func(p []family.Array) string {
		if n := p[1].V[0]; !kit.IsInteger(n) || n < 0 {
			return "the size must be a whole number; the order is dmulti(p[], n)"
		}
		return family.WeightsInvalid(p[0].V)
	},
	Logp: func(x []float64, p []family.Array) float64 {
		w, n := p[0].V, p[1].V[0]
		if kit.Sum(x) != n {
			return -kit.Inf
		}
		total, out := kit.Sum(w), 0.0
		for i, y := range x {
			if y < 0 || !kit.IsInteger(y) {
				return -kit.Inf
			}
			out += multinomialTerm[float64, bool](kit.Float{}, y, n, w[i]/total)
		}
		return out + multinomialConstant[float64, bool](kit.Float{}, n)
	},
	Draw: multinomialDraw,
	Centre: func(p []family.Array, k int) []float64 {
		// Rounding the sums so far keeps the total.
		out, total, sofar, before := make([]float64, k), kit.Sum(p[0].V), 0.0, 0.0
		for i, w := range p[0].V {
			sofar += w
			upto := math.Round(p[1].V[0] * math.Min(sofar/total, 1))
			out[i], before = upto-before, upto
		}
		return out
	}}

func lowerMultinomial(k kit.Ops, _ kit.Workspace, x kit.View, p []kit.View) ir.Value {
	total, ok := k.Weights(p[0])
	n := p[1].Scalar
	acc := k.Fold(x.N, []ir.Value{k.Num(0), k.Num(1), k.Num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		y := x.Load(k, i)
		term := k.Sub(k.Xlogy(y, p[0].Load(k, i)), k.B.Op(special.Logfact, y))
		return []ir.Value{k.Plus(acc[0], y), k.Least(acc[1], k.Flag(k.Whole(y, 0))), k.Plus(acc[2], term)}
	})
	inside := k.And(k.Cmp(arith.OEQ, acc[0], n), k.Positive(acc[1]))
	plain := func() ir.Value { return k.Add(acc[2], k.Sub(k.B.Op(special.Logfact, n), k.Mul(n, k.Log(total)))) }
	body := k.Branch(k.And(k.Exceeds(n), k.IsFinite(n)), func() ir.Value {
		terms := k.Fold(x.N, []ir.Value{k.Num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.Plus(acc[0], multinomialTerm[ir.Value, ir.Value](k, x.Load(k, i), n, k.Div(p[0].Load(k, i), total)))}
		})[0]
		return k.Add(terms, multinomialConstant[ir.Value, ir.Value](k, n))
	}, plain)
	return k.Valid(k.And(ok, k.Whole(n, 0)), k.Within(inside, body))
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
	left, rest, w := family.Unknown(x, keep, p[0].V, p[1].V[0])
	if left < 0 || left > 0 && !(kit.Sum(w.V) > 0) {
		return fmt.Errorf("the known counts leave %v of %v", left, p[1].V[0])
	}
	for i, y := range multinomialDraw(r, []family.Array{w, {V: []float64{left}}}, len(rest)) {
		x[rest[i]] = y
	}
	return nil
}

func multinomialDraw(r *rand.Rand, p []family.Array, k int) []float64 {
	out, n, left := make([]float64, k), p[1].V[0], kit.Sum(p[0].V)
	for i, w := range p[0].V {
		q := math.Min(w/left, 1)
		switch {
		case n == 0 || w == 0:
		case i == k-1 || q == 1:
			out[i] = n
		default:
			out[i] = distuv.Binomial{N: n, P: q, Src: r}.Rand()
		}
		n, left = n-out[i], math.Max(left-w, 0)
	}
	return out
}
