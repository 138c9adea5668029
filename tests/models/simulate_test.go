package models_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

func simulated(t *testing.T, args ...string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(irc(t, append([]string{"run"}, args...)...)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// A seed gives the same numbers on every engine, another seed others; what the data and
// the initial values give stays.
func TestSimulate(t *testing.T) {
	base := "../../examples/bugs/pumps"
	args := []string{"-data=" + base + "-data.json", base + ".bug"}
	first := irc(t, append([]string{"run", "-seed=3"}, args...)...)
	for _, engine := range engines() {
		if again := irc(t, append([]string{"run", "-seed=3", "-engine=" + engine}, args...)...); again != first {
			t.Errorf("%s: %s and %s", engine, first, again)
		}
	}
	if other := irc(t, append([]string{"run", "-seed=4"}, args...)...); other == first {
		t.Error("another seed gives the same")
	}
	inits := written(t, t.TempDir(), "i.json", map[string]any{"alpha": 1, "theta": []any{1, nil, 3, nil, nil, nil, nil, nil, nil, nil}})
	got := simulated(t, append([]string{"-seed=3", "-inits=" + inits}, args...)...)
	var free map[string]any
	if err := json.Unmarshal([]byte(first), &free); err != nil {
		t.Fatal(err)
	}
	theta := got["theta"].([]any)
	if got["alpha"] != 1.0 || theta[0] != 1.0 || theta[2] != 3.0 || got["beta"] != free["beta"] || fmt.Sprint(got["x"]) != fmt.Sprint(free["x"]) {
		t.Error(got)
	}
}

// A node has its own numbers: other nodes, and the order of statements, change nothing.
func TestNodesHaveTheirOwnNumbers(t *testing.T) {
	dir := t.TempDir()
	data := written(t, dir, "d.json", map[string]any{"N": 3})
	var first []any
	for i, program := range []string{
		"for (i in 1:N) { x[i] ~ dgamma(2, 3) }",
		"z ~ dnorm(0, 1) for (i in 1:N) { y[i] ~ dnorm(z, x[i]) } for (i in 1:N) { x[N + 1 - i] ~ dgamma(a, b) } a <- 2 b <- 3",
	} {
		path := filepath.Join(dir, "m.bug")
		if err := os.WriteFile(path, []byte("model { "+program+" }"), 0o644); err != nil {
			t.Fatal(err)
		}
		x := simulated(t, "-seed=5", "-data="+data, path)["x"].([]any)
		if i == 0 {
			first = x
		} else if fmt.Sprint(x) != fmt.Sprint(first) {
			t.Errorf("%v and %v", first, x)
		}
	}
}

// Every kind of node: truncated, censored, partly observed, discrete, vectors, generated.
func TestSimulateEveryKind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.bug")
	program := `model {
	  a ~ dnorm(0, 1) T(3, )  b ~ dnorm(0, 1) I(, -4)  p[1:3] ~ ddirch(one[])  k ~ dcat(p[])  n[1:3] ~ dmulti(p[], 10)
	  O[1:2, 1:2] ~ dwish(R[,], 3)  v[1:2] ~ dmnorm(m[], O[,])  w[1:2] ~ dmt(m[], O[,], 4)  q[1:3] ~ dmulti(one[], 6)
	  g <- step(v[1]) + k  y ~ dpois(exp(v[2] / 10))
	}`
	if err := os.WriteFile(path, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	data := written(t, dir, "d.json", map[string]any{"one": []int{1, 1, 1}, "R": [][]int{{1, 0}, {0, 1}}, "m": []int{0, 0},
		"v": []any{1, nil}, "w": []any{nil, 2}, "q": []any{nil, 4, nil}})
	for seed := range 20 {
		x := simulated(t, fmt.Sprint("-seed=", seed+1), "-data="+data, path)
		num := func(name string, i int) float64 {
			if l, ok := x[name].([]any); ok {
				return l[i].(float64)
			}
			return x[name].(float64)
		}
		sumP, sumN := num("p", 0)+num("p", 1)+num("p", 2), num("n", 0)+num("n", 1)+num("n", 2)
		if num("a", 0) < 3 || num("b", 0) > -4 || math.Abs(sumP-1) > 1e-9 || sumN != 10 || num("v", 0) != 1 || num("w", 1) != 2 ||
			num("q", 0)+num("q", 2) != 2 || num("g", 0) != 1+num("k", 0) || num("y", 0) != math.Trunc(num("y", 0)) {
			t.Fatal(seed, x)
		}
	}
}
