package models_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tests/built"
	"github.com/irc-lang/irc/tests/models/naive"
)

// number reads what irc prints where JSON has no number.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	x, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*n = number(x)
	return err
}

// example is a model with its data and a point.
type example struct {
	name, program, data, inits string // paths
	jags                       bool
}

// ofExamples lists the models of examples/bugs and examples/jags that have data.
func ofExamples(t *testing.T) []example {
	files, err := filepath.Glob("../../examples/[bj]*s/*-inits.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	var out []example
	for _, inits := range files {
		base := strings.TrimSuffix(inits, "-inits.json")
		jags := strings.Contains(base, "examples/jags/")
		name := filepath.Base(base)
		if jags {
			name += " in JAGS"
		}
		out = append(out, example{name, base + ".bug", base + "-data.json", inits, jags})
	}
	return out
}

func parseFile(t *testing.T, path string) *diag.Source {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return diag.NewSource(filepath.Base(path), string(text))
}

func mustData(t *testing.T, src *diag.Source) *input.Data {
	t.Helper()
	d, list := input.ParseData(src, input.Unknown)
	if list.Err() != nil {
		t.Fatal(list)
	}
	return d
}

// asJSON writes a point as -points reads it.
func asJSON(t *testing.T, d *input.Data) json.RawMessage {
	t.Helper()
	obj := map[string]any{}
	for _, name := range d.Names {
		a := d.Get(name)
		var build func(dims []int, k int) any
		build = func(dims []int, k int) any {
			if len(dims) == 0 {
				if a.IsMissing(k) {
					return nil
				}
				return a.Values[k]
			}
			list := make([]any, dims[0])
			for i := range list {
				list[i] = build(dims[1:], k*dims[0]+i)
			}
			return list
		}
		obj[name] = build(a.Dims, 0)
	}
	text, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// logps is what an evaluation gives at a point.
type logps struct {
	Logp         number
	LogpObserved number `json:"logp_observed"`
	Parameters   int
	Generated    int
	Observed     int
	Nodes        map[string]number
}

func same(got, want float64) bool {
	return got == want || math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))
}

func (got logps) compare(t *testing.T, what string, want naive.Result) {
	t.Helper()
	if !same(float64(got.Logp), want.Logp) || !same(float64(got.LogpObserved), want.Observed) {
		t.Errorf("%s: %.17g and %.17g of observed nodes, naively %.17g and %.17g", what, got.Logp, got.LogpObserved, want.Logp, want.Observed)
	}
	if got.Parameters+got.Generated != want.Parameters || got.Observed != want.NumNodes {
		t.Errorf("%s: %d parameters, %d observed, naively %d and %d", what, got.Parameters, got.Observed, want.Parameters, want.NumNodes)
	}
	if len(got.Nodes) != len(want.Nodes) {
		t.Errorf("%s: nodes %v, naively %v", what, got.Nodes, want.Nodes)
	}
	for name, x := range want.Nodes {
		if y, ok := got.Nodes[name]; !ok || !same(float64(y), x) {
			t.Errorf("%s: %s has %.17g, naively %.17g", what, name, y, x)
		}
	}
}

// visited evaluates with the reference interpreter.
func visited(t *testing.T, m *model.Model, point *input.Data) logps {
	t.Helper()
	st := eval.NewState(m)
	if _, list := eval.Assign(m, st, point); list.Err() != nil {
		t.Fatal(list)
	}
	out := logps{Nodes: map[string]number{}}
	out.Observed, out.Parameters = m.Counts()
	err := eval.Visit(m, st, func(f eval.Factor) {
		out.Logp += number(f.Logp)
		out.Nodes[f.Var.Name] += number(f.Logp)
		if f.Observed {
			out.LogpObserved += number(f.Logp)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// against compares a model with the naive evaluation at its initial values and at
// random points about them: the reference, and each engine.
func against(t *testing.T, e example, points int, engines []string) {
	src := parseFile(t, e.program)
	dialect, flag := syntax.BUGS, "-dialect=bugs"
	if e.jags {
		dialect, flag = syntax.JAGS, "-dialect=jags"
	}
	prog, list := syntax.Parse(src, syntax.Options{Dialect: dialect})
	if list.Err() != nil {
		t.Fatal(list)
	}
	data, inits := mustData(t, parseFile(t, e.data)), mustData(t, parseFile(t, e.inits))
	n, err := naive.New(prog, data, dialect == syntax.JAGS)
	if err != nil {
		t.Fatal("naively: ", err)
	}
	m, list := bugs.Analyze(prog, data, bugs.Options{Dialect: dialect})
	if list.Err() != nil {
		t.Fatal(list)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var want []naive.Result
	var texts []json.RawMessage
	finite := 0
	for i := range points {
		p := inits
		if i > 0 {
			p = n.Perturb(inits, rng)
		}
		w, err := n.LogDensity(p)
		if err != nil || math.IsNaN(w.Logp) {
			t.Fatalf("naively: %v, %v", w, err)
		}
		if !math.IsInf(w.Logp, 0) {
			finite++
		}
		visited(t, m, p).compare(t, fmt.Sprintf("reference, point %d", i), w)
		want, texts = append(want, w), append(texts, asJSON(t, p))
	}
	if math.IsInf(want[0].Logp, 0) || finite < 2 {
		t.Errorf("the density is %v at the initial values, and finite at %d points", want[0].Logp, finite)
	}
	text, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "points.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, engine := range engines {
		lines := strings.Split(strings.TrimSpace(irc(t, "logdensity", "-json", flag, "-engine="+engine, "-data="+e.data, "-points="+file, e.program)), "\n")
		if len(lines) != len(want) {
			t.Fatalf("%s: %d lines for %d points", engine, len(lines), len(want))
		}
		for i, line := range lines {
			var got logps
			if err := json.Unmarshal([]byte(line), &got); err != nil {
				t.Fatal(err)
			}
			got.compare(t, fmt.Sprintf("%s, point %d", engine, i), want[i])
		}
	}
}

// Every example agrees with the naive evaluation, and one of four as native code too, which takes longest to make.
func TestExamplesAgainstNaive(t *testing.T) {
	native := 0
	defer func() { t.Logf("%d as native code", native) }()
	for i, e := range ofExamples(t) {
		some := engines()
		if i%4 > 0 && !built.Soaking() {
			some = some[:1]
		}
		native += len(some) - 1
		t.Run(e.name, func(t *testing.T) {
			points := 5
			if _, err := os.Stat("testdata/" + e.name + "-expected.json"); err == nil {
				e.inits, points = complete(t, read(t, e.name)), 3 // the file of initial values may not be
			}
			against(t, e, points, some)
		})
	}
}

// complete writes the second point of a reference file.
func complete(t *testing.T, e expected) string {
	file := filepath.Join(t.TempDir(), "inits.json")
	if err := os.WriteFile(file, e.Points[1].Parameters, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
