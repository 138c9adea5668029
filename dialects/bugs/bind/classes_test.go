package bind_test

import (
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// classes spells the classes of a variable's elements: K, L, O, P, and - for none.
func classes(v *model.Var) string {
	out := ""
	for k := range v.Len() {
		c := v.ClassAt(k)
		out += "-KLOP"[c : c+1]
	}
	return out
}

func TestClasses(t *testing.T) {
	m := bugstest.MustAnalyze(t, `
	  for (i in 1:3) { x[i] ~ dnorm(mu[i], 1)  mu[i] <- a + i  z[i] <- w[i] + 1 }
	  x[5] ~ dnorm(0, 1)
	  a ~ dnorm(0, 1)
	  w[2] ~ dnorm(0, 1)
	  y <- sum(w[3:4])
	  for (i in 1:y) { v[i] <- i * i }
	  n <- v[1]
	  q <- 1 - w[1]
	  q ~ dbern(0.5)
	`, `{"x": [1, null, 3, 4, null], "w": [1, null, 2, 1]}`)
	for name, want := range map[string]string{
		"x": "OPOKP", "mu": "LLL", "a": "P", "w": "KPKK", "z": "KLK", "y": "K", "v": "KKK", "n": "K", "q": "O"} {
		if got := classes(m.Lookup(name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if o, p := m.Counts(); o != 3 || p != 4 {
		t.Errorf("%d observed and %d parameters, want 3 and 4", o, p)
	}
	if got := m.Lookup("v").Value; got[0] != 1 || got[2] != 9 {
		t.Errorf("v = %v", got)
	}
}

func TestDataBlock(t *testing.T) {
	m, list := bugstest.Analyze(t, "var w[n];\ndata { for (i in 1:n) { w[i] <- v[i] * 2 } }\nmodel { for (i in 1:n) { w[i] ~ dpois(l) } l ~ dexp(1) }",
		`{"v": [1, 2, 3], "n": 3}`, syntax.JAGS)
	if list.Err() != nil {
		t.Fatal(list)
	}
	if w := m.Lookup("w"); classes(w) != "OOO" || w.Value[2] != 6 {
		t.Errorf("w is %s %v", classes(w), w.Value)
	}
}

// A chain that the program writes from its end takes few rounds, not one a link.
func TestBackwardChain(t *testing.T) {
	m := bugstest.MustAnalyze(t, "for (i in 1:n) { x[i] <- x[i + 1] + 1 }\n x[n + 1] <- 0\n y ~ dnorm(x[1], 1)", `{"n": 20000}`)
	if x := m.Lookup("x"); x.Value[0] != 20000 {
		t.Errorf("x[1] = %v", x.Value[0])
	}
}

// The extent of an array waits for all statements that may enlarge it.
func TestExtents(t *testing.T) {
	m := bugstest.MustAnalyze(t, `for (i in 1:length(x[])) { y[i] ~ dnorm(x[i], 1) }
	  for (i in 1:n) { x[i + 1] <- i }  n <- k + 1  x[1] <- sum(z[])  z[2] <- 3  z[1] <- k`, `{"k": 2}`)
	if y, x := m.Lookup("y"), m.Lookup("x"); classes(y) != "PPPP" || x.Value[0] != 5 {
		t.Error(classes(y), x.Value)
	}
}
