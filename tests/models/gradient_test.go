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
