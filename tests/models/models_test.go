// Package models_test checks log densities of the example models, as `irc
// logdensity` prints them, against reference values.
package models_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/tools/irc/product"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// expected is the form of the reference files.
type expected struct {
	Observed, Parameters int
	Points               []struct {
		Label        string
		NotInInits   []string `json:"not_in_inits"`
		Logp         float64
		LogpObserved float64 `json:"logp_observed"`
		Nodes        map[string]float64
		Parameters   json.RawMessage
	}
}

// printed is what irc logdensity -json prints.
type printed struct {
	Model                string
	Logp                 float64
	LogpObserved         float64 `json:"logp_observed"`
	Parameters, Observed int
	Generated            int
	Engine               string
	Nodes                map[string]float64
}

func irc(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	p := product.All()
	if code := p.Main(args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("irc %s: exit %d\n%s", strings.Join(args, " "), code, errs.String())
	}
	return out.String()
}

func read(t *testing.T, program string) expected {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", program+"-expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var e expected
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// engines lists the engines of this machine.
func engines() []string {
	if jit.Doctor().Found {
		return []string{"eval", "llvm"}
	}
	return []string{"eval"}
}

const tolerance = 1e-10

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}

var names = []string{"rats", "pumps", "seeds", "dyes", "asia", "biopsies", "birats", "camel", "schools"}

// Every point of the reference files, on every engine, and with both data formats in the interpreter:
// they part in the front end.
func TestReferencePoints(t *testing.T) {
	for _, program := range names {
		referencePoints(t, program, read(t, program), "../../examples/bugs/"+program+"-data.")
	}
}

// The same for the other models of the data that stand beside the repository.
func TestSharedPoints(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/bugs/*/expected.json")
	if len(files) == 0 {
		t.Skip("needs ../shared/data/bugs")
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		if slices.Contains(names, filepath.Base(dir)) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var e expected
		if err := json.Unmarshal(text, &e); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		referencePoints(t, filepath.Base(dir), e, dir+"/data.")
	}
}

func referencePoints(t *testing.T, program string, e expected, data string) {
	points := filepath.Join(t.TempDir(), "points.json")
	var raw []json.RawMessage
	for _, p := range e.Points {
		raw = append(raw, p.Parameters)
	}
	text, err := json.Marshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(points, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"json", "R"} {
		for _, engine := range engines() {
			if format == "R" && engine != "eval" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s/%s", program, format, engine), func(t *testing.T) {
				out := irc(t, "logdensity", "-json", "-engine="+engine, "-data="+data+format, "-points="+points, "../../examples/bugs/"+program+".bug")
				compare(t, out, e, engine)
			})
		}
	}
}

func compare(t *testing.T, out string, e expected, engine string) {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != len(e.Points) || len(lines) < 2 {
		t.Fatalf("%d lines for %d points", len(lines), len(e.Points))
	}
	for i, line := range lines {
		var got printed
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		want := e.Points[i]
		near(t, want.Label+": logp", got.Logp, want.Logp)
		near(t, want.Label+": logp_observed", got.LogpObserved, want.LogpObserved)
		if len(got.Nodes) != len(want.Nodes) {
			t.Errorf("%s: nodes %v, want %v", want.Label, got.Nodes, want.Nodes)
		}
		for name, x := range want.Nodes {
			near(t, want.Label+": "+name, got.Nodes[name], x)
		}
		if got.Engine != engine || got.Observed != e.Observed || got.Parameters+got.Generated != e.Parameters {
			t.Errorf("%s: engine %s, %d observed, %d parameters, %d generated", want.Label, got.Engine, got.Observed, got.Parameters, got.Generated)
		}
	}
}

// The initial values of the files, completed where the reference is complete.
func TestInitialValues(t *testing.T) {
	for _, program := range names {
		e := read(t, program)
		if len(e.Points[0].NotInInits) > 0 {
			continue
		}
		base := "../../examples/bugs/" + program
		for _, format := range []string{"json", "R"} {
			var got printed
			out := irc(t, "logdensity", "-json", "-engine=eval", "-data="+base+"-data."+format, "-inits="+base+"-inits."+format, base+".bug")
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatal(err)
			}
			near(t, program, got.Logp, e.Points[0].Logp)
		}
	}
}

// A CSV file of draws gives what the same points give as JSON.
func TestDrawsAsCSV(t *testing.T) {
	e := read(t, "pumps")
	var p map[string]any
	if err := json.Unmarshal(e.Points[1].Parameters, &p); err != nil {
		t.Fatal(err)
	}
	head, row := []string{"alpha", "beta"}, []string{fmt.Sprint(p["alpha"]), fmt.Sprint(p["beta"])}
	for i, x := range p["theta"].([]any) {
		head = append(head, fmt.Sprintf("theta[%d]", i+1))
		row = append(row, fmt.Sprint(x))
	}
	file := filepath.Join(t.TempDir(), "draws.csv")
	if err := os.WriteFile(file, []byte(strings.Join(head, ",")+"\n"+strings.Join(row, ",")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var got printed
	out := irc(t, "logdensity", "-json", "-data=../../examples/bugs/pumps-data.json", "-points="+file, "../../examples/bugs/pumps.bug")
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	near(t, "pumps", got.Logp, e.Points[1].Logp)
}

func source(t *testing.T, program string) string {
	t.Helper()
	text, err := os.ReadFile("../../examples/bugs/" + program + ".bug")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Pipelines and other outputs take models too.
func TestModelsThroughPipelines(t *testing.T) {
	for _, program := range names {
		base := "../../examples/bugs/" + program
		data := "-data=" + base + "-data.json"
		if out := irc(t, "-emit=ir", data, base+".bug"); !strings.Contains(out, "bugs.stochastic") && !strings.Contains(out, "bugs.multivariate") || strings.Contains(source(t, program), "for (") != strings.Contains(out, "bugs.for") {
			t.Errorf("%s: no statements in loops:\n%s", program, out)
		}
		out := irc(t, "-passes=lower{to=scf},canonicalize", "-emit=ir", data, base+".bug")
		if strings.Contains(out, "bugs.multivariate") || strings.Contains(out, "bugs.stochastic") || strings.Contains(out, "bugs.for") || strings.Contains(source(t, program), "for (") && !strings.Contains(out, "scf.for") {
			t.Errorf("%s: not lowered:\n%s", program, out)
		}
		if out := irc(t, "-emit=llvm", data, base+".bug"); !strings.Contains(out, "@logdensity(") {
			t.Errorf("%s: no LLVM IR:\n%s", program, out)
		}
		a := irc(t, "run", "-seed=7", data, base+".bug")
		if b := irc(t, "run", "-seed=7", data, base+".bug"); a != b || !strings.HasPrefix(a, "{") {
			t.Errorf("%s: one seed gives\n%s and\n%s", program, a, b)
		}
	}
}

// A parameter of a distribution that is no number is an error that names the node.
func TestParameterIsNoNumber(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	program := write("m.bug", "model { y <- log(w)\n x ~ dnorm(y, 1)\n w ~ dnorm(0, 1) }\n")
	data, inits := write("d.json", `{"x": 2}`), write("i.json", `{"w": -1}`)
	for _, engine := range engines() {
		var out, errs bytes.Buffer
		p := product.All()
		code := p.Main([]string{"logdensity", "-engine=" + engine, "-data=" + data, "-inits=" + inits, program}, strings.NewReader(""), &out, &errs)
		if code != 1 || !strings.Contains(errs.String(), "node x: parameter 1 is not a number") || out.Len() > 0 {
			t.Errorf("%s: exit %d, %s%s", engine, code, out.String(), errs.String())
		}
	}
}
