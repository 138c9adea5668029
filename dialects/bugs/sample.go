package bugs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// withoutReplacement is dsample(p[], K): K of the indicators are 1, with a probability
// in proportion to the product of their p. The normaliser is the elementary symmetric
// polynomial of degree K, summed by logarithms: all of its terms are positive.
var withoutReplacement = &joint{node: 1, args: []int{1, 0},
	invalid: func(p []value) string {
		some := 0.0
		for i, w := range p[0].v {
			if w < 0 || math.IsInf(w, 1) {
				return fmt.Sprintf("weight %d must not be negative, nor infinite", i+1)
			}
			some += truth(w > 0)
		}
		if n := p[1].v[0]; !isInteger(n) || n < 0 || n > some {
			return "K must be a whole number, at most that of the positive weights"
		}
		return ""
	},
	logp: func(x []float64, p []value) float64 {
		if sum(x) != p[1].v[0] {
			return -inf
		}
		out := 0.0
		for i, y := range x {
			switch y {
			case 0:
			case 1:
				out += logOf(p[0].v[i])
			default:
				return -inf
			}
		}
		return out - chosen(p[0].v, int(p[1].v[0]))[0][int(p[1].v[0])]
	},
	draw: func(r *rand.Rand, p []value, n int) []float64 {
		left := int(p[1].v[0])
		out, e := make([]float64, n), chosen(p[0].v, left)
		for i, w := range p[0].v {
			if left > 0 && logOf(open(r)) < logOf(w)+e[i+1][left-1]-e[i][left] {
				out[i] = 1
				left--
			}
		}
		return out
	},
	centre: func(p []value, n int) []float64 {
		at, out := make([]int, n), make([]float64, n)
		for i := range at {
			at[i] = i
		}
		sort.SliceStable(at, func(i, j int) bool { return p[0].v[at[i]] > p[0].v[at[j]] })
		for _, i := range at[:int(p[1].v[0])] {
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
				e[i][j] = -inf
			default:
				e[i][j] = logSumOf([]float64{e[i+1][j], logOf(w[i]) + e[i+1][j-1]})
			}
		}
	}
	return e
}

func lowerSample(k kit, w workspace, x view, p []view) ir.Value {
	b := k.b
	zero, one := b.Index(0), b.Index(1)
	acc := k.fold(x.n, []ir.Value{k.num(0), k.num(0), k.num(1), k.num(1), k.num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		y, wt := x.load(k, i), p[0].load(k, i)
		in := k.or(k.cmp(arith.OEQ, y, k.num(0)), k.cmp(arith.OEQ, y, k.num(1)))
		fine := k.and(k.cmp(arith.OGE, wt, k.num(0)), k.isFinite(wt))
		return []ir.Value{k.plus(acc[0], y), k.plus(acc[1], k.xlogy(y, wt)), k.least(acc[2], k.flag(in)),
			k.least(acc[3], k.flag(fine)), k.plus(acc[4], k.flag(k.positive(wt)))}
	})
	size := p[1].scalar
	ok := k.and(k.and(k.whole(size, 0), k.cmp(arith.OLE, size, acc[4])), k.positive(acc[3]))
	n := k.toIndex(k.pick(ok, size, k.num(0)))
	e := w.vector(k, 0, x.n) // of degrees from 1
	k.each(zero, n, func(j ir.Value) { e.store(k, k.num(-inf), j) })
	k.each(zero, x.n, func(i ir.Value) {
		lw := k.log(p[0].load(k, i))
		k.each(zero, n, func(t ir.Value) {
			j := arith.SubI(b, arith.SubI(b, n, one), t)
			less := e.load(k, b.Op(arith.Maxsi, arith.SubI(b, j, one), zero))
			with := k.add(lw, arith.Choose(b, arith.CmpI(b, arith.EQ, j, zero), k.num(0), less))
			e.store(k, k.logAdd(e.load(k, j), with), j)
		})
	})
	last := e.load(k, b.Op(arith.Maxsi, arith.SubI(b, n, one), zero))
	norm := arith.Choose(b, arith.CmpI(b, arith.EQ, n, zero), k.num(0), last)
	inside := k.and(k.positive(acc[2]), k.cmp(arith.OEQ, acc[0], size))
	return k.valid(k.and(ok, k.isNumber(acc[0])), k.within(inside, k.sub(acc[1], norm)))
}

// logAdd is log(e^x + e^y).
func (k kit) logAdd(x, y ir.Value) ir.Value {
	top := arith.Float(k.b, arith.Maximumf, 0, x, y)
	some := k.cmp(arith.OGT, top, k.num(-inf))
	d := k.pick(some, k.neg(k.abs(k.sub(x, y))), k.num(0))
	return k.pick(some, k.add(top, k.b.Op(special.Log1pexp, d)), top)
}
