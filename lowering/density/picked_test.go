package density

import (
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/ir/diag"
)

// A probability next to 1 that an index picks from an array keeps the digits of 1 - p, which
// its predictor has, and one next to 0 those of p.
func TestPickedProbabilities(t *testing.T) {
	link, ilogit, copied := "logit(p[j]) <- a * j", "p[j] <- ilogit(a * j)", "logit(q[j]) <- a * j  p[j] <- q[j]"
	for _, c := range [][2]string{{link, "dbern(p[g[i]])"}, {link, "dbin(p[g[i]], 3)"}, {ilogit, "dbin(p[g[i]], 3)"}, {copied, "dbern(p[g[i]])"}, {copied, "dbin(p[g[i]], 3)"}} {
		made, law := c[0], c[1]
		p := compile(t, parse(t, diag.NewSource("m.bug", "model { for (j in 1:2) { "+made+" }  for (i in 1:4) { y[i] ~ "+law+" }  a ~ dflat() }")),
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
				t.Errorf("%s, %s at %v: %v, want %v", made, law, a, got.Logp, want)
			}
			if exact := picked(law, a); !(math.Abs(want-exact) <= 1e-9*math.Abs(exact)) {
				t.Errorf("%s, %s at %v: the reference gives %v, want %v", made, law, a, want, exact)
			}
		}
	}
}

// picked is the density of TestPickedProbabilities by log p = -log(1 + e^-eta) and log(1 - p) = -log(1 + e^eta).
func picked(law string, a float64) (sum float64) {
	log1pexp := func(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
	n, choose := 1.0, 0.0
	if strings.Contains(law, "dbin") {
		n, choose = 3, math.Log(3)
	}
	for i, y := range []float64{0, 1, 1, 0} {
		eta := a * []float64{2, 1, 2, 1}[i]
		sum -= y*log1pexp(-eta) + (n-y)*log1pexp(eta)
		sum += y * choose
	}
	return sum
}
