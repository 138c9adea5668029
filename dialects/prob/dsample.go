package prob

import (
	"fmt"
	"math"
	"sort"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// WithoutReplacement picks K of its elements.
var WithoutReplacement = &family.Law{Name: "dsample", Params: "p[] K", Origin: family.JAGS,
	Doc: "K of the indicators drawn without replacement with weights p", Counts: true, Functions: family.LogDensityFunction, Transform: support.NoTransform,
	Where: func(p []family.Array) string { return fmt.Sprintf("%v ones, and zeros", p[1].V[0]) },
	Joint: withoutReplacement,
}

// withoutReplacement is dsample(p[], K): K of the indicators are 1, with a probability
// in proportion to the product of their p. The normaliser is the elementary symmetric
// polynomial of degree K, summed by logarithms: all of its terms are positive.
var withoutReplacement = &family.Joint{
	Node: 1, Args: []int{1, 0},
	Invalid: func(p []family.Array) string {
		some := 0.0
		for i, w := range p[0].V {
			if w < 0 || math.IsInf(w, 1) {
				return fmt.Sprintf("weight %d must not be negative, nor infinite", i+1)
			}
			some += kit.Truth(w > 0)
		}
		if n := p[1].V[0]; !kit.IsInteger(n) || n < 0 || n > some {
			return "K must be a whole number, at most that of the positive weights"
		}
		return ""
	},
	Centre: func(p []family.Array, n int) []float64 {
		at, out := make([]int, n), make([]float64, n)
		for i := range at {
			at[i] = i
		}
		sort.SliceStable(at, func(i, j int) bool { return p[0].V[at[i]] > p[0].V[at[j]] })
		for _, i := range at[:int(p[1].V[0])] {
			out[i] = 1
		}
		return out
	},
	Go: sampleLaw[float64, bool, int](), Ops: sampleLaw[ir.Value, ir.Value, ir.Value](),
}

func sampleLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{LogDensity: sampleDensity[T, B, I], Draw: sampleDraw[T, B, I]}
}

func sampleDensity[T, B, I any](k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
	zero, one := k.Index(0), k.Index(1)
	acc := k.Fold(x.Len(), []T{k.Num(0), k.Num(0), k.Num(1), k.Num(1), k.Num(0)}, func(i I, acc []T) []T {
		y, wt := x.Load(i), p[0].Load(i)
		in := k.Or(k.Holds(arith.OEQ, y, k.Num(0)), k.Holds(arith.OEQ, y, k.Num(1)))
		fine := k.And(k.Holds(arith.OGE, wt, k.Num(0)), kit.IsFinite(k, wt))
		return []T{k.Plus(acc[0], y), k.Plus(acc[1], k.Xlogy(y, wt)), k.Least(acc[2], kit.Flag(k, in)),
			k.Least(acc[3], kit.Flag(k, fine)), k.Plus(acc[4], kit.Flag(k, kit.Positive(k, wt)))}
	})
	size := p[1].Number()
	ok := k.And(k.And(kit.Whole(k, size, 0), k.Holds(arith.OLE, size, acc[4])), kit.Positive(k, acc[3]))
	n := k.ToIndex(k.Pick(ok, size, k.Num(0)))
	e := k.Vector(x.Len()) // of degrees from 1
	k.Each(zero, n, func(j I) { e.Store(k.Num(-kit.Inf), j) })
	k.Each(zero, x.Len(), func(i I) {
		lw := k.Log(p[0].Load(i))
		k.Each(zero, n, func(t I) {
			j := k.IndexSub(k.IndexSub(n, one), t)
			less := e.Load(k.IndexMax(k.IndexSub(j, one), zero))
			with := k.Add(lw, k.Pick(k.Equal(j, zero), k.Num(0), less))
			e.Store(kit.LogAdd(k, e.Load(j), with), j)
		})
	})
	last := e.Load(k.IndexMax(k.IndexSub(n, one), zero))
	norm := k.Pick(k.Equal(n, zero), k.Num(0), last)
	inside := k.And(kit.Positive(k, acc[2]), k.Holds(arith.OEQ, acc[0], size))
	return kit.Valid(k, k.And(ok, kit.IsNumber(k, acc[0])), kit.Within(k, inside, k.Sub(acc[1], norm)))
}

// sampleDraw chooses element i with the chance that a choice among those from i on has it:
// row i of e has the logarithms of the polynomials of these, of degrees from 1.
func sampleDraw[T, B, I any](k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
	zero, one, n := k.Index(0), k.Index(1), x.Len()
	size, last := k.ToIndex(p[1].Number()), k.IndexSub(n, one)
	e := k.Matrix(n)
	degree := func(i, j I) T { // j is from 0 on; there is nothing after the last element
		row, column := k.IndexMin(i, last), k.IndexMax(k.IndexSub(j, one), zero)
		some := k.Pick(k.Equal(i, n), k.Num(-kit.Inf), e.Load(row, column))
		return k.Pick(k.Equal(j, zero), k.Num(0), some)
	}
	k.Each(zero, n, func(t I) { k.Each(zero, n, func(j I) { e.Store(k.Num(-kit.Inf), t, j) }) })
	forms.Descending(k, n, func(i I) {
		lw, next := k.Log(p[0].Load(i)), k.IndexAdd(i, one)
		k.Each(zero, size, func(j I) {
			e.Store(kit.LogAdd(k, degree(next, k.IndexAdd(j, one)), k.Add(lw, degree(next, j))), i, j)
		})
	})
	k.Fold(n, []T{k.ToFloat(size)}, func(i I, acc []T) []T {
		left, next := k.ToIndex(acc[0]), k.IndexAdd(i, one)
		with := k.Add(k.Log(p[0].Load(i)), degree(next, k.IndexMax(k.IndexSub(left, one), zero)))
		chosen := k.And(kit.Positive(k, acc[0]), k.Holds(arith.OLT, k.Log(d.Uniform(i)), k.Sub(with, degree(i, left))))
		x.Store(kit.Flag(k, chosen), i)
		return []T{k.Sub(acc[0], kit.Flag(k, chosen))}
	})
}
