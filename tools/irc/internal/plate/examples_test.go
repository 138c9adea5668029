package plate_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/models"
	"github.com/irc-lang/irc/tools/irc/internal/plate"
)

// Every example that comes with data is drawn without overlaps, as XML that parses
// and DOT that Graphviz reads.
func TestExamples(t *testing.T) {
	files, _ := filepath.Glob("../../../../examples/bugs/*-data.json")
	drawn := 0
	for _, f := range files {
		name := strings.TrimSuffix(f, "-data.json")
		m := drawing(t, name+".bug", f)
		if m == nil {
			continue
		}
		drawn++
		if list := plate.Overlaps(m); list != nil {
			t.Errorf("%s: %q", name, list)
		}
		d := xml.NewDecoder(strings.NewReader(plate.SVG(m)))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		graphviz(t, name, plate.DOT(m))
	}
	if drawn < 20 {
		t.Errorf("only %d examples", drawn)
	}
}

func graphviz(t *testing.T, name, dot string) {
	path, err := exec.LookPath("dot")
	if err != nil {
		return
	}
	cmd := exec.Command(path, "-Tplain")
	cmd.Stdin = strings.NewReader(dot)
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "Warning") {
		t.Errorf("%s: dot: %v: %.300s", name, err, out)
	}
}

func drawing(t *testing.T, program, data string) *plate.Model {
	t.Helper()
	read := func(path string) *diag.Source {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return diag.NewSource(path, string(text))
	}
	for _, dialect := range []string{"bugs", "jags"} {
		m, err := models.Frontend{}.Compile(ir.NewContext(dialects.All...), cli.ModelRequest{Source: read(program), Data: []*diag.Source{read(data)}, Dialect: dialect})
		if err == nil {
			return m.Drawing()
		}
	}
	return nil
}

var update = flag.Bool("update", false, "write the picture of the README")

// What the picture of rats shows; it stands in the README.
func TestRats(t *testing.T) {
	m := drawing(t, "../../../../examples/bugs/rats.bug", "../../../../examples/bugs/rats-data.json")
	const file = "../../../../docs/rats.svg"
	if *update {
		if err := os.WriteFile(file, []byte(plate.SVG(m)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != plate.SVG(m) {
		t.Errorf("docs/rats.svg is stale: go test ./tools/irc/internal/plate -update (%v)", err)
	}
	node := map[string]int{}
	for i, n := range m.Nodes {
		node[n.Label] = i
	}
	plates := func(label string) (out []string) {
		for p := m.Nodes[node[label]].Plate; p >= 0; p = m.Plates[p].Parent {
			out = append(out, m.Plates[p].Label)
		}
		return out
	}
	for label, want := range map[string]string{"Y[i, j]": "j in 1:T i in 1:N", "alpha[i]": "i in 1:N", "x[j]": "j in 1:T i in 1:N", "tau.c": "", "xbar": ""} {
		if got := strings.Join(plates(label), " "); got != want {
			t.Errorf("%s is in %q, want %q", label, got, want)
		}
	}
	kinds := map[string]plate.Kind{"Y[i, j]": plate.Stochastic, "mu[i, j]": plate.Logical, "xbar": plate.Constant, "sigma": plate.Logical}
	for label, want := range kinds {
		if got := m.Nodes[node[label]].Kind; got != want {
			t.Errorf("%s is of kind %d, want %d", label, got, want)
		}
	}
	for label, want := range map[string]plate.Shade{"Y[i, j]": plate.Observed, "alpha[i]": plate.Hidden} {
		if got := m.Nodes[node[label]].Shade; got != want {
			t.Errorf("%s is shaded %d, want %d", label, got, want)
		}
	}
	got := map[string]bool{}
	for _, e := range m.Edges {
		got[m.Nodes[e.From].Label+" "+m.Nodes[e.To].Label] = true
	}
	for _, e := range []string{"mu[i, j] Y[i, j]", "tau.c Y[i, j]", "alpha[i] mu[i, j]", "beta[i] mu[i, j]", "x[j] mu[i, j]", "xbar mu[i, j]", "tau.c sigma", "xbar alpha0"} {
		if !got[e] {
			t.Errorf("no edge %s", e)
		}
	}
	if len(m.Edges) != 14 {
		t.Errorf("%d edges, want 14", len(m.Edges))
	}
	dot := plate.DOT(m)
	for _, want := range []string{"subgraph cluster_1", `label="for j in 1:T"`, "peripheries=2", "arrowhead=empty", "fillcolor=\"#c4c6d2\""} {
		if !strings.Contains(dot, want) {
			t.Errorf("no %s in DOT", want)
		}
	}
}
