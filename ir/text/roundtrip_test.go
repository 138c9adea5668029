package text

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var verbatim = Options{Verbatim: true, AllowUnregistered: true}

func testFiles(t testing.TB) []string {
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("no files in testdata")
	}
	return files
}

// mlirOpt runs mlir-opt on a text and returns the generic form it prints,
// aliases included.
func mlirOpt(t testing.TB, src string, args ...string) string {
	t.Helper()
	tool, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("comparing with MLIR needs mlir-opt-19")
	}
	cmd := exec.Command(tool, append([]string{"-allow-unregistered-dialect"}, args...)...)
	cmd.Stdin = strings.NewReader(src)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("mlir-opt: %v\n%s\nof:\n%s", err, errs.String(), src)
	}
	return out.String()
}

// A file prints as a text that reads and prints as itself, in both forms and
// whether or not it is built verbatim.
func TestFixpoint(t *testing.T) {
	for _, file := range testFiles(t) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, opts := range []Options{verbatim, {AllowUnregistered: true}} {
			for _, form := range []PrintOptions{{Generic: true}, {}} {
				one := String(parse(t, string(src), opts), form)
				two := String(parse(t, one, opts), form)
				if one != two {
					t.Errorf("%s %+v %+v:\n%s\n--- read and printed again:\n%s", file, opts, form, one, two)
				}
			}
		}
	}
}

// What is printed in the generic form means to MLIR what was read.
func TestSameAsMLIR(t *testing.T) {
	for _, file := range testFiles(t) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := mlirOpt(t, string(src), "-mlir-print-op-generic")
		for _, form := range []PrintOptions{{Generic: true}, {}} {
			ours := String(parse(t, want, verbatim), form)
			if got := mlirOpt(t, ours, "-mlir-print-op-generic"); got != want {
				t.Errorf("%s %+v: MLIR reads ours as\n%s\n--- want\n%s\n--- ours\n%s", file, form, got, want, ours)
			}
		}
		pretty := mlirOpt(t, string(src))
		if got := String(parse(t, string(src), verbatim), PrintOptions{}); !sameLines(got, pretty) {
			t.Errorf("%s: pretty form\n%s\n--- MLIR's\n%s", file, got, pretty)
		}
		generic := want
		if got := String(parse(t, string(src), verbatim), PrintOptions{Generic: true}); !sameLines(got, generic) {
			t.Errorf("%s: generic form\n%s\n--- MLIR's\n%s", file, got, generic)
		}
	}
}

// sameLines compares texts line by line, but for aliases, which we do not print.
func sameLines(got, want string) bool {
	trim := func(s string) string {
		var out []string
		for _, l := range strings.Split(strings.TrimSpace(s), "\n") {
			if !strings.HasPrefix(l, "#") {
				out = append(out, l)
			}
		}
		return strings.Join(out, "\n")
	}
	g, w := strings.Split(trim(got), "\n"), strings.Split(trim(want), "\n")
	if len(g) != len(w) {
		return false
	}
	for i := range g {
		if g[i] != w[i] && !strings.Contains(w[i], "#") {
			return false
		}
	}
	return true
}
