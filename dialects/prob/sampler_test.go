package prob

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Wrong laws of vectors are nearer to the right ones than those of numbers.
const sampleSize, vectorSample = 40000, 100000

// leastP is the p-value below which a sampler disagrees. The seeds are fixed; were the
// samplers right and the seeds random, one run of these tests in ten would fail.
const leastP = 5e-4

// kolmogorov is the p-value of a sample by the distribution function: the series of
// Kolmogorov's limit law. Of the order statistics it takes one of 16, since the function is what takes time:
// the distance is at most 16/n too small.
func kolmogorov(xs []float64, cdf func(x float64) float64) float64 {
	slices.Sort(xs)
	n, d := float64(len(xs)), 0.0
	for i := 0; i < len(xs); i += 16 {
		f := cdf(xs[i])
		d = math.Max(d, math.Max(f-float64(i)/n, float64(i+1)/n-f))
	}
	z, p := d*math.Sqrt(n), 0.0
	if z < 0.3 {
		return 1
	}
	for k := 1.0; k < 40; k++ {
		sign := 2.0
		if int(k)%2 == 0 {
			sign = -2
		}
		p += sign * math.Exp(-2*k*k*z*z)
	}
	return math.Max(0, math.Min(1, p))
}

// chiSquare is the p-value of counts with the masses of their cells; cells with few
// expected go together with the next.
func chiSquare(counts map[float64]int, mass func(x float64) float64, from, to float64) float64 {
	n, seen := 0, 0
	for _, c := range counts {
		n += c
	}
	stat, cells, left := 0.0, 0, 1.0
	have, want := 0.0, 0.0
	for x := from; x <= to && left > 10/float64(n); x++ {
		have, want, left = have+float64(counts[x]), want+mass(x), left-mass(x)
		seen += counts[x]
		if e := want * float64(n); e >= 10 && left*float64(n) >= 10 {
			stat += (have - e) * (have - e) / e
			cells, have, want = cells+1, 0, 0
		}
	}
	have += float64(n - seen)
	if e := (want + left) * float64(n); e > 1 {
		stat += (have - e) * (have - e) / e
		cells++
	} else if have > 20 {
		return 0
	}
	if cells < 2 {
		return 1
	}
	return 1 - distuv.ChiSquared{K: float64(cells - 1)}.CDF(stat)
}

// samples are parameters of the distributions of numbers.
var samples = map[string][][]float64{
	"dnorm": {{0, 1}, {-3, 0.04}}, "dlnorm": {{0, 1}, {2, 4}}, "dt": {{0, 1, 1}, {1, 2, 4.5}, {0, 1, 0.7}}, "dnt": {{1, 1, 5}, {-2, 0.5, 12}},
	"dlogis": {{0, 1}, {2, 5}}, "ddexp": {{0, 1}, {-1, 3}}, "dgamma": {{2, 3}, {0.3, 1}, {50, 0.1}, {0.02, 1}}, "dexp": {{1}, {0.01}},
	"dchisqr": {{1}, {7}, {0.4}}, "dnchisqr": {{3, 2}, {1, 10}}, "dweib": {{2, 3}, {0.5, 1}}, "dgen.gamma": {{2, 1, 3}, {0.5, 2, 0.7}},
	"df": {{3, 5}, {10, 2}, {4, 6, 1, 2}}, "dbeta": {{2, 3}, {0.4, 0.2}, {50, 1}, {0.02, 30}, {0.1, 0.3}}, "dunif": {{0, 1}, {-5, 3}}, "dpar": {{2, 1}, {0.5, 3}},
	"dgev": {{0, 1, 0.3}, {1, 2, -0.4}, {0, 1, 0}}, "dgpar": {{0, 1, 0.3}, {1, 2, -0.4}, {0, 1, 0}}, "dscaled.gamma": {{2, 3}, {0.5, 1}},
	"dbern": {{0.3}, {0.95}, {0}, {1}}, "dbin": {{0.3, 10}, {0.5, 1000}, {0.999, 40}, {0.02, 3000}}, "dpois": {{0.5}, {8}, {300}, {0}},
	"dnegbin": {{0.3, 4}, {0.9, 0.5}, {0.02, 3}, {1, 2}}, "dgeom": {{0.3}, {0.9}, {1}}, "dgeom0": {{0.3}, {0.02}},
	"dbetabin": {{2, 3, 10}, {0.5, 0.5, 20}}, "dhyper": {{10, 20, 8, 1}, {5, 5, 6, 2.5}},
	"dpick":     {{0.3, 2, 1}},
	"dinvgamma": {{3, 2}, {0.5, 1}}, "dcauchy": {{0, 1}, {-2, 3}}, "dhalfcauchy": {{1}, {5}}, "dtri": {{0, 2, 0.5}, {-1, 1, 1}, {3, 5, 3}},
}

// unsampled have one value, or none.
var unsampled = map[string]string{"dflat": "improper", "car.normal": "improper", "dloglik": "no density of its own", "dround": "one value", "dhalfflat": "improper", "dconstraint": "one value", "dsum": "one value", "dinterval": "one value"}

func drawMany(dist string, p []float64, lo, hi float64) []float64 {
	r := draw.NewRandom(20)
	xs := make([]float64, sampleSize)
	for i := range xs {
		r.Node(dist, i)
		x, err := apply.DrawWithin(Lookup(dist), r.Rand, p, lo, hi)
		if err != nil {
			panic(fmt.Sprint(dist, p, err))
		}
		xs[i] = x
	}
	return xs
}

// agreement is the p-value of a sample of a distribution with parameters p.
func agreement(dist string, xs, p []float64, lo, hi float64) float64 {
	at := func(x float64) cumulative.Tails[float64] { return apply.Tails(Lookup(dist), x, p) }
	if Lookup(dist).Counts || dist == "dpick" {
		norm := 0.0
		if !math.IsInf(lo, 0) || !math.IsInf(hi, 0) {
			norm, _ = apply.LogMass(Lookup(dist), p, lo, hi)
		}
		counts := map[float64]int{}
		for _, x := range xs {
			counts[x]++
		}
		from := slices.Min(xs)
		if math.IsInf(lo, -1) {
			from = 0
		}
		return chiSquare(counts, func(x float64) float64 { return math.Exp(Lookup(dist).LogDensity(x, p) - norm) }, from, slices.Max(xs)+50)
	}
	if !apply.HasCDF(Lookup(dist)) {
		return kolmogorov(xs, integrated(dist, p))
	}
	if math.IsInf(lo, 0) && math.IsInf(hi, 0) {
		return kolmogorov(xs, func(x float64) float64 { return math.Exp(at(x).Below) })
	}
	a, b := cumulative.Tails[float64]{Below: -kit.Inf, Above: 0}, cumulative.Tails[float64]{Below: 0, Above: -kit.Inf}
	if !math.IsInf(lo, 0) {
		a = at(lo)
	}
	if !math.IsInf(hi, 0) {
		b = at(hi)
	}
	return kolmogorov(xs, func(x float64) float64 { // by the smaller tail
		t := at(x)
		if a.Below > -math.Ln2 {
			return -math.Expm1(t.Above-a.Above) / -math.Expm1(b.Above-a.Above)
		}
		return (math.Exp(t.Below-b.Below) - math.Exp(a.Below-b.Below)) / -math.Expm1(a.Below-b.Below)
	})
}

// integrated is the distribution function of a density on the real line or its positive
// half, by sums over x = sinh(y) or exp(y).
func integrated(dist string, p []float64) func(x float64) float64 {
	to, back, from, n := math.Sinh, math.Asinh, -12.0, 4000
	if s, _ := apply.Support(Lookup(dist), len(p)); s.Lo.Kind != support.NoLimit {
		to, back, from = math.Exp, math.Log, -60
	}
	h := (12 - from) / float64(n)
	sums := make([]float64, n+1)
	before := 0.0
	for i := range sums {
		x := to(from + h*float64(i))
		slope := x
		if from == -12 {
			slope = math.Sqrt(1 + x*x)
		}
		f := slope * math.Exp(Lookup(dist).LogDensity(x, p))
		if i > 0 {
			sums[i] = sums[i-1] + h*(f+before)/2
		}
		before = f
	}
	return func(x float64) float64 {
		at := (back(x) - from) / h
		i := max(0, min(int(at), n-1))
		return sums[i] + (at-float64(i))*(sums[i+1]-sums[i])
	}
}

// Every distribution of numbers: its sampler agrees with its distribution function, or
// with its masses.
func TestSamplers(t *testing.T) {
	for _, d := range Laws {
		if (Lookup(d.Name) == nil || Lookup(d.Name).Joint != nil) || unsampled[d.Name] != "" {
			continue
		}
		if samples[d.Name] == nil {
			t.Errorf("%s has no parameters here", d.Name)
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			found := false
			for _, p := range samples[d.Name] {
				xs := drawMany(d.Name, p, -kit.Inf, kit.Inf)
				if got := agreement(d.Name, slices.Clone(xs), p, -kit.Inf, kit.Inf); !(got >= leastP) {
					t.Errorf("%v: the draws are as if with p = %v", p, got)
				}
				for _, x := range xs[:1000] {
					if l := Lookup(d.Name).LogDensity(x, p); math.IsInf(l, -1) || math.IsNaN(l) {
						t.Fatalf("%v: %v is drawn, where the density is 0", p, x)
					}
				}
				// Other parameters are told apart: the test sees an error of a tenth.
				for i := range p {
					q := slices.Clone(p)
					if q[i] *= 1.1; Lookup(d.Name).Wrong(q) == "" && q[i] != p[i] {
						found = found || agreement(d.Name, slices.Clone(xs), q, -kit.Inf, kit.Inf) < leastP
					}
				}
			}
			if !found {
				t.Error("no wrong parameter is found")
			}
		})
	}
}

// Draws between bounds, near and far out.
func TestTruncatedSamplers(t *testing.T) {
	for _, c := range []struct {
		dist   string
		p      []float64
		lo, hi float64
	}{
		{"dnorm", []float64{0, 1}, 0, kit.Inf}, {"dnorm", []float64{0, 1}, 8, kit.Inf}, {"dnorm", []float64{0, 1}, -kit.Inf, -30}, {"dnorm", []float64{0, 1}, 5, 5.1},
		{"dnorm", []float64{0, 1}, -5.1, -5}, {"dnorm", []float64{0, 1}, 0.2, 0.200001}, {"dgamma", []float64{2, 1}, 30, kit.Inf}, {"dgamma", []float64{0.5, 1}, 0, 1e-6},
		{"dbeta", []float64{2, 30}, 0.8, 1}, {"dexp", []float64{1}, 100, 101}, {"dt", []float64{0, 1, 3}, -kit.Inf, -100}, {"dlogis", []float64{0, 1}, 40, 60},
		{"dweib", []float64{2, 1}, 5, kit.Inf}, {"dpar", []float64{3, 1}, 1000, kit.Inf}, {"dlnorm", []float64{0, 1}, 200, kit.Inf}, {"ddexp", []float64{0, 1}, -50, -45},
		{"dgev", []float64{0, 1, 0.1}, 1000, kit.Inf}, {"dunif", []float64{0, 1}, 0.4999, 0.5}, {"df", []float64{3, 9}, 100, kit.Inf},
		{"dpois", []float64{3}, 20, kit.Inf}, {"dpois", []float64{50}, -kit.Inf, 10}, {"dbin", []float64{0.1, 40}, 18, 30}, {"dnegbin", []float64{0.5, 3}, 40, kit.Inf},
		{"dgeom", []float64{0.5}, 30, 35}, {"dbin", []float64{0.5, 10}, 3, 6}, {"dhyper", []float64{50, 50, 30, 1}, 25, 28},
	} {
		t.Run(fmt.Sprint(c.dist, c.p, c.lo, c.hi), func(t *testing.T) {
			t.Parallel()
			xs := make([]float64, 5000) // most are found by bisection
			r := draw.NewRandom(21)
			for i := range xs {
				r.Node("x", i)
				x, err := apply.DrawWithin(Lookup(c.dist), r.Rand, c.p, c.lo, c.hi)
				if err != nil || !(x >= c.lo && x <= c.hi) {
					t.Fatal(x, err)
				}
				xs[i] = x
			}
			if got := agreement(c.dist, xs, c.p, c.lo, c.hi); !(got >= leastP) {
				t.Errorf("the draws are as if with p = %v", got)
			}
		})
	}
	r := draw.NewRandom(1)
	if _, err := apply.DrawWithin(Lookup("dunif"), r.Rand, []float64{0, 1}, 2, 3); err == nil {
		t.Error("a draw where there is no probability")
	}
	if x, err := apply.DrawWithin(Lookup("dflat"), r.Rand, nil, 2, 3); err != nil || x < 2 || x > 3 {
		t.Error(x, err)
	}
}

// sample draws n vectors; keep marks elements that have the values of x.
func sample(t *testing.T, j *family.Joint, p []family.Array, x []float64, keep []bool) [][]float64 {
	t.Helper()
	r := draw.NewRandom(22)
	out := make([][]float64, vectorSample)
	for i := range out {
		r.Node("x", i)
		out[i] = slices.Clone(x)
		if err := apply.JointSimulate(j, r.Rand, out[i], keep, p); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func project(xs [][]float64, f func(x []float64) float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}

func vectorOf(x ...float64) family.Array { return family.Array{Dims: []int{len(x)}, V: x} }

func squareOf(x ...float64) family.Array {
	n := int(math.Sqrt(float64(len(x))))
	return family.Array{Dims: []int{n, n}, V: x}
}

func scalarArg(x float64) family.Array { return family.Array{V: []float64{x}} }

// form is a' M b.
func form(a, m, b []float64) float64 {
	s := 0.0
	for i := range a {
		for j := range b {
			s += a[i] * m[i*len(b)+j] * b[j]
		}
	}
	return s
}

func agrees(t *testing.T, what string, xs []float64, cdf, wrong func(x float64) float64) {
	t.Helper()
	if p := kolmogorov(slices.Clone(xs), cdf); !(p >= leastP) {
		t.Errorf("%s: the draws are as if with p = %v", what, p)
	}
	if p := kolmogorov(xs, wrong); p >= leastP {
		t.Errorf("%s: a wrong law passes with p = %v", what, p)
	}
}

var (
	standardCDF = distuv.Normal{Mu: 0, Sigma: 1}.CDF
	narrowCDF   = distuv.Normal{Mu: 0, Sigma: 0.95}.CDF
	omega       = []float64{2, 0.5, -0.3, 0.5, 1, 0.2, -0.3, 0.2, 3}
	projections = [][]float64{{1, 0, 0}, {0, 0, 1}, {1, -1, 0.5}}
)

func TestMultinormalSampler(t *testing.T) {
	mu, sigma := []float64{1, -2, 0.5}, kit.InverseOf(omega, 3)
	xs := sample(t, multinormal, []family.Array{vectorOf(mu...), squareOf(omega...)}, make([]float64, 3), make([]bool, 3))
	for _, a := range projections {
		s := math.Sqrt(form(a, sigma, a))
		agrees(t, fmt.Sprint("direction ", a), project(xs, func(x []float64) float64 { return dot(a, minus(x, mu)) / s }), standardCDF, narrowCDF)
	}
	agrees(t, "distance", project(xs, func(x []float64) float64 { d := minus(x, mu); return form(d, omega, d) }),
		distuv.ChiSquared{K: 3}.CDF, distuv.ChiSquared{K: 3.1}.CDF)
	// Given the last, by the regression on it.
	xs = sample(t, multinormal, []family.Array{vectorOf(mu...), squareOf(omega...)}, []float64{0, 0, 2}, []bool{false, false, true})
	for i := range 2 {
		m := mu[i] + sigma[i*3+2]/sigma[8]*(2-mu[2])
		s := math.Sqrt(sigma[i*3+i] - sigma[i*3+2]*sigma[i*3+2]/sigma[8])
		agrees(t, "conditional", project(xs, func(x []float64) float64 { return (x[i] - m) / s }), standardCDF, narrowCDF)
	}
}

func TestMultiStudentSampler(t *testing.T) {
	mu, k, sigma := []float64{1, -2, 0.5}, 4.0, kit.InverseOf(omega, 3)
	p := []family.Array{vectorOf(mu...), squareOf(omega...), scalarArg(k)}
	xs := sample(t, multiStudent, p, make([]float64, 3), make([]bool, 3))
	student := func(k float64) func(float64) float64 { return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: k}.CDF }
	for _, a := range projections {
		s := math.Sqrt(form(a, sigma, a))
		agrees(t, fmt.Sprint("direction ", a), project(xs, func(x []float64) float64 { return dot(a, minus(x, mu)) / s }), student(k), student(5))
	}
	agrees(t, "distance", project(xs, func(x []float64) float64 { d := minus(x, mu); return form(d, omega, d) / 3 }),
		distuv.F{D1: 3, D2: k}.CDF, distuv.F{D1: 3, D2: 5}.CDF)
	// Given the last, with k+1 degrees of freedom and a scale that grows with its distance.
	xs = sample(t, multiStudent, p, []float64{0, 0, 3}, []bool{false, false, true})
	d := (3 - mu[2]) * (3 - mu[2]) / sigma[8]
	for i := range 2 {
		m := mu[i] + sigma[i*3+2]/sigma[8]*(3-mu[2])
		s := math.Sqrt((sigma[i*3+i] - sigma[i*3+2]*sigma[i*3+2]/sigma[8]) * (k + d) / (k + 1))
		agrees(t, "conditional", project(xs, func(x []float64) float64 { return (x[i] - m) / s }), student(k+1), student(k))
	}
}

func TestWishartSampler(t *testing.T) {
	k, sigma := 5.5, kit.InverseOf(omega, 3)
	xs := sample(t, wishart, []family.Array{squareOf(omega...), scalarArg(k)}, make([]float64, 9), make([]bool, 9))
	for _, a := range projections {
		agrees(t, fmt.Sprint("direction ", a), project(xs, func(x []float64) float64 { return form(a, x, a) / form(a, sigma, a) }),
			distuv.ChiSquared{K: k}.CDF, distuv.ChiSquared{K: 5.6}.CDF)
		agrees(t, fmt.Sprint("inverse ", a), project(xs, func(x []float64) float64 { return form(a, omega, a) / form(a, kit.InverseOf(x, 3), a) }),
			distuv.ChiSquared{K: k - 2}.CDF, distuv.ChiSquared{K: k - 1.9}.CDF)
	}
	// log |X| has the moments of a sum of logarithms of chi-squares.
	mean, want := 0.0, -mustLogDet(omega, 3)
	for _, x := range xs {
		mean += mustLogDet(x, 3) / vectorSample
	}
	for i := range 3 {
		want += math.Ln2 + digamma((k-float64(i))/2)
	}
	if math.Abs(mean-want) > 0.02 {
		t.Errorf("the mean of log |X| is %v, want %v", mean, want)
	}
}

// The inverse is Wishart.
func TestInverseWishartSampler(t *testing.T) {
	k, sigma := 5.5, kit.InverseOf(omega, 3)
	xs := sample(t, inverseWishart, []family.Array{squareOf(omega...), scalarArg(k)}, make([]float64, 9), make([]bool, 9))
	for _, a := range projections {
		agrees(t, fmt.Sprint("inverse ", a), project(xs, func(x []float64) float64 { return form(a, kit.InverseOf(x, 3), a) / form(a, sigma, a) }),
			distuv.ChiSquared{K: k}.CDF, distuv.ChiSquared{K: 5.6}.CDF)
		agrees(t, fmt.Sprint("direction ", a), project(xs, func(x []float64) float64 { return form(a, omega, a) / form(a, x, a) }),
			distuv.ChiSquared{K: k - 2}.CDF, distuv.ChiSquared{K: k - 1.9}.CDF)
	}
}

func mustLogDet(x []float64, n int) float64 {
	d, _ := mat.LogDet(mat.NewDense(n, n, slices.Clone(x)))
	return d
}

// digamma is a central difference of log gamma.
func digamma(x float64) float64 { return (kit.Lgamma(x+1e-5) - kit.Lgamma(x-1e-5)) / 2e-5 }

func TestDirichletSampler(t *testing.T) {
	for _, a := range [][]float64{{1, 2, 3.5}, {0.5, 0.3, 0.8}, {2, 2, 1}} {
		xs := sample(t, dirichlet, []family.Array{vectorOf(a...)}, make([]float64, 3), make([]bool, 3))
		for i := range a {
			b := kit.Sum(a) - a[i]
			agrees(t, "marginal", project(xs, func(x []float64) float64 { return x[i] }), betaCDF(a[i], b), betaCDF(a[i]*1.1, b))
			// What is not x[i] splits by itself.
			j, k := (i+1)%3, (i+2)%3
			agrees(t, "split", project(xs, func(x []float64) float64 { return x[j] / (x[j] + x[k]) }), betaCDF(a[j], a[k]), betaCDF(a[j]*1.1, a[k]))
		}
	}
	a := []float64{1, 2, 3.5}
	xs := sample(t, dirichlet, []family.Array{vectorOf(a...)}, []float64{0.25, 0, 0}, []bool{true, false, false})
	agrees(t, "conditional", project(xs, func(x []float64) float64 { return x[1] / 0.75 }), betaCDF(2, 3.5), betaCDF(2.1, 3.5))
	xs = sample(t, dirichlet, []family.Array{vectorOf(2, 0, 3)}, make([]float64, 3), make([]bool, 3))
	for _, x := range xs {
		if x[1] != 0 {
			t.Fatal("a component whose alpha is 0 is", x[1])
		}
	}
}

func betaCDF(a, b float64) func(float64) float64 {
	return func(x float64) float64 {
		return math.Exp(apply.Tails(Lookup("dbeta"), x, []float64{a, b}).Below)
	}
}

// All outcomes of small multinomial nodes, whole and given a part.
func TestMultinomialSampler(t *testing.T) {
	code := func(x []float64) float64 { return x[0]*100 + x[1]*10 + x[2] }
	decode := func(c float64) []float64 {
		return []float64{math.Floor(c / 100), math.Floor(math.Mod(c, 100) / 10), math.Mod(c, 10)}
	}
	p := []family.Array{vectorOf(1, 3, 0.5), scalarArg(6)}
	check := func(xs [][]float64, mass func(x []float64) float64) float64 {
		counts := map[float64]int{}
		for _, x := range xs {
			counts[code(x)]++
		}
		return chiSquare(counts, func(c float64) float64 { return mass(decode(c)) }, 0, 700)
	}
	xs := sample(t, multinomial, p, make([]float64, 3), make([]bool, 3))
	if got := check(xs, func(x []float64) float64 { return math.Exp(apply.JointDensity(multinomial, x, p)) }); !(got >= leastP) {
		t.Errorf("the draws are as if with p = %v", got)
	}
	other := []family.Array{vectorOf(1, 3.1, 0.5), scalarArg(6)}
	if got := check(xs, func(x []float64) float64 { return math.Exp(apply.JointDensity(multinomial, x, other)) }); got >= leastP {
		t.Errorf("a wrong law passes with p = %v", got)
	}
	xs = sample(t, multinomial, p, []float64{0, 2, 0}, []bool{false, true, false})
	total := 0.0
	for i := 0.0; i <= 4; i++ {
		total += math.Exp(apply.JointDensity(multinomial, []float64{i, 2, 4 - i}, p))
	}
	if got := check(xs, func(x []float64) float64 {
		if x[1] != 2 {
			return 0
		}
		return math.Exp(apply.JointDensity(multinomial, x, p)) / total
	}); !(got >= leastP) {
		t.Errorf("given a part: the draws are as if with p = %v", got)
	}
}

// Joint distributions of one number: all of their masses.
func TestCategorySampler(t *testing.T) {
	p := []family.Array{vectorOf(1, 0, 3, 0.5)}
	for _, wrong := range []bool{false, true} {
		counts := map[float64]int{}
		for _, x := range sample(t, Lookup("dcat").Joint, p, []float64{0}, []bool{false}) {
			counts[x[0]]++
		}
		q := p
		if wrong {
			q = []family.Array{vectorOf(1, 0, 3, 0.55)}
		}
		got := chiSquare(counts, func(x float64) float64 { return math.Exp(apply.JointDensity(Lookup("dcat").Joint, []float64{x}, q)) }, 1, 4)
		if (got >= leastP) == wrong {
			t.Errorf("p = %v", got)
		}
	}
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func minus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}
