package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// MultiStudent is a normal vector over the root of a chi-square.
var MultiStudent = &family.Law{Name: "dmt", Params: "mu[] Omega[,] k", Origin: family.Both,
	Named: []family.Named{{Name: "prec", Of: 1, Power: 1}, {Name: "df", Of: 2, Power: 1}},
	Doc:   "multivariate Student with k degrees of freedom", Functions: family.LogDensityFunction, Transform: support.Identity,
	Joint: multiStudent,
}

// multiStudent is dmt(mu[], Omega[,], k).
var multiStudent = &family.Joint{Conditional: conditionalStudent,
	Node: 1, Args: []int{1, 2, 0}, Centre: forms.MeanOf,
	Invalid: func(p []family.Array) string {
		if k := p[2].V[0]; !(k > 0) || math.IsInf(k, 1) {
			return "the degrees of freedom must be positive"
		}
		return forms.LocationInvalid(p)
	},
	Go: multiStudentLaw[float64, bool, int](), Ops: multiStudentLaw[ir.Value, ir.Value, ir.Value](),
}

func multiStudentLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{
		LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			f := k.Factor(p[1])
			q, ok := forms.Location(k, f, x, p[0], p[1].Len())
			df, n := p[2].Number(), k.ToFloat(x.Len())
			m := kit.Half(k, k.Add(df, n))
			c := k.Sub(k.Sub(lgamma(k, m), lgamma(k, kit.Half(k, df))), kit.Half(k, k.Mul(n, k.Log(k.Mul(df, k.Num(math.Pi))))))
			ok = k.And(ok, k.And(kit.Positive(k, df), kit.IsFinite(k, df)))
			body := k.Sub(k.Add(c, kit.Half(k, f.LogDet)), k.Mul(m, k.Log1p(k.Div(q, df))))
			return kit.Valid(k, ok, kit.Within(k, kit.IsNumber(k, q), body))
		},
		Draw: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			n, df := p[1].Len(), p[2].Number()
			forms.NormalDeviate(k, d, k.Factor(p[1]), x, n)
			scale := k.Sqrt(k.Div(k.Mul(k.Num(2), d.Gamma(n, kit.Half(k, df))), df))
			k.Each(k.Index(0), n, func(i I) { x.Store(k.Add(p[0].Load(i), k.Div(x.Load(i), scale)), i) })
		},
	}
}

func lgamma[T, B any](k kit.Calc[T, B], x T) T { return k.Fn(special.Lgamma, x) }

// conditionalStudent: a vector of dmt is a normal one whose precision has been multiplied
// by a gamma variable with shape and rate k/2. Given d of its elements, at squared
// distance q from their mean in their marginal metric, that has shape (k + d)/2 and rate
// (k + q)/2, and the rest is normal given them.
func conditionalStudent(r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
	n, d := len(x), 0
	// q is the least distance over the rest: at the conditional mean.
	at := make([]float64, n)
	copy(at, x)
	mean, err := forms.ConditionalMean(x, keep, p)
	if err != nil {
		return err
	}
	for i := range at {
		if keep[i] {
			d++
		} else {
			at[i] = mean[i]
		}
	}
	f := kit.FactorOf(p[1].V, n)
	q, _ := forms.Location(kit.Floats{}, f, kit.Grid{V: at}, p[0].Part(), n)
	k := p[2].V[0]
	w := draw.Gamma(r, (k+float64(d))/2, (k+q)/2)
	scaled := family.Array{Dims: p[1].Dims, V: make([]float64, len(p[1].V))}
	for i, y := range p[1].V {
		scaled.V[i] = w * y
	}
	return forms.ConditionalNormal(r, x, keep, []family.Array{p[0], scaled})
}
