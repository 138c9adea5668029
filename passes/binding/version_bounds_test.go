package binding_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// sumOf adds up a triangle of memory, shifted by one; n may be too large.
const sumOf = `func.func @f(%x: memref<?x?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> f64 {
    %s = scf.for %j = %i to %n step %c1 iter_args(%b = %a) -> f64 {
      %k = arith.addi %j, %c1 : index
      %v = memref.load %x[%i, %k] : memref<?x?xf64>
      %w = arith.addf %b, %v : f64
      scf.yield %w : f64
    }
    scf.yield %s : f64
  }
  return %r : f64
}
`

func versioned(t *testing.T, src string) string {
	t.Helper()
	g, _ := built.Counted(t, settled(t, src), "version-bounds")
	return text.String(g, text.PrintOptions{})
}

// There is a loop with checks and one without, and a condition that says which runs: what is
// inside is added up, what is not traps.
func TestVersionBounds(t *testing.T) {
	out := versioned(t, sumOf)
	if strings.Count(out, "scf.for") != 4 || strings.Count(out, "irc.inbounds") != 1 {
		t.Errorf("want two loop nests, of which one says that it is in bounds:\n%s", out)
	}
	g := built.Parse(t, out, text.Options{})
	for args, want := range map[string]string{
		`[[[0, 1, 2], [0, 0, 3]], 2]`:   `[6]`,
		`[[[0, 1], [0, 0]], 2]`:         "out of bounds",
		`[[[0, 1, 2]], 2]`:              "out of bounds",
		`[[[0]], -9223372036854775808]`: `[0]`,
		`[[[0, 5]], 1]`:                 `[5]`,
	} {
		if got := built.Run(t, g, "f", args); !strings.Contains(got, want) {
			t.Errorf("%s gives %s, want %s", args, got, want)
		}
	}
}

// A bound of the inner loop may be poison where that never runs: then the inner loop has two
// versions, not the outer one.
func TestVersionBoundsWithoutPoison(t *testing.T) {
	out := versioned(t, strings.NewReplacer("func @f", "func private @f", "%n: index", "%m: index, %n: index", "%c0 to %n", "%c0 to %m").Replace(sumOf)+`
func.func @g(%x: memref<?x?xf64>, %n: index) -> f64 {
  %r = call @f(%x, %n, %n) : (memref<?x?xf64>, index, index) -> f64
  return %r : f64
}
`)
	if strings.Count(out, "scf.for") != 3 {
		t.Errorf("want one outer loop and two inner ones:\n%s", out)
	}
}

// Indices that are loaded, under a condition, or far have no bound.
func TestVersionBoundsIsCareful(t *testing.T) {
	for name, index := range map[string]string{
		"loaded": "%k = memref.load %y[%c0] : memref<1xindex>\n  memref.store %j, %y[%c0] : memref<1xindex>",
		"far":    "%k = arith.muli %j, %far : index",
		"masked": "%k = arith.xori %j, %c1 : index",
	} {
		src := strings.Replace(sumOf, "%k = arith.addi %j, %c1 : index", index, 1)
		src = strings.Replace(src, "  %z =", "  %y = memref.alloca() : memref<1xindex>\n  memref.store %c0, %y[%c0] : memref<1xindex>\n  %far = arith.constant 100000000 : index\n  %z =", 1)
		if out := versioned(t, src); strings.Contains(out, "irc.inbounds") {
			t.Errorf("%s:\n%s", name, out)
		}
	}
}

// Functions are rebuilt at once, and each has the versions of its own loops: those of a file are
// what each is by itself.
func TestVersionsOfManyFunctions(t *testing.T) {
	var src, want strings.Builder
	for i := range 64 {
		one := strings.Replace(sumOf, "@f", fmt.Sprintf("@f%d", i), 1)
		src.WriteString(one)
		want.WriteString(body(versioned(t, one)))
	}
	for range 4 {
		if got := body(versioned(t, src.String())); got != want.String() {
			t.Fatalf("together the functions become\n%s", got)
		}
	}
}

// body is a module without its brackets.
func body(module string) string {
	return strings.TrimSuffix(strings.TrimPrefix(module, "module {\n"), "}\n")
}

// Of a vector that is read, the last lane has to be inside, too.
func TestVersionBoundsOfVectors(t *testing.T) {
	out := versioned(t, `func.func @f(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {
    %v = vector.load %x[%i] : memref<?xf64>, vector<4xf64>
    %w = arith.addf %v, %v : vector<4xf64>
    vector.store %w, %x[%i] : memref<?xf64>, vector<4xf64>
  }
  return
}
`)
	for _, want := range []string{"%c2 = arith.constant 2 : index", "arith.addi %arg1, %c2", "vector.load %arg0[%arg2] {irc.inbounds}", "vector.store"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s\nwant %s", out, want)
		}
	}
}

// The points of a parallel loop are between its bounds in each dimension, and what it reduces is reduced in both versions.
func TestVersionBoundsOfParallelLoops(t *testing.T) {
	out := versioned(t, `func.func @f(%x: memref<?x?xi64>, %n: index, %m: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %r = scf.parallel (%i, %j) = (%c0, %c1) to (%n, %m) step (%c1, %c1) init (%z) -> i64 {
    %k = arith.subi %j, %c1 : index
    %v = memref.load %x[%i, %k] : memref<?x?xi64>
    scf.reduce(%v : i64) {
    ^bb0(%a: i64, %b: i64):
      %s = arith.addi %a, %b : i64
      scf.reduce.return %s : i64
    }
  }
  return %r : i64
}
`)
	if strings.Count(out, "scf.parallel") != 2 || strings.Count(out, "irc.inbounds") != 1 {
		t.Errorf("want two loops, of which one says that it is in bounds:\n%s", out)
	}
	g := built.Parse(t, out, text.Options{})
	for args, want := range map[string]string{
		`[[[1, 2, 3], [4, 5, 6]], 2, 4]`:  `[21]`,
		`[[[1, 2, 3], [4, 5, 6]], 2, 3]`:  `[12]`,
		`[[[1, 2, 3], [4, 5, 6]], 2, 5]`:  "out of bounds",
		`[[[1, 2, 3], [4, 5, 6]], 3, 2]`:  "out of bounds",
		`[[[1, 2, 3], [4, 5, 6]], 3, 1]`:  `[0]`,
		`[[[1, 2, 3], [4, 5, 6]], -1, 9]`: `[0]`,
	} {
		if got := built.Run(t, g, "f", args); !strings.Contains(got, want) {
			t.Errorf("%s gives %s, want %s", args, got, want)
		}
	}
}
