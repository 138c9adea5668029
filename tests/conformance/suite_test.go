package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var whole = flag.Bool("whole", false, "TestFiguresHold reads the whole suite, not a fourth of it")

// No figure falls: what `make deps-mlir` gets of MLIR's suite is read, a fourth of it or the whole, and compared
// with what was.
func TestFiguresHold(t *testing.T) {
	const root = "../../bin/mlir-test"
	if _, err := os.Stat(root); err != nil {
		t.Skip("this test needs MLIR's own tests (make deps-mlir)")
	}
	opt, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("this test needs mlir-opt-19 (mlir-19-tools)")
	}
	was, err := readFigures("result.json")
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := suite(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !*whole {
		chunks = slices.DeleteFunc(chunks, func(c chunk) bool { return !c.sampled() })
		was = *was.Sample
	}
	f := figuresOf(compare(optimizer{opt, runtime.NumCPU()}, chunks))
	t.Logf("%d chunks, %d of them compared, %d others refused", f.Chunks, f.Read, f.Refused+f.ForeignRefused+f.SeveralRefused+f.OpsRefused)
	if fell := f.fell(was); fell != nil {
		t.Errorf("%s\nfails that were not there: %v", strings.Join(fell, "\n"),
			slices.DeleteFunc(f.Fails, func(s string) bool { return slices.Contains(was.Fails, s) }))
	} else if f.page() != was.page() {
		t.Logf("the figures are better: `go run ./tests/conformance -result tests/conformance/result.json bin/mlir-test`, then `make docs`")
	}
}

// The page says what the result says.
func TestDocsSayTheResult(t *testing.T) {
	f, err := readFigures("result.json")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/text.md")
	if err != nil {
		t.Fatal(err)
	}
	if want, err := f.inDocs(string(page)); err != nil || want != string(page) {
		t.Errorf("docs/text.md is stale (make docs): %v", err)
	}
}

func TestFell(t *testing.T) {
	was := figures{Read: 100, Verbatim: 100, Built: 99, Own: 50, OwnSame: 49, Invalid: 10, Refused: 10, Placed: 9}
	for _, c := range []struct {
		now  func(f *figures)
		want string
	}{
		{func(*figures) {}, ""},
		{func(f *figures) { f.Own, f.OwnSame = 60, 59 }, ""},
		{func(f *figures) { f.Verbatim-- }, "read verbatim: 99 of 100, and it was 100 of 100"},
		{func(f *figures) { f.Read, f.Verbatim, f.Built = 99, 99, 99 }, "read verbatim: 99 of 99, and it was 100 of 100"},
		{func(f *figures) { f.OwnSame-- }, "in their own syntax: 48 of 50"},
		{func(f *figures) { f.Placed-- }, "at the annotated line: 8 of 10"},
		{func(f *figures) { f.Faults++ }, "panics or hangs: 1"},
	} {
		f := was
		c.now(&f)
		if got := strings.Join(f.fell(was), "; "); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if share(3894, 3894) != "100" || share(9999, 10000) != "99.9" || thousands(3894) != "3,894" || thousands(1005) != "1,005" {
		t.Error("shares are rounded up, or thousands are written wrongly")
	}
}

func TestSplit(t *testing.T) {
	got := split("IR", "a.mlir", "one\n// -----\n\n// -----  \ntwo // -----\n // -----\nthree")
	want := []chunk{{"IR", "a.mlir", 1, "one\n"}, {"IR", "a.mlir", 5, "two // -----\n // -----\nthree"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestSuite(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"IR/a.mlir", "Dialect/SCF/deep/b.mlir", "Dialect/SCF/c.txt", "Dialect/Tosa/d.mlir"} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x\n// -----\ny\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := suite(root, nil)
	if err != nil || len(got) != 4 || got[0].folder != "IR" || got[3].file != "Dialect/SCF/deep/b.mlir" || got[3].line != 3 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestBlocks(t *testing.T) {
	for src, want := range map[string]bool{
		"\"a.b\"() ({\n^bb0(%arg0: i32):\n  \"a.c\"() : () -> ()\n}, {\n^bb0:\n}) : () -> ()": false,
		"\"a.b\"() ({\n^bb0:\n^bb1:\n}) : () -> ()":                                           true,
		"\"cf.br\"(%0)[^bb1] : (i32) -> ()":                                                   true,
		"\"a.b\"() {s = \"(^bb1\"} : () -> ()":                                                false,
	} {
		if blocks(src) != want {
			t.Errorf("blocks(%q) = %v", src, !want)
		}
	}
}

func TestSeveral(t *testing.T) {
	for src, want := range map[string]bool{
		"func.func @f() {\n^bb0:\n  return\n}\nfunc.func @g() {\n^bb0:\n  return\n}": false,
		"func.func @f() {\n^bb0:\n  return\n^bb1(%a: i32):\n  return\n}":             true,
		"\"a.b\"() ({\n^bb0:\n  \"a.c\"()[^bb0] : () -> ()\n}) : () -> ()":           true,
	} {
		if several(src) != want {
			t.Errorf("several(%q) = %v", src, !want)
		}
	}
}

func TestAnnotated(t *testing.T) {
	src := "a // expected-error {{x}}\n// expected-error@+2 {{x}}\n\nb\n// expected-error @below {{x}}\n// expected-note@+3 {{y}}\nc\nd\n// expected-error@above {{z}}\n// expected-error@unknown {{z}}"
	if got := annotated(src); !slices.Equal(got, []int{1, 4, 7, 8}) {
		t.Errorf("got %v", got)
	}
}

func TestOpNames(t *testing.T) {
	src := "%0:2 = \"arith.x\"() : () -> (i1, i1)\n  \"a.b\"(%0#1) {s = \"\\22c.d\\22(\"} : (i1) -> ()\n}) : () -> ()"
	if got := opNames(src, func(string) bool { return true }); !slices.Equal(got, []string{"arith.x", "a.b"}) {
		t.Errorf("got %v", got)
	}
	if d := difference("a\nb", "a"); d != "want b\n      got  the end" {
		t.Errorf("difference %q", d)
	}
}
