package eval_test

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/eval"
)

// The centre of a distribution between bounds is inside of them: where the distribution's
// own is not, the median between them; only counts may be at an end.
func TestCentreWithin(t *testing.T) {
	for _, c := range []struct {
		node string
		want float64
	}{
		{"dnorm(0, 1) T(0,)", 0.6744897501960817},
		{"dnorm(0, 0.25) T(0,)", 2 * 0.6744897501960817},
		{"dnorm(0, 1) T(,0)", -0.6744897501960817},
		{"dt(0, 1, 1) T(0,)", 1},
		{"dt(0, 4, 1) T(0,)", 0.5},
		{"ddexp(0, 1) T(0,)", math.Ln2},
		{"dlogis(0, 1) T(0,)", math.Log(3)},
		{"dnorm(0, 1) I(0,)", 0.6744897501960817},
		{"dexp(2) T(3,)", 3 + math.Ln2/2},
		{"dexp(2) T(3,4)", 3 - math.Log1p(math.Expm1(-2)/2)/2},
		{"dunif(0, 10) T(8,)", 9},
		{"dflat() I(0,)", 1},
		{"dflat() I(,0)", -1},
		{"dflat() I(2,4)", 3},
		{"dnorm(1, 1) T(0,)", 1},
		{"dnorm(0, 1) T(-1,)", 0},
		{"dnorm(0, 1) T(2,2)", 2},
		{"dnorm(0, 1) T(40,)", 40.017310},
		{"dpois(0.25) T(2,)", 2},
		{"dpois(0.25) T(1.5,)", 2},
		{"dbin(0.5, 10) T(0,3)", 3},
	} {
		m := bugstest.MustAnalyze(t, "s ~ "+c.node, "")
		st := eval.NewState(m)
		if err := eval.Fill(m, st, nil); err != nil {
			t.Errorf("%s: %v", c.node, err)
		} else if got := st[m.ByName["s"].ID][0]; !(math.Abs(got-c.want) <= 1e-6*math.Abs(c.want)) {
			t.Errorf("%s: %v, want %v", c.node, got, c.want)
		}
	}
}
