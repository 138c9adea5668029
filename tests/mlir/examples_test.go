package mlir_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/tests/built"
	"github.com/irc-lang/irc/tools/irc/product"
)

// What the comments of the examples say to do works, and gives what they say.
var (
	runLine = regexp.MustCompile(`(?m)^// run: (?:echo '(.*)' \| )?irc (run .*)\n//  -> (.*)$`)
	seeLine = regexp.MustCompile(`(?m)^// see: irc (.*)$`)
)

func irc(in string, args ...string) (stdout, stderr string, status int) {
	p := product.All()
	var out, errs bytes.Buffer
	status = p.Main(args, strings.NewReader(in), &out, &errs)
	return out.String(), errs.String(), status
}

func TestExamples(t *testing.T) {
	t.Chdir("../..") // the comments name files from the root
	var paths []string
	for folder, least := range map[string]int{"mlir": 10, "loop": 10, "linalg": 4, "tensor": 5, "derivatives": 1} {
		found, err := filepath.Glob("examples/" + folder + "/*.mlir")
		if err != nil || len(found) < least {
			t.Fatal(folder, len(found), "examples", err)
		}
		paths = append(paths, found...)
	}
	kinds, ran := []string{"eval", "llvm"}, 0
	if !jit.Doctor().Found {
		kinds = kinds[:1]
		t.Log("on the interpreter only: llvm needs libLLVM (libllvm19)")
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		runs, sees := runLine.FindAllStringSubmatch(string(data), -1), seeLine.FindAllStringSubmatch(string(data), -1)
		if len(runs)+len(sees) == 0 || strings.Count(string(data), "// run:") != len(runs) {
			t.Errorf("%s: a comment should say what to run, and what that gives", path)
		}
		for _, m := range runs {
			for _, kind := range kinds {
				if kind == "llvm" && strings.Contains(path, "/tensor/") && !built.Soaking() {
					continue // package tests/tensors compiles them, and runs them on more arguments
				}
				ran++
				out, errs, status := irc(m[1], append(strings.Fields(m[2]), "-engine="+kind)...)
				if strings.TrimSpace(out) != m[3] || status != 0 {
					t.Errorf("irc %s -engine=%s < %s\nexit %d: %s%swant %s", m[2], kind, m[1], status, out, errs, m[3])
				}
			}
		}
		for _, m := range sees {
			if out, errs, status := irc("", strings.Fields(m[1])...); status != 0 || out == "" {
				t.Errorf("irc %s: exit %d: %s", m[1], status, errs)
			}
		}
	}
	t.Logf("%d runs of %d files", ran, len(paths))
}
