package mcmc

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/stat"
)

// The effective sample sizes are how many independent draws would give an estimate the same error.

// BulkESS is that of where most of the distribution is: of the normal scores of ranks.
func BulkESS(x Chains) float64 { return ofHalves(x, Chains.normalScores) }

// MeanESS is that of the mean.
func MeanESS(x Chains) float64 { return ofHalves(x, nil) }

// TailESS is the smaller one of those of the quantiles at 5 % and 95 %.
func TailESS(x Chains) float64 {
	low, high := QuantileESS(x, 0.05), QuantileESS(x, 0.95)
	if math.IsNaN(low) || math.IsNaN(high) {
		return math.NaN()
	}
	return min(low, high)
}

// QuantileESS is that of the quantile at p: of whether a draw is at most there.
func QuantileESS(x Chains, p float64) float64 {
	if x.unusable() {
		return math.NaN()
	}
	q := Quantile(x.Sorted(), p)
	return ofHalves(x.each(func(v float64) float64 {
		if v <= q {
			return 1
		}
		return 0
	}), nil)
}

func ofHalves(x Chains, then func(Chains) Chains) float64 {
	if len(x) == 0 || len(x[0]) == 0 {
		return math.NaN()
	}
	x = x.halves()
	if then != nil {
		x = then(x)
	}
	return x.ess()
}

// ess is that of chains as they are: their size by the sum of autocorrelations, which is taken in pairs as long as these are positive, and
// never larger than the pair before (Geyer's initial monotone sequence; Vehtari et al. 2021, equations 9 to 13). It is at most the
// size times its decimal logarithm: chains that alternate would have any.
func (x Chains) ess() float64 {
	n := 0
	if len(x) > 0 {
		n = len(x[0])
	}
	if n < 3 || x.unusable() {
		return math.NaN()
	}
	covariance := x.autocovariance()
	within := covariance[0] * float64(n) / float64(n-1)
	variance := covariance[0]
	if len(x) > 1 {
		variance += stat.Variance(x.means(), nil)
	}
	correlation := func(lag int) float64 { return 1 - (within-covariance[lag])/variance }
	rho := make([]float64, n)
	even, odd := 1.0, correlation(1)
	rho[0], rho[1] = even, odd
	t := 0
	for t < n-5 && even+odd > 0 {
		t += 2
		even, odd = correlation(t), correlation(t+1)
		if even+odd >= 0 {
			rho[t], rho[t+1] = even, odd
		}
	}
	if even > 0 {
		rho[t] = even
	}
	for k := 2; k <= t-2; k += 2 {
		if rho[k]+rho[k+1] > rho[k-2]+rho[k-1] {
			rho[k] = (rho[k-2] + rho[k-1]) / 2
			rho[k+1] = rho[k]
		}
	}
	sum := rho[0]
	for _, r := range rho[1:max(t, 1)] {
		sum += r
	}
	size := float64(len(x) * n)
	return size / max(2*sum-1+rho[t], 1/math.Log10(size))
}

// autocovariance is by lag the mean over chains, by Fourier transforms: n log n for n draws.
func (x Chains) autocovariance() []float64 {
	n := len(x[0])
	m := 1
	for m < 2*n {
		m *= 2
	}
	transform := fourier.NewFFT(m)
	mean := make([]float64, n)
	padded := make([]float64, m)
	var spectrum []complex128
	for _, c := range x {
		average, variance := stat.MeanVariance(c, nil)
		if variance == 0 {
			continue
		}
		clear(padded)
		for i, v := range c {
			padded[i] = v - average
		}
		spectrum = transform.Coefficients(spectrum, padded)
		for i, z := range spectrum {
			spectrum[i] = complex(real(z)*real(z)+imag(z)*imag(z), 0)
		}
		lags := transform.Sequence(padded, spectrum)
		scale := variance * float64(n-1) / float64(n) / lags[0] / float64(len(x))
		for i := range mean {
			mean[i] += lags[i] * scale
		}
	}
	return mean
}
