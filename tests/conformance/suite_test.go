package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

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
