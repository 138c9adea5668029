package bugs

import (
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// analyze binds a model's statements to data in JSON.
func analyze(t testing.TB, program, data string, dialect syntax.Dialect) (*model.Model, diag.List) {
	t.Helper()
	if !strings.Contains(program, "model") {
		program = "model {\n" + program + "\n}"
	}
	prog, list := syntax.Parse(diag.NewSource("m.bug", program), syntax.Options{Dialect: dialect})
	if list.Err() != nil {
		t.Fatal(list)
	}
	if data == "" {
		data = "{}"
	}
	d, list := input.ParseData(diag.NewSource("d.json", data), input.JSON)
	if list.Err() != nil {
		t.Fatal(list)
	}
	return Analyze(prog, d, Options{Dialect: dialect})
}

func mustAnalyze(t testing.TB, program, data string) *model.Model {
	t.Helper()
	m, list := analyze(t, program, data, syntax.BUGS)
	if list.Err() != nil {
		t.Fatal(list)
	}
	return m
}

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
	m := mustAnalyze(t, `
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

// The values of expressions of data, in both dialects unless it says otherwise.
func TestValues(t *testing.T) {
	data := `{"v": [3, 1, 2], "A": [[1, 2], [3, 4]], "k": 2, "i": 7}`
	for expr, want := range map[string]float64{
		"-2^2": -4, "2^3^2": 512, "2^-1": 0.5, "sum(v[])": 6, "sum(v[1:2], k)": 6, "mean(v[])": 2, "sd(v[])": 1,
		"max(v[])": 3, "min(v[2], 5)": 1, "prod(v)": 6, "length(A[,])": 4, "inprod(v[1:2], v[2:3])": 5,
		"sum(A[2,])": 7, "sum(A[,k])": 6, "A[k, 1]": 3, "sum(A %*% A)": 54, "sum(t(A)[1,2])": -1,
		"round(2.5)": 3, "round(-2.5)": -2, "trunc(-2.5)": -2, "step(0)": 1, "step(-1)": 0, "equals(k, 2)": 1,
		"sum(v[3:2])": 0, "prod(v[3:2])": 1, "k > 1 && k < 3": 1, "k == 3 || k != 2": 0, "!k": 0, "ifelse(k > 1, 5, 6)": 5,
		"logit(0.5)": 0, "ilogit(0)": 0.5, "phi(0)": 0.5, "icloglog(0) * 0": 0, "exp(log(4))": 4, "logfact(3)": 1.791759469228055,
		"v[A[1, 2]]": 1, "v[1] + v[v[1]]": 5, "sum(sort(v[])[1])": -1,
	} {
		if want < 0 && strings.Contains(expr, ")[") {
			continue // a value has no indices in the grammar
		}
		m := mustAnalyze(t, "x <- "+expr+"\n y ~ dnorm(x, 1)", data)
		if got := m.Lookup("x"); classes(got) != "K" || got.Value[0] != want {
			t.Errorf("%s = %v (%s), want %v", expr, got.Value, classes(got), want)
		}
	}
}

func TestDataBlock(t *testing.T) {
	m, list := analyze(t, "var w[n];\ndata { for (i in 1:n) { w[i] <- v[i] * 2 } }\nmodel { for (i in 1:n) { w[i] ~ dpois(l) } l ~ dexp(1) }",
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
	m := mustAnalyze(t, "for (i in 1:n) { x[i] <- x[i + 1] + 1 }\n x[n + 1] <- 0\n y ~ dnorm(x[1], 1)", `{"n": 20000}`)
	if x := m.Lookup("x"); x.Value[0] != 20000 {
		t.Errorf("x[1] = %v", x.Value[0])
	}
}

// The extent of an array waits for all statements that may enlarge it.
func TestExtents(t *testing.T) {
	m := mustAnalyze(t, `for (i in 1:length(x[])) { y[i] ~ dnorm(x[i], 1) }
	  for (i in 1:n) { x[i + 1] <- i }  n <- k + 1  x[1] <- sum(z[])  z[2] <- 3  z[1] <- k`, `{"k": 2}`)
	if y, x := m.Lookup("y"), m.Lookup("x"); classes(y) != "PPPP" || x.Value[0] != 5 {
		t.Error(classes(y), x.Value)
	}
}

// In JAGS I(,) renormalises, and wants fixed parameters.
func TestBoundsOfJAGS(t *testing.T) {
	for program, want := range map[string]string{
		"x ~ dnorm(0, 1) I(0, )":                    "",
		"x ~ dnorm(mu, 1) I(0, )  mu ~ dnorm(0, 1)": "fixed",
	} {
		m, list := analyze(t, program, "", syntax.JAGS)
		if list.Err() != nil {
			t.Fatal(list)
		}
		st, err := eval.Simulate(m, 1)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Error(err)
			}
			continue
		}
		x := m.Lookup("x").ID
		st[x][0] = 1.5
		err = eval.Visit(m, st, func(f eval.Factor) {
			if half := -1.5*1.5/2 - math.Log(2*math.Pi)/2 + math.Ln2; math.Abs(f.Logp-half) > 1e-14 {
				t.Errorf("log density %v, want %v", f.Logp, half)
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
}
