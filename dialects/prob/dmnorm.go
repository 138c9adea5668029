package prob

import (
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// MultiNormal has a precision matrix.
var MultiNormal = &family.Law{Name: "dmnorm", Params: "mu[] Omega[,]", Origin: family.Both,
	Named: []family.Named{{Name: "mean", Of: 0, Power: 1}, {Name: "prec", Of: 1, Power: 1}},
	Forms: []family.Form{{Names: []string{"mean", "cov"}, Inverse: true, Params: []string{"mean", "cov"}}},
	Doc:   "multivariate normal with precision matrix Omega", Functions: family.LogDensityFunction, Transform: support.Identity,
	Conjugate: []family.Conjugate{{Param: 0, Of: "dmnorm"}, {Param: 1, Of: "dwish"}},
	Joint:     multinormal,
}

// multinormal is dmnorm(mu[], Omega[,]) with precision matrix Omega.
var multinormal = &family.Joint{
	Node: 1, Args: []int{1, 2}, Matrix: family.Matrix{Of: "multivariate normal", Param: 1}, Invalid: forms.LocationInvalid, Centre: forms.MeanOf, Conditional: forms.ConditionalNormal,
	Go: multinormalLaw[float64, bool, int](), Ops: multinormalLaw[ir.Value, ir.Value, ir.Value](),
}

func multinormalLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{
		LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			f, n := k.Factor(p[1]), p[1].Len()
			q, ok := forms.Location(k, f, x, p[0], n)
			c := k.Sub(kit.Half(k, f.LogDet), k.Mul(k.Num(0.5*kit.Log2Pi), k.ToFloat(n)))
			return kit.Valid(k, ok, k.Sub(c, kit.Half(k, kit.NumberOr(k, q, kit.Inf))))
		},
		Draw: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			n := p[1].Len()
			forms.NormalDeviate(k, d, k.Factor(p[1]), x, n)
			k.Each(k.Index(0), n, func(i I) { x.Store(k.Add(p[0].Load(i), x.Load(i)), i) })
		},
	}
}
