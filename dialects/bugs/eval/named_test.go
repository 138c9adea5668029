package eval_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// densityAt is the log density of a model of x alone.
func densityAt(t *testing.T, law string, x float64) float64 {
	t.Helper()
	m := bugstest.MustAnalyze(t, "x ~ "+law, "")
	st := eval.NewState(m)
	st[m.Lookup("x").ID][0] = x
	out := 0.0
	if err := eval.Visit(m, st, func(f eval.Factor) { out += f.Logp }); err != nil {
		t.Fatal(law, err)
	}
	return out
}

// Parameters by name take their places, whatever the order, and tell those of the law.
func TestNamedParameters(t *testing.T) {
	for law, same := range map[string]string{
		"dnorm(0, sd = 2)": "dnorm(0, 1 / 2^2)", "dnorm(sd = 2, mean = 1)": "dnorm(1, 0.25)", "dnorm(var = 4, 1)": "dnorm(1, 0.25)",
		"dnorm(mu = 1, tau = 3)": "dnorm(1, 3)", "dgamma(2, scale = 4)": "dgamma(2, 1 / 4)", "dgamma(rate = 4, shape = 2)": "dgamma(2, 4)",
		"dlnorm(meanlog = 1, sdlog = 0.5)": "dlnorm(1, 4)", "dt(0, sigma = 2, df = 3)": "dt(0, 0.25, 3)", "dexp(scale = 2)": "dexp(0.5)",
		"dgamma(mean = 2, sd = 0.5)": "dgamma(16, 8)", "dgamma(sd = 0.5, 2)": "dgamma(16, 8)", "dweib(scale = 2, shape = 3)": "dweib(3, 0.125)",
		"T(dgamma(shape = 2, rate = 1), 1, 5)": "dgamma(2, 1) T(1, 5)", "T(dnorm(0, 1), , 5)": "dnorm(0, 1) T(, 5)", "T(dexp(1), 1)": "dexp(1) T(1, )",
		"dbin(size = 5, prob = 0.25)": "dbin(0.25, 5)", "dinvgamma(3, rate = 2)": "dinvgamma(3, 0.5)", "dunif(max = 7, min = 1)": "dunif(1, 7)",
	} {
		if got, want := densityAt(t, law, 2), densityAt(t, same, 2); got != want {
			t.Errorf("%s: %v, and %s: %v", law, got, same, want)
		}
	}
	for law, want := range map[string]string{
		"dnorm(0, sdd = 2)":                  "did you mean sd?",
		"dnorm(tau = 2)":                     "parameter mu of dnorm is missing",
		"dnorm(tau = 1, sd = 2)":             "parameter tau of dnorm is given twice",
		"dnorm(0, 1, sd = 2)":                "dnorm wants 2 arguments, found 3",
		"dnorm(0, elephants = 2)":            "its parameters are mu, tau, mean, sd, var, prec",
		"dmnorm(mu[1:2], prc = om)":          "did you mean prec?",
		"dgamma(mean = 2)":                   "parameter sd of dgamma is missing",
		"dgamma(mean = 2, sd = 1, rate = 3)": "dgamma has no parameter rate beside mean and sd",
		"dgamma(mean = 2, mean = 1, sd = 3)": "parameter mean of dgamma is given twice",
		"car.l1(adj[], w[], n[], tau)":       "the distribution car.l1 is not supported",
		"normal(0, 10)":                      "dnorm(mu, sd = sigma)",
		"dnorm(0, \u201c1\u201d)":            "numbers have no quotes",
	} {
		_, list := syntax.Parse(diag.NewSource("m.bug", "model { x ~ "+law+" }"), syntax.Options{})
		if !strings.Contains(fmt.Sprint(list), want) {
			t.Errorf("%s: %s\nwant %s", law, list, want)
		}
	}
}

// Laws of NIMBLE at points where they are known.
func TestLawsOfOtherLanguages(t *testing.T) {
	for _, c := range []struct {
		law     string
		x, want float64
	}{
		{"dcauchy(0, 1)", 1, -math.Log(2 * math.Pi)}, {"dcauchy(2, 3)", -1, -math.Log(6 * math.Pi)},
		{"dhalfflat()", 3, 0}, {"dhalfflat()", 0, 0}, {"dhalfflat()", -1e-300, math.Inf(-1)},
		{"dconstraint(2 > 1)", 1, 0}, {"dconstraint(1 > 2)", 1, math.Inf(-1)}, {"dconstraint(1 > 2)", 0, 0}, {"dconstraint(cond = 1)", 2, math.Inf(-1)},
		{"dhalfcauchy(1)", 0, math.Log(2 / math.Pi)}, {"dhalfcauchy(2)", 2, math.Log(0.5 / math.Pi)}, {"dhalfcauchy(2)", -1, math.Inf(-1)},
		{"dinvgamma(3, 2)", 1, math.Log(4) - 2}, {"dinvgamma(1, 1)", 0.5, math.Log(4) - 2}, {"dinvgamma(1, 1)", 0, math.Inf(-1)},
		{"dtri(0, 2, 0.5)", 0.25, math.Log(0.5)}, {"dtri(0, 2, 0.5)", 0.5, 0}, {"dtri(0, 2, 0.5)", 2, math.Inf(-1)}, {"dtri(1, 3, 3)", 3, 0},
	} {
		if got := densityAt(t, c.law, c.x); got != c.want && !(math.Abs(got-c.want) < 1e-14) {
			t.Errorf("%s at %v: %v, want %v", c.law, c.x, got, c.want)
		}
	}
}

// The distribution function of the noncentral chi-square, as JAGS 4.3.1 prints it, and the density between bounds.
func TestNoncentralChiSquare(t *testing.T) {
	for text, want := range map[string]float64{
		"pnchisqr(10, 3, 2)": 0.898565, "pnchisqr(0.5, 3, 20)": 8.77319e-06, "pnchisqr(3, 7.5, 0.1)": 0.0844063, "qnchisqr(0.3, 3, 2)": 2.57357,
		"pnchisqr(60, 3, 20)": 0.99905, "pnchisqr(4, 2.25, 1.5)": 0.636059,
	} {
		m := bugstest.MustAnalyze(t, "y <- "+text+"  x ~ dnorm(y, 1)", "")
		if got := m.Lookup("y").Value[0]; !(math.Abs(got-want) <= 1e-5*want) {
			t.Errorf("%s is %.17g, want %v", text, got, want)
		}
	}
	if got := densityAt(t, "dnchisqr(3.25, 2.5) T(1, 8)", 3); math.Abs(got+1.75298) > 1e-5 {
		t.Errorf("between 1 and 8: %v", got)
	}
}

// zero_mean is no part of the density of a map, which a warning says.
func TestZeroMean(t *testing.T) {
	const given, density = `car.normal(adj[], w[], num[], 2`, `{"adj": [2, 1], "w": [1, 1], "num": [1, 1], "b": [0.5, -1]}`
	sums := map[string]float64{}
	for _, more := range []string{"", ", zero_mean = 1", ", zero_mean = 0"} {
		m := bugstest.MustAnalyze(t, "b[1:2] ~ "+given+more+")", density)
		if err := eval.Visit(m, eval.NewState(m), func(f eval.Factor) { sums[more] += f.Logp }); err != nil {
			t.Fatal(err)
		}
		_, list := syntax.Parse(diag.NewSource("m.bug", "model { b[1:2] ~ "+given+more+") }"), syntax.Options{})
		if said := strings.Contains(fmt.Sprint(list), "zero_mean is what a sampler does"); said != (more != "") || sums[more] != sums[""] {
			t.Errorf("%q: %v, and %v", more, sums[more], list)
		}
	}
}

// besselk and what a division leaves, where they are known: K(1/2) and K(3/2) have formulas.
func TestBesselAndModulo(t *testing.T) {
	k := func(x float64) float64 { return math.Sqrt(math.Pi/(2*x)) * math.Exp(-x) }
	for text, want := range map[string]float64{
		"besselk(1, 0)": 0.42102443824070834, "besselk(1, 1)": 0.6019072301972346, "besselk(0.3, 0.5)": k(0.3), "besselk(30, 0.5)": k(30),
		"besselk(0.001, 1.5)": k(0.001) * 1001, "besselk(600, -0.5)": k(600), "besselk(2, 1.5)": k(2) * 1.5, "besselk(1000, 0.5)": 0,
		"min.bound(c(1, 0.5, 0.5, 0.5, 0.5, 1), c(2, 1, 3, 2, 4, 3), c(1, 2, 2, 1), c(1, 0.5, 0.5, 1))": -1,
		"max.bound(c(1, 0.5, 0.5, 0.5, 0.5, 1), c(2, 1, 3, 2, 4, 3), c(1, 2, 2, 1), c(1, 0.5, 0.5, 1))": 1,
		"max.bound(c(1, 1), c(2, 1), c(1, 1), c(4, 4))":                                                 1, "lfactorial(4)": math.Log(24), "cube(-3)": -27, "nimStep(-1) + nimStep(0)": 1,
		"7 %% 3": 1, "-7 %% 3": 2, "7 %% -3": -2, "5.5 %% 2": 1.5, "2 * 7 %% 4": 6, "6 %% 3": 0,
	} {
		m := bugstest.MustAnalyze(t, "y <- "+text+"  x ~ dnorm(y, 1)", "")
		got := m.Lookup("y").Value[0]
		if !(math.Abs(got-want) <= 2e-14*math.Abs(want)) {
			t.Errorf("%s is %.17g, want %.17g", text, got, want)
		}
	}
}
