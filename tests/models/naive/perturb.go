package naive

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Perturb moves the parameters of a point at random, mostly within the support:
// simplexes stay simplexes, positive definite matrices positive definite, numbers
// keep their signs where their distribution has one. Categories stay.
func (m *Model) Perturb(point *input.Data, rng *rand.Rand) *input.Data {
	out := input.NewData()
	for _, name := range point.Names {
		a := point.Get(name)
		out.Set(name, diag.Span{}, &input.Array{Dims: a.Dims, Values: append([]float64(nil), a.Values...), Missing: a.Missing})
	}
	for _, n := range m.nodes {
		var cells []*float64
		for i, k := range n.elems {
			if !n.known[i] {
				cells = append(cells, cell(out.Get(k.name), k))
			}
		}
		if len(cells) > 0 {
			move(syntax.LookupDistribution(n.s.Dist), cells, len(cells) == len(n.elems), rng)
		}
	}
	return out
}

// cell is where an array keeps an element.
func cell(a *input.Array, k key) *float64 {
	n := 0
	for d, size := range a.Dims {
		n = n*size + max(k.at[d], 1) - 1
	}
	return &a.Values[n]
}

func move(dist *syntax.Distribution, cells []*float64, whole bool, rng *rand.Rand) {
	switch dist.Name {
	case "ddirch":
		sum := 0.0
		for _, c := range cells {
			*c *= math.Exp(0.2 * rng.NormFloat64())
			sum += *c
		}
		for _, c := range cells {
			if *c /= sum; !whole {
				return
			}
		}
	case "dwish", "dscaled.wishart":
		by := math.Exp(0.2 * rng.NormFloat64())
		for _, c := range cells {
			*c *= by
		}
	case "dbern":
		if rng.IntN(20) == 0 {
			*cells[0] = 1 - *cells[0]
		}
	case "dpois", "dbin", "dnegbin":
		if rng.IntN(20) == 0 {
			*cells[0] += float64(rng.IntN(3) - 1)
		}
	case "dbeta":
		x := *cells[0]
		*cells[0] = ilogit(ln(x/(1-x)) + 0.2*rng.NormFloat64())
	default:
		for _, c := range cells {
			if dist.Counts {
				break
			}
			*c *= math.Exp(0.05 * rng.NormFloat64())
			if dist.Name == "dnorm" || dist.Name == "dmnorm" || dist.Name == "dt" {
				*c += 0.01 * rng.NormFloat64() * math.Abs(*c)
			}
		}
	}
}
