package bugs

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/special"
	"gonum.org/v1/gonum/stat/distuv"
)

// draws simulate the distributions of laws.
var draws = map[string]func(r *rand.Rand, p []float64) float64{
	"df": func(r *rand.Rand, p []float64) float64 {
		return unshifted(gammaDraw(r, p[0]/2, p[0]/2)/gammaDraw(r, p[1]/2, p[1]/2), p)
	},
	"dscaled.gamma": func(r *rand.Rand, p []float64) float64 {
		return gammaDraw(r, p[1]/2, p[1]/2) / gammaDraw(r, 0.5, 0.5) / (p[0] * p[0])
	},
	"dgev":  func(r *rand.Rand, p []float64) float64 { return fromExtreme(-math.Log(r.ExpFloat64()), p) },
	"dgpar": func(r *rand.Rand, p []float64) float64 { return fromExtreme(r.ExpFloat64(), p) },
	"dbetabin": func(r *rand.Rand, p []float64) float64 {
		q := betaDraw(r, p[0], p[1])
		return distuv.Binomial{N: p[2], P: q, Src: r}.Rand()
	},
	"dhyper": func(r *rand.Rand, p []float64) float64 {
		lo, hi := math.Max(0, p[2]-p[1]), math.Min(p[0], p[2])
		w, most := make([]float64, 0, int(hi-lo)+1), -inf
		for x := lo; x <= hi; x++ {
			w = append(w, special.Value(special.Lchoose, p[0], x)+special.Value(special.Lchoose, p[1], p[2]-x)+x*math.Log(p[3]))
			most = math.Max(most, w[len(w)-1])
		}
		for i := range w {
			w[i] = math.Exp(w[i] - most)
		}
		return lo + float64(category(r, w))
	},
	"dnt": func(r *rand.Rand, p []float64) float64 {
		return normalDraw(r, p[0], p[1]) / math.Sqrt(gammaDraw(r, p[2]/2, p[2]/2))
	},
	"dnchisqr": func(r *rand.Rand, p []float64) float64 {
		j := 0.0
		if p[1] > 0 {
			j = distuv.Poisson{Lambda: p[1] / 2, Src: r}.Rand()
		}
		return gammaDraw(r, p[0]/2+j, 0.5)
	},
	"dpick": func(r *rand.Rand, p []float64) float64 {
		if r.Float64() < p[0] {
			return p[1]
		}
		return p[2]
	},
	"dround": func(_ *rand.Rand, p []float64) float64 { return rounded[float64, bool](floats{}, p[0], p[1]) },
	"dsum":   func(_ *rand.Rand, p []float64) float64 { return sum(p) },
}

// centres are what -fill-inits=prior gives.
var centres = map[string]func(p []float64) float64{
	"df":            func(p []float64) float64 { return unshifted(1, p) },
	"dscaled.gamma": func(p []float64) float64 { return 1 / (p[0] * p[0]) },
	"dgev":          func(p []float64) float64 { return fromExtreme(-math.Log(math.Ln2), p) },
	"dgpar":         func(p []float64) float64 { return fromExtreme(math.Ln2, p) },
	"dloglik":       func([]float64) float64 { return 0 },
	"dbetabin":      func(p []float64) float64 { return math.Round(p[2] * p[0] / (p[0] + p[1])) },
	"dhyper": func(p []float64) float64 {
		return quantileOf(floats{}, quantilesGo, cumulativeGo, "dhyper", 0.5, p)
	},
	"dnt":      first,
	"dnchisqr": func(p []float64) float64 { return p[0] + p[1] },
	"dpick": func(p []float64) float64 {
		if p[0] >= 0.5 {
			return p[1]
		}
		return p[2]
	},
	"dround": func(p []float64) float64 { return rounded[float64, bool](floats{}, p[0], p[1]) },
	"dsum":   sum,
}

// unshifted is the inverse of fisherScale.
func unshifted(y float64, p []float64) float64 {
	if len(p) > 3 {
		y /= math.Sqrt(p[3])
	}
	if len(p) > 2 {
		y += p[2]
	}
	return y
}

// fromExtreme is the x whose extreme is t.
func fromExtreme(t float64, p []float64) float64 {
	if math.Abs(p[2]) < 1e-200 {
		return p[0] + p[1]*t
	}
	return p[0] + p[1]*math.Expm1(p[2]*t)/p[2]
}

// countBelow is the number of cut points strictly below t.
func countBelow(t float64, cuts []float64) float64 {
	n := 0.0
	for _, c := range cuts {
		n += truth(c < t)
	}
	return n
}
