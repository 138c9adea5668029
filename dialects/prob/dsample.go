package prob

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
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
var withoutReplacement = &family.Joint{Ops: lowerSample, Vectors: 1,
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
	Logp: func(x []float64, p []family.Array) float64 {
		if kit.Sum(x) != p[1].V[0] {
			return -kit.Inf
		}
		out := 0.0
		for i, y := range x {
			switch y {
			case 0:
			case 1:
				out += kit.Log(p[0].V[i])
			default:
				return -kit.Inf
			}
		}
		return out - chosen(p[0].V, int(p[1].V[0]))[0][int(p[1].V[0])]
	},
	Draw: func(r *rand.Rand, p []family.Array, n int) []float64 {
		left := int(p[1].V[0])
		out, e := make([]float64, n), chosen(p[0].V, left)
		for i, w := range p[0].V {
			if left > 0 && kit.Log(draw.Open(r)) < kit.Log(w)+e[i+1][left-1]-e[i][left] {
				out[i] = 1
				left--
			}
		}
		return out
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
	}}

// chosen are the logarithms of the elementary symmetric polynomials of the weights from
// i on, of degrees up to most: e[i][j].
func chosen(w []float64, most int) [][]float64 {
	e := make([][]float64, len(w)+1)
	for i := len(w); i >= 0; i-- {
		e[i] = make([]float64, most+1)
		for j := range e[i] {
			switch {
			case j == 0:
			case i == len(w):
				e[i][j] = -kit.Inf
			default:
				e[i][j] = family.LogSumOf([]float64{e[i+1][j], kit.Log(w[i]) + e[i+1][j-1]})
			}
		}
	}
	return e
}

func lowerSample(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	b := k.B
	zero, one := b.Index(0), b.Index(1)
	acc := k.Fold(x.N, []ir.Value{k.Num(0), k.Num(0), k.Num(1), k.Num(1), k.Num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		y, wt := x.Load(k, i), p[0].Load(k, i)
		in := k.Or(k.Cmp(arith.OEQ, y, k.Num(0)), k.Cmp(arith.OEQ, y, k.Num(1)))
		fine := k.And(k.Cmp(arith.OGE, wt, k.Num(0)), k.IsFinite(wt))
		return []ir.Value{k.Plus(acc[0], y), k.Plus(acc[1], k.Xlogy(y, wt)), k.Least(acc[2], k.Flag(in)),
			k.Least(acc[3], k.Flag(fine)), k.Plus(acc[4], k.Flag(k.Positive(wt)))}
	})
	size := p[1].Scalar
	ok := k.And(k.And(k.Whole(size, 0), k.Cmp(arith.OLE, size, acc[4])), k.Positive(acc[3]))
	n := k.ToIndex(k.Pick(ok, size, k.Num(0)))
	e := w.Vector(k, 0, x.N) // of degrees from 1
	k.Each(zero, n, func(j ir.Value) { e.Store(k, k.Num(-kit.Inf), j) })
	k.Each(zero, x.N, func(i ir.Value) {
		lw := k.Log(p[0].Load(k, i))
		k.Each(zero, n, func(t ir.Value) {
			j := arith.SubI(b, arith.SubI(b, n, one), t)
			less := e.Load(k, b.Op(arith.Maxsi, arith.SubI(b, j, one), zero))
			with := k.Add(lw, arith.Choose(b, arith.CmpI(b, arith.EQ, j, zero), k.Num(0), less))
			e.Store(k, k.LogAdd(e.Load(k, j), with), j)
		})
	})
	last := e.Load(k, b.Op(arith.Maxsi, arith.SubI(b, n, one), zero))
	norm := arith.Choose(b, arith.CmpI(b, arith.EQ, n, zero), k.Num(0), last)
	inside := k.And(k.Positive(acc[2]), k.Cmp(arith.OEQ, acc[0], size))
	return k.Valid(k.And(ok, k.IsNumber(acc[0])), k.Within(inside, k.Sub(acc[1], norm)))
}
