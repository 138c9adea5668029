package models_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/passes/sequence"
	"github.com/irc-lang/irc/tools/irc/product"
)

// Programs in any order, with cycles through several loops and through data: each
// engine gives the same density for each variable.
func TestOrdersOnEngines(t *testing.T) {
	count := 60
	if testing.Short() {
		count = 10
	}
	dir := t.TempDir()
	ran := 0
	for seed := range count {
		program, data := bugstest.RandomProgram(rand.New(rand.NewPCG(uint64(seed), 7)))
		file, table := filepath.Join(dir, "m.bug"), filepath.Join(dir, "d.json")
		write(t, file, "model {\n"+program+"\n}\n")
		write(t, table, data)
		var first map[string]float64
		for _, engine := range engines() {
			var out, errs strings.Builder
			code := product.All().Main([]string{"logdensity", "-json", "-fill-inits=prior", "-engine=" + engine, "-data=" + table, file}, strings.NewReader(""), &out, &errs)
			if code != 0 {
				if !strings.Contains(errs.String(), "depends on itself") && !strings.Contains(errs.String(), "no sequential order") {
					t.Fatalf("seed %d, %s: exit %d, %s\n%s\n%s", seed, engine, code, errs.String(), program, data)
				}
				break
			}
			ran++
			var got struct {
				Nodes map[string]float64 `json:"nodes"`
			}
			if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got.Nodes
			}
			for name, x := range got.Nodes {
				if d := x - first[name]; d > 1e-9*(1+max(x, -x)) || -d > 1e-9*(1+max(x, -x)) || len(first) != len(got.Nodes) {
					t.Errorf("seed %d: %s gives %v for %s, want %v\n%s\n%s", seed, engine, x, name, first[name], program, data)
				}
			}
		}
	}
	if ran < count/3 {
		t.Errorf("%d runs of %d programs", ran, count)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The passes from the text to sequential code, one by one, end where every example
// goes without them.
func TestPassesOnExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/bugs/*.bug")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	ran := 0
	for i, file := range files {
		data := strings.TrimSuffix(file, ".bug") + "-data.json"
		if _, err := os.Stat(data); err != nil || testing.Short() && i%10 != 0 {
			continue
		}
		ran++
		want := irc(t, "-data="+data, file)
		if got := irc(t, "-data="+data, "-passes="+sequence.Pipeline, file); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
		}
	}
	if ran == 0 {
		t.Error("no example has data")
	}
}
