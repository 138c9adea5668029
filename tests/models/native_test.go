package models_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tests/models/naive"
	"github.com/irc-lang/irc/tests/models/randmodel"
)

var natives = flag.Int("native", 12, "how many random models TestRandomNative compiles")

// Random models of the grammar, compiled: LLVM gives what the naive evaluation gives.
func TestRandomNative(t *testing.T) {
	if !jit.Doctor().Found {
		t.Skip("needs libLLVM")
	}
	compared := 0
	for i := range uint64(*natives) {
		seed := *firstSeed + i
		r := randmodel.New(seed)
		prog, list := syntax.Parse(diag.NewSource("model.bug", r.Program), syntax.Options{})
		if list.Err() != nil {
			t.Fatal(list)
		}
		m, list := bugs.Analyze(prog, r.Data, bugs.Options{})
		if list.Err() != nil {
			t.Fatal(list)
		}
		st, err := point(m, seed)
		if err != nil {
			continue
		}
		values := asData(m, st)
		if eval.Visit(m, st, func(eval.Factor) {}) != nil {
			continue // the point has no density
		}
		n, err := naive.New(prog, r.Data, false)
		if err != nil {
			t.Fatal(err)
		}
		want, err := n.LogDensity(values)
		switch {
		case errors.Is(err, naive.ErrTail):
			continue
		case err != nil:
			t.Fatal(err)
		}
		dir := t.TempDir()
		file := func(name string, text []byte) string {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
			return path
		}
		program := file("m.bug", []byte(r.Program))
		out := irc(t, "logdensity", "-json", "-engine=llvm", "-data="+file("d.json", asJSON(t, r.Data)), "-inits="+file("i.json", asJSON(t, values)), program)
		var got logps
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		got.compare(t, r.Program, want)
		compared++
	}
	if t.Logf("%d of %d compared", compared, *natives); compared < *natives/2 {
		t.Errorf("%d of %d compared", compared, *natives)
	}
}
