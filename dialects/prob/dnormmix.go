package prob

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
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
var normalMixture = &family.Joint{
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
		return forms.WeightsInvalid(p[2].V)
	},
	Centre: func(p []family.Array, _ int) []float64 {
		out, total := 0.0, kit.Sum(p[2].V)
		for i, m := range p[0].V {
			out += m * (p[2].V[i] / total)
		}
		return []float64{out}
	},
	Go: mixtureLaw[float64, bool, int](), Ops: mixtureLaw[ir.Value, ir.Value, ir.Value](),
}

func mixtureLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{
		LogDensity: mixtureDensity[T, B, I],
		Draw: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			i := d.Category(k.Index(0), p[2])
			x.Store(k.Add(p[0].Load(i), k.Div(d.Normal(k.Index(1)), k.Sqrt(p[1].Load(i)))), k.Index(0))
		},
	}
}

func mixtureDensity[T, B, I any](k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
	total, ok := kit.Weights(k, p[2])
	y := x.Number()
	term := func(i I) T {
		tau := p[1].Load(i)
		z := k.Sub(y, p[0].Load(i))
		return k.Sub(k.Add(k.Log(p[2].Load(i)), kit.Half(k, k.Log(tau))), kit.Quadratic(k, kit.Half(k, tau), z))
	}
	none := k.Num(-kit.Inf)
	top := k.Fold(p[0].Len(), []T{none, k.Num(1)}, func(i I, acc []T) []T {
		tau := p[1].Load(i)
		fine := k.And(k.And(kit.Positive(k, tau), kit.IsFinite(k, tau)), kit.IsFinite(k, p[0].Load(i)))
		return []T{k.Most(acc[0], term(i)), k.Least(acc[1], kit.Flag(k, fine))}
	})
	some := k.Holds(arith.OGT, top[0], none)
	safe := k.Pick(some, top[0], k.Num(0))
	s := k.Fold(p[0].Len(), []T{k.Num(0)}, func(i I, acc []T) []T {
		return []T{k.Add(acc[0], k.Exp(k.Sub(term(i), safe)))}
	})[0]
	body := k.Sub(k.Add(safe, k.Log(s)), k.Add(k.Log(total), k.Num(0.5*kit.Log2Pi)))
	// A value that is NaN has no density; infinity has none.
	return kit.Valid(k, k.And(k.And(ok, kit.Positive(k, top[1])), kit.IsNumber(k, y)), kit.Within(k, some, body))
}
