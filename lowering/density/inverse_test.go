package density

import (
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// Models with inverses, and whether one is left: it is not where it is a parameter alone, and
// the law has a form of the matrix itself.
var inverted = []struct {
	model string
	left  bool
}{
	{`x[1:2] ~ dmnorm(m[], P[, ])  P[1:2, 1:2] <- inverse(S[1, , ])`, false},
	{`x[1:2] ~ dmnorm(m[], inverse(S[1, , ]))`, false},
	{`x[1:2] ~ dmnorm(m[], inverse(S[2, , ] + S[3, , ]))`, false},
	{`x[1:2] ~ dmnorm.vcov(m[], P[, ])  P[1:2, 1:2] <- inverse(S[1, , ])`, false},
	{`for (k in 1:3) { x[k, 1:2] ~ dmnorm(m[], P[k, , ])  P[k, 1:2, 1:2] <- inverse(S[k, , ]) }`, false},
	{`for (k in 1:5) { x[k, 1:2] ~ dmnorm(m[], P[2, , ]) }  for (k in 1:3) { P[k, 1:2, 1:2] <- inverse(S[k, , ]) }`, false},
	{`for (k in 1:2) { x[k, 1:2] ~ dmnorm(m[], P[k + 1, , ]) }  for (k in 1:3) { P[k, 1:2, 1:2] <- inverse(S[k, , ]) }`, false},
	{`for (k in 1:3) { x[k, 1:2] ~ dmnorm(m[], inverse(S[k, , ] * k)) }`, false},
	{`for (k in 1:3) { x[k, 1:2] ~ dmnorm(m[], P[k, , ])  P[k, 1:2, 1:2] <- inverse(S[k, , ] * k) }`, false},
	{`for (k in 1:2) { x[k, 1:2] ~ dmnorm(m[], P[k + 1, , ]) }  for (k in 1:3) { P[k, 1:2, 1:2] <- inverse(S[k, , ] * k) }`, true},
	{`for (k in 1:3) { x[k, 1:2] ~ dmnorm(m[], P[g[k], , ])  P[k, 1:2, 1:2] <- inverse(S[k, , ]) }`, false},
	{`x[1:2] ~ dmt(m[], P[, ], 3)  P[1:2, 1:2] <- inverse(S[1, , ])`, true},
	{`x[1:2] ~ dmnorm(m[], P[, ])  P[1:2, 1:2] <- inverse(S[1, , ])  y ~ dnorm(P[1, 1], 1)`, true},
	{`x[1:2] ~ dmnorm(m[], P[1:2, 1:2])  P[1:3, 1:3] <- inverse(T[, ])`, true},
	{`x[1:2] ~ dmnorm(m[], P[2:3, 2:3])  P[2:3, 2:3] <- inverse(S[1, , ])  P[1, 1] <- 1`, true},
	{`x[1:2] ~ dmnorm(m[], P[, ])  for (i in 1:2) { for (j in 1:2) { P[i, j] <- Q[j, i] } }  Q[1:2, 1:2] <- inverse(S[1, , ])`, true},
}

const beforeInverses = `  for (i in 1:2) { m[i] ~ dnorm(0, 1) }  a ~ dexp(1)
	for (k in 1:3) { for (i in 1:2) { for (j in 1:2) { S[k, i, j] <- k * equals(i, j) + a } } }
	for (i in 1:3) { for (j in 1:3) { T[i, j] <- equals(i, j) + a } }`

// A normal density with an inverse as a parameter is that of the matrix, and takes its factor alone.
func TestInverseParameters(t *testing.T) {
	for _, c := range inverted {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+c.model+beforeInverses+"}")), parseData(t, diag.NewSource("d.json", `{"g": [2, 3, 1]}`)))
		if got := picksRows(p.Lowered); got != c.left {
			t.Errorf("%s: an inverse is left: %v, want %v", c.model, got, c.left)
		}
		for seed := range uint64(5) {
			st, err := eval.Simulate(p.Model, seed)
			if err != nil {
				t.Fatal(c.model, err)
			}
			agree(t, p, st, c.model)
		}
	}
}

// picksRows tells an inverse by its pivots: rows are chosen.
func picksRows(g *ir.Graph) (some bool) {
	for v := range ir.ScheduleOf(g).All() {
		some = some || g.Def(v) == arith.Select && g.Type(v) == ir.Index
		for _, in := range g.Children(v) {
			some = some || picksRows(in)
		}
	}
	return some
}
