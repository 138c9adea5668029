package density

import (
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/ir/diag"
)

// What a loop does not change is read before it, also where the loop has no iteration and
// the index is none: what the model never reads does not stop it.
func TestReadsBeforeEmptyLoops(t *testing.T) {
	for _, c := range []struct{ model, data string }{
		{`for (i in -1:N) { for (j in 1:i) { y[i, j] ~ dnorm(c[i], 1) } }`, `{"N": 3, "c": [1, 2, 3]}`},
		{`for (i in 0:N) { for (j in 1:i) { y[i, j] ~ dnorm(0, exp(c[i] + c[N + 1 - i])) } }`, `{"N": 3, "c": [1, 2, 3]}`},
		{`for (i in 1:N) { for (j in 1:n[i]) { y[i, j] ~ dnorm(a[g[i]], 1) } } for (k in 1:2) { a[k] ~ dnorm(0, 1) }`, `{"N": 3, "n": [1, 0, 2], "g": [1, 7, 2]}`},
		{`for (i in 1:N) { for (j in 1:n[i]) { y[i, j] ~ dnorm(log(a[g[i], k[i]]), 1) } } for (k in 1:2) { a[k, 1] ~ dexp(1) }`, `{"N": 3, "n": [1, 0, 2], "g": [1, -1, 2], "k": [1, 2, 1]}`},
		{`for (i in 0:N) { for (j in 1:i) { y[i, j] ~ dnorm(mean(c[i:3]) + sum(c[1:i]), 1) } }`, `{"N": 3, "c": [1, 2, 3]}`},
		{`for (i in 0:N) { for (j in 1:i) { y[i, j] ~ dnorm(inprod(c[i:3], d[i:3]) + sd(m[i, 1:2]), 1) } }`, `{"N": 2, "c": [1, 2, 3], "d": [1, 2, 4], "m": [[1, 2], [3, 5]]}`},
		{`for (i in 0:N) { for (j in 1:i) { y[i, j] ~ dnorm(a[i], 1) } a[i + 1] <- b * i } b ~ dnorm(0, 1)`, `{"N": 3}`},
		{`for (i in 0:N) { for (j in 1:i) { y[i, j] ~ dnorm(b[s[i]], 1) } } for (k in 1:N) { s[k] ~ dcat(p[])  b[k] ~ dnorm(0, 1) }`, `{"N": 2, "p": [0.5, 0.5]}`},
	} {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		for seed := range uint64(3) {
			st, err := eval.Simulate(p.Model, seed)
			if err != nil {
				t.Fatal(c.model, err)
			}
			agree(t, p, st, c.model)
		}
	}
}

// Without the deaths of the trials, which are parameters then, sums leave the loops of the
// network meta-analysis in finitely many rounds.
func TestSumsEnd(t *testing.T) {
	all, data := parseData(t, read(t, examples+"networkmeta-data.json")), input.NewData()
	for _, name := range all.Names {
		if name != "r" {
			data.Set(name, all.Span(name), all.Get(name))
		}
	}
	p := compile(t, parse(t, read(t, examples+"networkmeta.bug")), data)
	st, err := eval.Simulate(p.Model, 1)
	if err != nil {
		t.Fatal(err)
	}
	agree(t, p, st, "networkmeta")
}
