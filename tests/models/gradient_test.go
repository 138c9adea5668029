package models_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering/density"
)

// The derivatives of the examples' densities on the unconstrained scale are those by differences, at the initial values and
// beside them.
func TestGradients(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../examples/bugs/*.bug")
	if err != nil || len(files) < 80 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".bug")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, inits := modelOf(t, path)
			if m == nil {
				t.Skip("no data beside it")
			}
			u, d := space.New(m)
			if d != nil {
				t.Skip(d.Message) // which is told by irc logdensity
			}
			gradients(t, m, u, inits)
		})
	}
}

// Truncated and censored laws, distribution functions and quantiles have derivatives by unknown shapes. The location of
// the t is 0 at first, which is where its bound is.
func TestGradientsByShapes(t *testing.T) {
	t.Parallel()
	read := func(text string) *input.Data {
		d, list := input.ParseData(diag.NewSource("data.json", text), input.Unknown)
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		return d
	}
	data := read(`{"y": [1.2, 0.4, 2.5, 1.7, 4, 6], "w": [1.2, 0.4, 0.5, 1, 0.3, 0.7, 0.2, 0.8, 0.6], "c": 1}`)
	inits := read(`{"a": 1.7, "b": 2.2, "m": 0, "z": 3}`)
	for name, lines := range map[string]string{
		"bounds": `y[1] ~ dgamma(a, b) T(1, 3)
			y[2] ~ dbeta(a, b) T(, 0.6)
			y[3] ~ dt(m, 1, a) T(0, )
			y[4] ~ df(a, b) T(1, )
			y[5] ~ dnegbin(0.3, a) T(2, )
			y[6] ~ dchisqr(a) T(5, )`,
		"censored": `z ~ dgamma(a, b)
			c ~ dinterval(z, 2)`,
		"probabilities": `w[1] ~ dnorm(pgamma(1.3, a, b), 1)
			w[2] ~ dnorm(pbeta(0.3, a, b), 1)
			w[3] ~ dnorm(pt(0.3, m, 1, a), 1)
			w[4] ~ dnorm(pnegbin(3, 0.3, a), 1)`,
		"quantiles": `w[1] ~ dnorm(qgamma(0.3, a, b), 1)
			w[2] ~ dnorm(qbeta(0.3, a, b), 1)
			w[3] ~ dnorm(qt(0.7, m, 1, a), 1)
			w[4] ~ dnorm(qt(0.5, m, b, a), 1)
			w[5] ~ dnorm(qf(0.3, a, b), 1)
			w[6] ~ dnorm(qchisqr(0.3, a), 1)
			w[7] ~ dnorm(qgamma(pbeta(0.3, a, b), 2.5, b), 1)
			w[8] ~ dnorm(qnchisqr(0.4, a, b), 1)
			w[9] ~ dnorm(qgen.gamma(0.4, a, b, 1.2), 1)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "model {\n a ~ dgamma(2, 1)\n b ~ dgamma(2, 1)\n m ~ dnorm(0, 1)\n" + lines + "\n}"
			prog, list := syntax.Parse(diag.NewSource(name+".bug", text), syntax.Options{})
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			m, list := bugs.Analyze(prog, data, bugs.Options{})
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			u, d := space.New(m)
			if d != nil {
				t.Fatal(d.Message)
			}
			gradients(t, m, u, inits)
		})
	}
}

// modelOf is a model with its data, and values for its parameters.
func modelOf(t *testing.T, path string) (*model.Model, *input.Data) {
	t.Helper()
	base := strings.TrimSuffix(path, ".bug")
	prog, list := syntax.Parse(diag.NewSource(path, sourceOf(t, path)), syntax.Options{Dialect: syntax.BUGS})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	data, inits := fileOf(t, base+"-data.json"), fileOf(t, base+"-inits.json")
	if data == nil || inits == nil {
		return nil, nil
	}
	m, list := bugs.Analyze(prog, data, bugs.Options{Dialect: syntax.BUGS})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m, inits
}

func sourceOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func fileOf(t *testing.T, path string) *input.Data {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	d, list := input.ParseData(diag.NewSource(path, sourceOf(t, path)), input.Unknown)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return d
}

func gradients(t *testing.T, m *model.Model, u *space.Unconstrained, inits *input.Data) {
	ctx := ir.NewContext(dialects.All...)
	p, err := density.Compile(ctx, m, density.Options{Unconstrained: u, Gradient: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	st, given, list := p.Assigned(inits, true)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Fill(st, given); err != nil {
		t.Fatal(err)
	}
	x, err := p.PointOf(st)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for k := range 3 {
		vec := append([]float64(nil), x.Vector...)
		for i := range vec {
			vec[i] += float64(k) * 0.1 * (r.Float64() - 0.5)
		}
		at := func(v []float64) *density.Result {
			res, err := p.LogDensityAt(v, st)
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		res := at(vec)
		if math.IsInf(res.Logp, -1) || len(vec) == 0 || k > 0 && math.IsNaN(res.Gradient[0]) { // outside, or at the edge of what has a meaning
			continue
		}
		for _, i := range r.Perm(len(vec))[:min(len(vec), 12)] {
			by := func(h float64) float64 {
				v := append([]float64(nil), vec...)
				v[i] += h
				high := at(v).Logp
				v[i] -= 2 * h
				return (high - at(v).Logp) / (2 * h)
			}
			h := 1e-5 * (1 + math.Abs(vec[i]))
			want := (4*by(h) - by(2*h)) / 3
			noise := 1e-14 * math.Abs(res.Logp) / h * 10
			if got := res.Gradient[i]; !(math.Abs(got-want) <= 1e-5*(1+math.Abs(want))+noise) {
				t.Errorf("by %s at point %d: %v, by differences %v", p.Coordinates()[i], k, got, want)
			}
		}
	}
}
