package mcmc

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// The Monte Carlo errors are standard deviations of estimates, had the chains been run again, in the unit of the draws.

// MeanError is that of the mean.
func MeanError(x Chains) float64 { return stat.StdDev(x.All(), nil) / math.Sqrt(MeanESS(x)) }

// SDError is that of the standard deviation, by the error of the variance and the slope of the square root.
func SDError(x Chains) float64 {
	if len(x) == 0 || len(x[0]) == 0 {
		return math.NaN()
	}
	mean := stat.Mean(x.All(), nil)
	squares := x.each(func(v float64) float64 { return (v - mean) * (v - mean) })
	var second, fourth float64
	all := squares.All()
	for _, s := range all {
		second += s / float64(len(all))
		fourth += s * s / float64(len(all))
	}
	return math.Sqrt((fourth - second*second) / MeanESS(squares) / second / 4)
}

// QuantileError is that of the quantile at p: half of an interval that has it with the probability that a normal quantity is within one
// standard deviation, of draws whose ranks have a beta distribution.
func QuantileError(x Chains, p float64) float64 {
	ess := QuantileESS(x, p)
	if math.IsNaN(ess) {
		return math.NaN()
	}
	sorted := x.Sorted()
	rank := distuv.Beta{Alpha: ess*p + 1, Beta: ess*(1-p) + 1}
	n := float64(len(sorted))
	low := max(math.Floor(rank.Quantile(0.1586553)*n), 1)
	high := min(math.Ceil(rank.Quantile(0.8413447)*n), n)
	return (sorted[int(high)-1] - sorted[int(low)-1]) / 2
}

// EBFMI is how much of the energy a chain explores in one step: how far energies are from one draw to the next beside how far they are
// apart at all. Below 0.3 momentum does not carry the chain to where the density is low (Betancourt 2016).
func EBFMI(energy []float64) float64 {
	mean := stat.Mean(energy, nil)
	var steps, spread float64
	for i, e := range energy {
		spread += (e - mean) * (e - mean)
		if i > 0 {
			steps += (e - energy[i-1]) * (e - energy[i-1])
		}
	}
	return steps / spread
}
