package prob

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"gonum.org/v1/gonum/stat/distuv"
)

// jointSamplers are the tests of the distributions of arrays by their names; a test
// fails where one is added without.
var jointSamplers = map[string]func(t *testing.T){
	"dmnorm": TestMultinormalSampler, "dmt": TestMultiStudentSampler, "dwish": TestWishartSampler, "dinvwish": TestInverseWishartSampler, "ddirch": TestDirichletSampler,
	"dmulti": TestMultinomialSampler, "dcat": TestCategorySampler, "dmnorm.vcov": TestCovarianceNormalSampler,
	"dscaled.wishart": TestScaledWishartSampler, "dnormmix": TestMixtureSampler, "dordered.logit": TestOrderedSamplers,
	"dordered.probit": TestOrderedSamplers, "dsample": TestSampleSampler,
	"dlkjcorr": TestCorrelationSampler, "car.proper": TestMapSampler,
}

func TestEverySamplerIsTested(t *testing.T) {
	for _, d := range Laws {
		if Lookup(d.Name).Joint != nil && jointSamplers[d.Name] == nil && unsampled[d.Name] == "" {
			t.Errorf("the sampler of %s is not tested", d.Name)
		}
	}
}

// On a line of three areas, given one in the middle the others are independent.
func TestMapSampler(t *testing.T) {
	mu, gamma, tau := []float64{1, -2, 0.5}, 0.8, 2.0
	p := []family.Array{vectorOf(mu...), vectorOf(1, 0.5, 0.5, 1), vectorOf(2, 1, 3, 2), vectorOf(1, 2, 1), vectorOf(1, 0.5, 1), scalarArg(tau), scalarArg(gamma)}
	precision := []float64{tau, -gamma * tau, 0, -gamma * tau, 2 * tau, -gamma * tau, 0, -gamma * tau, tau}
	sigma := kit.InverseOf(precision, 3)
	xs := sample(t, properNormal, p, make([]float64, 3), make([]bool, 3))
	for _, a := range projections {
		s := math.Sqrt(form(a, sigma, a))
		agrees(t, fmt.Sprint("direction ", a), project(xs, func(x []float64) float64 { return dot(a, minus(x, mu)) / s }), standardCDF, narrowCDF)
	}
	xs = sample(t, properNormal, p, []float64{0, 1, 0}, []bool{false, true, false})
	for _, i := range []int{0, 2} {
		agrees(t, "conditional", project(xs, func(x []float64) float64 { return (x[i] - mu[i] - gamma*3) * math.Sqrt(tau) }), standardCDF, narrowCDF)
	}
}

func TestCovarianceNormalSampler(t *testing.T) {
	mu, sigma := []float64{1, -2, 0.5}, omega
	p := []family.Array{vectorOf(mu...), squareOf(sigma...)}
	xs := sample(t, covarianceNormal, p, make([]float64, 3), make([]bool, 3))
	for _, a := range projections {
		s := math.Sqrt(form(a, sigma, a))
		agrees(t, fmt.Sprint("direction ", a), project(xs, func(x []float64) float64 { return dot(a, minus(x, mu)) / s }), standardCDF, narrowCDF)
	}
	xs = sample(t, covarianceNormal, p, []float64{0, 0, 2}, []bool{false, false, true})
	for i := range 2 {
		m := mu[i] + sigma[i*3+2]/sigma[8]*(2-mu[2])
		s := math.Sqrt(sigma[i*3+i] - sigma[i*3+2]*sigma[i*3+2]/sigma[8])
		agrees(t, "conditional", project(xs, func(x []float64) float64 { return (x[i] - m) / s }), standardCDF, narrowCDF)
	}
}

// The standard deviations are half-t. With 2 degrees of freedom the correlations are
// uniform on (-1, 1) (Huang and Wand 2013, section 2).
func TestScaledWishartSampler(t *testing.T) {
	scale, df := []float64{2, 0.5, 1}, 2.0
	xs := sample(t, scaledWishart, []family.Array{vectorOf(scale...), scalarArg(df)}, make([]float64, 9), make([]bool, 9))
	halfT := func(k float64) func(float64) float64 {
		return func(x float64) float64 { return 2*distuv.StudentsT{Mu: 0, Sigma: 1, Nu: k}.CDF(x) - 1 }
	}
	inverses := make([][]float64, len(xs))
	for i, x := range xs {
		inverses[i] = kit.InverseOf(x, 3)
	}
	for i, s := range scale {
		agrees(t, "deviation", project(inverses, func(x []float64) float64 { return math.Sqrt(x[4*i]) / s }), halfT(df), halfT(2.2))
	}
	for _, at := range [][2]int{{0, 1}, {1, 2}} {
		agrees(t, "correlation", project(inverses, func(x []float64) float64 {
			return (1 + x[3*at[0]+at[1]]/math.Sqrt(x[4*at[0]]*x[4*at[1]])) / 2
		}), betaCDF(1, 1), betaCDF(1.05, 1.05))
	}
}

func TestMixtureSampler(t *testing.T) {
	mu, tau, w := []float64{-2, 1, 5}, []float64{1, 4, 0.25}, []float64{1, 2, 1}
	xs := sample(t, normalMixture, []family.Array{vectorOf(mu...), vectorOf(tau...), vectorOf(w...)}, []float64{0}, []bool{false})
	cdf := func(w []float64) func(float64) float64 {
		return func(x float64) float64 {
			f := 0.0
			for i := range mu {
				f += w[i] / kit.Sum(w) * standardCDF((x-mu[i])*math.Sqrt(tau[i]))
			}
			return f
		}
	}
	agrees(t, "mixture", project(xs, func(x []float64) float64 { return x[0] }), cdf(w), cdf([]float64{1.1, 2, 1}))
}

// massesOf is the p-value of a node of one number by its density.
func massesOf(t *testing.T, dist string, drawn, law []family.Array, to float64) float64 {
	counts := map[float64]int{}
	for _, x := range sample(t, Lookup(dist).Joint, drawn, []float64{0}, []bool{false}) {
		counts[x[0]]++
	}
	return chiSquare(counts, func(x float64) float64 { return math.Exp(apply.JointDensity(Lookup(dist).Joint, []float64{x}, law)) }, 1, to)
}

func TestOrderedSamplers(t *testing.T) {
	for _, dist := range []string{"dordered.logit", "dordered.probit"} {
		p := []family.Array{scalarArg(0.4), vectorOf(-1, 0, 0.5, 2)}
		if got := massesOf(t, dist, p, p, 5); !(got >= leastP) {
			t.Errorf("%s: the draws are as if with p = %v", dist, got)
		}
		if got := massesOf(t, dist, p, []family.Array{scalarArg(0.45), p[1]}, 5); got >= leastP {
			t.Errorf("%s: a wrong law passes with p = %v", dist, got)
		}
	}
}

// Every subset of a small one.
func TestSampleSampler(t *testing.T) {
	p, other := []family.Array{vectorOf(0.5, 1, 2, 3), scalarArg(2)}, []family.Array{vectorOf(0.55, 1, 2, 3), scalarArg(2)}
	counts := map[float64]int{}
	for _, x := range sample(t, Lookup("dsample").Joint, p, make([]float64, 4), make([]bool, 4)) {
		counts[8*x[0]+4*x[1]+2*x[2]+x[3]]++
	}
	for _, law := range [][]family.Array{p, other} {
		got := chiSquare(counts, func(c float64) float64 {
			n := int(c)
			return math.Exp(apply.JointDensity(Lookup("dsample").Joint, []float64{float64(n >> 3 & 1), float64(n >> 2 & 1), float64(n >> 1 & 1), float64(n & 1)}, law))
		}, 0, 15)
		if right := slices.Equal(law[0].V, p[0].V); (got >= leastP) != right {
			t.Errorf("weights %v: p = %v", law[0].V, got)
		}
	}
}

// Each correlation of n rows is a beta variable on -1..1 with both parameters eta - 1 + n/2.
func TestCorrelationSampler(t *testing.T) {
	const eta, n = 1.5, 3
	xs := sample(t, correlation, []family.Array{scalarArg(eta)}, make([]float64, n*n), make([]bool, n*n))
	law := func(a float64) func(float64) float64 {
		return func(x float64) float64 { return distuv.Beta{Alpha: a, Beta: a}.CDF((x + 1) / 2) }
	}
	for _, k := range []int{1, 2, 5} {
		agrees(t, fmt.Sprint("correlation ", k), project(xs, func(x []float64) float64 { return x[k] }), law(eta-1+n/2.0), law(1.1*(eta-1+n/2.0)))
	}
}

// The deviates that are functions of a counter have the laws that they are named for: what
// draws vectors and matrices is made of them alone.
func TestCounterDeviates(t *testing.T) {
	const n = 2000
	many := func(f func(d draw.Counter[float64, bool, int], at int) float64) (out []float64) {
		d := draw.CounterOf(5, 6, 7)
		for i := range n {
			out = append(out, f(d, i))
		}
		return out
	}
	type counter = draw.Counter[float64, bool, int]
	agrees(t, "uniform", many(counter.Uniform), betaCDF(1, 1), betaCDF(1.2, 1))
	agrees(t, "normal", many(counter.Normal), standardCDF, distuv.Normal{Mu: 0, Sigma: 0.85}.CDF)
	for _, shape := range []float64{0.3, 3.5} {
		gamma := func(a float64) func(float64) float64 { return distuv.Gamma{Alpha: a, Beta: 1}.CDF }
		agrees(t, "gamma", many(func(d counter, at int) float64 { return d.Gamma(at, shape) }), gamma(shape), gamma(1.2*shape))
	}
	masses := func(what string, xs []float64, law, wrong func(x float64) float64) {
		counts := map[float64]int{}
		for _, x := range xs {
			counts[x]++
		}
		if p := chiSquare(counts, law, 0, 20); !(p >= leastP) {
			t.Errorf("%s: the draws are as if with p = %v", what, p)
		}
		if p := chiSquare(counts, wrong, 0, 20); p >= leastP {
			t.Errorf("%s: a wrong law passes with p = %v", what, p)
		}
	}
	binomial := func(p float64) func(float64) float64 { return distuv.Binomial{N: 12, P: p}.Prob }
	masses("binomial", many(func(d counter, at int) float64 { return d.Binomial(at, 12, 0.3) }), binomial(0.3), binomial(0.36))
	weights := kit.Grid{V: []float64{1, 0, 3, 0.5}}
	category := func(w ...float64) func(float64) float64 {
		return func(x float64) float64 { return w[int(x)%4] / kit.Sum(w) * kit.Truth(x < 4) }
	}
	masses("category", many(func(d counter, at int) float64 { return float64(d.Category(at, weights)) }), category(1, 0, 3, 0.5), category(1, 0, 3, 0.8))
}
