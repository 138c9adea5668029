package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// CovarianceNormal has a covariance matrix.
var CovarianceNormal = &family.Law{Name: "dmnorm.vcov", Params: "mu[] Sigma[,]", Origin: family.JAGS,
	Doc: "multivariate normal with covariance matrix Sigma", Functions: family.LogDensityFunction, Transform: support.Identity,
	Conjugate: []family.Conjugate{{Param: 0, Of: "dmnorm.vcov"}, {Param: 1, Of: "dinvwish"}},
	Joint:     covarianceNormal,
}

// covarianceNormal is dmnorm.vcov(mu[], Sigma[,]) with covariance matrix Sigma.
var covarianceNormal = &family.Joint{
	Node: 1, Args: []int{1, 2}, Matrix: family.Matrix{Of: "multivariate normal", Param: 1, Inverse: true}, Centre: forms.MeanOf,
	Invalid: func(p []family.Array) string {
		for _, m := range p[0].V {
			if math.IsInf(m, 0) {
				return "the mean must be finite"
			}
		}
		if why := kit.Definite(p[1].V, len(p[0].V)); why != "" {
			return "the covariance matrix is " + why
		}
		return ""
	},
	Conditional: func(r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
		n := len(x)
		return forms.ConditionalNormal(r, x, keep, []family.Array{p[0], {Dims: []int{n, n}, V: kit.InverseOf(p[1].V, n)}})
	},
	Go: covarianceLaw[float64, bool, int](), Ops: covarianceLaw[ir.Value, ir.Value, ir.Value](),
}

func covarianceLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{
		LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			n := p[1].Len()
			f, z := k.Factor(p[1]), k.Vector(n)
			out := k.Fold(n, []T{k.Num(0), k.Num(1)}, func(i I, acc []T) []T {
				m := p[0].Load(i)
				s := k.LessProducts(k.Sub(x.Load(i), m), i, func(j I) T { return f.Lower(i, j) }, func(j I) T { return z.Load(j) })
				z.Store(s, i)
				return []T{k.Add(acc[0], k.Mul(k.Div(s, f.Pivot(i)), s)), k.Least(acc[1], kit.Flag(k, kit.IsFinite(k, m)))}
			})
			c := k.Neg(k.Add(kit.Half(k, f.LogDet), k.Mul(k.Num(0.5*kit.Log2Pi), k.ToFloat(n))))
			body := k.Minus(c, kit.Half(k, out[0]))
			return kit.Valid(k, k.And(f.OK, kit.Positive(k, out[1])), kit.Within(k, kit.IsNumber(k, out[0]), body))
		},
		Draw: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			n := p[1].Len()
			f, z := k.Factor(p[1]), k.Vector(n)
			k.Each(k.Index(0), n, func(i I) {
				y := k.Mul(d.Normal(i), k.Sqrt(f.Pivot(i)))
				z.Store(y, i)
				sum := k.Neg(k.LessProducts(k.Num(0), i, func(j I) T { return f.Lower(i, j) }, func(j I) T { return z.Load(j) }))
				x.Store(k.Add(p[0].Load(i), k.Add(sum, y)), i)
			})
		},
	}
}
