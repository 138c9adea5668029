package irctest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFiles(t *testing.T) { Config{}.Files(t, "testdata/*.mlir") }

const function = "func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\n"

// What is not as a file says fails the test, and names the line.
func TestFilesFail(t *testing.T) {
	for _, c := range []struct{ file, said string }{
		{"// run: %s\n// check: arith.addi\n" + function, `:2: no line from line 1 on has "arith.addi"`},
		{"// run: %s\n// check: func.func\n// check-next: arith\n" + function, `:3: line 3 has not "arith"`},
		{"// run: %s\n// check: module\n// check-not: return\n" + function, `:3: "return" is there`},
		{"// run: %s\n// check: [[x]]\n" + function, `:2: nothing above is called [[x]]`},
		{"// run: %s\n" + function, ":1: nothing is checked"},
		{"// run: -passes=nosuch %s\n// check: x\n" + function, "the command fails with status"},
		{"// run-fails: %s\n// check: x\n" + function, "the command does not fail"},
		{"// check: x\n// run: %s\n" + function, "line 1: a check stands below the command"},
		{"// run: '%s\n" + function, "line 1: a quote ' does not end"},
		{function, "no line that begins with // run"},
	} {
		path := filepath.Join(t.TempDir(), "f.mlir")
		if err := os.WriteFile(path, []byte(c.file), 0o644); err != nil {
			t.Fatal(err)
		}
		r := &recorder{TB: t}
		r.do(func() { Config{}.file(r, path) })
		if !strings.Contains(r.said.String(), c.said) {
			t.Errorf("%q: it does not say %q but\n%s", c.file, c.said, r.said.String())
		}
	}
	r := &recorder{TB: t}
	r.do(func() { Config{}.Files(r, "testdata/nosuch*") })
	if !strings.Contains(r.said.String(), "no file is called") {
		t.Errorf("files that are not there: %s", r.said.String())
	}
}

// With -update a file says what its commands print, and the test passes; what held stays as it was.
func TestFilesUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.mlir")
	src := "// run: %s\n// check: old\n// run: -passes=cse %s\n// check: return\n" + function
	if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	defer func(old bool) { *update = old }(*update)
	*update = true
	Config{}.file(t, path)
	*update = false
	Config{}.file(t, path)
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "// run: %s\n// check: module {\n// check-next:   func.func @f(%arg0: i32) -> i32 {\n// check-next:     return %arg0 : i32\n// check-next:   }\n// check-next: }\n" +
		"// run: -passes=cse %s\n// check: return\n" + function
	if string(got) != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
}
