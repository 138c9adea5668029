package mcmc

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Pointwise is what predicting one observation from all others gives.
type Pointwise struct {
	ELPD     float64 // expected log predictive density
	Error    float64 // its Monte Carlo error
	P        float64 // how many parameters the observation takes
	ParetoK  float64 // the tail of the weights: over 0.7 the estimate has no error that could be told; NaN of WAIC
	ESS      float64 // effective number of weighted draws
	Variance float64 // of the log likelihood over the draws, which WAIC takes for P
}

// Smooth replaces the largest of importance weights by what a generalised Pareto distribution fitted to them expects. It takes the logarithms of
// the weights, and gives those of the new ones, not normalised, and the shape k of the distribution. relative is the effective number
// of draws by the number of draws. k is +Inf where there are fewer than five weights in the tail, or all are equal.
func Smooth(logWeights []float64, relative float64) (smooth []float64, k float64) {
	n := len(logWeights)
	k = math.Inf(1)
	if n == 0 {
		return nil, k
	}
	top := slices.Max(logWeights)
	smooth = make([]float64, n)
	order := make([]int, n)
	for i, w := range logWeights {
		smooth[i], order[i] = w-top, i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(smooth[i], smooth[j]) })
	tail := int(math.Ceil(min(0.2*float64(n), 3*math.Sqrt(float64(n)/relative))))
	if tail >= 5 && tail < n {
		ids := order[n-tail:]
		if math.Abs(smooth[ids[tail-1]]-smooth[ids[0]]) >= epsilon/100 {
			cut := math.Exp(smooth[order[n-tail-1]])
			excess := make([]float64, tail)
			for i, id := range ids {
				excess[i] = math.Exp(smooth[id]) - cut
			}
			var scale float64
			if k, scale = paretoFit(excess); !math.IsInf(k, 0) {
				for i, id := range ids {
					smooth[id] = math.Log(paretoQuantile((float64(i)+0.5)/float64(tail), k, scale) + cut)
				}
			}
		}
	}
	for i := range smooth {
		smooth[i] = min(smooth[i], 0) + top
	}
	return smooth, k
}

// paretoFit is the estimate of Zhang and Stephens 2009 of shape and scale, of sorted values from 0: a mean over a grid, weighted by the profile
// likelihood. The shape is drawn to 0.5 as if by ten values more. It is +Inf where there is none.
func paretoFit(x []float64) (k, scale float64) {
	n := float64(len(x))
	grid := 30 + int(math.Floor(math.Sqrt(n)))
	quartile := x[int(math.Floor(n/4+0.5))-1]
	theta, likelihood := make([]float64, grid), make([]float64, grid)
	shape := func(theta float64) (mean float64) {
		for _, v := range x {
			mean += math.Log1p(-theta*v) / n
		}
		return mean
	}
	for j := range theta {
		theta[j] = 1/x[len(x)-1] + (1-math.Sqrt(float64(grid)/(float64(j)+0.5)))/3/quartile
		s := shape(theta[j])
		likelihood[j] = n * (math.Log(-theta[j]/s) - s - 1)
	}
	total := floats.LogSumExp(likelihood)
	var best float64
	for j, t := range theta {
		best += t * math.Exp(likelihood[j]-total)
	}
	k = shape(best)
	scale = -k / best
	k = (k*n + 10*0.5) / (n + 10)
	if math.IsNaN(k) {
		k = math.Inf(1)
	}
	return k, scale
}

// paretoQuantile is that of the generalised Pareto distribution from 0.
func paretoQuantile(p, k, scale float64) float64 {
	if math.IsNaN(scale) || scale <= 0 {
		return math.NaN()
	}
	return scale * math.Expm1(-k*math.Log1p(-p)) / k
}

// LOO predicts an observation from all others: logLik has its log likelihood at each draw, relative is the effective number of draws of the
// likelihood by the number of draws, RelativeESS. The weights of a draw without the observation are 1 over its likelihood.
func LOO(logLik []float64, relative float64) Pointwise {
	n := len(logLik)
	weights := make([]float64, n)
	for i, l := range logLik {
		weights[i] = -l
	}
	weights, k := Smooth(weights, relative)
	floats.AddConst(-floats.LogSumExp(weights), weights)
	sums := make([]float64, n)
	var squares float64
	for i, w := range weights {
		sums[i] = logLik[i] + w
		squares += math.Exp(2 * w)
	}
	out := Pointwise{ELPD: floats.LogSumExp(sums), ParetoK: k, ESS: relative / squares, Variance: stat.Variance(logLik, nil)}
	out.P = floats.LogSumExp(logLik) - math.Log(float64(n)) - out.ELPD
	out.Error = elpdError(logLik, weights, out.ELPD, relative)
	return out
}

// elpdError is the standard deviation of the logarithm of a normal quantity, that of the predictive density, over 1,000 quantiles of which those
// from 0 on count.
func elpdError(logLik, weights []float64, elpd, relative float64) float64 {
	mean := math.Exp(elpd)
	var variance float64
	for i, l := range logLik {
		d := math.Exp(l) - mean
		variance += math.Exp(2*weights[i]) * d * d
	}
	var logs []float64
	const quantiles = 1000
	for i := range quantiles {
		z := distuv.UnitNormal.Quantile((float64(i) + 1 - 3.0/8) / (quantiles + 1.0/4))
		if x := mean + math.Sqrt(variance)*z; x > 0 {
			logs = append(logs, math.Log(x))
		}
	}
	return math.Sqrt(stat.Variance(logs, nil) / relative)
}

// WAIC is the widely applicable information criterion of an observation, as a log density: the log of the mean likelihood less the variance of its log.
func WAIC(logLik []float64) Pointwise {
	v := stat.Variance(logLik, nil)
	return Pointwise{ELPD: floats.LogSumExp(logLik) - math.Log(float64(len(logLik))) - v, P: v, ParetoK: math.NaN(), Variance: v}
}

// RelativeESS is the effective number of draws of a likelihood, whose logarithms are given, by the number of draws. Chains are not
// halved. Of a constant it is 1.
func RelativeESS(logLik Chains) float64 {
	if logLik.IsConstant() {
		return 1
	}
	return logLik.each(math.Exp).ess() / float64(len(logLik)*len(logLik[0]))
}

// Total is a sum over observations and its standard error, over other data of the same size.
func Total(of []float64) (sum, standardError float64) {
	return floats.Sum(of), math.Sqrt(float64(len(of)) * stat.Variance(of, nil))
}
