package prob

import (
	"math/rand/v2"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// Categorical is a number from 1 to K with probabilities in proportion to p.
var Categorical = &Law{Name: "dcat", Params: "p[]", Origin: Both,
	Named: []Named{{"prob", 0, 1}},
	Doc:   "1..K with probabilities proportional to p", Counts: true, Functions: LogDensityFunction,
	Range:     func(p []Array) (from, to float64) { return 1, float64(len(p[0].V)) },
	Conjugate: []Conjugate{{0, "ddirch"}},
	Joint:     categorical,
}

var categorical = &Joint{Args: []int{1}, Ops: lowerCategorical, MassOps: categoricalMass,
	Invalid: func(p []Array) string { return weightsInvalid(p[0].V) },
	Logp: func(x []float64, p []Array) float64 {
		if !(x[0] >= 1 && x[0] <= float64(len(p[0].V))) || !IsInteger(x[0]) {
			return -inf
		}
		return Log(p[0].V[int(x[0])-1]) - Log(Sum(p[0].V))
	},
	Mass: func(p []Array, lo, hi float64) float64 {
		in := 0.0
		for i, w := range p[0].V {
			in += truth(float64(i+1) >= lo && float64(i+1) <= hi) * w
		}
		return Log(in) - Log(Sum(p[0].V))
	},
	Draw: func(r *rand.Rand, p []Array, _ int) []float64 { return []float64{float64(category(r, p[0].V) + 1)} },
	Centre: func(p []Array, _ int) []float64 {
		return []float64{float64(slices.Index(p[0].V, slices.Max(p[0].V)) + 1)}
	}}

func lowerCategorical(k Kit, _ Workspace, x View, p []View) ir.Value {
	total, ok := k.Weights(p[0])
	inside := k.And(k.Whole(x.Scalar, 1), k.Cmp(arith.OLE, x.Scalar, k.ToFloat(p[0].N)))
	i := arith.Choose(k.B, inside, x.Scalar, k.Num(1))
	at := arith.Cast(k.B, arith.IndexCast, arith.Cast(k.B, arith.Fptosi, k.Floor(i), ir.I64), ir.Index)
	px := p[0].Load(k, arith.SubI(k.B, at, k.B.Index(1)))
	return k.Valid(ok, k.Within(inside, k.Sub(k.Log(px), k.Log(total))))
}

// categoricalMass is log P(lo <= x <= hi).
func categoricalMass(k Kit, p []View, lo, hi []ir.Value) ir.Value {
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
