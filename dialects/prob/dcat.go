package prob

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// Categorical is a number from 1 to K with probabilities in proportion to p.
var Categorical = &family.Law{Name: "dcat", Params: "p[]", Origin: family.Both,
	Named: []family.Named{{Name: "prob", Of: 0, Power: 1}},
	Doc:   "1..K with probabilities proportional to p", Counts: true, Functions: family.LogDensityFunction,
	Range:     func(p []family.Array) (from, to float64) { return 1, float64(len(p[0].V)) },
	Conjugate: []family.Conjugate{{Param: 0, Of: "ddirch"}},
	Joint:     categorical,
}

var categorical = &family.Joint{Args: []int{1},
	Invalid: func(p []family.Array) string { return forms.WeightsInvalid(p[0].V) },
	Centre: func(p []family.Array, _ int) []float64 {
		return []float64{float64(slices.Index(p[0].V, slices.Max(p[0].V)) + 1)}
	},
	AtLogs: func(x, logs []float64, _ []family.Array) float64 {
		if y := x[0]; kit.IsInteger(y) && y >= 1 && y <= float64(len(logs)) {
			return logs[int(y)-1] - kit.LogOfSum(logs)
		}
		return -kit.Inf
	},
	Go: categoricalLaw[float64, bool, int](), Ops: categoricalLaw[ir.Value, ir.Value, ir.Value](),
}

// picked is the weight of a category; inside says that it is one.
func picked[T, B, I any](k kit.Arrays[T, B, I], x, p kit.Part[T, I]) (w T, inside B) {
	y := x.Number()
	// What a model reads at y does the same: see checkedIndex of dialects/bugs/lower.
	r := k.Round(y)
	among := k.And(k.Holds(arith.OGE, r, k.Num(1)), k.Holds(arith.OLE, r, k.ToFloat(p.Len())))
	inside = k.And(k.Holds(arith.OEQ, y, r), among)
	at := k.ToIndex(k.Pick(among, r, k.Num(1)))
	return p.Load(k.IndexSub(at, k.Index(1))), inside
}

func categoricalLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{
		LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			total, ok := kit.Weights(k, p[0])
			px, inside := picked(k, x, p[0])
			return kit.Valid(k, ok, kit.Within(k, inside, k.Sub(k.Log(px), k.Log(total))))
		},
		LeastWeight: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			px, inside := picked(k, x, p[0])
			return k.Pick(inside, px, k.Num(1))
		},
		Mass: func(k kit.Arrays[T, B, I], p []kit.Part[T, I], lo, hi []T) T {
			total, _ := kit.Weights(k, p[0])
			in := k.Fold(p[0].Len(), []T{k.Num(0)}, func(i I, acc []T) []T {
				x, w := k.ToFloat(k.IndexAdd(i, k.Index(1))), p[0].Load(i)
				for _, b := range lo {
					w = k.Pick(k.Holds(arith.OGE, x, b), w, k.Num(0))
				}
				for _, b := range hi {
					w = k.Pick(k.Holds(arith.OLE, x, b), w, k.Num(0))
				}
				return []T{k.Plus(acc[0], w)}
			})[0]
			return k.Sub(k.Log(in), k.Log(total))
		},
		Draw: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			x.Store(k.Add(k.ToFloat(d.Category(k.Index(0), p[0])), k.Num(1)), k.Index(0))
		},
	}
}
