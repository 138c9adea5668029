package eval_test

import (
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

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
		m := bugstest.MustAnalyze(t, "x <- "+expr+"\n y ~ dnorm(x, 1)", data)
		if got := m.Lookup("x"); got.ClassAt(0) != model.Known || got.Value[0] != want {
			t.Errorf("%s = %v (%v), want %v", expr, got.Value, got.ClassAt(0), want)
		}
	}
}

// In JAGS I(,) renormalises, and wants fixed parameters.
func TestBoundsOfJAGS(t *testing.T) {
	for program, want := range map[string]string{
		"x ~ dnorm(0, 1) I(0, )":                    "",
		"x ~ dnorm(mu, 1) I(0, )  mu ~ dnorm(0, 1)": "fixed",
	} {
		m, list := bugstest.Analyze(t, program, "", syntax.JAGS)
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
