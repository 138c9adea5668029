package bugs

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// normalMixture is dnormmix(mu[], tau[], p[]): p is normalised by its sum.
var normalMixture = &joint{args: []int{1, 1, 1},
	invalid: func(p []value) string {
		for i, m := range p[0].v {
			if math.IsInf(m, 0) {
				return fmt.Sprintf("mu[%d] must be finite", i+1)
			}
			if t := p[1].v[i]; !(t > 0) || math.IsInf(t, 1) {
				return fmt.Sprintf("tau[%d] must be positive and finite", i+1)
			}
		}
		return weightsInvalid(p[2].v)
	},
	logp: func(x []float64, p []value) float64 {
		terms := make([]float64, len(p[0].v))
		for i, m := range p[0].v {
			z := x[0] - m
			terms[i] = logOf(p[2].v[i]) + 0.5*logOf(p[1].v[i]) - 0.5*p[1].v[i]*z*z
		}
		return logSumOf(terms) - 0.5*log2Pi - logOf(sum(p[2].v))
	},
	draw: func(r *rand.Rand, p []value, _ int) []float64 {
		i := category(r, p[2].v)
		return []float64{normalDraw(r, p[0].v[i], p[1].v[i])}
	},
	centre: func(p []value, _ int) []float64 {
		out, total := 0.0, sum(p[2].v)
		for i, m := range p[0].v {
			out += m * (p[2].v[i] / total)
		}
		return []float64{out}
	}}

// logSumOf is the logarithm of the sum of exponentials.
func logSumOf(terms []float64) float64 {
	top := -inf
	for _, x := range terms {
		top = math.Max(top, x)
	}
	if math.IsInf(top, 0) || math.IsNaN(top) {
		return top
	}
	s := 0.0
	for _, x := range terms {
		s += math.Exp(x - top)
	}
	return top + math.Log(s)
}

func lowerNormalMixture(k kit, _ workspace, x view, p []view) ir.Value {
	total, ok := k.weights(p[2])
	term := func(i ir.Value) ir.Value {
		tau := p[1].load(k, i)
		z := k.sub(x.scalar, p[0].load(k, i))
		return k.sub(k.add(k.log(p[2].load(k, i)), k.half(k.log(tau))), k.quadratic(k.half(tau), z))
	}
	none := k.num(-inf)
	top := k.fold(p[0].n, []ir.Value{none, k.num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		tau := p[1].load(k, i)
		fine := k.and(k.and(k.positive(tau), k.isFinite(tau)), k.isFinite(p[0].load(k, i)))
		return []ir.Value{arith.Float(k.b, arith.Maximumf, 0, acc[0], term(i)), k.least(acc[1], k.flag(fine))}
	})
	some := k.cmp(arith.OGT, top[0], none)
	safe := k.pick(some, top[0], k.num(0))
	s := k.fold(p[0].n, []ir.Value{k.num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		return []ir.Value{k.add(acc[0], k.exp(k.sub(term(i), safe)))}
	})[0]
	body := k.sub(k.add(safe, k.log(s)), k.add(k.log(total), k.num(0.5*log2Pi)))
	// A value that is NaN has no density; infinity has none.
	return k.valid(k.and(k.and(ok, k.positive(top[1])), k.isNumber(x.scalar)), k.within(some, body))
}

// ordered is dordered.logit or dordered.probit(mu, cut[]): P(x <= j) = F(cut[j] - mu).
// between is the logarithm of F(b) - F(a), noise a draw from F.
func ordered(between func(a, b float64) float64, noise func(r *rand.Rand) float64) *joint {
	return &joint{args: []int{0, 1}, single: true,
		invalid: func(p []value) string {
			if math.IsInf(p[0].v[0], 0) {
				return "mu must be finite"
			}
			for i, c := range p[1].v[1:] {
				if !(c > p[1].v[i]) {
					return "the cut points must ascend"
				}
			}
			return ""
		},
		logp: func(x []float64, p []value) float64 {
			cuts := p[1].v
			if !isInteger(x[0]) || x[0] < 1 || x[0] > float64(len(cuts)+1) {
				return -inf
			}
			j, lo, hi := int(x[0]), -inf, inf
			if j > 1 {
				lo = cuts[j-2]
			}
			if j <= len(cuts) {
				hi = cuts[j-1]
			}
			return between(lo-p[0].v[0], hi-p[0].v[0])
		},
		draw: func(r *rand.Rand, p []value, _ int) []float64 {
			return []float64{1 + countBelow(p[0].v[0]+noise(r), p[1].v)}
		},
		centre: func(p []value, _ int) []float64 { return []float64{1 + countBelow(p[0].v[0], p[1].v)} }}
}

// logisticBetween is the logarithm of F(b) - F(a), a <= b, of the logistic distribution.
func logisticBetween[T, B any](k calc[T, B], a, b T) T {
	// Infinite ends: their difference is taken as infinite.
	d := k.pick(k.and(k.holds(arith.OGT, a, k.num(-inf)), k.holds(arith.OLT, b, k.num(inf))), k.sub(a, b), k.num(-inf))
	return k.sub(k.sub(k.fn(special.Log1mexp, d), k.fn(special.Log1pexp, a)), k.fn(special.Log1pexp, k.neg(b)))
}

func logisticBetweenGo(a, b float64) float64 { return logisticBetween[float64, bool](floats{}, a, b) }

func normalBetweenGo(a, b float64) float64 { return normalBetween[float64, bool](floats{}, a, b) }

// normalBetween is that of the normal distribution.
func normalBetween[T, B any](k calc[T, B], a, b T) T {
	at := func(x T) tails[T] { return tails[T]{k.fn(special.LogPhi, x), k.fn(special.LogPhi, k.neg(x))} }
	return truncation(k, false, at, &a, &b)
}

func lowerOrdered(between func(k calc[ir.Value, ir.Value], a, b ir.Value) ir.Value) func(kit, workspace, view, []view) ir.Value {
	return func(k kit, _ workspace, x view, p []view) ir.Value {
		mu, cuts, b := p[0].scalar, p[1], k.b
		one := b.Index(1)
		asc := k.fold(arith.SubI(b, cuts.n, one), []ir.Value{k.num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
			up := k.cmp(arith.OLT, cuts.load(k, i), cuts.load(k, arith.AddI(b, i, one)))
			return []ir.Value{k.least(acc[0], k.flag(up))}
		})[0]
		first, last := cuts.load(k, b.Index(0)), cuts.load(k, arith.SubI(b, cuts.n, one))
		numbers := k.and(k.isNumber(first), k.isNumber(last))
		size := k.toFloat(cuts.n)
		inside := k.and(k.whole(x.scalar, 1), k.cmp(arith.OLE, x.scalar, k.add(size, k.num(1))))
		j := k.toIndex(k.pick(inside, x.scalar, k.num(1)))
		lowest := k.cmp(arith.OLE, x.scalar, k.num(1))
		highest := k.cmp(arith.OGT, x.scalar, size)
		two := b.Index(2)
		lo := k.pick(lowest, k.num(-inf), cuts.load(k, b.Op(arith.Maxsi, arith.SubI(b, j, two), b.Index(0))))
		hi := k.pick(highest, k.num(inf), cuts.load(k, b.Op(arith.Minsi, arith.SubI(b, j, one), arith.SubI(b, cuts.n, one))))
		body := between(k, arith.SubF(b, lo, mu), arith.SubF(b, hi, mu))
		ok := k.and(k.and(k.positive(asc), numbers), k.and(k.isFinite(mu), k.isNumber(x.scalar)))
		return k.valid(ok, k.within(inside, body))
	}
}

// intervalOf is dinterval(t, cut[]).
var intervalOf = &joint{args: []int{0, 1}, single: true, invalid: func([]value) string { return "" },
	logp: func(x []float64, p []value) float64 {
		if x[0] == countBelow(p[0].v[0], p[1].v) {
			return 0
		}
		return -inf
	},
	draw:   func(_ *rand.Rand, p []value, _ int) []float64 { return []float64{countBelow(p[0].v[0], p[1].v)} },
	centre: func(p []value, _ int) []float64 { return []float64{countBelow(p[0].v[0], p[1].v)} }}

func lowerInterval(k kit, _ workspace, x view, p []view) ir.Value {
	n := k.countBelow(p[0].scalar, p[1])
	return k.valid(k.and(k.isNumber(n), k.isNumber(x.scalar)), k.within(k.cmp(arith.OEQ, x.scalar, n), k.num(0)))
}
