package passes_test

import (
	"fmt"
	"strings"
	"testing"
)

// Memory that a round allocates leaves a loop with what fills it, unless that depends on the
// loop, or is seen otherwise.
func TestMemoryLeavesLoops(t *testing.T) {
	const head = `func.func @f(%n: index, %x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i64
  %s = memref.alloca() : memref<4xi64>
  scf.for %i = %c0 to %c4 step %c1 { memref.store %x, %s[%i] : memref<4xi64> }
  %r = scf.for %k = %c0 to UPPER step %c1 iter_args(%a = %zero) -> (i64) {
    %z = arith.index_cast %k : index to i64
`
	const tail = `
    %j = arith.remui %k, %c4 : index
    %v = memref.load %t[%j] : memref<4xi64>
    %b = arith.addi %a, %v : i64
    scf.yield %b : i64
  }
  return %r : i64
}`
	const alloc = "%t = memref.alloca() : memref<4xi64>\n"
	// each element is made of what is there and of the one before it
	const fill = alloc + `scf.for %i = %c0 to %c4 step %c1 { %q = memref.load %s[%i] : memref<4xi64> memref.store %q, %t[%i] : memref<4xi64> }
    scf.for %i = %c1 to %c4 step %c1 { %h = arith.subi %i, %c1 : index %p = memref.load %t[%h] : memref<4xi64> %q = memref.load %t[%i] : memref<4xi64>
      %y = arith.muli %p, %q : i64 memref.store %y, %t[%i] : memref<4xi64> }`
	for _, k := range []struct {
		name, upper, body string
		leaves            int
	}{
		{"filled in place", "%c7", fill, 1},
		{"in a loop that may not run", "%n", alloc + "memref.store %x, %t[%c0] : memref<4xi64> memref.store %x, %t[%c1] : memref<4xi64>", 1},
		{"with what may trap", "%c7", alloc + "%d = arith.divsi %x, %x : i64 memref.store %d, %t[%c0] : memref<4xi64>", 1},
		{"with what may trap, in a loop that may not run", "%n", alloc + "%d = arith.divsi %x, %x : i64 memref.store %d, %t[%c0] : memref<4xi64>", 0},
		{"with what may trap, behind what is seen", "%c7", "special.print %k : index\n" + alloc + "%d = arith.divsi %x, %x : i64 memref.store %d, %t[%c0] : memref<4xi64>", 0},
		{"made of the index", "%c7", alloc + "memref.store %z, %t[%c0] : memref<4xi64>", 0},
		{"made of what is carried", "%c7", alloc + "memref.store %a, %t[%c0] : memref<4xi64>", 0},
		{"filled in part by the index", "%c7", fill + "\nmemref.store %z, %t[%c0] : memref<4xi64>", 0},
		{"made of what the loop writes", "%c7", fill + "\nmemref.store %z, %s[%c1] : memref<4xi64>", 0},
		{"read before it is filled", "%c7", alloc + `scf.for %i = %c0 to %c4 step %c1 { memref.store %x, %t[%i] : memref<4xi64> }
    %g = arith.remui %k, %c4 : index %o = memref.load %t[%g] : memref<4xi64> memref.store %o, %s[%c0] : memref<4xi64> special.print %o : i64
    memref.store %zero, %t[%c0] : memref<4xi64>`, 0},
		{"one that fills another", "%c7", strings.ReplaceAll(fill, "%t", "%u") + "\n" + alloc + "scf.for %i = %c0 to %c4 step %c1 { %q = memref.load %u[%i] : memref<4xi64> memref.store %q, %t[%i] : memref<4xi64> }", 2},
	} {
		g := read(t, strings.Replace(head, "UPPER", k.upper, 1)+k.body+tail)
		n, m := apply(t, g, "licm")
		if got := m.Stats("licm", "memory"); got != k.leaves {
			t.Errorf("%s: %d allocations leave the loop, want %d\n%s", k.name, got, k.leaves, show(n))
		}
		for _, args := range [][]int64{{0, 3}, {3, 5}, {9, -2}, {0, 0}, {5, 0}} {
			if want, got := call(t, g, args...), call(t, n, args...); got != want && want != "trap" {
				t.Errorf("%s of %v: %q, want %q\n%s", k.name, args, got, want, show(n))
			}
		}
	}
}

// What tensors and affine loops are lowered to leaves loops like anything else, one loop
// after the other.
func TestMemoryLeavesLoopsOfDialects(t *testing.T) {
	const src = `func.func @f(%A: memref<6x6xf64>, %out: memref<40x30xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 30 {
      %t = memref.alloc() {irc.owned} : memref<6xf64>
      affine.for %k = 0 to 6 {
        %r = affine.for %l = 0 to 6 iter_args(%s = %zero) -> (f64) {
          %x = affine.load %A[%k, %l] : memref<6x6xf64>
          %y = arith.addf %s, %x : f64
          affine.yield %y : f64
        }
        affine.store %r, %t[%k] : memref<6xf64>
      }
      %v = affine.load %t[%j mod 6] : memref<6xf64>
      affine.store %v, %out[%i, %j] : memref<40x30xf64>
    }
  }
  return
}`
	for _, pipeline := range []string{"licm,lower{to=affine},lower{to=scf}", "lower{to=affine},lower{to=scf},licm"} {
		n, m := apply(t, read(t, src), pipeline)
		if got := m.Stats("licm", "memory"); got != 2 {
			t.Errorf("%s: an allocation leaves %d loops, want 2\n%s", pipeline, got, show(n))
		}
		if text := show(n); strings.Index(text, "memref.alloc") > strings.Index(text, "scf.for") {
			t.Errorf("%s: %s", pipeline, fmt.Sprint("memory is allocated in a loop\n", text))
		}
	}
}

// Memory that a conditional allocates and the round frees is new in each round.
func TestNewMemoryStaysInLoops(t *testing.T) {
	g := read(t, `func.func @f(%n: index, %x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.cmpi eq, %n, %c1 : index
  scf.for %i = %c0 to %n step %c1 {
    %own = memref.alloca() : memref<i64>
    %m = scf.if %one -> (memref<1xi64>) {
      %a = memref.alloc() : memref<1xi64>
      scf.yield %a : memref<1xi64>
    } else {
      %a = memref.alloc() : memref<1xi64>
      memref.store %x, %own[] : memref<i64>
      scf.yield %a : memref<1xi64>
    }
    memref.dealloc %m : memref<1xi64>
  }
  return %x : i64
}`)
	n, _ := apply(t, g, "licm")
	for _, args := range [][]int64{{0, 3}, {1, 5}, {3, 7}} {
		if got, want := call(t, n, args...), call(t, g, args...); got != want {
			t.Errorf("%v: %s\n%s", args, got, show(n))
		}
	}
}
