package density

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/run"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"gonum.org/v1/gonum/mat"
)

// uncompiled is the density on the unconstrained scale of a model, compiled.
func uncompiled(t *testing.T, what string, prog *syntax.Program, data *input.Data) *Program {
	t.Helper()
	m, list := bugs.Analyze(prog, data, bugs.Options{})
	if list.Err() != nil {
		t.Fatal(what, list)
	}
	u, d := space.New(m)
	if d != nil {
		t.Fatal(what, d)
	}
	p, err := Compile(newContext(), m, Options{Unconstrained: u})
	if err != nil {
		t.Fatal(what, err)
	}
	for _, g := range []*ir.Graph{p.Source, p.Lowered} {
		if err := ir.Verify(g); err != nil {
			t.Fatal(what, err)
		}
	}
	return p
}

func cloned(st eval.State) eval.State {
	out := make(eval.State, len(st))
	for i := range st {
		out[i] = append([]float64(nil), st[i]...)
	}
	return out
}

// kept is the sum of the factors that have a part in the density, on the constrained
// scale, by the roles of their elements. Generated quantities get a value first.
func kept(m *model.Model, st eval.State) float64 {
	total := 0.0
	st = cloned(st)
	for _, v := range m.Vars {
		for k := range v.Len() {
			if c := v.ClassAt(k); c == model.Parameter && math.IsNaN(st[v.ID][k]) {
				st[v.ID][k] = 1
			}
		}
	}
	_ = eval.Visit(m, st, func(f eval.Factor) {
		if roles.Of(m, f.Var, f.Elem) != roles.GeneratedQuantity {
			total += f.Logp
		}
	})
	return total
}

// coordinatesOf reads the elements that the coordinates are named after.
func coordinatesOf(t *testing.T, u *space.Unconstrained, st eval.State) []float64 {
	t.Helper()
	at := map[string]float64{}
	for _, v := range u.Model.Vars {
		for k := range v.Len() {
			at[v.ElemName(k)] = st[v.ID][k]
		}
	}
	var out []float64
	for _, name := range u.Names() {
		x, ok := at[name]
		if !ok {
			t.Fatal("no element", name)
		}
		out = append(out, x)
	}
	return out
}

// numericalJacobian is log |det dx/du| by central differences.
func numericalJacobian(t *testing.T, u *space.Unconstrained, vec []float64, st eval.State) float64 {
	n := len(vec)
	if n == 0 {
		return 0
	}
	j := mat.NewDense(n, n, nil)
	for i := range n {
		h := 1e-5 * (1 + math.Abs(vec[i]))
		var ends [2][]float64
		for e, d := range []float64{h, -h} {
			moved := append([]float64(nil), vec...)
			moved[i] += d
			c := cloned(st)
			if _, err := u.Visit(moved, c, nil); err != nil {
				t.Fatal(err)
			}
			ends[e] = coordinatesOf(t, u, c)
		}
		for r := range n {
			j.Set(r, i, (ends[0][r]-ends[1][r])/(2*h))
		}
	}
	logDet, _ := mat.LogDet(j)
	return logDet
}

// checkVector compares at a vector: the compiled density, the reference, the density on
// the constrained scale with the numerical Jacobian, and the way back.
func checkVector(t *testing.T, what string, p *Program, vec []float64, st eval.State, jacobian bool) {
	t.Helper()
	u := p.Space
	ref := cloned(st)
	sum := 0.0
	logJ, err := u.Visit(vec, ref, func(f eval.Factor) { sum += f.Logp })
	got, gotErr := p.LogDensityAt(vec, st)
	if err != nil || gotErr != nil {
		if fmt.Sprint(err) != fmt.Sprint(gotErr) {
			t.Errorf("%s: error %v, want %v", what, gotErr, err)
		}
		return
	}
	if !close10(got.Logp, defined(sum+logJ)) || !close10(got.LogJacobian, logJ) {
		t.Errorf("%s: %v with log Jacobian %v, want %v with %v", what, got.Logp, got.LogJacobian, sum+logJ, logJ)
	}
	if want := kept(p.Model, ref); !close10(sum, want) && !math.IsInf(want, 0) {
		t.Errorf("%s: the factors sum to %v, and on the constrained scale to %v", what, sum, want)
	}
	if !jacobian {
		return
	}
	if want := numericalJacobian(t, u, vec, st); !(math.Abs(logJ-want) <= 1e-5*(1+math.Abs(want))) {
		t.Errorf("%s: the log Jacobian is %v, and numerically %v", what, logJ, want)
	}
	back, err := u.Vector(ref)
	if err != nil {
		t.Errorf("%s: no way back: %v", what, err)
		return
	}
	for i, x := range back {
		if !(math.Abs(x-vec[i]) <= 1e-6*(1+math.Abs(vec[i]))) {
			t.Errorf("%s: %s is %v, and %v on the way back", what, u.At(i).Name(), vec[i], x)
			return
		}
	}
}

// discrete gives the discrete parameters of a state values, and the rest a vector.
func randomVector(rng *rand.Rand, p *Program) []float64 {
	vec := make([]float64, p.Space.Len())
	for i := range vec {
		vec[i] = 0.7 * rng.NormFloat64()
	}
	return vec
}

var transformed = []struct{ name, model, data, coords string }{
	{"numbers", `a ~ dnorm(0, 1) b ~ dgamma(2, 3) c ~ dbeta(2, 3) d ~ dunif(-1, 4) e ~ dpar(2, 3) f ~ dlnorm(0, 1) g ~ dt(0, 1, 4) h ~ df(3, 5)
	  i ~ dweib(2, 1) j ~ dchisqr(3) k ~ dlogis(0, 1) l ~ ddexp(0, 1) m ~ dflat() y ~ dnorm(a + b + c + d + e + f + g + h + i + j + k + l + m, 1)`, `{"y": 1}`,
		"a identity, b lower, c interval, d interval, e lower, f lower, g identity, h lower, i lower, j lower, k identity, l identity, m identity"},
	{"limits", `a ~ dnorm(0, 1) T(0, ) b ~ dnorm(0, 1) I(, 2) c ~ dgamma(1, 1) T(0.5, 3) d ~ dnorm(0, 1) T(lo, hi) e ~ dunif(0, 10) T(2, ) f ~ dexp(1) T(-1, )
	  y ~ dnorm(a + b + c + d + e + f, 1)`, `{"y": 1, "lo": -1, "hi": 1}`, "a lower, b upper, c interval, d interval, e interval, f lower"},
	{"limits that are nodes", `b ~ dunif(0, 10) a ~ dunif(0, b) s <- exp(c) c ~ dnorm(0, 1) d ~ dunif(-s, s) e ~ dnorm(0, 1) I(a, ) f ~ dpar(2, s) y ~ dnorm(a + d + e + f, 1)`,
		`{"y": 1}`, "b interval, a interval, c identity, d interval, e lower, f lower"},
	{"limits that may cross", `a ~ dnorm(0, 1) b ~ dnorm(1, 1) x ~ dnorm(0, 1) T(a, b) z ~ dunif(a, b) y ~ dnorm(x + z, 1)`, `{"y": 1}`,
		"a identity, b identity, x interval, z interval"},
	{"extremes", `a ~ dgev(1, 2, eta) b ~ dgpar(1, 2, eta) c ~ dgpar(1, 2, 0.2) d ~ dgev(0, 1, -0.3) eta ~ dunif(-1, 1) y ~ dnorm(a + b + c + d, 1)`, `{"y": 1}`,
		"a bounds, b bounds, c bounds, d bounds, eta interval"},
	{"an infinite limit in the data", `for (i in 1:2) { a[i] ~ dnorm(0, 1) I(lo[i], hi[i]) y[i] ~ dnorm(a[i], 1) }`, `{"y": [1, 2], "lo": [0, "-Infinity"], "hi": ["Infinity", 1]}`,
		"a[1] bounds, a[2] bounds"},
	{"loops, missing data", `for (i in 1:4) { x[i] ~ dgamma(r, 1) y[i] ~ dpois(x[i]) z[i] ~ dnorm(x[i], tau) } r ~ dexp(1) tau ~ dgamma(1, 1)`,
		`{"x": [1, null, 2, null], "y": [1, 2, 3, null], "z": [null, null, 1, null]}`, "x[2] lower, r lower, tau lower"},
	{"arrays", `for (i in 1:2) { for (j in 1:3) { a[j, i] ~ dexp(m[i]) y[i, j] ~ dnorm(a[j, i], 1) } m[i] ~ dunif(0, 3) }`, `{"y": [[1, 2, 3], [4, 5, 6]]}`,
		"a[1,1] lower, a[1,2] lower, a[2,1] lower, a[2,2] lower, a[3,1] lower, a[3,2] lower, m[1] interval, m[2] interval"},
	{"a simplex", `p[1:4] ~ ddirch(al[]) y ~ dcat(p[])`, `{"y": 2, "al": [1, 2, 3, 0.5]}`, "p[1] simplex, p[2] simplex, p[3] simplex"},
	{"simplexes across", `for (i in 1:2) { p[1:3, i] ~ ddirch(al[]) y[i] ~ dcat(p[, i]) }`, `{"y": [2, 3], "al": [1, 2, 3]}`,
		"p[1,1] simplex, p[1,2] simplex, p[2,1] simplex, p[2,2] simplex"},
	{"a matrix", `O[1:3, 1:3] ~ dwish(R[,], 5) y[1:3] ~ dmnorm(mu[], O[,]) mu[1:3] ~ dmnorm(z[], R[,])`,
		`{"y": [1, 2, 3], "z": [0, 0, 0], "R": [[2, 0.1, 0], [0.1, 1, 0.3], [0, 0.3, 1]]}`,
		"O[1,1] cholesky, O[2,1] cholesky, O[2,2] cholesky, O[3,1] cholesky, O[3,2] cholesky, O[3,3] cholesky, mu[1] identity, mu[2] identity, mu[3] identity"},
	{"more distributions of vectors", `x ~ dnormmix(mu[], tau[], w[]) S[1:2, 1:2] ~ dscaled.wishart(w[], 2) v[1:2] ~ dmnorm.vcov(mu[], V[,]) z[1:2] ~ dmnorm(v[], S[,]) y ~ dnorm(x, 1)
	  c ~ dnt(0, 1, 3) d ~ dnchisqr(3, 1) e ~ dscaled.gamma(1, 2) f ~ dgen.gamma(1, 2, 3) u ~ dnorm(c + d + e + f, 1)`,
		`{"y": 1, "z": [1, 2], "u": 1, "mu": [0, 1], "tau": [1, 2], "w": [1, 2], "V": [[2, 0.3], [0.3, 1]]}`,
		"x identity, S[1,1] cholesky, S[2,1] cholesky, S[2,2] cholesky, v[1] identity, v[2] identity, c identity, d lower, e lower, f lower"},
	{"part of a vector", `for (i in 1:3) { x[i, 1:2] ~ dmnorm(mu[], O[,]) } for (j in 1:2) { mu[j] ~ dnorm(0, 1) } z ~ dnorm(x[3, 2], 1)`,
		`{"x": [[1, null], [2, 3], [null, null]], "z": 1, "O": [[1, 0.2], [0.2, 2]]}`, "x[1,2] identity, x[3,1] identity, x[3,2] identity, mu[1] identity, mu[2] identity"},
	{"vectors that are left out", `for (i in 1:3) { x[i, 1:2] ~ dmnorm(mu[], O[,]) } for (j in 1:2) { mu[j] ~ dnorm(0, 1) }`,
		`{"x": [[1, 4], [2, 3], [null, null]], "O": [[1, 0.2], [0.2, 2]]}`, "mu[1] identity, mu[2] identity"},
	{"discrete nodes are data", `k ~ dcat(w[]) for (j in 1:2) { m[j] ~ dnorm(0, 1) } y ~ dnorm(m[k], 1) n ~ dpois(l) l ~ dexp(1) z ~ dbin(0.3, n)`, `{"y": 1, "w": [1, 2], "z": 1}`,
		"m[1] identity, m[2] identity, l lower"},
	{"an ordered vector", `a[1] ~ dnorm(0, 1) I(, a[2]) for (j in 2:4) { a[j] ~ dnorm(0, 1) I(a[j - 1], a[j + 1]) } a[5] ~ dnorm(0, 1) I(a[4], ) y ~ dnorm(a[3], 1)`, `{"y": 1}`,
		"a[1] identity, a[2] ordered, a[3] ordered, a[4] ordered, a[5] ordered"},
	{"an ordered vector from 0", `a[3] ~ dunif(0, 9) I(a[2], ) a[2] ~ dunif(0, 9) I(a[1], a[3]) a[1] ~ dunif(0, 9) I(0, a[2]) y ~ dnorm(a[2], 1)`, `{"y": 1}`,
		"a[1] interval, a[2] interval, a[3] interval"},
	{"a chain of limits", `a[1] ~ dexp(1) for (i in 2:4) { a[i] ~ dexp(1) I(a[i - 1], ) } y ~ dnorm(a[4], 1)`, `{"y": 1}`, "a[1] lower, a[2] lower, a[3] lower, a[4] lower"},
	{"conditionals in a circle", `x[1] ~ dnorm(x[2], 1) x[2] ~ dnorm(x[1], 1) s ~ dexp(1) y ~ dnorm(x[1], s)`, `{"y": 1}`, "x[1] identity, x[2] identity, s lower"},
	{"a censored time", `for (i in 1:2) { t[i] ~ dweib(r, l) I(c[i], ) } r ~ dexp(1) l ~ dexp(1)`, `{"t": [1, null], "c": [0, 2]}`, "t[2] lower, r lower, l lower"},
	{"generated quantities", `y ~ dnorm(m, 1) m ~ dnorm(0, 1) new ~ dnorm(m, 1) p <- step(new) k ~ dcat(q[]) q[1] <- phi(new) q[2] <- 1 z ~ dnorm(w[k], 1) w[1] <- m w[2] <- 1`, `{"y": 1}`, "m identity"},
	{"nothing to move", `y ~ dbern(p) p <- 0.5 x ~ dnorm(0, 1)`, `{"y": 1}`, ""},
	{"one in a loop", `for (i in 1:1) { tau ~ dgamma(1, 1) } for (i in 1:3) { y[i] ~ dnorm(0, tau) }`, `{"y": [1, 2, 3]}`, "tau lower"},
}

func TestTransforms(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, c := range transformed {
		p := uncompiled(t, c.name, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		var coords []string
		for i := range p.Space.Len() {
			x := p.Space.At(i)
			coords = append(coords, x.Name()+" "+x.Kind.String())
		}
		if got := strings.Join(coords, ", "); got != c.coords {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.coords)
		}
		for i := range 20 {
			st := eval.NewState(p.Model)
			for name, x := range map[string]float64{"k": float64(1 + i%2), "n": float64(1 + i%3)} {
				if v := p.Model.Lookup(name); v != nil {
					st[v.ID][0] = x
				}
			}
			checkVector(t, c.name, p, randomVector(rng, p), st, true)
		}
	}
}

// All models at their reference points: there and back, and the Jacobian.
func TestUnconstrainedModels(t *testing.T) {
	dirs, _ := filepath.Glob("../../../shared/data/bugs/*/expected.json")
	if len(dirs) == 0 {
		t.Skip("all models: needs ../shared/data")
	}
	rng := rand.New(rand.NewPCG(13, 14))
	for _, path := range dirs {
		name := filepath.Base(filepath.Dir(path))
		p := uncompiled(t, name, parse(t, read(t, examples+name+".bug")), parseData(t, read(t, filepath.Dir(path)+"/data.json")))
		for i, pt := range readExpected(t, path).Points {
			st, _, list := p.Point(parseData(t, diag.NewSource("point.json", string(pt.Parameters))), false)
			if list.Err() != nil {
				t.Fatal(name, list)
			}
			vec, err := p.Space.Vector(st)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			few := len(vec) <= 80
			checkVector(t, name, p, vec, st, few && i < 2)
			for j := range vec {
				vec[j] += 0.1 * rng.NormFloat64()
			}
			checkVector(t, name, p, vec, st, few && i < 1)
		}
	}
}

// The ops of a density on the unconstrained scale mean what they are lowered to.
func TestUnconstrainedOps(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, c := range transformed {
		p := uncompiled(t, c.name, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		st := eval.NewState(p.Model)
		for _, name := range []string{"k", "n"} {
			if v := p.Model.Lookup(name); v != nil {
				st[v.ID][0] = 2
			}
		}
		vec := randomVector(rng, p)
		want, err := p.LogDensityAt(vec, st)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		sum, logJ := 0.0, 0.0
		s := &run.Session{Values: func(name string) []float64 {
			if name == ops.VectorName {
				return vec
			}
			return values(p, st)(name)
		}, Factor: func(name string, _ int, _ bool, logp float64) {
			if sum += logp; name == ops.JacobianName {
				logJ += logp
			}
		}}
		if err := runModel(t, p.Source, UnconstrainedSymbol, s); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !close10(sum, want.Logp) || !close10(logJ, want.LogJacobian) {
			t.Errorf("%s: the ops give %v and %v, the function %v and %v", c.name, sum, logJ, want.Logp, want.LogJacobian)
		}
	}
}

// The density of a vector integrates to what the density of the parameter does: to 1
// for a prior whose likelihood is 1, whatever the vector stands for.
func TestIntegrals(t *testing.T) {
	for _, c := range []struct {
		model string
		want  float64
	}{
		{"x ~ dgamma(2, 3)", 1}, {"x ~ dbeta(2, 3)", 1}, {"x ~ dunif(-1, 4)", 1}, {"x ~ dpar(3, 2)", 1}, {"x ~ dnorm(1, 2)", 1}, {"x ~ dlnorm(0, 1)", 1},
		{"x ~ dweib(2, 3)", 1}, {"x ~ dchisqr(4)", 1}, {"x ~ df(4, 9)", 1}, {"x ~ dgev(0, 1, 0.2)", 1}, {"x ~ dgev(0, 1, -0.2)", 1}, {"x ~ dgpar(0, 1, -0.3)", 1},
		{"x ~ dnorm(0, 1) T(0.5, )", 1}, {"x ~ dnorm(0, 1) T(-1, 2)", 1}, {"x ~ dgamma(2, 1) T(1, 4)", 1}, {"x ~ dnorm(0, 1) T(, 0.3)", 1},
		{"x ~ dnorm(0, 1) I(0, )", 0.5}, {"x ~ dunif(0, 2) I(1.5, )", 0.25}, {"x[1:2] ~ ddirch(a[]) a[1] <- 2 a[2] <- 3", 1},
		{"x[1:1, 1:1] ~ dwish(R[,], 3) R[1, 1] <- 2", 1},
	} {
		name := "x"
		if strings.HasPrefix(c.model, "x[1:2]") {
			name = "x[1]"
		} else if strings.HasPrefix(c.model, "x[1:1") {
			name = "x[1, 1]"
		}
		// The observation depends on x and has density 1 at any x.
		p := uncompiled(t, c.model, parse(t, diag.NewSource("m.bug", "model {"+c.model+" y ~ dloglik(z) z <- 0 * "+name+" }")), parseData(t, diag.NewSource("d.json", `{"y": 0}`)))
		if p.Space.Len() != 1 {
			t.Fatal(c.model, p.Space.Names())
		}
		sum, h := 0.0, 0.005
		for u := -45.0; u <= 45; u += h {
			r, err := p.LogDensityAt([]float64{u}, eval.NewState(p.Model))
			if err != nil {
				t.Fatal(c.model, err)
			}
			sum += h * math.Exp(r.Logp)
		}
		if !(math.Abs(sum-c.want) <= 1e-6) {
			t.Errorf("%s integrates to %v, want %v", c.model, sum, c.want)
		}
	}
}

// Far out nothing is NaN, and the two evaluations agree: on a number, on -Inf, or on
// which node has lost its meaning.
func TestExtremeVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, c := range transformed {
		p := uncompiled(t, c.name, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		for range 150 {
			st := eval.NewState(p.Model)
			for _, name := range []string{"k", "n"} {
				if v := p.Model.Lookup(name); v != nil {
					st[v.ID][0] = 2
				}
			}
			vec := randomVector(rng, p)
			for i := range vec {
				if rng.IntN(3) == 0 {
					vec[i] = []float64{-800, -40, 40, 800, 1e10, -1e10, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}[rng.IntN(10)]
				}
			}
			got, err := p.LogDensityAt(vec, st)
			sum := 0.0
			ref := cloned(st)
			logJ, refErr := p.Space.Visit(vec, ref, func(f eval.Factor) { sum += f.Logp })
			if err == nil && refErr != nil && math.IsInf(got.Logp, -1) {
				continue // a parameter overflows, and a logarithm of it is still known
			}
			if err != nil || refErr != nil {
				if fmt.Sprint(err) != fmt.Sprint(refErr) {
					t.Errorf("%s at %v: error %v, want %v", c.name, vec, err, refErr)
				}
				continue
			}
			if math.IsNaN(got.Logp) || math.IsNaN(got.LogJacobian) {
				t.Errorf("%s at %v: %v", c.name, vec, got)
			}
			if want := defined(sum + logJ); !(got.Logp == want || math.Abs(got.Logp-want) <= 1e-8*(1+math.Abs(want))) {
				t.Errorf("%s at %v: %v, want %v", c.name, vec, got.Logp, want)
			}
		}
	}
}
