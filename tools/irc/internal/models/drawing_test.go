package models

import (
	"slices"
	"testing"
)

// A node shows its law, and data that only choose an element are no parents; a stochastic
// index is one.
func TestDrawing(t *testing.T) {
	m := compile(t, "m", `model {
  for (i in 1:N) {
    y[i] ~ dnorm(mu[i], tau)
    mu[i] <- u[g[i]] + v[z[i]] * x[i]
    z[i] ~ dcat(p[])
  }
  for (j in 1:J) { u[j] ~ dnorm(0, 1) }
  for (j in 1:2) { v[j] ~ dnorm(0, 1) }
  tau ~ dgamma(1, 1)
}`, `{"N": 3, "J": 2, "y": [1, 2, 3], "x": [1, 2, 3], "g": [1, 2, 1], "p": [0.5, 0.5]}`).Drawing()
	var laws, edges []string
	for _, n := range m.Nodes {
		laws = append(laws, n.Label+" "+n.Law)
	}
	for _, e := range m.Edges {
		edges = append(edges, m.Nodes[e.From].Label+" "+m.Nodes[e.To].Label)
	}
	slices.Sort(edges)
	slices.Sort(laws)
	if want := []string{"mu[i] ", "p[] ", "tau dgamma", "u[j] dnorm", "v[j] dnorm", "x[i] ", "y[i] dnorm", "z[i] dcat"}; !slices.Equal(laws, want) {
		t.Errorf("nodes %q, want %q", laws, want)
	}
	if want := []string{"mu[i] y[i]", "p[] z[i]", "tau y[i]", "u[j] mu[i]", "v[j] mu[i]", "x[i] mu[i]", "z[i] mu[i]"}; !slices.Equal(edges, want) {
		t.Errorf("edges %q, want %q", edges, want)
	}
}
