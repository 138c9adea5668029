package models_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Random programs, observed in part or not: what JAGS refuses for a cycle, through nodes
// with values too, irc refuses in its dialect, and nothing else.
func TestCyclesAgainstJAGS(t *testing.T) {
	jags, err := exec.LookPath("jags")
	if err != nil {
		t.Skip("needs jags")
	}
	ran, cycles, observed := 0, 0, 0
	const programs = 400
	for seed := range uint64(programs) {
		program, text := bugstest.RandomProgram(rand.New(rand.NewPCG(seed, 77)))
		program = "model {\n" + program + "\n}\n"
		m, list := bugstest.Analyze(t, program, text, syntax.JAGS)
		if list.Err() != nil && !strings.Contains(list.Error(), "cycle") && !strings.Contains(list.Error(), "depends on itself") {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, list, program, text)
		}
		through := list.Err() != nil && !m.Cyclic && strings.Contains(list.Error(), "directed cycle")
		if !through && seed%10 > 0 {
			continue // one in ten of the others
		}
		ran++
		data, list2 := input.ParseData(diag.NewSource("d", text), input.JSON)
		if list2.Err() != nil {
			t.Fatal(list2)
		}
		file := filepath.Join(t.TempDir(), "m.bug")
		if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
		said := compiledByJAGS(t, jags, file, asR(data))
		refused := strings.Contains(said, "directed cycle") || strings.Contains(said, "Unable to resolve")
		if strings.Contains(said, "ERROR") && !refused {
			t.Fatalf("seed %d: JAGS says %s\n%s\n%s", seed, said, program, text)
		}
		if refused != (list.Err() != nil) {
			t.Errorf("seed %d: JAGS says %q, irc %v\n%s\n%s", seed, said, list, program, text)
		}
		if refused {
			cycles++
			if through {
				observed++
			}
		}
	}
	if t.Logf("%d programs, %d cycles, %d through observed nodes", ran, cycles, observed); observed < 5 || ran-cycles < 5 {
		t.Error("too few")
	}
}

// compiledByJAGS is what JAGS says when it compiles a model.
func compiledByJAGS(t *testing.T, jags, program, data string) string {
	t.Helper()
	dir := t.TempDir()
	script := fmt.Sprintf("model in %q\ndata in \"data.R\"\ncompile\nexit\n", program)
	for name, text := range map[string]string{"data.R": data, "script": script} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(jags, "script")
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput() // JAGS fails where it refuses, which its words say
	return string(out)
}
