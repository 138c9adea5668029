package eval_test

import (
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/eval"
)

// Each node whose density is 0 is named, with what it could be.
func TestOutside(t *testing.T) {
	for _, c := range []struct {
		model, data string
		point       map[string][]float64
		want        []string
	}{
		{"y ~ dnorm(s, 1)  s ~ dunif(0, 10)", `{"y": 1}`, map[string][]float64{"s": {12}}, []string{"the density of s is 0: it is 12, and dunif(0, 10) allows a number from 0 to 10"}},
		{"for (i in 1:2) { y[i] ~ dpois(m) }  m ~ dgamma(1, 1)", `{"y": [1, -1]}`, map[string][]float64{"m": {0}}, []string{"the density of y[1] is 0: it is 1 in the data, which is impossible, or too far out, under dpois(0)"}},
		{"y ~ dnorm(x, 1)  x ~ dnorm(0, 1) T(1, )", `{"y": 1}`, map[string][]float64{"x": {0}}, []string{"it is 0, and dnorm(0, 1) allows a number from 1 on"}},
		{"y ~ dnorm(x, 1)  x ~ dbeta(1, 1) I(0.2, b)  b <- 0.9", `{"y": 1}`, map[string][]float64{"x": {0.95}}, []string{"a number from 0.2 to 0.9"}},
		{"k ~ dcat(p[])", `{"p": [1, 0, 1]}`, map[string][]float64{"k": {4}}, []string{"it is 4, and dcat allows a whole number from 1 to 3"}},
		{"p[1:2] ~ ddirch(a[])", `{"a": [1, 1]}`, map[string][]float64{"p": {0.5, 0.6}}, []string{"the density of p is 0: ddirch wants numbers from 0 with sum 1"}},
		{"x ~ dbin(0.5, 3)", ``, map[string][]float64{"x": {2.5}}, []string{"a whole number from 0 to 3"}},
		{"x ~ dnorm(0, 1)", ``, map[string][]float64{"x": {3}}, nil},
	} {
		m := bugstest.MustAnalyze(t, c.model, c.data)
		st := eval.NewState(m)
		for name, x := range c.point {
			copy(st[m.Lookup(name).ID], x)
		}
		list := eval.Outside(m, st)
		if len(list) != len(c.want) {
			t.Errorf("%s: %v", c.model, list)
			continue
		}
		for i, d := range list {
			if !strings.Contains(d.Message, c.want[i]) {
				t.Errorf("%s: %s, want %s", c.model, d.Message, c.want[i])
			}
		}
	}
	m := bugstest.MustAnalyze(t, "for (i in 1:30) { x[i] ~ dexp(1) }", "")
	st := eval.NewState(m)
	for i := range st[0] {
		st[0][i] = -1
	}
	list := eval.Outside(m, st)
	if len(list) != 1 || !strings.Contains(list[0].Error(), "so is that of 29 more nodes of this statement") || math.IsNaN(st[0][0]) {
		t.Error(list)
	}
}
