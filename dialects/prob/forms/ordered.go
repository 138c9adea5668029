package forms

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// Ordered is dordered.logit or dordered.probit(mu, cut[]): P(x <= j) = F(cut[j] - mu).
// between is the logarithm of F(b) - F(a), noise a draw from F.
func Ordered(between func(a, b float64) float64, noise func(r *rand.Rand) float64, ops func(k kit.Calc[ir.Value, ir.Value], a, b ir.Value) ir.Value) *family.Joint {
	return &family.Joint{Ops: lowerOrdered(ops), Args: []int{0, 1}, Single: true,
		Invalid: func(p []family.Array) string {
			if math.IsInf(p[0].V[0], 0) {
				return "mu must be finite"
			}
			for i, c := range p[1].V[1:] {
				if !(c > p[1].V[i]) {
					return "the cut points must ascend"
				}
			}
			return ""
		},
		Logp: func(x []float64, p []family.Array) float64 {
			cuts := p[1].V
			if !kit.IsInteger(x[0]) || x[0] < 1 || x[0] > float64(len(cuts)+1) {
				return -kit.Inf
			}
			j, lo, hi := int(x[0]), -kit.Inf, kit.Inf
			if j > 1 {
				lo = cuts[j-2]
			}
			if j <= len(cuts) {
				hi = cuts[j-1]
			}
			return between(lo-p[0].V[0], hi-p[0].V[0])
		},
		Draw: func(r *rand.Rand, p []family.Array, _ int) []float64 {
			return []float64{1 + kit.CountBelow(p[0].V[0]+noise(r), p[1].V)}
		},
		Centre: func(p []family.Array, _ int) []float64 { return []float64{1 + kit.CountBelow(p[0].V[0], p[1].V)} }}
}

func lowerOrdered(between func(k kit.Calc[ir.Value, ir.Value], a, b ir.Value) ir.Value) func(kit.Ops, kit.Workspace, kit.View, []kit.View) ir.Value {
	return func(k kit.Ops, _ kit.Workspace, x kit.View, p []kit.View) ir.Value {
		mu, cuts, b := p[0].Scalar, p[1], k.B
		one := b.Index(1)
		asc := k.Fold(arith.SubI(b, cuts.N, one), []ir.Value{k.Num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
			up := k.Cmp(arith.OLT, cuts.Load(k, i), cuts.Load(k, arith.AddI(b, i, one)))
			return []ir.Value{k.Least(acc[0], k.Flag(up))}
		})[0]
		first, last := cuts.Load(k, b.Index(0)), cuts.Load(k, arith.SubI(b, cuts.N, one))
		numbers := k.And(k.IsNumber(first), k.IsNumber(last))
		size := k.ToFloat(cuts.N)
		inside := k.And(k.Whole(x.Scalar, 1), k.Cmp(arith.OLE, x.Scalar, k.Add(size, k.Num(1))))
		j := k.ToIndex(k.Pick(inside, x.Scalar, k.Num(1)))
		lowest := k.Cmp(arith.OLE, x.Scalar, k.Num(1))
		highest := k.Cmp(arith.OGT, x.Scalar, size)
		two := b.Index(2)
		lo := k.Pick(lowest, k.Num(-kit.Inf), cuts.Load(k, b.Op(arith.Maxsi, arith.SubI(b, j, two), b.Index(0))))
		hi := k.Pick(highest, k.Num(kit.Inf), cuts.Load(k, b.Op(arith.Minsi, arith.SubI(b, j, one), arith.SubI(b, cuts.N, one))))
		body := between(k, arith.SubF(b, lo, mu), arith.SubF(b, hi, mu))
		ok := k.And(k.And(k.Positive(asc), numbers), k.And(k.IsFinite(mu), k.IsNumber(x.Scalar)))
		return k.Valid(ok, k.Within(inside, body))
	}
}

func OrderedRange(p []family.Array) (from, to float64) { return 1, float64(len(p[1].V) + 1) }
