package density

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/ir/diag"
)

// A probability next to 1 that an index picks from an array keeps the digits of 1 - p, which
// its predictor has, and one next to 0 those of p.
func TestPickedProbabilities(t *testing.T) {
	for _, law := range []string{"dbern(p[g[i]])", "dbin(p[g[i]], 3)"} {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model { for (j in 1:2) { logit(p[j]) <- a * j }  for (i in 1:4) { y[i] ~ "+law+" }  a ~ dflat() }")),
			parseData(t, diag.NewSource("d.json", `{"g": [2, 1, 2, 1], "y": [0, 1, 1, 0]}`)))
		for _, a := range []float64{0.5, 3, 6.5, 7, 10, 17, 20, 40, -20, -370, -400, -1e5, -1e154} {
			st := eval.NewState(p.Model)
			st[p.Model.Lookup("a").ID][0] = a
			got, err := p.LogDensity(st)
			if err != nil {
				t.Fatal(err)
			}
			want := 0.0
			if err := eval.Visit(p.Model, st, func(f eval.Factor) { want += f.Logp }); err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(got.Logp-want) <= 1e-10*math.Abs(want)) {
				t.Errorf("%s at %v: %v, want %v", law, a, got.Logp, want)
			}
		}
	}
}
