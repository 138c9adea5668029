package models_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
	"github.com/irc-lang/irc/tools/irc/product"
)

// target is what -scale=unconstrained -json prints.
type target struct {
	Logp        float64            `json:"logp"`
	LogJacobian float64            `json:"log_jacobian"`
	Nodes       map[string]float64 `json:"nodes"`
	Vector      []string           `json:"vector"`
	Transforms  []string           `json:"transforms"`
	At          []float64          `json:"at"`
}

func targets(t *testing.T, args ...string) []target {
	t.Helper()
	var out []target
	for _, line := range strings.Split(strings.TrimSpace(irc(t, append([]string{"logdensity", "-json", "-scale=unconstrained"}, args...)...)), "\n") {
		var x target
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err, line)
		}
		out = append(out, x)
	}
	return out
}

// The models at their reference points: the parts add up, the engines agree, and the
// vector that is printed gives the same density again.
func TestUnconstrainedScale(t *testing.T) {
	dirs, _ := filepath.Glob("../../../shared/data/bugs/*/expected.json")
	if len(dirs) == 0 {
		t.Skip("all models: needs ../shared/data")
	}
	ran := 0
	for i, path := range dirs {
		program := filepath.Base(filepath.Dir(path))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var e expected
		if err := json.Unmarshal(text, &e); err != nil {
			t.Fatal(err)
		}
		var raw []json.RawMessage
		for _, p := range e.Points {
			raw = append(raw, p.Parameters)
		}
		dir := t.TempDir()
		points := written(t, dir, "points.json", raw)
		common := []string{"-data=" + filepath.Dir(path) + "/data.json", "../../examples/bugs/" + program + ".bug"}
		var first []target
		for _, engine := range engines() {
			if engine == "llvm" && i%3 != 0 && !built.Soaking() {
				continue // each is compiled twice
			}
			ran++
			got := targets(t, append([]string{"-points=" + points, "-engine=" + engine}, common...)...)
			if first == nil {
				first = got
			}
			var vectors [][]float64
			for i, x := range got {
				sum := x.LogJacobian
				for _, y := range x.Nodes {
					sum += y
				}
				what := program + " " + engine + " " + e.Points[i].Label
				near(t, what+": sum", x.Logp, sum)
				near(t, what+": other engine", x.Logp, first[i].Logp)
				if len(x.At) != len(x.Vector) || len(x.At) != len(x.Transforms) {
					t.Errorf("%s: %d numbers, %d names, %d transforms", what, len(x.At), len(x.Vector), len(x.Transforms))
				}
				vectors = append(vectors, x.At)
			}
			if e.discrete(first[0].Vector) {
				continue // the vectors alone are no point
			}
			for i, x := range targets(t, append([]string{"-points=" + written(t, dir, "vectors.json", vectors), "-engine=" + engine}, common...)...) {
				// Back and forth the parameter changes by a rounding, and the density with its slope.
				if !(math.Abs(x.Logp-got[i].Logp) <= 1e-7*(1+math.Abs(got[i].Logp))) {
					t.Errorf("%s: %v at the vector, and %v at the parameters", program, x.Logp, got[i].Logp)
				}
			}
		}
	}
	t.Logf("%d runs of %d models", ran, len(dirs))
}

// discrete reports parameters that are not in the vector.
func (e expected) discrete(vector []string) bool {
	var p map[string]any
	_ = json.Unmarshal(e.Points[0].Parameters, &p)
	for name := range p {
		found := false
		for _, c := range vector {
			found = found || c == name || strings.HasPrefix(c, name+"[")
		}
		if !found {
			return true
		}
	}
	return false
}

func written(t *testing.T, dir, name string, x any) string {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// What has no unconstrained scale, or no place on it, is said so.
func TestUnconstrainedDiagnostics(t *testing.T) {
	for _, c := range []struct{ model, data, inits, says string }{
		{"y ~ dnorm(s, 1)  s ~ dunif(0, 10)", `{"y": 1}`, `{"s": 12}`, "s is 12, which has no place on the unconstrained scale: it must be between 0 and 10, without the ends"},
		{"y ~ dnorm(s, 1)  s ~ dgamma(1, 1)", `{"y": 1}`, `{"s": 0}`, "it must be above 0"},
		{"y ~ dnorm(s, 1)  s ~ dnorm(0, 1) I(, b)  b ~ dnorm(0, 1)", `{"y": 1}`, `{"s": 2, "b": 1}`, "it must be below 1"},
		{"y ~ dnorm(s, 1)  s ~ dnorm(0, 1)", `{"y": 1}`, `{}`, "no initial value for s"},
		{"y ~ dnorm(s, t)  s ~ dnorm(0, 1)  t <- u - 3  u ~ dexp(1)", `{"y": 1}`, `{"s": 1, "u": 2}`, "node y: the precision must be positive"},
		{"y ~ dcat(p[])  p[1:2] ~ ddirch(a[])", `{"y": 1, "a": [1, 1]}`, `{"p": [0.5, 0.6]}`, "node p has no place on the unconstrained scale: it is no vector of positive numbers with sum 1"},
		{"y ~ dcat(p[])  p[1:2] ~ ddirch(a[])", `{"y": 1, "a": [1, 0]}`, `{}`, "parameter 2 of ddirch is 0"},
		{"y ~ dcat(p[])  p[1:3] ~ ddirch(a[])", `{"y": 1, "a": [1, 1, 1], "p": [0.2, null, null]}`, `{}`, "a part of p[1] is observed, and ddirch has an unconstrained scale only as a whole"},
		{"y ~ dnorm(l, 1)  l ~ dloglik(1)", `{"y": 1}`, `{}`, "dloglik has no unconstrained scale, and l is not observed"},
		{"y[1:2] ~ dmnorm(m[], O[,])  O[1:2, 1:2] ~ dwish(R[,], 2)", `{"y": [1, 2], "m": [0, 0], "R": [[1, 0], [0, 1]]}`, `{"O": [[1, 2], [2, 1]]}`, "node O has no place on the unconstrained scale: it is not positive definite"},
		{"for (j in 1:3) { a[j] ~ dnorm(0, 1) I(lo[j], hi[j])  lo[j] <- a[4 - j] - 1  hi[j] <- 9 }  y ~ dnorm(a[1], 1)", `{"y": 1}`, `{}`, "depends on itself"},
	} {
		dir := t.TempDir()
		program := filepath.Join(dir, "m.bug")
		if err := os.WriteFile(program, []byte("model {\n"+c.model+"\n}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		data, inits := written(t, dir, "d.json", json.RawMessage(c.data)), written(t, dir, "i.json", json.RawMessage(c.inits))
		var out, errs bytes.Buffer
		p := product.All()
		code := p.Main([]string{"logdensity", "-scale=unconstrained", "-engine=eval", "-data=" + data, "-inits=" + inits, program}, strings.NewReader(""), &out, &errs)
		if code != 1 || !strings.Contains(errs.String(), c.says) || out.Len() > 0 {
			t.Errorf("%s: exit %d, %s%s", c.model, code, out.String(), errs.String())
		}
	}
}

// Both functions are in the module.
func TestUnconstrainedModule(t *testing.T) {
	base := "../../examples/bugs/dyes"
	for emit, want := range map[string]string{"ir": "bugs.model @logdensity_unconstrained", "llvm": "@logdensity_unconstrained("} {
		out := irc(t, "-emit="+emit, "-scale=unconstrained", "-data="+base+"-data.json", base+".bug")
		if !strings.Contains(out, want) || !strings.Contains(out, strings.Replace(want, "_unconstrained", "", 1)) {
			t.Errorf("%s: %s", emit, out)
		}
	}
}

// Vectors that do not fit.
func TestWrongVectors(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "m.bug")
	if err := os.WriteFile(program, []byte("model { y ~ dnorm(m[k], 1)  k ~ dcat(p[])  for (j in 1:2) { m[j] ~ dnorm(0, 1) } }"), 0o644); err != nil {
		t.Fatal(err)
	}
	data := written(t, dir, "d.json", json.RawMessage(`{"y": 1, "p": [1, 1]}`))
	for _, c := range []struct{ inits, points, says string }{
		{`{"k": 1}`, `[[1, 2], [1]]`, "the vector is of length 1, and the model has 2 on the unconstrained scale"},
		{`{}`, `[[1, 2]]`, "no initial value for k"},
		{`{"k": 1}`, `[[1, "x"]]`, "is an array of numbers"},
	} {
		var out, errs bytes.Buffer
		p := product.All()
		code := p.Main([]string{"logdensity", "-scale=unconstrained", "-json", "-engine=eval", "-data=" + data, "-inits=" + written(t, dir, "i.json", json.RawMessage(c.inits)),
			"-points=" + written(t, dir, "p.json", json.RawMessage(c.points)), program}, strings.NewReader(""), &out, &errs)
		if code != 1 || !strings.Contains(errs.String(), c.says) {
			t.Errorf("%s: exit %d, %s%s", c.points, code, out.String(), errs.String())
		}
	}
}
