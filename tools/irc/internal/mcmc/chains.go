package mcmc

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Chains are the draws of one quantity: Chains[c][i] is draw i of chain c.
type Chains [][]float64

// All is the draws of all chains, one chain after the other.
func (x Chains) All() []float64 { return slices.Concat(x...) }

// IsConstant reports that all draws are equal to rounding.
func (x Chains) IsConstant() bool {
	all := x.All()
	return len(all) > 0 && slices.Max(all)-slices.Min(all) < epsilon
}

// epsilon is the distance of 1 from the next larger number.
const epsilon = 0x1p-52

// unusable reports that no statistic of mixing is defined.
func (x Chains) unusable() bool {
	for _, c := range x {
		for _, v := range c {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return true
			}
		}
	}
	return len(x) == 0 || len(x[0]) == 0 || x.IsConstant()
}

// halves makes two chains of each, without the draw in the middle of an odd number: a chain that drifts does not agree with itself.
func (x Chains) halves() Chains {
	n := len(x[0])
	if n == 1 {
		return x
	}
	var out Chains
	for _, c := range x {
		out = append(out, c[:n/2])
	}
	for _, c := range x {
		out = append(out, c[n-n/2:])
	}
	return out
}

// each applies a function to all draws.
func (x Chains) each(f func(float64) float64) Chains {
	out := make(Chains, len(x))
	for i, c := range x {
		out[i] = make([]float64, len(c))
		for k, v := range c {
			out[i][k] = f(v)
		}
	}
	return out
}

// normalScores replaces draws by the normal quantiles of their ranks among all (Blom 1958: offset 3/8). Equal draws share the mean rank.
func (x Chains) normalScores() Chains {
	all := x.All()
	if slices.ContainsFunc(all, math.IsNaN) {
		return x
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int {
		switch {
		case all[i] < all[k]:
			return -1
		case all[i] > all[k]:
			return 1
		}
		return 0
	})
	score := make([]float64, len(all))
	for i := 0; i < len(order); {
		k := i + 1
		for k < len(order) && all[order[k]] == all[order[i]] {
			k++
		}
		rank := float64(i+1+k) / 2
		z := distuv.UnitNormal.Quantile((rank - 3.0/8) / (float64(len(all)) + 1.0/4))
		for ; i < k; i++ {
			score[order[i]] = z
		}
	}
	out := make(Chains, len(x))
	for i, c := range x {
		out[i], score = score[:len(c)], score[len(c):]
	}
	return out
}

// Quantile interpolates between sorted draws, as type 7 of Hyndman and Fan 1996 does; NaN of no draws or of draws that are NaN.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || math.IsNaN(sorted[0]) {
		return math.NaN()
	}
	at := p * float64(len(sorted)-1)
	i := int(math.Floor(at))
	low, high := sorted[i], sorted[int(math.Ceil(at))]
	if low == high {
		return low
	}
	h := at - float64(i)
	return (1-h)*low + h*high
}

// Sorted is the draws of all chains in ascending order, NaN first.
func (x Chains) Sorted() []float64 {
	all := x.All()
	slices.Sort(all)
	return all
}

// means are those of the chains.
func (x Chains) means() []float64 {
	out := make([]float64, len(x))
	for i, c := range x {
		out[i] = stat.Mean(c, nil)
	}
	return out
}
