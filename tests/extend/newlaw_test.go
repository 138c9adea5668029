package extend_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// A law is what docs/new-law.md says it is: the block there is all of one file but its
// imports, there is one row, and no other file of the program has its name (package tests
// has that as TestLawsStandInOneFile). The names that the text gives are there.
func TestNewLawIsOneFileAndOneRow(t *testing.T) {
	doc, law := read(t, "../../docs/new-law.md"), read(t, "../../dialects/prob/dhalfcauchy.go")
	block := regexp.MustCompile("(?s)```go\n(.*?)```").FindStringSubmatch(doc)
	if block == nil {
		t.Fatal("the document shows no code")
	}
	if imports, ok := strings.CutSuffix(law, block[1]); !ok || !regexp.MustCompile(`^package prob\n\nimport \((\n\t"[^"]+"|\n)*\n\)\n\n$`).MatchString(imports) {
		t.Errorf("the file is not imports and what the document shows:\n%s", imports)
	}
	rows := regexp.MustCompile(`(?s)var Laws = .*?\n}\n`).FindString(read(t, "../../dialects/prob/laws.go"))
	if n := len(regexp.MustCompile(`\bHalfCauchy\b`).FindAllString(rows, -1)); n != 1 {
		t.Errorf("it is %d times in Laws", n)
	}
	for _, m := range regexp.MustCompile("`(kit|family|cumulative|support)\\.(\\w+)").FindAllStringSubmatch(doc, -1) {
		files, err := filepath.Glob("../../dialects/prob/" + m[1] + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		if there := regexp.MustCompile(`(?m)^(func|type|var|\t)\s*` + m[2] + `\b`); !slices.ContainsFunc(files, func(f string) bool { return there.MatchString(read(t, f)) }) {
			t.Errorf("there is no %s.%s", m[1], m[2])
		}
	}
}

// The half-Cauchy law in closed form.
func halfCauchy(x, scale float64) (logp, below float64) {
	z := x / scale
	return math.Log(2/(math.Pi*scale)) - math.Log1p(z*z), 2 / math.Pi * math.Atan(z)
}

// near leaves room for what functions round otherwise.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
		t.Errorf("%s is %.17g, want %.17g", what, got, want)
	}
}

const newLawOps = `
func.func @f(%x: f64, %u: f64, %k: i64, %s: f64) -> (f64, f64, f64, f64) {
  %d = prob.logpdf "dhalfcauchy"(%s) at %x
  %p = prob.cdf "dhalfcauchy"(%s) at %x
  %q = prob.quantile "dhalfcauchy"(%s) at %u
  %y = prob.draw "dhalfcauchy"(%s) seed %k stream %k counter %k
  return %d, %p, %q, %y : f64, f64, f64, f64
}
`

// Its ops give what the closed forms give, on each engine.
func TestNewLawHasOps(t *testing.T) {
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		t.Run(kind.Name, func(t *testing.T) {
			e := built.Start(t, kind)
			defer e.Close()
			g, list := text.Parse(built.Context(), diag.NewSource("law.mlir", newLawOps), text.Options{})
			if list.Err() != nil {
				t.Fatal(list)
			}
			p, err := built.Prepare(t.Context(), e, g)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range []float64{0.25, 1, 3, 400} {
				scale, u := 0.5+float64(i), 0.2*float64(i+1)
				out, _, err := p.Call(t.Context(), "f", []ir.Val{ir.F64Val(x), ir.F64Val(u), ir.IntVal(int64(i), 64), ir.F64Val(scale)})
				if err != nil {
					t.Fatal(err)
				}
				logp, below := halfCauchy(x, scale)
				n := uint64(i)
				drawn := draw.CounterOf(n, n, n).Uniform(0)
				for j, want := range []float64{logp, below, scale * math.Tan(math.Pi/2*u), scale * math.Tan(math.Pi/2*drawn)} {
					near(t, []string{"the density", "the distribution function", "the quantile", "the draw"}[j], out[j].F64(), want)
				}
			}
		})
	}
}

const newLawModel = `model {
  x ~ dhalfcauchy(2)
  s ~ dhalfcauchy(sigma = x) T(0.5, 8)
  y ~ dhalfcauchy(s)
  p <- phalfcauchy(y, s)  q <- qhalfcauchy(0.25, x)  d <- dhalfcauchy(1, 2)  l <- logdensity.halfcauchy(1, x)
}`

// In a model it is a distribution with bounds, functions, simulation, initial values, and a
// place on the unconstrained scale, on each engine.
func TestNewLawIsInModels(t *testing.T) {
	prog, list := syntax.Parse(diag.NewSource("m.bug", newLawModel), syntax.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	data := input.NewData()
	data.Set("y", diag.Span{}, &input.Array{Values: []float64{1.5}})
	m, list := bugs.Analyze(prog, data, bugs.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	u, d := space.New(m)
	if d != nil {
		t.Fatal(d)
	}
	simulated, err := eval.Simulate(m, 7)
	if s := simulated[m.Lookup("s").ID][0]; err != nil || !(s >= 0.5 && s <= 8) {
		t.Errorf("s is simulated as %v, %v", s, err)
	}
	const x, s = 1.7, 3.25
	logp := func(x, scale float64) float64 { y, _ := halfCauchy(x, scale); return y }
	below := func(x, scale float64) float64 { _, y := halfCauchy(x, scale); return y }
	total := logp(x, 2) + logp(s, x) - math.Log(below(8, x)-below(0.5, x)) + logp(1.5, s)
	jacobian := math.Log(x) + math.Log((s-0.5)*(8-s)/7.5)
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		t.Run(kind.Name, func(t *testing.T) {
			e := built.Start(t, kind)
			defer e.Close()
			prepare := func(g *ir.Graph) (engine.Program, error) {
				ps, err := e.Prepare(t.Context(), g)
				if err != nil {
					return nil, err
				}
				return ps[0], nil
			}
			for _, scale := range []*space.Unconstrained{nil, u} {
				c, err := density.Compile(built.Context(), m, density.Options{Prepare: prepare, Target: e.Target(), Values: []string{"p", "q", "d", "l"}, Unconstrained: scale})
				if err != nil {
					t.Fatal(err)
				}
				st := eval.NewState(m)
				st[m.Lookup("x").ID][0], st[m.Lookup("s").ID][0] = x, s
				r, err := c.LogDensity(st)
				if err != nil {
					t.Fatal(err)
				}
				if scale != nil {
					near(t, "the density on the unconstrained scale", r.Logp, total+jacobian)
				} else {
					near(t, "the density", r.Logp, total)
				}
				for name, want := range map[string]float64{"p": below(1.5, s), "q": x * math.Tan(math.Pi/8), "d": math.Exp(logp(1, 2)), "l": logp(1, x)} {
					near(t, name, r.Values[name].Values[0], want)
				}
				if first, _, list := c.Point(input.NewData(), true); list.Err() != nil || first[m.Lookup("x").ID][0] != 2 {
					t.Errorf("filled in from the prior: %v, %v", first, list)
				}
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// What is wrong with its parameters and values is said in its words.
func TestNewLawHasMessages(t *testing.T) {
	for law, want := range map[string]string{
		"dhalfcauchy(-1)":            "the scale must be positive and finite",
		"dhalfcauchy(1, 2)":          "dhalfcauchy",
		"dhalfcauchi(1)":             "dhalfcauchy",
		"dhalfcauchy(sigma = 1/0)":   "the scale must be positive and finite",
		"dhalfcauchy(precision = 1)": "sigma",
	} {
		if err := refused("model { y ~ " + law + " }"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: no %q in %v", law, want, err)
		}
	}
}

// refused is what is wrong with a model of y where y is 1.
func refused(program string) error {
	prog, list := syntax.Parse(diag.NewSource("m.bug", program), syntax.Options{})
	if list.Err() != nil {
		return list.Err()
	}
	m, list := bugs.Analyze(prog, input.NewData(), bugs.Options{})
	if list.Err() != nil {
		return list.Err()
	}
	st := eval.NewState(m)
	st[m.Lookup("y").ID][0] = 1
	return eval.Visit(m, st, func(eval.Factor) {})
}
