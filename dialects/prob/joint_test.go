package prob

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"gonum.org/v1/gonum/stat/distuv"
)

// Means of draws, within five standard errors that the draws themselves give; the
// centre is the mean where the distribution is continuous.
func TestJointDraws(t *testing.T) {
	vec := func(x ...float64) family.Array { return family.Array{Dims: []int{len(x)}, V: x} }
	num := func(x float64) family.Array { return family.Array{V: []float64{x}} }
	square := func(n int, x ...float64) family.Array { return family.Array{Dims: []int{n, n}, V: x} }
	omega := square(3, 2, 0.5, 0.1, 0.5, 1, 0.2, 0.1, 0.2, 3)
	for _, c := range []struct {
		dist string
		p    []family.Array
		n    int
		mean []float64
	}{
		{"dcat", []family.Array{vec(1, 2, 1)}, 1, []float64{2}},
		{"dmulti", []family.Array{vec(1, 0, 3), num(10)}, 3, []float64{2.5, 0, 7.5}},
		{"ddirch", []family.Array{vec(0.5, 0, 1.5)}, 3, []float64{0.25, 0, 0.75}},
		{"dmnorm", []family.Array{vec(1, 2, 3), omega}, 3, []float64{1, 2, 3}},
		{"dmt", []family.Array{vec(1, 2, 3), omega, num(5)}, 3, []float64{1, 2, 3}},
		{"dmnorm.vcov", []family.Array{vec(1, 2, 3), omega}, 3, []float64{1, 2, 3}},
		{"dnormmix", []family.Array{vec(0, 5), vec(1, 4), vec(3, 1)}, 1, []float64{1.25}},
		{"dordered.logit", []family.Array{num(0), vec(0, 1)}, 1, []float64{1 + 0.5 + 1/(1+math.E)}},
		{"dordered.probit", []family.Array{num(0.5), vec(-0.5, 0.5)}, 1, []float64{1 + distuv.UnitNormal.CDF(1) + 0.5}},
		{"dinterval", []family.Array{num(2), vec(1, 3)}, 1, []float64{1}},
		// Of the pairs of 4 elements, with products 0.5, 1, 1.5, 2, 3, 6.
		{"dsample", []family.Array{vec(0.5, 1, 2, 3), num(2)}, 4, []float64{3. / 14, 5.5 / 14, 9. / 14, 10.5 / 14}},
		{"dwish", []family.Array{square(2, 4, 2, 2, 2), num(3)}, 4, []float64{1.5, -1.5, -1.5, 3}},
		{"dinvwish", []family.Array{square(2, 4, 2, 2, 2), num(11)}, 4, []float64{0.5, 0.25, 0.25, 0.25}},
		{"dlkjcorr", []family.Array{num(1.5)}, 9, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}},
	} {
		j, r := Lookup(c.dist).Joint, rand.New(rand.NewPCG(31, 32))
		const draws = 10000
		s, ss := make([]float64, c.n), make([]float64, c.n)
		for range draws {
			x := apply.JointDraw(j, r, c.p, c.n)
			if math.IsInf(apply.JointDensity(j, x, c.p), -1) {
				t.Fatalf("%s: a draw outside of the support: %v", c.dist, x)
			}
			for i, y := range x {
				s[i] += y / draws
				ss[i] += (y - c.mean[i]) * (y - c.mean[i]) / draws
			}
		}
		for i := range s {
			if math.Abs(s[i]-c.mean[i]) > 5*math.Sqrt(ss[i]/draws)+1e-10 {
				t.Errorf("%s: mean %v, want %v", c.dist, s, c.mean)
			}
		}
		for i, y := range j.Centre(c.p, c.n) {
			if !strings.Contains("dmulti dsample dordered.logit dordered.probit", c.dist) && math.Abs(y-c.mean[i]) > 1e-12 {
				t.Errorf("%s: the centre is %v, want %v", c.dist, y, c.mean[i])
			}
		}
	}
}

// The covariance of draws is the inverse of the precision matrix, and of a part drawn
// given the rest that of the conditional distribution.
func TestNormalDraws(t *testing.T) {
	// The inverse of [[2, 1], [1, 3]] is [[0.6, -0.2], [-0.2, 0.4]].
	p := []family.Array{{Dims: []int{2}, V: []float64{1, 2}}, {Dims: []int{2, 2}, V: []float64{2, 1, 1, 3}}}
	r := rand.New(rand.NewPCG(41, 42))
	const draws = 40000
	var cov [3]float64
	mean, square := 0.0, 0.0
	x := []float64{4, 0}
	for range draws {
		y := apply.JointDraw(multinormal, r, p, 2)
		cov[0] += (y[0] - 1) * (y[0] - 1) / draws
		cov[1] += (y[0] - 1) * (y[1] - 2) / draws
		cov[2] += (y[1] - 2) * (y[1] - 2) / draws
		if err := forms.ConditionalNormal(r, x, []bool{true, false}, p); err != nil {
			t.Fatal(err)
		}
		mean += x[1] / draws
		square += x[1] * x[1] / draws
	}
	for i, want := range []float64{0.6, -0.2, 0.4} {
		if math.Abs(cov[i]-want) > 0.01 {
			t.Errorf("covariances %v", cov)
		}
	}
	// Given x[1] = 4: mean 2 - (4 - 1)/3 = 1, variance 1/3.
	if x[0] != 4 || math.Abs(mean-1) > 0.01 || math.Abs(square-mean*mean-1.0/3) > 0.01 {
		t.Errorf("x[1] is %v; x[2] given it has mean %v, variance %v", x[0], mean, square-mean*mean)
	}
}

// The density of the inverse of a Wishart matrix of n rows is that of the matrix times its determinant to the
// power n + 1.
func TestInverseWishart(t *testing.T) {
	s := []float64{4, 1, 0.5, 1, 2, -0.3, 0.5, -0.3, 1}
	p := []family.Array{{Dims: []int{3, 3}, V: s}, {V: []float64{4.5}}}
	for _, x := range [][]float64{s, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {3, -2.9, 0, -2.9, 3, 0.1, 0, 0.1, 700}} {
		w := kit.InverseOf(x, 3)
		got, want := apply.JointDensity(inverseWishart, x, p), apply.JointDensity(wishart, w, p)+4*mustLogDet(w, 3)
		if !(math.Abs(got-want) <= 1e-10*math.Abs(want)) {
			t.Errorf("%v: %v, want %v", x, got, want)
		}
	}
	if y := apply.JointDensity(inverseWishart, []float64{1, 2, 0, 2, 1, 0, 0, 0, 1}, p); !math.IsInf(y, -1) {
		t.Errorf("of no definite matrix: %v", y)
	}
}

// The standard deviations of a scaled Wishart are half-t, and so is that of the scaled
// gamma: the shares of draws below the median and above three times the scale.
func TestScaledWishartDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	p := []family.Array{{Dims: []int{2}, V: []float64{0.5, 2}}, {V: []float64{3}}}
	// Of Student's t with 3 degrees of freedom: P(|t| < 0.7648923284043544) = 0.5.
	const draws, median = 40000, 0.7648923284043544
	var below [2]float64
	for range draws {
		x := apply.JointDraw(scaledWishart, r, p, 4)
		det := x[0]*x[3] - x[1]*x[2]
		for i, s := range p[0].V {
			variance := x[3-3*i] / det
			below[i] += kit.Truth(math.Sqrt(variance) < median*s) / draws
		}
	}
	for i, x := range below {
		if math.Abs(x-0.5) > 0.008 {
			t.Errorf("standard deviation %d is below the median %v of the time", i+1, x)
		}
	}
}

// What is wrong with a map is said, with where.
func TestWrongMaps(t *testing.T) {
	vec := func(x ...float64) family.Array { return family.Array{Dims: []int{len(x)}, V: x} }
	one := family.Array{V: []float64{1}}
	ones := vec(1, 1, 1, 1)
	for want, p := range map[string][]family.Array{
		"":                                {vec(2, 1, 3, 2), ones, vec(1, 2, 1), one},
		"num[2] must be a whole number":   {vec(2, 1, 3, 2), ones, vec(1, 1.5, 1), one},
		"num[] adds up to 5":              {vec(2, 1, 3, 2), ones, vec(1, 2, 2), one},
		"element 3 of adj[]":              {vec(2, 1, 4, 2), ones, vec(1, 2, 1), one},
		"area 1 lists 3 as a neighbour":   {vec(3, 1, 3, 2), ones, vec(1, 2, 1), one},
		"a neighbour of itself":           {vec(1, 1, 3, 2), ones, vec(1, 2, 1), one},
		"areas 2 and 3 must give each":    {vec(2, 1, 3, 2), vec(1, 1, 1, 2), vec(1, 2, 1), one},
		"weight 1 must be positive":       {vec(2, 1, 3, 2), vec(-1, 1, 1, 1), vec(1, 2, 1), one},
		"tau must be positive and finite": {vec(2, 1, 3, 2), ones, vec(1, 2, 1), {V: []float64{0}}},
	} {
		if why := apply.JointWrong(intrinsicNormal, p); !strings.Contains(why, want) || want == "" && why != "" {
			t.Errorf("%q, want %q", why, want)
		}
	}
	err := apply.JointSimulate(intrinsicNormal, nil, make([]float64, 3), make([]bool, 3), nil)
	if err == nil || !strings.Contains(err.Error(), "improper") {
		t.Errorf("drawing gives %v", err)
	}
	line := []family.Array{vec(0, 0, 0), vec(1, 0.5, 0.5, 1), vec(2, 1, 3, 2), vec(1, 2, 1), vec(1, 0.5, 1), one, {V: []float64{1.01}}}
	if why := apply.JointWrong(properNormal, line); !strings.Contains(why, "gamma must be between") {
		t.Errorf("gamma out of its range gives %q", why)
	}
	line[6].V[0], line[4] = 0.5, vec(1, 1, 1)
	if why := apply.JointWrong(properNormal, line); !strings.Contains(why, "C[i,j] M[j] = C[j,i] M[i]") {
		t.Errorf("C that is not symmetric gives %q", why)
	}
}

// The density of correlation matrices is that of a scaled beta law with two rows, integrates to 1
// with three, and draws have the variance 1/(2 eta + n - 1) of its correlations.
func TestCorrelations(t *testing.T) {
	for _, eta := range []float64{0.5, 1, 2.5, 40} {
		p := []family.Array{{V: []float64{eta}}}
		for _, r := range []float64{-0.9, 0, 0.4} {
			beta := distuv.Beta{Alpha: eta, Beta: eta}
			want := beta.LogProb((r+1)/2) - math.Ln2
			if got := apply.JointDensity(correlation, []float64{1, r, r, 1}, p); math.Abs(got-want) > 1e-12*math.Max(1, math.Abs(want)) {
				t.Errorf("eta %v at %v: %v, want %v", eta, r, got, want)
			}
		}
	}
	// The midpoint rule over a, b and c, with weights as the density goes to 0 at the border.
	const n = 40
	for _, eta := range []float64{2, 3.5} {
		p, sum := []family.Array{{V: []float64{eta}}}, 0.0
		at := func(i int) float64 { return (2*float64(i) + 1 - n) / n }
		for i := range n {
			for j := range n {
				for k := range n {
					a, b, c := at(i), at(j), at(k)
					sum += math.Exp(apply.JointDensity(correlation, []float64{1, a, b, a, 1, c, b, c, 1}, p)) * 8 / (n * n * n)
				}
			}
		}
		if math.Abs(sum-1) > 2e-3 {
			t.Errorf("eta %v: the integral is %v", eta, sum)
		}
	}
	r, squares := rand.New(rand.NewPCG(61, 62)), [3]float64{}
	const draws = 40000
	for range draws {
		x := apply.JointDraw(correlation, r, []family.Array{{V: []float64{1.5}}}, 9)
		for i, k := range []int{1, 2, 5} {
			squares[i] += x[k] * x[k] / draws
		}
	}
	for _, s := range squares {
		if math.Abs(s-1.0/5) > 0.006 {
			t.Errorf("variances of correlations %v, want 0.2", squares)
		}
	}
	for _, x := range [][]float64{{1, 0.5, 0.5, 1.1}, {1, 1, 1, 1}, {1, 0.2, 0.3, 1}} {
		if y := apply.JointDensity(correlation, x, []family.Array{{V: []float64{2}}}); !math.IsInf(y, -1) {
			t.Errorf("%v has the density %v", x, y)
		}
	}
}
