package models_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tools/irc/product"
)

func phi(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// Models of one latent variable that is seen through dinterval, with the probability of
// what is seen.
var censorings = []struct {
	name, model, data, kind string
	want                    float64
}{
	{"right of a support", "ic ~ dinterval(t, cut) t ~ dlnorm(0.3, 1)", `{"ic": 1, "cut": 2}`, "lower", 1 - phi(math.Ln2-0.3)},
	{"left of a support", "ic ~ dinterval(t, cut) t ~ dlnorm(0.3, 1)", `{"ic": 0, "cut": 2}`, "interval", phi(math.Ln2 - 0.3)},
	{"right", "ic ~ dinterval(t, cut) t ~ dnorm(0, 1)", `{"ic": 1, "cut": 2}`, "lower", 1 - phi(2)},
	{"left", "ic ~ dinterval(t, cut) t ~ dnorm(0, 1)", `{"ic": 0, "cut": 2}`, "upper", phi(2)},
	{"between two", "ic ~ dinterval(t, cut[]) t ~ dnorm(0, 1)", `{"ic": 1, "cut": [0.5, 2]}`, "interval", phi(2) - phi(0.5)},
	{"above two", "ic ~ dinterval(t, cut[]) t ~ dnorm(0, 1)", `{"ic": 2, "cut": [0.5, 2]}`, "lower", 1 - phi(2)},
	{"twice", "ic ~ dinterval(t, 0.5) id ~ dinterval(t, c) t ~ dnorm(0, 1)", `{"ic": 1, "id": 0, "c": 2}`, "interval", phi(2) - phi(0.5)},
	{"and truncated", "ic ~ dinterval(t, cut) t ~ dnorm(0, 1) T(, 3)", `{"ic": 1, "cut": 2}`, "interval", 1 - phi(2)/phi(3)},
	{"by another loop", "for (i in 1:2) { ic[i] ~ dinterval(t[at[i]], cut[i,1:2]) } for (j in 1:2) { t[j] ~ dexp(1) }",
		`{"ic": [1, 0], "at": [2, 1], "cut": [[1, 3], [5, 6]], "t": [2, null]}`, "interval", (math.Exp(-1) - math.Exp(-3)) * math.Exp(-2)},
	{"some and some", "for (i in 1:3) { ic[i] ~ dinterval(t[i], cut[i]) t[i] ~ dnorm(0, 1) }",
		`{"ic": [1, 0, 0], "cut": [1, 2, 3], "t": [null, 0.5, -1]}`, "lower", (1 - phi(1)) * math.Exp(-0.625) / (2 * math.Pi)},
	{"some of both kinds", "for (i in 1:2) { ic[i] ~ dinterval(t[i], cut[i]) t[i] ~ dnorm(0, 1) }",
		`{"ic": [1, 0], "cut": [1, 2]}`, "bounds", (1 - phi(1)) * phi(2)},
}

// The density over the vector integrates to the probability: the transform reaches all of
// the interval, and nothing else.
func TestCensoredTransform(t *testing.T) {
	for _, c := range censorings {
		dir := t.TempDir()
		program, data := filepath.Join(dir, "m.bug"), filepath.Join(dir, "d.json")
		if err := os.WriteFile(program, []byte("model { "+c.model+" }"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(data, []byte(c.data), 0o644); err != nil {
			t.Fatal(err)
		}
		const step = 0.125
		var points [][]float64
		for u := -40.0; u <= 40; u += step {
			points = append(points, []float64{u})
		}
		for _, engine := range engines() {
			run := func(points [][]float64) []target {
				return targets(t, "-data="+data, "-points="+written(t, dir, "p.json", points), "-engine="+engine, program)
			}
			if c.kind == "bounds" { // two coordinates, of which one rests
				var first, second [][]float64
				for _, p := range points {
					first, second = append(first, []float64{p[0], 0}), append(second, []float64{0, p[0]})
				}
				at := run([][]float64{{0, 0}})[0]
				got := integral(t, c.name, run(first), step) * integral(t, c.name, run(second), step) / math.Exp(at.Logp)
				near(t, c.name+" "+engine, got, c.want)
				if at.Transforms[0] != c.kind {
					t.Errorf("%s: %v", c.name, at.Transforms)
				}
				continue
			}
			got := run(points)
			near(t, c.name+" "+engine, integral(t, c.name, got, step), c.want)
			if len(got[0].Transforms) != 1 || got[0].Transforms[0] != c.kind {
				t.Errorf("%s: the transforms are %v, want %s", c.name, got[0].Transforms, c.kind)
			}
		}
	}
}

// integral is by the trapezoidal rule, which is exact to rounding for what falls off
// doubly exponentially; no point of the vector may be outside.
func integral(t *testing.T, what string, at []target, step float64) (out float64) {
	for _, x := range at {
		if math.IsInf(x.Logp, 0) && math.Abs(x.At[0]) < 5 {
			t.Fatalf("%s: no density at %v", what, x.At)
		}
		out += step * math.Exp(x.Logp)
	}
	return out
}

// Starting values and draws lie within the intervals, and JAGS gives the same density at
// them.
func TestCensoredStart(t *testing.T) {
	jags, none := exec.LookPath("jags")
	if none != nil {
		t.Log("not compared with jags, which is not here")
	}
	for _, c := range censorings {
		dir := t.TempDir()
		program, data := filepath.Join(dir, "m.bug"), filepath.Join(dir, "d.json")
		if err := os.WriteFile(program, []byte("model { "+c.model+" }"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(data, []byte(c.data), 0o644); err != nil {
			t.Fatal(err)
		}
		var x target
		if err := json.Unmarshal([]byte(irc(t, "logdensity", "-json", "-engine=eval", "-data="+data, "-fill-inits=prior", program)), &x); err != nil || math.IsInf(x.Logp, 0) {
			t.Errorf("%s: the starting values have density %v, %v", c.name, x.Logp, err)
		}
		for seed := range 30 {
			drawn := simulated(t, "-seed="+fmt.Sprint(seed), "-data="+data, program)
			inits := written(t, dir, "i.json", map[string]any{"t": drawn["t"]})
			if err := json.Unmarshal([]byte(irc(t, "logdensity", "-json", "-engine=eval", "-data="+data, "-inits="+inits, program)), &x); err != nil || math.IsInf(x.Logp, 0) {
				t.Errorf("%s, seed %d: %v has density %v, %v", c.name, seed, drawn, x.Logp, err)
			}
			if seed > 0 || none != nil {
				continue
			}
			all := merge(mustData(t, parseFile(t, data)), mustData(t, parseFile(t, inits)))
			d, refused := deviance(t, jags, program, asR(all))
			if !(math.Abs(-d/2-x.Logp) <= 2e-5*math.Abs(x.Logp)) {
				t.Errorf("%s: JAGS gives %v, irc %v %s", c.name, -d/2, x.Logp, refused)
			}
		}
	}
}

// An interval that leaves nothing is an error, cuts that are nodes have a warning, and a
// value on the wrong side of a cut is told from the others.
func TestCensoredMistakes(t *testing.T) {
	for _, c := range []struct {
		args   []string
		model  string
		status int
		want   string
	}{
		{[]string{"run"}, "ic ~ dinterval(t, 5) t ~ dnorm(0, 1) T(, 3)", 1, "its interval, from 5 to +Inf, leaves nothing of its bounds"},
		{[]string{"logdensity", "-scale=unconstrained", "-fill-inits=prior"}, "ic ~ dinterval(t, c) t ~ dnorm(0, 1) c ~ dnorm(0, 1)", 0,
			"the cuts of ic depend on nodes, and do not limit t on the unconstrained scale"},
		{[]string{"logdensity", "-scale=unconstrained", "-fill-inits=prior"}, "ic ~ dinterval(t[1], 1) t[1:2] ~ dmnorm(m[], R[,]) for (i in 1:2) { m[i] <- 2 for (j in 1:2) { R[i, j] <- equals(i, j) } }", 0,
			"the cuts of ic are those of elements of a dmnorm vector, and do not limit t"},
		{[]string{"logdensity", "-D", "t=1"}, "ic ~ dinterval(t, 2) t ~ dnorm(0, 1)", 0, "it is 1 in the data, and dinterval(1, 2) allows 0"},
	} {
		program := filepath.Join(t.TempDir(), "m.bug")
		if err := os.WriteFile(program, []byte("model { "+c.model+" }"), 0o644); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		p := product.All()
		if status := p.Main(append(c.args, "-D", "ic=1", program), strings.NewReader(""), &out, &errs); status != c.status || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: status %d: %s", c.model, status, errs.String())
		}
	}
}
