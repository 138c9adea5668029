package prob

import (
	"math/rand/v2"
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

var categorical = &family.Joint{Args: []int{1}, Ops: lowerCategorical, MassOps: categoricalMass,
	Invalid: func(p []family.Array) string { return family.WeightsInvalid(p[0].V) },
	Logp: func(x []float64, p []family.Array) float64 {
		if !(x[0] >= 1 && x[0] <= float64(len(p[0].V))) || !kit.IsInteger(x[0]) {
			return -kit.Inf
		}
		return kit.Log(p[0].V[int(x[0])-1]) - kit.Log(kit.Sum(p[0].V))
	},
	Mass: func(p []family.Array, lo, hi float64) float64 {
		in := 0.0
		for i, w := range p[0].V {
			in += kit.Truth(float64(i+1) >= lo && float64(i+1) <= hi) * w
		}
		return kit.Log(in) - kit.Log(kit.Sum(p[0].V))
	},
	Draw: func(r *rand.Rand, p []family.Array, _ int) []float64 {
		return []float64{float64(draw.Category(r, p[0].V) + 1)}
	},
	Centre: func(p []family.Array, _ int) []float64 {
		return []float64{float64(slices.Index(p[0].V, slices.Max(p[0].V)) + 1)}
	}}

func lowerCategorical(k kit.Ops, _ kit.Workspace, x kit.View, p []kit.View) ir.Value {
	total, ok := k.Weights(p[0])
	inside := k.And(k.Whole(x.Scalar, 1), k.Cmp(arith.OLE, x.Scalar, k.ToFloat(p[0].N)))
	i := arith.Choose(k.B, inside, x.Scalar, k.Num(1))
	at := arith.Cast(k.B, arith.IndexCast, arith.Cast(k.B, arith.Fptosi, k.Floor(i), ir.I64), ir.Index)
	px := p[0].Load(k, arith.SubI(k.B, at, k.B.Index(1)))
	return k.Valid(ok, k.Within(inside, k.Sub(k.Log(px), k.Log(total))))
}

// categoricalMass is log P(lo <= x <= hi).
func categoricalMass(k kit.Ops, p []kit.View, lo, hi []ir.Value) ir.Value {
	total, _ := k.Weights(p[0])
	in := k.Fold(p[0].N, []ir.Value{k.Num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		x, w := k.ToFloat(arith.AddI(k.B, i, k.B.Index(1))), p[0].Load(k, i)
		for _, b := range lo {
			w = arith.Choose(k.B, k.Cmp(arith.OGE, x, b), w, k.Num(0))
		}
		for _, b := range hi {
			w = arith.Choose(k.B, k.Cmp(arith.OLE, x, b), w, k.Num(0))
		}
		return []ir.Value{k.Plus(acc[0], w)}
	})[0]
	return k.Sub(k.Log(in), k.Log(total))
}
