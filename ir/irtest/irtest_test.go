package irtest

import (
	"os/exec"
	"strings"
	"testing"
)

// Every program is what it claims to be: MLIR accepts it.
func TestProgramsAreMLIR(t *testing.T) {
	opt, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("programs are read by MLIR: needs mlir-opt-19 (mlir-19-tools)")
	}
	var all strings.Builder
	for seed := range uint64(400) {
		if seed > 0 {
			all.WriteString("// -----\n")
		}
		all.WriteString(New(seed, Config{Traps: seed%4 == 0, Wide: seed%3 > 0, Poison: seed%7 == 0, Narrow: seed%2 == 0, Unknown: seed%11 == 0, Sizes: seed%6 == 1}).Text)
	}
	cmd := exec.Command(opt, "-allow-unregistered-dialect", "-split-input-file", "-o", "/dev/null")
	cmd.Stdin = strings.NewReader(all.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("mlir-opt: %v\n%.2000s", err, out)
	}
}

func TestSeedsAreReproducible(t *testing.T) {
	a, b := New(7, Config{}), New(7, Config{})
	if a.Text != b.Text || len(a.Args) != len(b.Args) {
		t.Error("one seed gives two programs")
	}
	if a.Text == New(8, Config{}).Text {
		t.Error("two seeds give one program")
	}
}
