package bind_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// Loops over vectors define what loops over ranges, or statements one by one, do.
func TestLoopsOverVectors(t *testing.T) {
	data := `{"v": [3, 1, 4], "one": [2], "idx": [[1, 2], [4, 3]], "n": 3, "y": [1, 2, 3, 4]}`
	for _, c := range []struct{ loop, plain string }{
		{"for (i in v) { x[i] <- a * i + y[i] }", "x[3] <- a * 3 + y[3]  x[1] <- a + y[1]  x[4] <- a * 4 + y[4]"},
		{"for (i in v[]) { x[i] ~ dnorm(a, i) }", "x[3] ~ dnorm(a, 3)  x[1] ~ dnorm(a, 1)  x[4] ~ dnorm(a, 4)"},
		{"for (i in v[2:n]) { x[i] ~ dnorm(a, i) }", "x[1] ~ dnorm(a, 1)  x[4] ~ dnorm(a, 4)"},
		{"for (i in c(2, 4)) { x[i] ~ dnorm(a, i) }", "x[2] ~ dnorm(a, 2)  x[4] ~ dnorm(a, 4)"},
		{"for (i in v - 1) { z[i + 1] ~ dnorm(a, i + 1) }", "z[3] ~ dnorm(a, 3)  z[1] ~ dnorm(a, 1)  z[4] ~ dnorm(a, 4)"},
		{"for (i in one) { x[i] ~ dnorm(a, i) }", "x[2] ~ dnorm(a, 2)"},
		{"for (i in n) { x[i] ~ dnorm(a, i) }", "x[3] ~ dnorm(a, 3)"},
		{"for (i in 1:2) { for (j in idx[i,]) { x[j] ~ dnorm(a, i) } }", "x[1] ~ dnorm(a, 1)  x[2] ~ dnorm(a, 1)  x[4] ~ dnorm(a, 2)  x[3] ~ dnorm(a, 2)"},
		{"for (i in v) { for (j in 1:i) { X[i,j] ~ dnorm(a, j) } }", "for (j in 1:3) { X[3,j] ~ dnorm(a, j) }  X[1,1] ~ dnorm(a, 1)  for (j in 1:4) { X[4,j] ~ dnorm(a, j) }"},
		{"for (i in v) { for (k in v) { X[i,k] ~ dnorm(a, i + k) } }", "for (p in 1:3) { for (q in 1:3) { X[v[p],v[q]] ~ dnorm(a, v[p] + v[q]) } }"},
		{"for (i in v) { for (i in 1:2) { x[i] ~ dnorm(a, i) } }", ""},
		{"w[3] ~ dnorm(0, 1)  for (i in c(2, 1)) { w[i] ~ dnorm(w[i+1], 1) }", "w[3] ~ dnorm(0, 1)  w[2] ~ dnorm(w[3], 1)  w[1] ~ dnorm(w[2], 1)"},
	} {
		if c.plain == "" {
			if _, list := bugstest.Analyze(t, c.loop+" a ~ dnorm(0, 1)", data, syntax.JAGS); !strings.Contains(list.Error(), "defined twice") {
				t.Errorf("%s: %v", c.loop, list)
			}
			continue
		}
		if got, want := densityText(t, c.loop, data), densityText(t, c.plain, data); got != want {
			t.Errorf("%s: %s, want %s", c.loop, got, want)
		}
	}
	for loop, want := range map[string]string{
		"for (i in c(1.5, 2)) { x[i] ~ dnorm(a, 1) }":                              "not an integer",
		"for (i in c(1, 1)) { x[i] ~ dnorm(a, 1) }":                                "x[1] is defined twice",
		"for (i in 1:2) { for (j in c(i, 3)) { x[i,j] ~ dnorm(a, 1) } }":           "a loop over a vector that depends on the loop over i",
		"for (k in 1:2) { for (i in idx[k,]) { for (k in 1:2) { x[i,k] <- a } } }": "hides one that the loop over i needs",
		"for (i in q) { x[i] ~ dnorm(a, 1) }":                                      "q is neither data nor defined",
	} {
		if _, list := bugstest.Analyze(t, loop+" a ~ dnorm(0, 1)", data, syntax.JAGS); !strings.Contains(list.Error(), want) {
			t.Errorf("%s: %v, want %s", loop, list, want)
		}
	}
}

// densityText runs a model whose nodes are 0.5, and spells what it found.
func densityText(t *testing.T, text, data string) string {
	t.Helper()
	m, list := bugstest.Analyze(t, text+" a ~ dnorm(0, 1)", data, syntax.JAGS)
	if list.Err() != nil {
		t.Error(list)
		return ""
	}
	st := eval.NewState(m)
	for i, v := range m.Vars {
		for k := range st[i] {
			if v.ClassAt(k) == model.Parameter {
				st[i][k] = 0.5
			}
		}
	}
	sum, n := 0.0, 0
	if err := eval.Visit(m, st, func(f eval.Factor) { sum += f.Logp; n++ }); err != nil {
		t.Error(err)
	}
	out := fmt.Sprintf("%.12g of %d", sum, n)
	for _, name := range []string{"x", "z", "X", "w"} {
		if v := m.Lookup(name); v != nil {
			out += fmt.Sprint(name, v.Dims, st[v.ID])
		}
	}
	return out
}

// Vectors as indices pick elements, in and out of loops.
func TestVectorIndices(t *testing.T) {
	data := `{"v": [3, 1, 4], "one": [2], "idx": [[1, 2], [4, 3]], "n": 3, "y": [1, 2, 3, 4], "D": [[1, 2, 3, 4], [5, 6, 7, 8]], "m": [[0, 0], [0, 0]], "I": [[1, 0], [0, 1]]}`
	nodes := "for (i in 1:4) { w[i] ~ dnorm(i, 1) } "
	for _, c := range []struct{ vector, plain string }{
		{"z ~ dnorm(sum(w[c(1, 3)]), 1)", "z ~ dnorm(w[1] + w[3], 1)"},
		{"z ~ dnorm(sum(w[v]), 1)", "z ~ dnorm(w[3] + w[1] + w[4], 1)"},
		{"z ~ dnorm(sum(w[v[2:n]]), 1)", "z ~ dnorm(w[1] + w[4], 1)"},
		{"for (i in 1:2) { z[i] ~ dnorm(inprod(w[idx[i,]], y[c(i, 4)]), 1) }", "z[1] ~ dnorm(w[1] * y[1] + w[2] * y[4], 1)  z[2] ~ dnorm(w[4] * y[2] + w[3] * y[4], 1)"},
		{"for (i in 1:2) { for (j in 1:i) { z[i,j] ~ dnorm(sum(D[i, idx[j,]]) * j + w[c(j)], 1) } }",
			"z[1,1] ~ dnorm(3 + w[1], 1)  z[2,1] ~ dnorm(11 + w[1], 1)  z[2,2] ~ dnorm(30 + w[2], 1)"},
		{"z[1:2] ~ dmnorm(w[c(2, 4)], I[,])", "p[1] <- w[2]  p[2] <- w[4]  z[1:2] ~ dmnorm(p[1:2], I[,])"},
		{"x[v] <- w[1:3] * 2", "x[3] <- w[1] * 2  x[1] <- w[2] * 2  x[4] <- w[3] * 2"},
		{"x[c(2, n)] <- w[1:2]", "x[2] <- w[1]  x[3] <- w[2]"},
		{"for (i in 1:2) { X[i, idx[i,]] <- w[1:2] + i }", "X[1,1] <- w[1] + 1  X[1,2] <- w[2] + 1  X[2,4] <- w[1] + 2  X[2,3] <- w[2] + 2"},
		{"x[one] <- w[1]", "x[2] <- w[1]"},
		// Several indices of more than one position, vectors that are computed, and names of
		// vectors that the model defines.
		{"z ~ dnorm(sum(D[1:2, c(1, 3)]) + w[1], 1)", "z ~ dnorm(16 + w[1], 1)"},
		{"z ~ dnorm(inprod(D[c(2, 1), c(1, 3)] %*% y[1:2], w[1:2]), 1)", "z ~ dnorm(19 * w[1] + 7 * w[2], 1)"},
		{"z ~ dnorm(sum(w[sort(v)]), 1)", "z ~ dnorm(w[1] + w[3] + w[4], 1)"},
		{"z ~ dnorm(inprod(w[order(v)], y[1:3]), 1)", "z ~ dnorm(w[2] + w[1] * 2 + w[3] * 3, 1)"},
		{"q <- order(v)  u <- w[q]  z ~ dnorm(u[1], 1)", "z ~ dnorm(w[2], 1)"},
		{"q[1:2] <- order(one[] * w[1:2])  z ~ dnorm(sum(w[q[1:2]]), 1)", "z ~ dnorm(w[1] + w[2], 1)"},
		{"z ~ dnorm(sum(rep(w[1:2], c(2, 3))), 1)", "z ~ dnorm(2 * w[1] + 3 * w[2], 1)"},
		{"u <- rep(w, y)  z ~ dnorm(u[7], 1)", "z ~ dnorm(w[4], 1)"},
		{"for (i in 1:2) { z[i] ~ dnorm(sum(rep(D[i, 1:2] + w[i], c(2, 1))), 1) }", "z[1] ~ dnorm(4 + 3 * w[1], 1)  z[2] ~ dnorm(16 + 3 * w[2], 1)"},
		{"q <- t(w) %*% w + y[1]  z ~ dnorm(q, 1)", "z ~ dnorm(inprod(w[], w[]) + 1, 1)"},
		{"q <- t(y) %*% t(D) %*% w[1:2] - 1  z ~ dnorm(q, 1)", "z ~ dnorm(30 * w[1] + 70 * w[2] - 1, 1)"},
	} {
		if got, want := densityText(t, nodes+c.vector, data), densityText(t, nodes+c.plain, data); got != want {
			t.Errorf("%s: %s, want %s", c.vector, got, want)
		}
	}
	for text, want := range map[string]string{
		"x[c(1, 1)] <- w[1:2]":              "x[1] is defined twice",
		"x[c(1, 2)] <- w[1:3]":              "3 values assigned to",
		"u <- rep(w, c(1, 2))":              "4 values assigned to 2",
		"z ~ dnorm(sum(w[c(1, 9)]), 1)":     "index 9 of w is out of range",
		"x[c(1, 2)] ~ dmnorm(w[1:2], I[,])": "a vector as an index on the left side",
	} {
		if _, list := bugstest.Analyze(t, nodes+text+" a ~ dnorm(0, 1)", data, syntax.JAGS); !strings.Contains(list.Error(), want) {
			t.Errorf("%s: %v, want %s", text, list, want)
		}
	}
}
