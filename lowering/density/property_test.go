package density

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// agree compares the compiled program with the reference evaluation at a state.
func agree(t *testing.T, p *Program, st eval.State, what string) {
	t.Helper()
	got, err := p.LogDensity(st)
	sums := map[string]float64{}
	want, observed := 0.0, 0.0
	ref := make(eval.State, len(st))
	for i := range st {
		ref[i] = append([]float64(nil), st[i]...)
	}
	refErr := eval.Visit(p.Model, ref, func(f eval.Factor) {
		sums[f.Var.Name] += f.Logp
		want += f.Logp
		if f.Observed {
			observed += f.Logp
		}
	})
	if err != nil || refErr != nil {
		if fmt.Sprint(err) != fmt.Sprint(refErr) {
			t.Errorf("%s: error %v, want %v", what, err, refErr)
		}
		return
	}
	// Infinities of both signs make -Inf: NaN never comes out.
	want, observed = defined(want), defined(observed)
	if !close10(got.Logp, want) || !close10(got.Observed, observed) {
		t.Errorf("%s: %v and %v, want %v and %v", what, got.Logp, got.Observed, want, observed)
	}
	for _, n := range got.Nodes {
		if !close10(n.Logp, defined(sums[n.Name])) {
			t.Errorf("%s: %s is %v, want %v", what, n.Name, n.Logp, sums[n.Name])
		}
	}
}

func defined(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(-1)
	}
	return x
}

func close10(x, y float64) bool {
	return x == y || math.Abs(x-y) <= tolerance*(1+math.Abs(y))
}

// Every distribution, at values inside and outside of its support, with parameters
// that are valid and that are not: the lowering means what the reference means.
func TestDistributions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for _, d := range syntax.Distributions() {
		if d.Multivariate {
			continue
		}
		args := []string{"a", "b", "c", "d"}[:d.Min]
		text := "model { x ~ " + d.Name + "(" + strings.Join(args, ", ") + ")\n"
		for _, a := range args {
			text += a + " ~ dflat()\n"
		}
		m, list := bugs.Analyze(parse(t, diag.NewSource(d.Name, text+"}")), nil, bugs.Options{})
		if list.Err() != nil {
			continue // its arguments are vectors
		}
		p, err := Compile(newContext(), m, Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "not supported") {
				t.Errorf("%s: %v", d.Name, err)
			}
			continue
		}
		tried++
		for range 400 {
			st := eval.NewState(m)
			for i := range st {
				st[i][0] = interesting(rng)
			}
			agree(t, p, st, fmt.Sprint(d.Name, st))
		}
	}
	if tried < 15 {
		t.Errorf("only %d distributions", tried)
	}
}

func interesting(r *rand.Rand) float64 {
	switch r.IntN(8) {
	case 0:
		return []float64{0, 1, -1, 2, 0.5, math.Inf(1), 1e-300}[r.IntN(7)]
	case 1, 2:
		return float64(r.IntN(8))
	case 3:
		return r.Float64()
	case 4:
		return -r.ExpFloat64()
	}
	return r.ExpFloat64() * 3
}

// Every distribution that has a distribution function, truncated on either side or
// on both.
func TestTruncatedDistributions(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, d := range syntax.Distributions() {
		if !d.Truncatable() || strings.Contains(strings.Join(d.Args, ""), "[") {
			continue
		}
		for _, bound := range []string{"T(l,)", "T(, l)", "T(l, u)"} {
			args := []string{"a", "b", "c", "d"}[:d.Min]
			text := "model { x ~ " + d.Name + "(" + strings.Join(args, ", ") + ") " + bound + "\nl ~ dflat() u ~ dflat()\n"
			for _, a := range args {
				text += a + " ~ dflat()\n"
			}
			m, list := bugs.Analyze(parse(t, diag.NewSource(d.Name, text+"}")), nil, bugs.Options{})
			if list.Err() != nil {
				t.Fatal(list)
			}
			p, err := Compile(newContext(), m, Options{})
			if err != nil {
				if !strings.Contains(err.Error(), "truncation of "+d.Name+" is not supported") {
					t.Errorf("%s: %v", d.Name, err)
				}
				continue
			}
			for range 60 {
				st := eval.NewState(m)
				for i := range st {
					st[i][0] = interesting(rng)
				}
				agree(t, p, st, fmt.Sprint(d.Name, bound, st))
			}
		}
	}
}

var perExpression = flag.Int("expressions", 20, "at how many points TestFunctions looks at each expression")

// Every function of numbers.
func TestFunctions(t *testing.T) {
	rng := rand.New(rand.NewPCG(*extremeSeed, 4))
	for _, f := range syntax.Functions() {
		if f.Max < 0 || f.Min > 5 {
			continue
		}
		args := []string{"a", "b", "c", "2", "1.5"}[:f.Min]
		points := expressionPoints()
		if f.Role != syntax.NoRole { // long in the interpreter
			points = min(points, 15)
		}
		checkExpr(t, rng, f.Name+"("+strings.Join(args, ", ")+")", points)
	}
	for _, e := range []string{"a + b * c", "a - b / c", "a^2", "a^b", "-a^2", "a > b && b > c", "a >= b || !c", "a == b", "a != b", "a <= c",
		"max(a, b, c)", "min(a, b, 0.5)", "sum(a, b, c)", "prod(a, b)", "mean(v[])", "sum(v[1:2], a)", "max(v[])", "length(v[])",
		"v[1 + step(a)]", "v[round(a)]", "v[b]", "M[1 + step(a), 1 + step(b)]", "v[trunc(a)] * v[2]"} {
		checkExpr(t, rng, e, expressionPoints())
	}
	t.Logf("%d points of each expression", *perExpression)
}

// expressionPoints is at how many points an expression is looked at.
func expressionPoints() int {
	if testing.Short() {
		return 10
	}
	return *perExpression
}

func checkExpr(t *testing.T, rng *rand.Rand, expr string, points int) {
	t.Helper()
	text := `model { y ~ dnorm(mu, 1)  mu <- ` + expr + `  a ~ dflat() b ~ dflat() c ~ dflat()
	  for (i in 1:2) { v[i] ~ dflat() for (j in 1:2) { M[i, j] ~ dflat() } } }`
	m, list := bugs.Analyze(parse(t, diag.NewSource(expr, text)), nil, bugs.Options{})
	if list.Err() != nil {
		return // it wants an array
	}
	p, err := Compile(newContext(), m, Options{})
	if err != nil {
		if !strings.Contains(err.Error(), "not supported") {
			t.Errorf("%s: %v", expr, err)
		}
		return
	}
	for range points {
		st := eval.NewState(m)
		for i := range st {
			for k := range st[i] {
				st[i][k] = interesting(rng)
			}
		}
		agree(t, p, st, fmt.Sprint(expr, st))
	}
}

// Models with what the four lack: mixed elements, bounds, links, ragged loops,
// stored logical nodes, recurrences.
var mixed = []struct{ model, data string }{
	{`for (i in 1:4) { x[i] ~ dnorm(m, 2) }  m ~ dnorm(0, 1)`, `{"x": [1, null, 3, null]}`},
	{`for (i in 1:4) { x[i] ~ dexp(r) C(low[i], ) }  r ~ dunif(0.1, 2)`, `{"x": [1, null, 3, null], "low": [0, 0.2, 0, 2]}`},
	{`x ~ dnorm(0, 1) I(a, b)  a ~ dnorm(-3, 1)  b ~ dnorm(3, 1)`, ``},
	{`for (i in 2:5) { x[i] <- 0.5 * x[i - 1] + e[i]  e[i] ~ dnorm(0, 1)  y[i] ~ dnorm(x[i], 1) }  x[1] ~ dnorm(0, 1)`, `{"y": [null, 1, 2, 3, 4]}`},
	{`for (i in 1:3) { for (j in off[i]:(off[i + 1] - 1)) { y[j] ~ dnorm(mu[i], 1) }  mu[i] ~ dnorm(0, 1) }`, `{"off": [1, 3, 3, 6], "y": [1, 2, 3, 4, 5]}`},
	{`for (i in 1:3) { y[i] ~ dnorm(s[i], 1)  s[i] <- sum(b[1:i]) + mean(M[i, ])  b[i] ~ dnorm(0, 1)  for (j in 1:2) { M[i, j] ~ dnorm(0, 1) } }`, `{"y": [1, 2, 3]}`},
	{`for (i in 1:3) { probit(p[i]) <- a  y[i] ~ dbern(p[i])  cloglog(q[i]) <- b  z[i] ~ dbin(q[i], 5)  log(l[i]) <- a + b  w[i] ~ dpois(l[i]) }
	  a ~ dnorm(0, 1)  b ~ dnorm(0, 1)`, `{"y": [0, 1, 1], "z": [0, 5, 2], "w": [0, 1, 7]}`},
	{`for (i in 1:3) { m[i] <- g[k[i]]  y[i] ~ dnorm(m[i], 1) }  for (j in 1:2) { g[j] ~ dnorm(m0, 1) }  m0 <- exp(h)  h ~ dnorm(0, 1)`, `{"k": [1, 2, 1], "y": [1, 2, 3]}`},
	{`for (i in 1:3) { for (j in 1:2) { c[j, i] ~ dnorm(d[i], 1) }  d[i] ~ dnorm(e, 1) }  e ~ dnorm(0, 1)  f ~ dnorm(sum(c[, 2]), 1)`, ``},
	{`b[1:4] ~ car.proper(mu[], C[], adj[], num[], M[], 2, g)  g ~ dunif(lo, hi)  lo <- min.bound(C[], adj[], num[], M[])  hi <- max.bound(C[], adj[], num[], M[])
	  for (i in 1:4) { M[i] <- s / num[i] }  for (k in 1:6) { C[k] <- w[k] * s }  s ~ dgamma(2, 1)`,
		`{"adj": [2, 1, 3, 2, 4, 3], "num": [1, 2, 2, 1], "w": [1, 0.5, 0.5, 0.5, 0.5, 1], "mu": [0, 0, 0, 0]}`},
	{`y ~ dnchisqr(a, b) T(1, 8)  z ~ dnorm(pnchisqr(4, a, b) + qnchisqr(0.3, a, 2) + cube(b), 1)  a ~ dgamma(4, 1)  b ~ dgamma(2, 1)`, `{"y": 3, "z": 1}`},
	{`x[1] <- 5  x[2] ~ dnorm(x[1], 1)  for (i in 3:6) { x[i] <- x[i - 1] + x[i - 2] }  y ~ dnorm(x[6], 1)`, `{"y": 3}`},
}

func TestMixedModels(t *testing.T) {
	for i, c := range mixed {
		if testing.Short() && i%4 > 0 {
			continue
		}
		data := input.NewData()
		if c.data != "" {
			data = parseData(t, diag.NewSource("d.json", c.data))
		}
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), data)
		for seed := range uint64(8) {
			st, err := eval.Simulate(p.Model, seed)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, p, st, c.model)
		}
	}
}

// The order of statements does not matter.
func TestShuffledStatements(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, name := range four {
		prog, data := parse(t, read(t, examples+name+".bug")), parseData(t, read(t, examples+name+"-data.json"))
		e := readExpected(t, "testdata/"+name+".json")
		for range 6 {
			shuffle(rng, prog.Model)
			check(t, compile(t, prog, data), e)
		}
	}
}

func shuffle(rng *rand.Rand, stmts []syntax.Stmt) {
	rng.Shuffle(len(stmts), func(i, j int) { stmts[i], stmts[j] = stmts[j], stmts[i] })
	for _, s := range stmts {
		if f, ok := s.(*syntax.For); ok {
			shuffle(rng, f.Body)
		}
	}
}
