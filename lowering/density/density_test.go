package density

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	dmath "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// tolerance is the relative difference that reference values allow.
const tolerance = 1e-10

const examples = "../../examples/bugs/"

func newContext() *ir.Context {
	return ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect, dmath.Dialect, special.Dialect, scf.Dialect, memref.Dialect, bugs.Dialect)
}

func read(t testing.TB, path string) *diag.Source {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return diag.NewSource(path, string(text))
}

func parse(t testing.TB, src *diag.Source) *syntax.Program {
	t.Helper()
	prog, list := syntax.Parse(src, syntax.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	return prog
}

func parseData(t testing.TB, src *diag.Source) *input.Data {
	t.Helper()
	data, list := input.ParseData(src, input.Unknown)
	if list.Err() != nil {
		t.Fatal(list)
	}
	return data
}

func compile(t testing.TB, prog *syntax.Program, data *input.Data, values ...string) *Program {
	t.Helper()
	m, list := bugs.Analyze(prog, data, bugs.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	p, err := Compile(newContext(), m, Options{Values: values})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*ir.Graph{p.Source, p.Lowered} {
		if err := ir.Verify(g); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// number is a JSON number, or one of the strings that stand for what JSON lacks.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	switch s := strings.Trim(string(b), `"`); s {
	case "-Infinity", "-inf":
		*n = number(math.Inf(-1))
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
}

type expected struct {
	Observed, Parameters int
	Points               []struct {
		Label        string
		Logp         number
		LogpObserved number `json:"logp_observed"`
		Nodes        map[string]number
		Parameters   json.RawMessage
	}
}

func readExpected(t testing.TB, path string) (e expected) {
	t.Helper()
	if err := json.Unmarshal([]byte(read(t, path).Text), &e); err != nil {
		t.Fatal(path, err)
	}
	return e
}

func near(got float64, want number) bool {
	return got == float64(want) || math.Abs(got-float64(want)) <= tolerance*math.Abs(float64(want))
}

// check compares a program with reference values at all points.
func check(t *testing.T, p *Program, e expected) {
	t.Helper()
	if o, n := p.Model.Counts(); o != e.Observed || n != e.Parameters {
		t.Errorf("%d observed and %d parameters, want %d and %d", o, n, e.Observed, e.Parameters)
	}
	for _, pt := range e.Points {
		values := parseData(t, diag.NewSource("point.json", string(pt.Parameters)))
		st, _, list := p.Point(values, false)
		if len(list) > 0 {
			t.Error(pt.Label, list)
			continue
		}
		r, err := p.LogDensity(st)
		if err != nil {
			t.Error(pt.Label, err)
			continue
		}
		if !near(r.Logp, pt.Logp) || !near(r.Observed, pt.LogpObserved) {
			t.Errorf("%s: %v and %v, want %v and %v", pt.Label, r.Logp, r.Observed, pt.Logp, pt.LogpObserved)
		}
		if len(r.Nodes) != len(pt.Nodes) {
			t.Errorf("%s: nodes %v, want %v", pt.Label, r.Nodes, pt.Nodes)
		}
		for _, n := range r.Nodes {
			if !near(n.Logp, pt.Nodes[n.Name]) {
				t.Errorf("%s: %s is %v, want %v", pt.Label, n.Name, n.Logp, pt.Nodes[n.Name])
			}
		}
	}
}

var four = []string{"rats", "pumps", "seeds", "dyes"}

func TestFourModels(t *testing.T) {
	for _, name := range four {
		for _, format := range []string{"json", "R"} {
			t.Run(name+"."+format, func(t *testing.T) {
				p := compile(t, parse(t, read(t, examples+name+".bug")), parseData(t, read(t, examples+name+"-data."+format)))
				check(t, p, readExpected(t, "testdata/"+name+".json"))
			})
		}
	}
}

func TestSharedModels(t *testing.T) {
	dirs, _ := filepath.Glob("../../../shared/data/bugs/*/expected.json")
	if len(dirs) == 0 {
		t.Skip("all models: needs ../shared/data")
	}
	for _, path := range dirs {
		dir := filepath.Dir(path)
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			for _, format := range []string{"json", "R"} {
				prog, data := parse(t, read(t, examples+name+".bug")), parseData(t, read(t, dir+"/data."+format))
				check(t, compile(t, prog, data), readExpected(t, path))
			}
		})
	}
}
