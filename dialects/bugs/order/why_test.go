package order_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/order"
)

// What is said about the orders of the paper's programs.
func TestWhy(t *testing.T) {
	want := map[string][]string{
		"rats keeps its loops": {
			"moved: the loop over i (line 3) runs after tau.c and alpha.c, defined below",
			"kept: the loop over i (line 3) stays as it is",
			"moved: the loop over j (line 4) runs after alpha and beta, defined below",
			"kept: the loop over j (line 4) stays as it is",
			"moved: Y[i, j] ~ dnorm(mu[i, j], tau.c) runs after mu, defined below"},
		"fission": {"split: the loop over i (line 2) is split in 2: y (line 2) reads x of a later iteration"},
		"two states in two loops take turns in one": {
			"fused: the loop over t (line 3) and the loop over u (line 4) run as one: they need each other in each iteration"},
		"a loop runs backward": {"reversed: the loop over i (line 3) runs backward: x (line 3) reads x of a later iteration"},
		"loops take turns": {"turns: the loop over i (line 4), the loop over i (line 5) and the loop over i (line 6) take turns in one loop: " +
			"sumX (line 4) reads sumX, sumX (line 4) reads x, x (line 5) reads sumX and x (line 6) reads sumX"},
		"indices from data": {"levels: 5 instances of z (line 3), y (line 4) and the loop over i (line 5) run in 5 levels: " +
			"z (line 3) reads x, y (line 4) reads x, x (line 5) reads z and x (line 5) reads y, and no loop has that order"},
	}
	for _, c := range bugstest.Orders {
		m := bugstest.MustAnalyze(t, c.Model, c.Data)
		var got []string
		for _, w := range m.Why {
			got = append(got, w.Change.String()+": "+w.Text)
		}
		text := strings.Join(got, "\n")
		for _, line := range want[c.Name] {
			if !strings.Contains(text, line) {
				t.Errorf("%s: no %q in\n%s", c.Name, line, text)
			}
		}
		delete(want, c.Name)
	}
	if len(want) > 0 {
		t.Error("no such programs: ", want)
	}
}

// The edges of the statement graph of Rats are those that the paper lists, and each
// distance within its loops is that of one iteration.
func TestGraphOfRats(t *testing.T) {
	m := bugstest.MustAnalyze(t, Rats, `{"N": 3, "T": 2, "x": [8, 15], "xbar": 11, "Y": [[1, 2], [3, 4], [5, 6]]}`)
	want := map[string]bool{"8->3": true, "7->3": true, "10->4": true, "9->11": true, "9->4": true, "7->11": true,
		"3->2": true, "4->2": true, "2->1": true, "5->1": true, "5->6": true}
	for _, d := range m.Deps {
		edge := fmt.Sprintf("%d->%d", d.From.Index+1, d.To.Index+1)
		if !want[edge] {
			t.Errorf("there is an edge %s", edge)
		}
		delete(want, edge)
		if inside := d.From.Index < 4 && d.To.Index < 4; inside && d.Distances() != model.Zero || !inside && d.Distances() != model.Apart {
			t.Errorf("%s: %v %v", edge, d.Vectors, d.Distances())
		}
	}
	if len(want) > 0 {
		t.Error("missing: ", want)
	}
	if got := "\n" + strings.Join(order.Sequence(m), "\n") + "\n"; got != version1 {
		t.Errorf("the order is%s, want%s", got, version1)
	}
}

// Rats as the paper writes it, but for its names of distributions' parameters.
const Rats = `
for (i in 1:N) {
  for (j in 1:T) {
    Y[i, j] ~ dnorm(mu[i, j], tau_c)
    mu[i, j] <- alpha[i] + beta[i] * (x[j] - xbar)
  }
  alpha[i] ~ dnorm(alpha_c, alpha_tau)
  beta[i] ~ dnorm(beta_c, beta_tau)
}
tau_c ~ dgamma(0.001, 0.001)
sigma <- 1 / sqrt(tau_c)
alpha_c ~ dnorm(0.0, 1.0e-6)
alpha_tau ~ dgamma(0.001, 0.001)
beta_c ~ dnorm(0.0, 1.0e-6)
beta_tau ~ dgamma(0.001, 0.001)
alpha0 <- alpha_c - xbar * beta_c
`

// version1 is the paper's Version 1.
const version1 = `
tau_c ~ dgamma(0.001, 0.001)
sigma <- 1 / sqrt(tau_c)
alpha_c ~ dnorm(0.0, 1.0e-6)
alpha_tau ~ dgamma(0.001, 0.001)
beta_c ~ dnorm(0.0, 1.0e-6)
beta_tau ~ dgamma(0.001, 0.001)
for (i in 1:N) {
  alpha[i] ~ dnorm(alpha_c, alpha_tau)
  beta[i] ~ dnorm(beta_c, beta_tau)
  for (j in 1:T) {
    mu[i, j] <- alpha[i] + beta[i] * (x[j] - xbar)
    Y[i, j] ~ dnorm(mu[i, j], tau_c)
  }
}
alpha0 <- alpha_c - xbar * beta_c
`
