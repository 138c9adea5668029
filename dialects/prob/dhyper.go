package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Hypergeometric is Fisher's noncentral hypergeometric law.
var Hypergeometric = &family.Law{Name: "dhyper", Params: "n1 n2 m1 psi", Origin: family.Both,
	Doc: "Fisher's noncentral hypergeometric", Counts: true, Functions: family.AllFunctions,
	Range: func(p []family.Array) (from, to float64) {
		return math.Max(0, p[2].V[0]-p[1].V[0]), math.Min(p[0].V[0], p[2].V[0])
	},
	Draw: hyperDraw,
	Centre: func(p []float64) float64 {
		return cumulative.Quantile[float64, bool](kit.Float{}, true, func(x float64) cumulative.Tails[float64] { return hyperTails[float64, bool](kit.Float{}, x, p) }, 0.5)
	},
	Go: hypergeometricLaw[float64, bool](), Ops: hypergeometricLaw[ir.Value, ir.Value](),
}

func hypergeometricLaw[T, B any]() family.Formulas[T, B] {
	f := family.Ruled([]family.Rule[T, B]{family.WholeNumber[T, B](0, "n1"), family.WholeNumber[T, B](1, "n2"), family.WholeNumber[T, B](2, "m1"), family.Finite[T, B](3, "psi"),
		{Why: "m1 must be at most n1 + n2", Holds: func(k kit.Calc[T, B], p []T) B { return k.Holds(arith.OLE, p[2], k.Add(p[0], p[1])) }}},
		func(k kit.Calc[T, B], x T, p []T) T {
			lo, hi := hyperRange(k, p)
			whole := kit.LogSum(k, lo, hi, k.Num(1), func(j T) T { return hyperWeight(k, j, p) })
			return forms.OnCounts(k, x, lo, hi, func(x T) T { return k.Sub(hyperWeight(k, x, p), whole) })
		})
	f.Tails = hyperTails[T, B]
	return f
}

func hyperTails[T, B any](k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
	lo, hi := hyperRange(k, p)
	v := cumulative.Summed(k, x, lo, hi, func(j T) T { return hyperWeight(k, j, p) })
	whole := kit.LogSum(k, lo, hi, k.Num(1), func(j T) T { return hyperWeight(k, j, p) })
	scaled := cumulative.Tails[T]{Below: kit.Lesser(k, k.Sub(v.Below, whole), k.Num(0)), Above: kit.Lesser(k, k.Sub(v.Above, whole), k.Num(0))}
	return cumulative.OnSupport(k, k.Floor(x), k.Sub(lo, k.Num(1)), hi, scaled)
}

func hyperDraw(r *rand.Rand, p []float64) float64 {
	lo, hi := math.Max(0, p[2]-p[1]), math.Min(p[0], p[2])
	w, most := make([]float64, 0, int(hi-lo)+1), -kit.Inf
	for x := lo; x <= hi; x++ {
		w = append(w, special.Value(special.Lchoose, p[0], x)+special.Value(special.Lchoose, p[1], p[2]-x)+x*math.Log(p[3]))
		most = math.Max(most, w[len(w)-1])
	}
	for i := range w {
		w[i] = math.Exp(w[i] - most)
	}
	return lo + float64(draw.Category(r, w))
}

// hyperRange is where Fisher's noncentral hypergeometric distribution has mass:
// x of n1 and m1 - x of n2.
func hyperRange[T, B any](k kit.Calc[T, B], p []T) (lo, hi T) {
	return kit.Greater(k, k.Sub(p[2], p[1]), k.Num(0)), kit.Lesser(k, p[2], p[0])
}

func hyperWeight[T, B any](k kit.Calc[T, B], j T, p []T) T {
	c := k.Add(k.Fn(special.Lchoose, p[0], j), k.Fn(special.Lchoose, p[1], k.Sub(p[2], j)))
	return k.Add(c, k.Mul(j, k.Log(p[3])))
}
