package density

import (
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/ir/diag"
)

// What is taken out of a term as data is in the setup function, also where a logical node
// comes back from memory: in loops of one round both functions see through it.
func TestTermsThroughMemory(t *testing.T) {
	for _, program := range []string{
		"z ~ dpois(q[N])  for (i in 1:N) { t[i] ~ dlnorm(c[N], 0.4) }  for (i in 1:N) { q[i] <- t[i] / (1 + c[i]) }",
		"z ~ dpois(q[N])  for (i in 1:N) { t[i] ~ dlnorm(c[N], 0.4)  q[i] <- exp(t[i]) * c[i] }",
		"z ~ dgamma(q[1], q[N])  for (i in 1:N) { t[i] ~ dlnorm(c[N], 0.4)  q[i] <- t[i] * c[i] * c[1] }",
	} {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model { "+program+" }")), parseData(t, diag.NewSource("d.json", `{"N": 1, "c": [0.7], "z": 1}`)))
		for seed := range uint64(5) {
			st, err := eval.Simulate(p.Model, seed)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, p, st, program)
		}
	}
}
