package summary

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tools/irc/internal/draws"
)

// run makes chains of independent normal draws, one quantity each.
func run(chains, n int, change func(c int, chain *draws.Chain)) *draws.Draws {
	rng := rand.New(rand.NewPCG(5, 6))
	d := &draws.Draws{Names: []string{"x"}}
	for c := range chains {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		chain := &draws.Chain{File: "chain.csv", Columns: [][]float64{x}, Sampler: map[string][]float64{"divergent": make([]float64, n), "treedepth": make([]float64, n), "energy": slices.Clone(x)},
			Settings: map[string]string{"max_depth": "10", "complete": "true"}}
		if change != nil {
			change(c, chain)
		}
		d.Chains = append(d.Chains, chain)
	}
	return d
}

// TestAdvice has a run with one thing wrong each, and all that is said of it.
func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		kinds  string
		chains int
		n      int
		change func(c int, chain *draws.Chain)
	}{
		{"", 4, 500, nil},
		{"chains", 3, 500, nil},
		{"ess", 4, 88, nil},
		{"rhat ess", 4, 500, func(c int, chain *draws.Chain) {
			if c == 2 {
				for i := range chain.Columns[0] {
					chain.Columns[0][i] += 3
				}
			}
		}},
		{"divergent", 4, 500, func(c int, chain *draws.Chain) { chain.Sampler["divergent"][7] = float64(c / 3) }},
		{"treedepth", 4, 500, func(c int, chain *draws.Chain) { chain.Sampler["treedepth"][7] = 10 }},
		{"energy", 4, 500, func(c int, chain *draws.Chain) {
			for i := range chain.Sampler["energy"] {
				chain.Sampler["energy"][i] = math.Sin(float64(i) / 80)
			}
		}},
		{"missing", 4, 500, func(c int, chain *draws.Chain) { chain.Columns[0][3] = math.NaN() }},
		{"complete", 4, 500, func(c int, chain *draws.Chain) { chain.Settings["complete"] = "false" }},
		{"", 4, 500, func(c int, chain *draws.Chain) {
			for i := range chain.Columns[0] {
				chain.Columns[0][i] = 3
			}
		}},
	} {
		s := Of(run(c.chains, c.n, c.change), []int{0})
		var kinds []string
		for _, a := range s.Advice {
			kinds = append(kinds, a.Kind)
			if a.What == "" || a.Fix == "" {
				t.Errorf("%s: an advice says %q, and to do about it %q", c.kinds, a.What, a.Fix)
			}
		}
		if got := strings.Join(kinds, " "); got != c.kinds {
			t.Errorf("the advice is %q, not %q:\n%s", got, c.kinds, s.Text())
		}
		if _, err := s.JSON(); err != nil {
			t.Error(err)
		}
	}
}

// TestDigits shows numbers to the second digit of their error.
func TestDigits(t *testing.T) {
	for _, c := range []struct {
		x, err float64
		want   string
	}{{1234.5678, 0.012, "1234.568"}, {1234.5678, 3.2, "1234.6"}, {1234.5678, 45, "1235"}, {-0.00012, 0.04, "0.000"}, {3.25e-9, 2.1e-11, "3.25e-09"}, {4.5e12, 3e9, "4.5e+12"},
		{2.5, math.NaN(), "2.5"}, {math.Inf(-1), 1, "-Inf"}, {0, 0, "0"}} {
		if got := decimals(c.x, c.err); got != c.want {
			t.Errorf("%v with an error of %v is shown as %s, not %s", c.x, c.err, got, c.want)
		}
	}
}
