package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func Test(t *testing.T) { analysistest.Run(t, analysistest.TestData(), Analyzer, "a") }

// The languages in examples/stage are left in peace, by the tool as go vet runs it.
func TestVet(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "stagecheck")
	for _, args := range [][]string{{"build", "-ldflags=-s -w", "-o", tool, "."}, {"vet", "-vettool=" + tool, "../../examples/stage/..."}} {
		if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
}
