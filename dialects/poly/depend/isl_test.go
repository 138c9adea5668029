package depend

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/tests/isl/flowfile"

	"github.com/irc-lang/irc/dialects/poly/internal/oracle"
)

var flowFolder = flag.String("flow", "", "folder with isl's flow inputs (Debian source package isl, test_inputs/flow)")

func startOracle(t *testing.T) *oracle.Oracle {
	t.Helper()
	o := oracle.Start(t, "../presburger/testdata/isl_oracle.c", 5_000_000)
	if o == nil {
		t.Skip("needs a C compiler and libisl-dev")
	}
	return o
}

// readFlow reads isl's text of a flow.
func readFlow(t *testing.T, text string) map[string]presburger.Map {
	out := map[string]presburger.Map{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		m, err := presburger.ParseMap(strings.Trim(strings.TrimSpace(value), `"`))
		if err != nil {
			t.Fatalf("isl's %s: %v", line, err)
		}
		out[key] = m
	}
	return out
}

// sameFlow compares a flow with isl's.
func sameFlow(t *testing.T, name string, got Flow, want map[string]presburger.Map) bool {
	ours := map[string]presburger.Map{"must_dependence": got.Must, "may_dependence": got.May,
		"must_no_source": got.MustNoSource, "may_no_source": got.MayNoSource}
	if len(want) != len(ours) {
		t.Errorf("%s: isl has %d relations, not %d", name, len(want), len(ours))
		return false
	}
	good := true
	for key, m := range ours {
		eq, err := m.IsEqual(want[key])
		if err != nil || !eq {
			t.Errorf("%s: %s:\n ours %v\n isl  %v (%v)", name, key, m, want[key], err)
			good = false
		}
	}
	return good
}

// TestIslInputs compares with the results of isl's own inputs.
func TestIslInputs(t *testing.T) {
	if *flowFolder == "" {
		t.Skip("needs -flow, the folder test_inputs/flow of isl's source")
	}
	files, err := filepath.Glob(filepath.Join(*flowFolder, "*.ai"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no inputs in %s: %v", *flowFolder, err)
	}
	agree := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		in, err := flowfile.Read(string(text))
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		got, err := Accesses{Sink: in.Sink, Must: in.Must, May: in.May, Kill: in.Kill, Schedule: in.Schedule}.Flow()
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		want, err := os.ReadFile(strings.TrimSuffix(f, ".ai") + ".flow")
		if err != nil {
			t.Fatal(err)
		}
		if sameFlow(t, filepath.Base(f), got, readFlow(t, string(want))) {
			agree++
		}
	}
	t.Logf("%d of %d agree", agree, len(files))
}
