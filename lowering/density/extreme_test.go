package density

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// extreme is a case of extremes.json, which extremes.py has computed with many
// digits from the definitions of the distributions.
type extreme struct {
	Distribution       string
	X                  float64
	Arguments          []float64
	Logp, Below, Above float64
}

func extremes(t *testing.T) (out struct{ Densities, Tails []extreme }) {
	t.Helper()
	data, err := os.ReadFile("../../dialects/prob/testdata/extremes.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// model makes a model with all arguments as parameters, and a state of it.
func (e extreme) program(t *testing.T, statement string) (*Program, eval.State) {
	t.Helper()
	var names []string
	text := ""
	for i := range e.Arguments {
		names = append(names, fmt.Sprintf("a%d", i))
		text += fmt.Sprintf(" a%d ~ dflat()", i)
	}
	text = "model { " + strings.ReplaceAll(statement, "ARGS", strings.Join(names, ", ")) + text + " }"
	p := compile(t, parse(t, diag.NewSource("m.bug", text)), input.NewData(), "z")
	st := eval.NewState(p.Model)
	st[p.Model.Lookup("x").ID][0] = e.X
	for i, n := range names {
		st[p.Model.Lookup(n).ID][0] = e.Arguments[i]
	}
	return p, st
}

// precise compares to 1e-11 relative, or to 4e-15 for what is near 0.
func precise(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 1e-11*math.Abs(want)+4e-15
}

// Densities keep their digits at extreme arguments, in Go and compiled.
func TestExtremeDensities(t *testing.T) {
	for _, e := range extremes(t).Densities {
		p, st := e.program(t, "z <- 1  x ~ "+e.Distribution+"(ARGS)")
		r, err := p.LogDensity(st)
		if err != nil {
			t.Errorf("%s%v at %v: %v", e.Distribution, e.Arguments, e.X, err)
			continue
		}
		ref := 0.0
		if err := eval.Visit(p.Model, st, func(f eval.Factor) { ref += f.Logp }); err != nil {
			t.Error(err)
		}
		if !precise(r.Logp, e.Logp) || !precise(ref, e.Logp) {
			t.Errorf("%s%v at %v: compiled %.17g, in Go %.17g, want %.17g", e.Distribution, e.Arguments, e.X, r.Logp, ref, e.Logp)
		}
	}
}

// Counts next to the greatest number have densities, where the sum of two is infinite.
func TestGreatestCounts(t *testing.T) {
	for _, c := range [][2]float64{{1e-310, -54.258359153974319}, {1e-307, -2.0785616431350584}, {0, math.Inf(-1)}} {
		e := extreme{X: 9, Arguments: []float64{c[0], 1e308}}
		p, st := e.program(t, "z <- 1  x ~ dbin(ARGS)")
		r, err := p.LogDensity(st)
		if err != nil || !(r.Logp == c[1] || math.Abs(r.Logp-c[1]) <= 1e-9*math.Abs(c[1])) {
			t.Errorf("dbin(%v, 1e308) at 9: %.17g, %v, want %.17g", c[0], r.Logp, err, c[1])
		}
		agree(t, p, st, fmt.Sprint(c))
	}
}

// A binomial count keeps its digits where its probability is given by the predictor.
func TestExtremePredictors(t *testing.T) {
	for _, c := range [][4]float64{
		{300000000, 1e9, -0.85, -776.88754995823865}, {3, 1e9, -20, -1.6831155817032022}, {999999999, 1e9, 25, -4.2906221069184564},
		{12345, 20000, 0.5, -6.3019598690981125}, {1, 2, -700, -699.30685281944005}, {20001, 20001, 50, -3.857692570912632e-18},
	} {
		e := extreme{X: c[0], Arguments: []float64{c[2], c[1]}}
		p, st := e.program(t, "z <- 1  x ~ dbin(p, a1)  logit(p) <- a0")
		r, err := p.LogDensity(st)
		if err != nil || !precise(r.Logp, c[3]) {
			t.Errorf("dbin(ilogit(%v), %v) at %v: %.17g, %v, want %.17g", c[2], c[1], c[0], r.Logp, err, c[3])
		}
		agree(t, p, st, fmt.Sprint(c))
	}
}

var (
	extremePoints = flag.Int("extremes", 150, "at how many points TestNoNaN looks at each law")
	extremeSeed   = flag.Uint64("extremeseed", 61, "the seed of the points")
)

// Valid parameters, however large or small, give a density that is a number or an
// infinity, and the same in Go and compiled.
func TestNoNaN(t *testing.T) {
	if testing.Short() {
		*extremePoints = min(*extremePoints, 100)
	}
	r := rand.New(rand.NewPCG(*extremeSeed, 62))
	sizes := []float64{5e-324, 1e-300, 1e-100, 1e-10, 0.3, 1, 2, 17, 1e4, 1e6, 1e10, 1e100, 1e300}
	for _, d := range syntax.Distributions() {
		if d.Multivariate || d.Max < 0 || strings.Contains(d.Signature(), "[") || d.Name == "dflat" || d.Name == "dloglik" {
			continue
		}
		e := extreme{Arguments: make([]float64, d.Max)}
		p, st := e.program(t, "z <- 1  x ~ "+d.Name+"(ARGS)")
		valid := 0
		for n := 0; n < *extremePoints || valid < 20 && n < 3000; n++ {
			for i := range d.Max {
				x := sizes[1+r.IntN(len(sizes)-1)] // a parameter is a normal number
				switch r.IntN(6) {
				case 0:
					x = -x
				case 1:
					x = r.Float64()
				case 2:
					x = float64(r.IntN(20))
				}
				st[p.Model.Lookup(fmt.Sprintf("a%d", i)).ID][0] = x
			}
			x := []float64{sizes[r.IntN(len(sizes))], -sizes[r.IntN(len(sizes))], 0, r.Float64(), float64(r.IntN(20)), math.Inf(1), math.Inf(-1), 1 - 0x1p-53}[r.IntN(8)]
			st[p.Model.Lookup("x").ID][0] = x
			what := fmt.Sprint(d.Name, st)
			ref := 0.0
			bad := eval.Visit(p.Model, st, func(f eval.Factor) { ref += f.Logp })
			got, err := p.LogDensity(st)
			switch {
			case bad != nil && strings.Contains(bad.Error(), "there is no density"):
				t.Errorf("%s: %v", what, bad)
			case (bad == nil) != (err == nil):
				t.Errorf("%s: error %v, want %v", what, err, bad)
			case bad == nil:
				if valid++; math.IsNaN(ref) || !(got.Logp == ref || math.Abs(got.Logp-ref) <= 1e-9*(1+math.Abs(ref))) {
					t.Errorf("%s: %v, in Go %v", what, got.Logp, ref)
				}
			}
		}
		if valid < 20 {
			t.Errorf("%s: %d valid points", d.Name, valid)
		}
	}
	t.Logf("%d points of each law", *extremePoints)
}
