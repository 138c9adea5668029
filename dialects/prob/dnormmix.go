package prob

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// NormalMixture is one of some normal laws.
var NormalMixture = &family.Law{Name: "dnormmix", Params: "mu[] tau[] p[]", Origin: family.JAGS,
	Doc: "mixture of normals with weights p", NoCDF: true, Support: support.RealLine, Functions: family.LogDensityFunction,
	Joint: normalMixture,
}

// normalMixture is dnormmix(mu[], tau[], p[]): p is normalised by its sum.
var normalMixture = &family.Joint{Ops: lowerNormalMixture,
	Args: []int{1, 1, 1},
	Invalid: func(p []family.Array) string {
		for i, m := range p[0].V {
			if math.IsInf(m, 0) {
				return fmt.Sprintf("mu[%d] must be finite", i+1)
			}
			if t := p[1].V[i]; !(t > 0) || math.IsInf(t, 1) {
				return fmt.Sprintf("tau[%d] must be positive and finite", i+1)
			}
		}
		return family.WeightsInvalid(p[2].V)
	},
	Logp: func(x []float64, p []family.Array) float64 {
		terms := make([]float64, len(p[0].V))
		for i, m := range p[0].V {
			z := x[0] - m
			terms[i] = kit.Log(p[2].V[i]) + 0.5*kit.Log(p[1].V[i]) - 0.5*p[1].V[i]*z*z
		}
		return family.LogSumOf(terms) - 0.5*kit.Log2Pi - kit.Log(kit.Sum(p[2].V))
	},
	Draw: func(r *rand.Rand, p []family.Array, _ int) []float64 {
		i := draw.Category(r, p[2].V)
		return []float64{draw.NormalDraw(r, p[0].V[i], p[1].V[i])}
	},
	Centre: func(p []family.Array, _ int) []float64 {
		out, total := 0.0, kit.Sum(p[2].V)
		for i, m := range p[0].V {
			out += m * (p[2].V[i] / total)
		}
		return []float64{out}
	}}

func lowerNormalMixture(k kit.Ops, _ kit.Workspace, x kit.View, p []kit.View) ir.Value {
	total, ok := k.Weights(p[2])
	term := func(i ir.Value) ir.Value {
		tau := p[1].Load(k, i)
		z := k.Sub(x.Scalar, p[0].Load(k, i))
		return k.Sub(k.Add(k.Log(p[2].Load(k, i)), k.Half(k.Log(tau))), k.Quadratic(k.Half(tau), z))
	}
	none := k.Num(-kit.Inf)
	top := k.Fold(p[0].N, []ir.Value{none, k.Num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		tau := p[1].Load(k, i)
		fine := k.And(k.And(k.Positive(tau), k.IsFinite(tau)), k.IsFinite(p[0].Load(k, i)))
		return []ir.Value{arith.Float(k.B, arith.Maximumf, 0, acc[0], term(i)), k.Least(acc[1], k.Flag(fine))}
	})
	some := k.Cmp(arith.OGT, top[0], none)
	safe := k.Pick(some, top[0], k.Num(0))
	s := k.Fold(p[0].N, []ir.Value{k.Num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		return []ir.Value{k.Add(acc[0], k.Exp(k.Sub(term(i), safe)))}
	})[0]
	body := k.Sub(k.Add(safe, k.Log(s)), k.Add(k.Log(total), k.Num(0.5*kit.Log2Pi)))
	// A value that is NaN has no density; infinity has none.
	return k.Valid(k.And(k.And(ok, k.Positive(top[1])), k.IsNumber(x.Scalar)), k.Within(some, body))
}
