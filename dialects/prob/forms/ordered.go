package forms

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// Ordered is dordered.logit or dordered.probit(mu, cut[]): P(x <= j) = F(cut[j] - mu).
func Ordered(inGo Between[float64, bool, int], asOps Between[ir.Value, ir.Value, ir.Value]) *family.Joint {
	return &family.Joint{Args: []int{0, 1}, Single: true,
		Invalid: func(p []family.Array) string {
			if math.IsInf(p[0].V[0], 0) {
				return "mu must be finite"
			}
			return Ascending(p[1])
		},
		Centre: func(p []family.Array, _ int) []float64 {
			return []float64{1 + kit.CountBelow(kit.Floats{}, p[0].V[0], p[1].Part())}
		},
		Go: inGo.law(), Ops: asOps.law()}
}

// Ascending says what is wrong with cut points; "" is nothing.
func Ascending(cuts family.Array) string {
	for i := 1; i < len(cuts.V); i++ {
		if !(cuts.V[i] > cuts.V[i-1]) {
			return "the cut points must ascend"
		}
	}
	return ""
}

// Ascends is 1 where each cut point is above the one before it, else 0.
func Ascends[T, B, I any](k kit.Arrays[T, B, I], cuts kit.Part[T, I]) T {
	one := k.Index(1)
	return k.Fold(k.IndexSub(cuts.Len(), one), []T{k.Num(1)}, func(i I, acc []T) []T {
		up := k.Holds(arith.OLT, cuts.Load(i), cuts.Load(k.IndexAdd(i, one)))
		return []T{k.Least(acc[0], kit.Flag(k, up))}
	})[0]
}

// Between is what a law of ordered categories is of: Mass is the logarithm of F(b) - F(a),
// Noise a draw from F.
type Between[T, B, I any] struct {
	Mass  func(k kit.Calc[T, B], a, b T) T
	Noise func(k kit.Arrays[T, B, I], d draw.Deviates[T, I]) T
}

func (f Between[T, B, I]) law() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{LogDensity: f.density,
		Draw: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			t := k.Add(p[0].Number(), f.Noise(k, d))
			x.Store(k.Add(k.Num(1), kit.CountBelow(k, t, p[1])), k.Index(0))
		}}
}

func (f Between[T, B, I]) density(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
	mu, cuts, y := p[0].Number(), p[1], x.Number()
	zero, one, two, n := k.Index(0), k.Index(1), k.Index(2), p[1].Len()
	last := k.IndexSub(n, one)
	asc := Ascends(k, cuts)
	numbers := k.And(kit.IsNumber(k, cuts.Load(zero)), kit.IsNumber(k, cuts.Load(last)))
	size := k.ToFloat(n)
	inside := k.And(kit.Whole(k, y, 1), k.Holds(arith.OLE, y, k.Add(size, k.Num(1))))
	j := k.ToIndex(k.Pick(inside, y, k.Num(1)))
	lowest, highest := k.Holds(arith.OLE, y, k.Num(1)), k.Holds(arith.OGT, y, size)
	lo := k.Pick(lowest, k.Num(-kit.Inf), cuts.Load(k.IndexMax(k.IndexSub(j, two), zero)))
	hi := k.Pick(highest, k.Num(kit.Inf), cuts.Load(k.IndexMin(k.IndexSub(j, one), last)))
	body := f.Mass(k, k.Minus(lo, mu), k.Minus(hi, mu))
	ok := k.And(k.And(kit.Positive(k, asc), numbers), k.And(kit.IsFinite(k, mu), kit.IsNumber(k, y)))
	return kit.Valid(k, ok, kit.Within(k, inside, body))
}

func OrderedRange(p []family.Array) (from, to float64) { return 1, float64(len(p[1].V) + 1) }
