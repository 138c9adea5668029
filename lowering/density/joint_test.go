package density

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Distributions of arrays: log densities of reference, evaluated elsewhere.
var joints = []struct {
	model, data, x string
	logp           float64
}{
	{`x ~ dcat(p[])`, `{"p": [0.2, 0.5, 0.3]}`, `1`, -1.6094379124341003},
	{`x ~ dcat(p[])`, `{"p": [0.2, 0.5, 0.3]}`, `2`, -0.6931471805599453},
	{`x ~ dcat(p[])`, `{"p": [2, 5, 3]}`, `3`, -1.2039728043259361},
	{`x ~ dcat(p[])`, `{"p": [2, 5, 0]}`, `3`, math.Inf(-1)},
	{`x ~ dcat(p[2:3])`, `{"p": [2, 5, 5]}`, `3`, math.Inf(-1)},
	{`x ~ dcat(p[2:3])`, `{"p": [2, 5, 5]}`, `0`, math.Inf(-1)},
	{`x ~ dcat(p[2:3])`, `{"p": [2, 5, 5]}`, `1.5`, math.Inf(-1)},
	{`x[1:3] ~ dmulti(p[], 5)`, `{"p": [0.2, 0.5, 0.3]}`, `[2, 0, 3]`, -4.528209144851963},
	{`x[1:3] ~ dmulti(p[], n)`, `{"p": [2, 5, 3], "n": 1}`, `[0, 1, 0]`, -0.6931471805599453},
	{`x[1:3] ~ dmulti(p[], 2)`, `{"p": [2, 5, 0]}`, `[0, 1, 1]`, math.Inf(-1)},
	{`x[1:3] ~ dmulti(p[], 2)`, `{"p": [2, 5, 0]}`, `[3, -1, 0]`, math.Inf(-1)},
	{`x[1:3] ~ dmulti(p[], 2)`, `{"p": [2, 5, 0]}`, `[1, 0.5, 0.5]`, math.Inf(-1)},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [2, 0.5, 3]}`, `[0.2, 0.5, 0.3]`, -0.9785080866719285},
	{`x[1:4] ~ ddirch(a[])`, `{"a": [2, 0, 0.5, 3]}`, `[0.2, 0, 0.5, 0.3]`, -0.9785080866719285},
	{`x[1:2] ~ ddirch(a[])`, `{"a": [0.5, 3]}`, `[0, 1]`, math.Inf(1)},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [0.5, 3, 2]}`, `[0, 1, 0]`, math.Inf(-1)},
	{`x[1:2] ~ ddirch(a[])`, `{"a": [1, 1]}`, `[0, 1]`, 0},
	{`x[1:2] ~ ddirch(a[])`, `{"a": [1, 1]}`, `[0.5, 0.6]`, math.Inf(-1)},
	{`x[1:2] ~ ddirch(a[])`, `{"a": [1, 0]}`, `[0.5, 0.5]`, math.Inf(-1)},
}

func TestJointReferences(t *testing.T) {
	for _, c := range joints {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		st, _, list := p.Point(parseData(t, diag.NewSource("x.json", `{"x": `+c.x+`}`)), false)
		if len(list) > 0 {
			t.Fatal(list)
		}
		r, err := p.LogDensity(st)
		if err != nil || !close10(r.Logp, c.logp) {
			t.Errorf("%s at %s: %v, %v, want %v", c.model, c.x, r, err, c.logp)
		}
		agree(t, p, st, c.model)
	}
}

// Distributions of arrays whose parameters are free, valid or not.
var free = []string{
	`x ~ dcat(p[1:3])  for (i in 1:4) { p[i] ~ dflat() }`,
	`for (j in 1:3) { x[j] ~ dcat(p[j, 1:j]) for (i in 1:j) { p[j, i] ~ dflat() } }`,
	`x[1:3] ~ dmulti(p[1:3], n)  for (i in 1:3) { p[i] ~ dflat() }  n ~ dflat()`,
	`for (j in 1:2) { x[j, 1:j] ~ dmulti(p[1:j], j - 1)  p[j] ~ dflat() }`,
	`x[1:2] ~ ddirch(a[1:2])  for (i in 1:2) { a[i] ~ dflat() }`,
	`x ~ dcat(p[k, ])  k ~ dflat()  for (i in 1:4) { p[1, i] ~ dexp(1)  p[2, i] <- p[1, i] * 2 }`,
}

func TestJointsAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, text := range free {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+text+"}")), syntax.NewData())
		valid, inside := 0, 0
		for range 500 {
			st := p.Model.NewState()
			for i := range st {
				for k := range st[i] {
					st[i][k] = interesting(rng)
				}
				// Most of the points have counts or parts of 1, which a support may want.
				for k, n := 0, len(st[i]); k < n && rng.IntN(4) > 0; k++ {
					st[i][k] = float64(rng.IntN(3))
					if p.Model.Vars[i].Name == "x" && strings.Contains(text, "ddirch") {
						st[i][k] = []float64{0.25, 0.75}[k%2]
					}
				}
			}
			agree(t, p, st, fmt.Sprint(text, st))
			if r, err := p.LogDensity(st); err == nil {
				if valid++; !math.IsInf(r.Logp, 0) {
					inside++
				}
			}
		}
		if valid < 20 || inside < 5 || valid == 500 {
			t.Errorf("%s: %d of 500 points are valid, %d inside of the support", text, valid, inside)
		}
	}
}

// What the ops of a model draw and sum is what the lowered function says of it; a
// simulated model agrees too.
func TestJointOpsRun(t *testing.T) {
	for _, c := range []struct{ model, data string }{
		{`x ~ dcat(p[k, ])  k ~ dcat(q[])  for (i in 1:3) { y[i] ~ dcat(p[k, 1:i]) }`, `{"p": [[1, 2, 3], [3, 0, 1]], "q": [1, 2], "y": [1, null, 2]}`},
		{`for (i in 1:3) { x[i, 1:3] ~ dmulti(p[], n[i]) }  p[1:3] ~ ddirch(a[])  q[1:2] ~ ddirch(a[2:3])`,
			`{"a": [0.001, 2, 0], "n": [0, 5, 1000], "x": [[null, null, null], [null, null, null], [0, 1000, 0]]}`},
	} {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		for seed := range uint64(20) {
			drawn := &bugs.Session{Values: values(p, p.Model.NewState()), Rand: rand.New(rand.NewPCG(seed, 1))}
			if err := run(t, p.Source, drawn); err != nil {
				if strings.Contains(err.Error(), "observed in part") {
					continue
				}
				t.Fatal(c.model, err)
			}
			st := p.Model.NewState()
			for i, v := range p.Model.Vars {
				if x := drawn.Result(v.Name); x != nil {
					st[i] = x
				}
			}
			agree(t, p, st, c.model)
			sum := 0.0
			again := &bugs.Session{Values: values(p, st), Factor: func(_ string, _ int, _ bool, logp float64) { sum += logp }}
			if err := run(t, p.Source, again); err != nil {
				t.Fatal(c.model, err)
			}
			if r, err := p.LogDensity(st); err != nil || !close10(sum, r.Logp) {
				t.Errorf("%s: the ops give %v, the function %v, %v", c.model, sum, r, err)
			}
			sim, err := p.Model.Simulate(seed)
			if err != nil {
				t.Fatal(c.model, err)
			}
			agree(t, p, sim, c.model)
		}
	}
}
