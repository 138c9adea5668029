package density

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

func rats(t testing.TB, values ...string) *Program {
	return compile(t, parse(t, read(t, examples+"rats.bug")), parseData(t, read(t, examples+"rats-data.json")), values...)
}

// Values of logical nodes: one that is forwarded otherwise, generated quantities,
// a parameter and data.
func TestValues(t *testing.T) {
	p := rats(t, "mu", "sigma", "alpha0", "alpha", "x")
	values := parseData(t, read(t, examples+"rats-inits.json"))
	st, _, list := p.Point(values, false)
	if len(list) > 0 {
		t.Fatal(list)
	}
	r, err := p.LogDensity(st)
	if err != nil || !near(r.Logp, -174029.38703951865) {
		t.Fatal(r, err)
	}
	get := func(name string) float64 { return values.Get(name).Values[0] }
	want := get("alpha") + values.Get("beta").Values[1]*(8-22)
	if got := r.Values["mu"]; len(got.Values) != 150 || got.Dims[1] != 5 || (got.Values[0] != want && values.Get("beta").Values[0] == values.Get("beta").Values[1]) {
		t.Errorf("mu is %v, want %v first", got, want)
	}
	if got, want := r.Values["sigma"].Values[0], 1/math.Sqrt(get("tau.c")); got != want {
		t.Errorf("sigma = %v, want %v", got, want)
	}
	if got, want := r.Values["alpha0"].Values[0], get("alpha.c")-22*get("beta.c"); math.Abs(got-want) > 1e-12 {
		t.Errorf("alpha0 = %v, want %v", got, want)
	}
	if r.Values["alpha"].Values[0] != get("alpha") || r.Values["x"].Values[1] != 15 {
		t.Error(r.Values["alpha"], r.Values["x"])
	}
	m := p.Model
	if _, err := Compile(newContext(), m, Options{Values: []string{"sigam"}}); err == nil || !strings.Contains(err.Error(), "sigma") {
		t.Error(err)
	}
}

// Long loops stay loops, short ones within them do not for a processor, and mu[i, j] is a
// value, not memory.
func TestShapeOfTheCode(t *testing.T) {
	p := rats(t)
	pipeline, err := pass.Parse("unroll{inner=true}", lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	g, err := (&pass.Manager{VerifyEach: true}).Run(t.Context(), p.Lowered, pipeline)
	if err != nil {
		t.Fatal(err)
	}
	got := text.String(g, text.PrintOptions{})
	if n := strings.Count(got, "scf.for"); n != 1 {
		t.Errorf("%d loops, want 1, the inner one of 5 rounds written out:\n%s", n, got)
	}
	if strings.Contains(got, `"mu"`) {
		t.Errorf("mu is stored:\n%s", got)
	}
	if n := strings.Count(got, "math.log "); n != 3 {
		t.Errorf("%d logarithms, want one for each precision:\n%s", n, got)
	}
	loops := got[strings.Index(got, "scf.for"):]
	if strings.Contains(loops, "math.log") || strings.Contains(loops, "special.") {
		t.Errorf("constants are left in the loops:\n%s", loops)
	}
}

func point(t *testing.T, p *Program, json string, fill bool) (*Result, []string, error) {
	t.Helper()
	st, names, list := p.Point(parseData(t, diag.NewSource("i.json", json)), fill)
	var filled []string
	if names.Len > 0 {
		filled = slices.Collect(names.All)
	}
	if list.Err() != nil {
		return nil, filled, list
	}
	r, err := p.LogDensity(st)
	if err == nil && len(list) > 0 {
		err = list
	}
	return r, filled, err
}

func TestPoints(t *testing.T) {
	program := "model { for (i in 1:3) { y[i] ~ dnorm(mu[i], tau) mu[i] ~ dnorm(m, 1) } m ~ dnorm(4, 1) tau ~ dgamma(2, 1) s <- 1 / tau }"
	p := compile(t, parse(t, diag.NewSource("m.bug", program)), parseData(t, diag.NewSource("d.json", `{"y": [1, 2, 3]}`)))
	for in, want := range map[string]string{
		`{"mu": [0, null, 1], "tau": 1}`:                                   "no initial value for mu[2], m",
		`{"mu": [0, 0], "tau": 1, "m": 0}`:                                 "mu is a vector of 2 here, and a vector of 3 in the model",
		`{"mu": [0, 0, 1], "tau": -1, "m": 0}`:                             "node y[1]: the precision must be positive",
		`{"mu": [0, 0, 1], "tau": 0, "m": 0}`:                              "here it is dnorm(0, 0)",
		`{"mu": [0, 0, 1], "tau": 1, "m": 0, "y": [1, 1, 1]}`:              "y is observed: its value here is ignored",
		`{"mu": [0, 0, 1], "tau": 1, "m": 0, "s": 1}`:                      "s is a logical node: its value here is ignored",
		`{"mu": [0, 0, 1], "tau": 1, "m": 0, "tua": 1, ".RNG.seed": 3}`:    "did you mean tau?",
		`{"mu": [0, 0, 1], "tau": 1, "m": 0, "y": [null, 3, null]}`:        "y is observed",
		`{"mu": [null, null, null], "tau": null, "m": null}`:               "no initial value for mu[1], mu[2], mu[3], m, tau",
		`{"mu": [0, 0, 1], "tau": [1], "m": 0, "elsewhere.entirely": [3]}`: "no parameter elsewhere.entirely",
	} {
		if _, _, err := point(t, p, in, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
	r, filled, err := point(t, p, `{"mu": [null, 7, null]}`, true)
	if err != nil || strings.Join(filled, " ") != "mu[1] mu[3] m tau" {
		t.Fatal(r, filled, err)
	}
	same, _, err := point(t, p, `{"mu": [4, 7, 4], "m": 4, "tau": 2}`, false)
	if err != nil || same.Logp != r.Logp {
		t.Errorf("filled: %v, want %v (%v)", r, same, err)
	}
}

func TestOutsideOfTheSupport(t *testing.T) {
	p := compile(t, parse(t, diag.NewSource("m.bug", "model { x ~ dunif(0, 1) y ~ dbin(p, 3) p ~ dbeta(1, 1) z ~ dpois(l) l ~ dflat() }")),
		parseData(t, diag.NewSource("d.json", `{"y": 3, "z": 0}`)))
	for in, want := range map[string]float64{
		`{"x": 2, "p": 0.5, "l": 1}`:  math.Inf(-1),
		`{"x": 1, "p": 1, "l": 0}`:    0, // 0 log 0 twice
		`{"x": 0.5, "p": 0, "l": 0}`:  math.Inf(-1),
		`{"x": 0.5, "p": 0.5, "l":0}`: 3 * math.Log(0.5),
	} {
		if r, _, err := point(t, p, in, false); err != nil || math.Abs(r.Logp-want) > 1e-14 && r.Logp != want {
			t.Errorf("%s: %v %v, want %v", in, r, err, want)
		}
	}
	if _, _, err := point(t, p, `{"x": 0.5, "p": 1.5, "l": 1}`, false); err == nil || !strings.Contains(err.Error(), "node y: the probability must be between 0 and 1") {
		t.Error(err)
	}
}

// A cycle of stochastic nodes has a product of conditionals; initial values cannot
// be filled in.
func TestCycles(t *testing.T) {
	p := compile(t, parse(t, diag.NewSource("m.bug", "model { for (i in 1:3) { x[i] ~ dnorm(m[i], 1) }  m[1] <- x[2]  m[2] <- x[1] + x[3]  m[3] <- x[2] }")), input.NewData())
	st, _, list := p.Point(parseData(t, diag.NewSource("i.json", `{"x": [1, 2, 4]}`)), false)
	if len(list) > 0 {
		t.Fatal(list)
	}
	agree(t, p, st, "cycle")
	r, err := p.LogDensity(st)
	if want := -1.5*1.8378770664093453 - (1+9+4)/2.0; err != nil || math.Abs(r.Logp-want) > 1e-12 {
		t.Error(r, err, want)
	}
	if _, _, err := point(t, p, `{"x": [1, null, 4]}`, true); err == nil || !strings.Contains(err.Error(), "no sequential order") {
		t.Error(err)
	}
}

// An index that is a node may leave its array: the node that reads it is named.
func TestStochasticIndex(t *testing.T) {
	p := compile(t, parse(t, diag.NewSource("m.bug", "model { y ~ dnorm(b[k + 1], 1)  k ~ dpois(1)  for (i in 1:2) { b[i] ~ dnorm(0, 1) } }")), parseData(t, diag.NewSource("d.json", `{"y": 1}`)))
	for in, want := range map[string]string{`{"b": [1, 2], "k": 1}`: "", `{"b": [1, 2], "k": 2}`: "index 3 of b is out of range", `{"b": [1, 2], "k": 0.5}`: "1.5, which is not an integer"} {
		r, _, err := point(t, p, in, false)
		if want == "" && (err != nil || math.IsNaN(r.Logp)) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v %v, want %q", in, r, err, want)
		}
	}
}

// Models without factors, and with arrays of no elements.
func TestEmptyModels(t *testing.T) {
	for _, text := range []string{"", "x <- 1", "for (i in 2:1) { y[i] ~ dnorm(0, 1) }", "x <- y[1]  for (i in 1:0) { z[i] <- x }",
		"for (i in 1:0) { y[i] ~ dnorm(m, 1) }  m ~ dnorm(sum(y[]), 1)"} {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+text+"}")), parseData(t, diag.NewSource("d.json", `{"y": [5]}`)))
		st, _, _ := p.Point(input.NewData(), true)
		agree(t, p, st, text)
	}
}

// The same seed gives the same draws, whatever the order of the statements.
func TestSimulate(t *testing.T) {
	p := rats(t)
	a, err := eval.Simulate(p.Model, 7)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := eval.Simulate(p.Model, 7)
	c, _ := eval.Simulate(p.Model, 8)
	v, y := p.Model.Lookup("alpha"), p.Model.Lookup("Y")
	if a[v.ID][3] != b[v.ID][3] || a[v.ID][3] == c[v.ID][3] || a[y.ID][0] != 151 {
		t.Error(a[v.ID][3], b[v.ID][3], c[v.ID][3], a[y.ID][0])
	}
	for i, xs := range a {
		for k, x := range xs {
			if math.IsNaN(x) {
				t.Errorf("%s has no value", p.Model.Vars[i].ElemName(k))
			}
		}
	}
}

// Means of many draws are those of the distributions.
func TestDraws(t *testing.T) {
	for dist, mean := range map[string]float64{
		"dnorm(3, 4)": 3, "dlnorm(0, 4)": math.Exp(0.125), "dt(2, 1, 9)": 2, "dlogis(1, 2)": 1, "ddexp(-1, 3)": -1, "dgamma(3, 2)": 1.5,
		"dexp(4)": 0.25, "dchisqr(3)": 3, "dweib(1, 2)": 0.5, "dgen.gamma(2, 0.5, 1)": 4, "dbeta(2, 3)": 0.4, "dunif(1, 2)": 1.5,
		"dpar(5, 2)": 2.5, "dbern(0.3)": 0.3, "dbin(0.3, 10)": 3, "dpois(2.5)": 2.5, "dnegbin(0.5, 3)": 3, "dgeom(0.5)": 2, "dgeom0(0.5)": 1,
		"dnorm(0, 1) C(0, )": math.Sqrt(2 / math.Pi),
	} {
		prog := parse(t, diag.NewSource(dist, "model { for (i in 1:20000) { x[i] ~ "+dist+" } }"))
		st, err := eval.Simulate(compile(t, prog, input.NewData()).Model, 1)
		if err != nil {
			t.Error(dist, err)
			continue
		}
		s, s2 := 0.0, 0.0
		for _, x := range st[0] {
			s += x
			s2 += x * x
		}
		n := float64(len(st[0]))
		se := math.Sqrt((s2/n - s*s/n/n) / n)
		if got := s / n; math.Abs(got-mean) > 4.5*se {
			t.Errorf("%s: mean %v, want %v (standard error %v)", dist, got, mean, se)
		}
	}
}

func BenchmarkRats(b *testing.B) {
	p := rats(b)
	st, _, _ := p.Point(parseData(b, read(b, examples+"rats-inits.json")), false)
	for b.Loop() {
		if _, err := p.LogDensity(st); err != nil {
			b.Fatal(err)
		}
	}
}
