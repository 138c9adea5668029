package prob

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
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
	Invalid: func(p []family.Array) string { return family.WeightsInvalid(p[0].V) },
	Centre: func(p []family.Array, _ int) []float64 {
		return []float64{float64(slices.Index(p[0].V, slices.Max(p[0].V)) + 1)}
	},
	Go: categoricalLaw[float64, bool, int](), Ops: categoricalLaw[ir.Value, ir.Value, ir.Value](),
}

func categoricalLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{
		LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			total, ok := kit.Weights(k, p[0])
			y := x.Number()
			// What a model reads at y does the same: see checkedIndex of dialects/bugs/lower.
			r := k.Round(y)
			among := k.And(k.Holds(arith.OGE, r, k.Num(1)), k.Holds(arith.OLE, r, k.ToFloat(p[0].Len())))
			inside := k.And(k.Holds(arith.OEQ, y, r), among)
			at := k.ToIndex(k.Pick(among, r, k.Num(1)))
			px := p[0].Load(k.IndexSub(at, k.Index(1)))
			return kit.Valid(k, ok, kit.Within(k, inside, k.Sub(k.Log(px), k.Log(total))))
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
