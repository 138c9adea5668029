package bugs

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// The programs of the paper "Generating sequential code from BUGS programs", and
// what becomes of their loops.
var orders = []struct{ name, model, data, want string }{
	{"rats keeps its loops", `
	  for (i in 1:N) {
	    for (j in 1:T) {
	      Y[i, j] ~ dnorm(mu[i, j], tau.c)
	      mu[i, j] <- alpha[i] + beta[i] * (x[j] - xbar)
	    }
	    alpha[i] ~ dnorm(alpha.c, 1)
	    beta[i] ~ dnorm(0, 1)
	  }
	  tau.c ~ dgamma(1, 1)
	  sigma <- 1 / sqrt(tau.c)
	  alpha.c ~ dnorm(0, 1)`, `{"N": 2, "T": 2, "x": [1, 2], "xbar": 1, "Y": [[1, 2], [3, 4]]}`, `
tau.c ~ dgamma(1, 1)
sigma <- 1 / sqrt(tau.c)
alpha.c ~ dnorm(0, 1)
for (i in 1:N) {
  alpha[i] ~ dnorm(alpha.c, 1)
  beta[i] ~ dnorm(0, 1)
  for (j in 1:T) {
    mu[i, j] <- alpha[i] + beta[i] * (x[j] - xbar)
    Y[i, j] ~ dnorm(mu[i, j], tau.c)
  }
}`},
	{"fission", `for (i in 1:3) { x[i] ~ dnorm(0, 1)  y[i] ~ dnorm(x[3], i) }`, ``, `
for (i in 1:3) {
  x[i] ~ dnorm(0, 1)
}
for (i in 1:3) {
  y[i] ~ dnorm(x[3], i)
}`},
	{"fission of an inner loop only", `
	  for (i in 1:2) { for (j in 1:3) { x[i, j] ~ dnorm(0, j)  y[i, j] ~ dnorm(x[i, 3], i) } }`, ``, `
for (i in 1:2) {
  for (j in 1:3) {
    x[i, j] ~ dnorm(0, j)
  }
  for (j in 1:3) {
    y[i, j] ~ dnorm(x[i, 3], i)
  }
}`},
	{"recurrence", `for (i in 2:5) { x[i] <- x[i - 1] + i }  x[1] ~ dnorm(0, 1)`, ``, `
x[1] ~ dnorm(0, 1)
for (i in 2:5) {
  x[i] <- x[i - 1] + i
}`},
	{"state space", `
	  for (i in 2:4) { s[i] ~ dnorm(f * s[i - 1], 1)  Y[i] ~ dnorm(m[i], 1)  m[i] <- s[i] * 2 }
	  s[1] ~ dnorm(f, 1)  f ~ dnorm(0, 1)`, `{"Y": [null, 2, 3, 4]}`, `
f ~ dnorm(0, 1)
s[1] ~ dnorm(f, 1)
for (i in 2:4) {
  s[i] ~ dnorm(f * s[i - 1], 1)
  m[i] <- s[i] * 2
  Y[i] ~ dnorm(m[i], 1)
}`},
	{"two states in two loops take turns in one", `
	  for (t in 2:4) { x[t] ~ dnorm(z[t - 1], 1) }
	  for (u in 2:4) { z[u] <- x[u] + z[u - 1] }
	  x[1] ~ dnorm(0, 1)  z[1] <- x[1]`, ``, `
x[1] ~ dnorm(0, 1)
z[1] <- x[1]
for (t in 2:4) {
  x[t] ~ dnorm(z[t - 1], 1)
  z[u] <- x[u] + z[u - 1]
}`},
	{"recurrence along rows", `
	  for (i in 1:2) { for (j in 2:3) { x[i, j] ~ dnorm(x[i, j - 1] + x[3 - i, 1], 1) }  x[i, 1] ~ dnorm(0, 1) }`, ``, `
for (i in 1:2) {
  x[i, 1] ~ dnorm(0, 1)
}
for (i in 1:2) {
  for (j in 2:3) {
    x[i, j] ~ dnorm(x[i, j - 1] + x[3 - i, 1], 1)
  }
}`},
	{"an index that is a node reaches all elements", `
	  for (i in 1:2) { mu[i] <- b[J[i]]  J[i] <- 1 + step(c - i) }
	  for (i in 1:2) { b[i] ~ dnorm(0, 1) }  c ~ dnorm(0, 1)`, ``, `
c ~ dnorm(0, 1)
for (i in 1:2) {
  J[i] <- 1 + step(c - i)
  b[i] ~ dnorm(0, 1)
}
for (i in 1:2) {
  mu[i] <- b[J[i]]
}`},
	{"what the data say is gone", `
	  for (i in 1:2) { z[i] <- log(x[i])  y[i] ~ dnorm(z[i], 1) }`, `{"x": [1, 2], "y": [1, 2]}`, `
for (i in 1:2) {
  y[i] ~ dnorm(z[i], 1)
}`},
}

func TestOrder(t *testing.T) {
	for _, c := range orders {
		m, list := analyze(t, c.model, c.data, syntax.BUGS)
		if list.Err() != nil {
			t.Errorf("%s: %v", c.name, list)
			continue
		}
		if got := "\n" + strings.Join(m.Sequence(), "\n"); got != c.want {
			t.Errorf("%s: got%s\nwant%s", c.name, got, c.want)
		}
	}
}

// The programs that the paper refuses, and cycles.
func TestNoOrder(t *testing.T) {
	for _, c := range []struct{ name, model, data, want string }{
		// The paper's text has g(x[3]), which is a cycle of elements; its list of
		// dependences has x[2].
		{"data-dependent indices", `
		  z[2] <- exp(x[1])
		  y[2] <- exp(x[2])
		  for (i in 1:3) { x[i] <- y[a[i]] + z[b[i]] }
		  y[3] ~ dnorm(0, 1) y[1] ~ dnorm(0, 1) z[3] ~ dnorm(0, 1) z[1] ~ dnorm(0, 1)`,
			`{"a": [2, 3, 1], "b": [3, 1, 2]}`, "cannot be put in a sequential order"},
		{"cycle of one", "x <- x + 1\n y ~ dnorm(x, 1)", "", "x depends on itself"},
		{"cycle", "x <- y + 1\n y <- z\n z <- 2 * x", "", "depends on itself"},
		{"cycle in a loop", "for (i in 1:3) { x[i] <- y[i]  y[i] <- x[i] + 1 }", "", "x[1] depends on itself"},
	} {
		_, list := analyze(t, c.model, c.data, syntax.BUGS)
		if list.Err() == nil || !strings.Contains(list.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, list, c.want)
		}
	}
}

// Loops of several nests that would have to take turns: a density needs only the
// logical nodes in order, so this is accepted with a warning where that works.
func TestInterLoopCycle(t *testing.T) {
	model := `
	  sumX[1] <- x[1]
	  x[1] ~ dnorm(0, 1)
	  for (i in 2:N) { sumX[i] <- sumX[i - 1] + x[i] }
	  for (i in 1:2) { x[2 * i] ~ dnorm(sumX[2 * i - 1], tau) }
	  for (i in 1:2) { x[2 * i + 1] ~ dnorm(sumX[2 * i], tau) }
	  tau ~ dgamma(1, 1)`
	m, list := analyze(t, model, `{"N": 5}`, syntax.BUGS)
	if list.Err() != nil || len(list) != 1 || !strings.Contains(list.Error(), "cannot be simulated forward") {
		t.Fatal(list)
	}
	if _, err := m.Simulate(1); err == nil {
		t.Error("it is simulated")
	}
	// The same through logical nodes has no order at all.
	_, list = analyze(t, strings.NewReplacer("~ dnorm(sumX[2 * i - 1], tau)", "<- sumX[2 * i - 1]",
		"~ dnorm(sumX[2 * i], tau)", "<- sumX[2 * i]").Replace(model), `{"N": 5}`, syntax.BUGS)
	if list.Err() == nil || !strings.Contains(list.Error(), "sequential order") {
		t.Error(list)
	}
}

func TestStochasticCycle(t *testing.T) {
	model := "x ~ dnorm(y, 1)\n y ~ dnorm(x, 1)"
	m, list := analyze(t, model, "", syntax.BUGS)
	if list.Err() != nil || !strings.Contains(list.Error(), "not a joint density") {
		t.Fatal(list)
	}
	st := m.NewState()
	st[0][0], st[1][0] = 1, 3
	lp := 0.0
	if err := m.Visit(st, func(f Factor) { lp += f.Logp }); err != nil || lp != -log2Pi-4 {
		t.Error(lp, err)
	}
	if _, list := analyze(t, model, "", syntax.JAGS); list.Err() == nil || !strings.Contains(list.Error(), "directed cycle") {
		t.Error(list)
	}
}
