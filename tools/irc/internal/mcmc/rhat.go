package mcmc

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Rhat compares the variance between chains with that within: 1 where the chains have mixed, and over 1.01 where they have not. It is
// the larger of two, both of the halves of chains and of normal scores of ranks: of the draws, and of their distances from the median,
// which tells chains with other scales apart (Vehtari et al. 2021, equations 1 to 5).
func Rhat(x Chains) float64 {
	if len(x) == 0 || len(x[0]) < 4 {
		return math.NaN()
	}
	median := Quantile(x.Sorted(), 0.5)
	folded := x.each(func(v float64) float64 { return math.Abs(v - median) })
	location, scale := x.halves().normalScores().rhat(), folded.halves().normalScores().rhat()
	if math.IsNaN(location) || math.IsNaN(scale) {
		return math.NaN()
	}
	return max(location, scale)
}

// rhat is the potential scale reduction of Gelman and Rubin 1992 of chains as they are.
func (x Chains) rhat() float64 {
	if x.unusable() {
		return math.NaN()
	}
	n := float64(len(x[0]))
	var within float64
	for _, c := range x {
		within += stat.Variance(c, nil) / float64(len(x))
	}
	between := n * stat.Variance(x.means(), nil)
	return math.Sqrt((between/within + n - 1) / n)
}
