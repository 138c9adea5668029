package prob

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// InverseWishart is the law of the inverse of a matrix that is Wishart, of covariance matrices.
var InverseWishart = &family.Law{Name: "dinvwish", Params: "S[,] df", Origin: family.NIMBLE,
	Named: []family.Named{{Name: "R", Of: 0, Power: 1}},
	Doc:   "inverse Wishart: |X|^(-(df+p+1)/2) exp(-tr(S inverse(X))/2), mean S/(df-p-1)", Functions: family.LogDensityFunction, Transform: support.Cholesky,
	Where: func([]family.Array) string { return definiteMatrix },
	Joint: inverseWishart,
}

// inverseWishart is dinvwish(S[,], df): the inverse is dwish(S[,], df).
var inverseWishart = &family.Joint{
	Node: 2, Args: []int{2, 0},
	Invalid: func(p []family.Array) string { return wishartInvalid(p, "S") },
	// The mean where there is one, else the mode.
	Centre: func(p []family.Array, _ int) []float64 {
		n, df, out := float64(p[0].Dims[0]), p[1].V[0], make([]float64, len(p[0].V))
		by := df + n + 1
		if df > n+1 {
			by = df - n - 1
		}
		for i, x := range p[0].V {
			out[i] = x / by
		}
		return out
	},
	Go: inverseWishartLaw[float64, bool, int](), Ops: inverseWishartLaw[ir.Value, ir.Value, ir.Value](),
}

func inverseWishartLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{
		LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			df, n := p[1].Number(), k.ToFloat(x.Len())
			s := k.Factor(p[0])
			f := k.Factor(x)
			c, valid := wishartConstant(k, s, df, x.Len())
			trace := traceOfInverse(k, f, s, x.Len())
			body := k.Neg(kit.Half(k, k.Add(k.Mul(k.Add(k.Add(df, n), k.Num(1)), f.LogDet), trace)))
			return kit.Valid(k, valid, k.Add(c, kit.Within(k, f.OK, body)))
		},
		// With S = U' D U and the lower triangular A of Bartlett's decomposition it is C' C, where A C is
		// the root of D times U.
		Draw: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			f, n, one := k.Factor(p[0]), x.Len(), k.Index(1)
			a, c := k.Matrix(n), k.Matrix(n)
			at := func(i, j I) I { return k.ToIndex(k.Add(k.Mul(k.ToFloat(i), k.ToFloat(n)), k.ToFloat(j))) }
			k.Each(k.Index(0), n, func(i I) {
				k.Each(k.Index(0), i, func(j I) { a.Store(d.Normal(at(i, j)), i, j) })
				a.Store(k.Sqrt(k.Mul(k.Num(2), d.Gamma(at(i, i), kit.Half(k, k.Sub(p[1].Number(), k.ToFloat(i)))))), i, i)
				k.Each(k.Index(0), n, func(j I) {
					root := k.Sqrt(f.Pivot(i))
					upper := k.Pick(k.Equal(i, j), root, k.Mul(root, f.Lower(j, i)))
					start := k.Pick(k.Holds(arith.OLT, k.ToFloat(j), k.ToFloat(i)), k.Num(0), upper)
					s := k.LessProducts(start, i, func(m I) T { return a.Load(i, m) }, func(m I) T { return c.Load(m, j) })
					c.Store(k.Div(s, a.Load(i, i)), i, j)
				})
			})
			k.Each(k.Index(0), n, func(i I) {
				k.Each(k.Index(0), k.IndexAdd(i, one), func(j I) {
					s := k.PlusProducts(k.Num(0), n, func(m I) T { return c.Load(m, i) }, func(m I) T { return c.Load(m, j) })
					x.Store(s, i, j)
					x.Store(s, j, i)
				})
			})
		},
	}
}

// traceOfInverse is the trace of S inverse(X) by the factors of both: of S = L D L' it is the sum of
// D[j] times the square of column j of L, in the norm of inverse(X).
func traceOfInverse[T, B, I any](k kit.Arrays[T, B, I], x, s kit.Factored[T, B, I], n I) T {
	z := k.Vector(n)
	return k.Fold(n, []T{k.Num(0)}, func(j I, acc []T) []T {
		square := k.Fold(k.IndexSub(n, j), []T{k.Num(0)}, func(m I, acc []T) []T {
			i := k.IndexAdd(j, m)
			start := k.Pick(k.Equal(i, j), k.Num(1), s.Lower(i, j))
			y := k.LessProducts(start, m, func(l I) T { return x.Lower(i, k.IndexAdd(j, l)) }, func(l I) T { return z.Load(k.IndexAdd(j, l)) })
			z.Store(y, i)
			return []T{k.Add(acc[0], k.Div(k.Mul(y, y), x.Pivot(i)))}
		})[0]
		return []T{k.Add(acc[0], k.Mul(s.Pivot(j), square))}
	})[0]
}

// wishartConstant is what depends on the parameters of a Wishart law and of its inverse alone: the log of
// |R|^(df/2) / (2^(df n/2) Gamma_n(df/2)).
func wishartConstant[T, B, I any](k kit.Arrays[T, B, I], r kit.Factored[T, B, I], df T, rows I) (c T, valid B) {
	n, one := k.ToFloat(rows), k.Num(1)
	gammas := k.Fold(rows, []T{k.Num(0)}, func(i I, acc []T) []T {
		return []T{k.Plus(acc[0], lgamma(k, kit.Half(k, k.Sub(df, k.ToFloat(i)))))}
	})[0]
	c = k.Sub(kit.Half(k, k.Mul(df, k.Sub(r.LogDet, k.Mul(n, k.Num(math.Ln2))))), gammas)
	c = k.Sub(c, k.Mul(k.Num(0.25*math.Log(math.Pi)), k.Mul(n, k.Sub(n, one))))
	return c, k.And(r.OK, k.And(k.Holds(arith.OGT, df, k.Minus(n, one)), kit.IsFinite(k, df)))
}
