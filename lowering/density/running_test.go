package density

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir/diag"
)

// Slices that grow with a loop, and how many loops are within loops in the density of them:
// none where the loop carries what it has combined.
var growingSlices = []struct {
	model string
	inner int
}{
	{`for (i in 1:n) { y[i] ~ dnorm(sum(h[1:i]), 1) }`, 0},
	{`for (i in 1:n) { y[i] ~ dnorm(sum(x[1:i]) * h[1], 1) }`, 0},
	{`for (i in 1:n) { y[i] ~ dnorm(mean(h[1:i]) + max(h[1:(i + 1)]) - min(h[2:(i + 2)]), 1) }`, 0},
	{`for (i in 2:n) { y[i] ~ dnorm(prod(h[1:(i - 1)]), 1 + inprod(h[1:i], x[1:i])) }`, 0},
	{`for (i in 1:n) { y[i] ~ dnorm(sum(h[3:i]), 1) }`, 1}, // the first two are of none
	{`for (i in 1:n) { y[i] ~ dnorm(sum(exp(-h[1:i]) * x[1:i]), 1) }`, 0},
	{`for (i in 1:n) { e[i] <- h[i] * i  y[i] ~ dnorm(sum(e[1:i]), 1) }`, 0},
	{`for (i in 1:n) { y[i] ~ dnorm(H[i], 1)  H[i] <- sum(e[1:i])  e[i] <- exp(-h[i]) }`, 0},
	{`for (i in 1:n) { e[i] <- h[i] * i }  for (i in 1:n) { y[i] ~ dnorm(sum(e[1:(i + 2)]), 1) }  e[n + 1] <- h[1]  e[n + 2] <- 3`, 0},
	{`for (j in 1:3) { for (i in 1:4) { z[j, i] ~ dnorm(sum(w[j, 1:i]) + sum(w[1:j, i]), 1) } }`, 2}, // what j alone grows in
	{`for (j in 1:3) { for (i in 1:4) { z[j, i] ~ dnorm(prod(w[, 1:i]) + sum(w[1:2, 1:i]) + sum(w[1:2, 1:i] * w[2:3, 1:i]), 1) } }`, 3},
	{`for (i in 1:n) { y[i] ~ dnorm(sum(h[i:n]), 1) }`, 1},
	{`for (i in 1:n) { y[i] ~ dnorm(sum(h[1:k[i]]), 1) }`, 1},
	{`for (i in 1:4) { y[i] ~ dnorm(sum(w[i, 1:i]) + sum(h[i:(i + 2)]) + sum(h[1:(2 * i)]), 1) }`, 1},
	{`s[n] <- 1  for (i in 1:(n - 1)) { s[i] <- s[i + 1] * h[i] + sum(h[1:i]) }  for (i in 1:n) { y[i] ~ dnorm(s[i], 1) }`, 1}, // a loop that runs backward
	{`for (j in 1:2) { for (i in 1:m[j]) { z[j, i] ~ dnorm(sum(h[1:(i + o[j])]), 1) } }`, 2},                                   // the first has no iteration
}

func TestGrowingSlices(t *testing.T) {
	const data = `{"n": 6, "m": [0, 2], "o": [100, 5], "k": [1, 3, 2, 6, 6, 4], "x": [0.5, 2, -1, 3, 0.25, 1]}`
	for _, c := range growingSlices {
		drawn := "for (i in 1:(n + 2)) { h[i] ~ dgamma(2, 1) }"
		if strings.Contains(c.model, "w[") {
			drawn += "  for (j in 1:4) { for (i in 1:4) { w[j, i] ~ dgamma(2, 1) } }"
		}
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+c.model+"  "+drawn+"}")), parseData(t, diag.NewSource("d.json", data)))
		if depth := depthOf(p.Lowered, memref.Load, 0) - 1; depth != c.inner {
			t.Errorf("%s: %d loops within loops, want %d", c.model, depth, c.inner)
		}
		for seed := range uint64(3) {
			st, err := eval.Simulate(p.Model, seed)
			if err != nil {
				t.Fatal(c.model, err)
			}
			agree(t, p, st, c.model)
		}
	}
}
