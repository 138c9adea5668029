package density

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Loops over vectors run in compiled code as in the reference.
func TestLoopsOverVectors(t *testing.T) {
	prog, list := syntax.Parse(diag.NewSource("m", `model {
	  for (i in v) { for (j in 1:i) { X[i,j] ~ dnorm(a, j) } }
	  for (i in c(2, 4)) { x[i] ~ dnorm(a * i, i) }
	  for (i in 1:2) { for (j in idx[i,]) { y[j] ~ dnorm(x[2] + i * j, 1) } }
	  a ~ dnorm(0, 1)
	}`), syntax.Options{Dialect: syntax.JAGS})
	if list.Err() != nil {
		t.Fatal(list)
	}
	data := parseData(t, diag.NewSource("d.json", `{"v": [3, 1, 4], "idx": [[1, 2], [4, 3]], "y": [1, 2, 3, 4]}`))
	p := compile(t, prog, data)
	st := eval.NewState(p.Model)
	for i, v := range p.Model.Vars {
		for k := range st[i] {
			if v.ClassAt(k) == model.Parameter {
				st[i][k] = math.Cos(float64(k))
			}
		}
	}
	want, n := 0.0, 0
	if err := eval.Visit(p.Model, st, func(f eval.Factor) { want += f.Logp; n++ }); err != nil || n != 15 {
		t.Fatal(n, err)
	}
	got, err := p.LogDensity(st)
	if err != nil || math.Abs(got.Logp-want) > 1e-12*math.Abs(want) {
		t.Errorf("%v, want %v: %v", got, want, err)
	}
}
