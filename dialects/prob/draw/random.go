package draw

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// LogGamma is the logarithm of a gamma variable with rate 1. For a small shape the
// variable itself is often 0: that of shape + 1 times a uniform one to 1/shape is it.
func LogGamma(r *rand.Rand, shape float64) float64 {
	if shape >= 1 {
		return math.Log(distuv.Gamma{Alpha: shape, Beta: 1, Src: r}.Rand())
	}
	return math.Log(distuv.Gamma{Alpha: shape + 1, Beta: 1, Src: r}.Rand()) + math.Log(Open(r))/shape
}

// Beta is g/(g + h) of two gamma variables.
func Beta(r *rand.Rand, a, b float64) float64 {
	return 1 / (1 + math.Exp(LogGamma(r, b)-LogGamma(r, a)))
}

func Normal(r *rand.Rand, mu, tau float64) float64 { return mu + r.NormFloat64()/math.Sqrt(tau) }

// Gamma never returns 0, where half of a gamma(0.001, 0.001) would go by
// underflow and then be an invalid precision: the least normal number stands for it.
func Gamma(r *rand.Rand, shape, rate float64) float64 {
	return math.Max(math.Exp(LogGamma(r, shape))/rate, 0x1p-1022)
}

// Open is a uniform number strictly between 0 and 1.
func Open(r *rand.Rand) float64 {
	for {
		if u := r.Float64(); u > 0 {
			return u
		}
	}
}

// Category draws a position of p with a chance in proportion to its weight.
func Category(r *rand.Rand, p []float64) int {
	return int(distuv.NewCategorical(p, r).Rand())
}
