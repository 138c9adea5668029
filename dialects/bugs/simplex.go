package bugs

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"gonum.org/v1/gonum/stat/distuv"
)

// simplexSlack is how far from 1 the sum of a vector of probabilities may be, which
// files give with few digits.
const simplexSlack = 1e-6

// multinomial is dmulti(p[], n): p is normalised by its sum.
var multinomial = &joint{node: 1, args: []int{1, 0},
	invalid: func(p []value) string {
		if n := p[1].v[0]; !isInteger(n) || n < 0 {
			return "the size must be a whole number; the order is dmulti(p[], n)"
		}
		return weightsInvalid(p[0].v)
	},
	logp: func(x []float64, p []value) float64 {
		w, n := p[0].v, p[1].v[0]
		if sum(x) != n {
			return -inf
		}
		total, out := sum(w), 0.0
		for i, y := range x {
			if y < 0 || !isInteger(y) {
				return -inf
			}
			out += multinomialTerm[float64, bool](floats{}, y, n, w[i]/total)
		}
		return out + multinomialConstant[float64, bool](floats{}, n)
	},
	draw: func(r *rand.Rand, p []value, k int) []float64 {
		out, n, left := make([]float64, k), p[1].v[0], sum(p[0].v)
		for i, w := range p[0].v {
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
	},
	centre: func(p []value, k int) []float64 {
		// Rounding the sums so far keeps the total.
		out, total, sofar, before := make([]float64, k), sum(p[0].v), 0.0, 0.0
		for i, w := range p[0].v {
			sofar += w
			upto := math.Round(p[1].v[0] * math.Min(sofar/total, 1))
			out[i], before = upto-before, upto
		}
		return out
	}}

// dirichlet is ddirch(alpha[]): a component whose alpha is 0 is 0.
var dirichlet = &joint{node: 1, args: []int{1},
	invalid: func(p []value) string {
		for i, a := range p[0].v {
			if a < 0 || math.IsInf(a, 1) {
				return fmt.Sprintf("alpha[%d] must not be negative, nor infinite", i+1)
			}
		}
		if s := sum(p[0].v); !(s > 0) || math.IsInf(s, 1) {
			return "alpha must have a positive sum"
		}
		return ""
	},
	logp: func(x []float64, p []value) float64 {
		if !(math.Abs(sum(x)-1) <= simplexSlack) {
			return -inf
		}
		total := sum(p[0].v)
		out, s, rest := 0.0, -1.0, 0.0
		for i, a := range p[0].v {
			switch {
			case !(x[i] >= 0), a == 0 && x[i] > 0, a > 1 && x[i] == 0:
				return -inf
			case a > 0:
				out += dirichletTerm[float64, bool](floats{}, x[i], a, total)
				s, rest = added[float64, bool](floats{}, s, rest, x[i])
			}
		}
		return out + dirichletConstant[float64, bool](floats{}, total, s+rest)
	},
	draw: func(r *rand.Rand, p []value, n int) []float64 {
		out, most := make([]float64, n), -inf
		for i, a := range p[0].v {
			out[i] = -inf
			if a > 0 {
				out[i] = logGammaDraw(r, a)
				most = math.Max(most, out[i])
			}
		}
		for i, y := range out {
			out[i] = math.Exp(y - most)
		}
		s := sum(out)
		for i := range out {
			out[i] /= s
		}
		return out
	},
	centre: func(p []value, n int) []float64 {
		out, s := make([]float64, n), sum(p[0].v)
		for i, a := range p[0].v {
			out[i] = a / s
		}
		return out
	}}

func lowerMultinomial(k kit, _ workspace, x view, p []view) ir.Value {
	total, ok := k.weights(p[0])
	n := p[1].scalar
	acc := k.fold(x.n, []ir.Value{k.num(0), k.num(1), k.num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		y := x.load(k, i)
		term := k.sub(k.xlogy(y, p[0].load(k, i)), k.b.Op(special.Logfact, y))
		return []ir.Value{k.plus(acc[0], y), k.least(acc[1], k.flag(k.whole(y, 0))), k.plus(acc[2], term)}
	})
	inside := k.and(k.cmp(arith.OEQ, acc[0], n), k.positive(acc[1]))
	plain := func() ir.Value { return k.add(acc[2], k.sub(k.b.Op(special.Logfact, n), k.mul(n, k.log(total)))) }
	body := k.branch(k.and(k.exceeds(n), k.isFinite(n)), func() ir.Value {
		terms := k.fold(x.n, []ir.Value{k.num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.plus(acc[0], multinomialTerm[ir.Value, ir.Value](k, x.load(k, i), n, k.div(p[0].load(k, i), total)))}
		})[0]
		return k.add(terms, multinomialConstant[ir.Value, ir.Value](k, n))
	}, plain)
	return k.valid(k.and(ok, k.whole(n, 0)), k.within(inside, body))
}

func lowerDirichlet(k kit, _ workspace, x view, p []view) ir.Value {
	zero := k.num(0)
	inits := []ir.Value{zero, zero, k.num(1), zero, zero}
	acc := k.fold(x.n, inits, func(i ir.Value, acc []ir.Value) []ir.Value {
		y, a := x.load(k, i), p[0].load(k, i)
		some := k.positive(a)
		// Inside are y > 0 with a > 0, and y = 0 with a <= 1.
		in := arith.Choose(k.b, k.positive(y), some, k.and(k.cmp(arith.OEQ, y, zero), k.cmp(arith.OLE, a, k.num(1))))
		term := k.sub(k.xlogy(k.sub(a, k.num(1)), y), k.lgamma(a))
		return []ir.Value{k.plus(acc[0], y), k.plus(acc[1], a), k.least(acc[2], k.flag(in)),
			k.plus(acc[3], arith.Choose(k.b, some, term, zero)), k.least(acc[4], a)}
	})
	sumX, sumA := acc[0], acc[1]
	near := k.cmp(arith.OLE, k.abs(arith.SubF(k.b, sumX, k.num(1))), k.num(simplexSlack))
	ok := k.and(k.cmp(arith.OGE, acc[4], zero), k.and(k.positive(sumA), k.isFinite(sumA)))
	body := k.branch(k.and(k.exceeds(sumA), k.isFinite(sumA)), func() ir.Value {
		acc := k.fold(x.n, []ir.Value{zero, k.num(-1), zero}, func(i ir.Value, acc []ir.Value) []ir.Value {
			a := p[0].load(k, i)
			term := dirichletTerm[ir.Value, ir.Value](k, x.load(k, i), arith.Choose(k.b, k.positive(a), a, k.num(1)), sumA)
			s, rest := added[ir.Value, ir.Value](k, acc[1], acc[2], x.load(k, i))
			return []ir.Value{k.plus(acc[0], arith.Choose(k.b, k.positive(a), term, zero)), s, rest}
		})
		return k.add(acc[0], dirichletConstant[ir.Value, ir.Value](k, sumA, k.plus(acc[1], acc[2])))
	}, func() ir.Value { return k.add(k.lgamma(sumA), acc[3]) })
	return k.valid(ok, k.within(k.and(near, k.positive(acc[2])), body))
}
