package prob

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"

	"gonum.org/v1/gonum/stat/distuv"
)

// Multinomial counts n draws by category.
var Multinomial = &Law{Name: "dmulti", Aliases: []string{"dmultinom"}, Params: "p[] n", Origin: Both,
	Named: []Named{{"prob", 0, 1}, {"size", 1, 1}},
	Doc:   "multinomial of size n with probabilities proportional to p", Counts: true, Functions: LogDensityFunction, Transform: NoTransform,
	Conjugate: []Conjugate{{0, "ddirch"}},
	Where: func(p []Array) string {
		return fmt.Sprintf("whole numbers with sum %v, and 0 where the probability is", p[1].V[0])
	},
	Joint: multinomial,
}

// multinomial is dmulti(p[], n): p is normalised by its sum.
var multinomial = &Joint{Ops: lowerMultinomial, Given: conditionalMultinomial,
	Node: 1, Args: []int{1, 0},
	Invalid: func(p []Array) string {
		if n := p[1].V[0]; !IsInteger(n) || n < 0 {
			return "the size must be a whole number; the order is dmulti(p[], n)"
		}
		return weightsInvalid(p[0].V)
	},
	Logp: func(x []float64, p []Array) float64 {
		w, n := p[0].V, p[1].V[0]
		if Sum(x) != n {
			return -inf
		}
		total, out := Sum(w), 0.0
		for i, y := range x {
			if y < 0 || !IsInteger(y) {
				return -inf
			}
			out += multinomialTerm[float64, bool](Float{}, y, n, w[i]/total)
		}
		return out + multinomialConstant[float64, bool](Float{}, n)
	},
	Draw: multinomialDraw,
	Centre: func(p []Array, k int) []float64 {
		// Rounding the sums so far keeps the total.
		out, total, sofar, before := make([]float64, k), Sum(p[0].V), 0.0, 0.0
		for i, w := range p[0].V {
			sofar += w
			upto := math.Round(p[1].V[0] * math.Min(sofar/total, 1))
			out[i], before = upto-before, upto
		}
		return out
	}}

func lowerMultinomial(k Kit, _ Workspace, x View, p []View) ir.Value {
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
func multinomialTerm[T, B any](k Calc[T, B], x, n, p T) T {
	some := k.Holds(arith.OGT, x, k.Num(0))
	cx, m := orElse(k, some, x, 1), k.Mul(n, p)
	c := k.Add(k.Mul(k.Num(0.5), k.Add(k.Num(log2Pi), k.Log(cx))), stirling(k, cx))
	return k.Pick(some, k.Neg(k.Add(c, deviance(k, cx, m, k.Sub(cx, m)))), k.Neg(m))
}

func multinomialConstant[T, B any](k Calc[T, B], n T) T {
	some := k.Holds(arith.OGT, n, k.Num(0))
	cn := orElse(k, some, n, 1)
	return orElse(k, some, k.Add(k.Mul(k.Num(0.5), k.Add(k.Num(log2Pi), k.Log(cn))), stirling(k, cn)), 0)
}

// conditionalMultinomial: the rest of the counts are multinomial in the rest of the
// weights, and have what the known ones leave of the size.
func conditionalMultinomial(r *rand.Rand, x []float64, keep []bool, p []Array) error {
	left, rest, w := unknown(x, keep, p[0].V, p[1].V[0])
	if left < 0 || left > 0 && !(Sum(w.V) > 0) {
		return fmt.Errorf("the known counts leave %v of %v", left, p[1].V[0])
	}
	for i, y := range multinomialDraw(r, []Array{w, {V: []float64{left}}}, len(rest)) {
		x[rest[i]] = y
	}
	return nil
}

func multinomialDraw(r *rand.Rand, p []Array, k int) []float64 {
	out, n, left := make([]float64, k), p[1].V[0], Sum(p[0].V)
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
