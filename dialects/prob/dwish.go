package prob

import (
	"math"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// Wishart is a law of precision matrices.
var Wishart = &family.Law{Name: "dwish", Params: "R[,] k", Origin: family.Both,
	Named: []family.Named{{Name: "df", Of: 1, Power: 1}},
	Doc:   "Wishart: |X|^((k-p-1)/2) exp(-tr(R X)/2), mean k inverse(R)", Functions: family.LogDensityFunction, Transform: support.Cholesky,
	Where: func([]family.Array) string { return definiteMatrix },
	Joint: wishart,
}

// wishart is dwish(R[,], k), whose mean is k inverse(R).
var wishart = &family.Joint{
	Node: 2, Args: []int{2, 0},
	Invalid: func(p []family.Array) string { return wishartInvalid(p, "R") },
	Centre: func(p []family.Array, _ int) []float64 {
		out := kit.InverseOf(p[0].V, p[0].Dims[0])
		for i := range out {
			out[i] *= p[1].V[0]
		}
		return out
	},
	Go: wishartLaw[float64, bool, int](), Ops: wishartLaw[ir.Value, ir.Value, ir.Value](),
}

func wishartLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{
		LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			df, n := p[1].Number(), k.ToFloat(x.Len())
			r := k.Factor(p[0])
			f := k.Factor(x)
			trace := k.Fold(x.Len(), []T{k.Num(0)}, func(i I, acc []T) []T {
				return []T{k.PlusProducts(acc[0], x.Len(), func(j I) T { return p[0].Load(i, j) }, func(j I) T { return x.Load(i, j) })}
			})[0]
			c, valid := wishartConstant(k, r, df, x.Len())
			body := kit.Half(k, k.Sub(k.Mul(k.Sub(k.Sub(df, n), k.Num(1)), f.LogDet), trace))
			return kit.Valid(k, valid, k.Add(c, kit.Within(k, f.OK, body)))
		},
		Draw: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			f := k.Factor(p[0])
			wishartDraw(k, d, x, p[1].Number(), func(i, j I) T { return f.Lower(j, i) }, f.Pivot)
		},
	}
}

// wishartInvalid is what is wrong with a matrix of that name and degrees of freedom.
func wishartInvalid(p []family.Array, name string) string {
	n := p[0].Dims[0]
	if k := p[1].V[0]; !(k > float64(n-1)) || math.IsInf(k, 1) {
		return "the degrees of freedom must exceed the number of rows less 1"
	}
	if why := kit.Definite(p[0].V, n); why != "" {
		return "the matrix " + name + " is " + why
	}
	return ""
}

// wishartDraw is Bartlett's: with R = U' D U, U unit upper triangular, it is B B', where
// the root of D times U times B is lower triangular with roots of chi-squares on the diagonal and normal numbers
// below. Deviates are numbered as the elements are.
func wishartDraw[T, B, I any](k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], df T, upper func(i, j I) T, pivot func(i I) T) {
	n, one := x.Len(), k.Index(1)
	b := k.Matrix(n)
	at := func(i, j I) I { return k.ToIndex(k.Add(k.Mul(k.ToFloat(i), k.ToFloat(n)), k.ToFloat(j))) }
	k.Each(k.Index(0), n, func(j I) {
		set := func(i I, z T) {
			next := k.IndexAdd(i, one)
			z = k.Div(z, k.Sqrt(pivot(i)))
			b.Store(k.LessProducts(z, k.IndexSub(n, next), func(m I) T { return upper(i, k.IndexAdd(next, m)) },
				func(m I) T { return b.Load(k.IndexAdd(next, m), j) }), i, j)
		}
		below := k.IndexSub(n, k.IndexAdd(j, one))
		forms.Descending(k, below, func(m I) {
			i := k.IndexAdd(k.IndexAdd(j, one), m)
			set(i, d.Normal(at(i, j)))
		})
		set(j, k.Sqrt(k.Mul(k.Num(2), d.Gamma(at(j, j), kit.Half(k, k.Sub(df, k.ToFloat(j)))))))
		forms.Descending(k, j, func(i I) { set(i, k.Num(0)) })
	})
	k.Each(k.Index(0), n, func(i I) {
		k.Each(k.Index(0), k.IndexAdd(i, one), func(j I) {
			s := k.Neg(k.LessProducts(k.Num(0), n, func(m I) T { return b.Load(i, m) }, func(m I) T { return b.Load(j, m) }))
			x.Store(s, i, j)
			x.Store(s, j, i)
		})
	})
}

const definiteMatrix = "a symmetric positive definite matrix"
