package depend

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/internal/oracle"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/tests/isl/flowfile"
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

// sameFlow compares a flow with isl's text of it: for all sizes, or where that takes
// too long for some.
func sameFlow(t *testing.T, name string, got Flow, text string) bool {
	t.Helper()
	want, err := flowfile.ReadResult(text)
	if err != nil {
		t.Fatalf("%s: isl's result: %v", name, err)
	}
	differ, err := flowfile.Result(got).Differ(want)
	if errors.Is(err, presburger.ErrBudget) { // then at some sizes
		differ = ""
		for _, at := range []int64{2, 5, 7} {
			ours, isls := got.texts(t, at), Flow(want).texts(t, at)
			for k := range ours {
				if !slices.Equal(ours[k], isls[k]) {
					differ = fmt.Sprintf("relation %d at N = %d", k, at)
				}
			}
		}
	}
	if differ != "" {
		t.Errorf("%s: %s (%v):\n ours %+v\n isl  %s", name, differ, err, got, text)
	}
	return differ == ""
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
		if sameFlow(t, filepath.Base(f), got, string(want)) {
			agree++
		}
	}
	t.Logf("%d of %d agree", agree, len(files))
}
