package passes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
)

// nest is a nest of loops, each with a counter of its own that starts anew, and
// one value that no loop changes although a branch that is never taken would.
func nest(depth int) string {
	var b strings.Builder
	b.WriteString(`func.func @f() {
%k0 = arith.constant 0 : i64
%k1 = arith.constant 1 : i64
%k2 = arith.constant 2 : i64
%k10 = arith.constant 10 : i64
%x = memref.alloca() : memref<i64>
memref.store %k0, %x[] : memref<i64>
`)
	for i := range depth {
		fmt.Fprintf(&b, `%%v%d = memref.alloca() : memref<i64> memref.store %%k0, %%v%d[] : memref<i64>
scf.while : () -> () { %%g = memref.load %%v%d[] : memref<i64> %%l = arith.cmpi slt, %%g, %%k2 : i64 scf.condition(%%l) } do {
`, i, i, i)
	}
	fmt.Fprintf(&b, `%%a = memref.load %%x[] : memref<i64> %%c = arith.cmpi slt, %%a, %%k10 : i64
scf.if %%c { special.print %%a : i64 } else { %%z = memref.load %%v%d[] : memref<i64> memref.store %%z, %%x[] : memref<i64> }
`, depth-1)
	for i := depth - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "%%g%d = memref.load %%v%d[] : memref<i64> %%s%d = arith.addi %%g%d, %%k1 : i64 memref.store %%s%d, %%v%d[] : memref<i64> scf.yield }\n", i, i, i, i, i, i)
	}
	b.WriteString("return }")
	return b.String()
}

// What was assumed of an inner loop is kept: bodies are built in proportion to
// what there is to find out, not to two to the depth.
func TestSpeculationIsNotExponential(t *testing.T) {
	for _, depth := range []int{1, 2, 6, 12, 24} {
		g, rounds := ir.Speculate(read(t, nest(depth)))
		// Each loop has one counter, which its two regions find out in one more
		// round, and is built again whenever the loop around it is.
		if most := 2*depth*(depth+3) + 2; rounds > most {
			t.Errorf("depth %d: %d bodies were built, wanted at most %d", depth, rounds, most)
		}
		if s := show(g); strings.Contains(s, "scf.if") || strings.Count(s, "scf.while") != depth {
			t.Errorf("depth %d gives\n%s", depth, s)
		}
		if depth > 6 {
			continue
		}
		if got, want := call(t, g), strings.Repeat("0\n", 1<<depth); got != want {
			t.Errorf("depth %d prints %q", depth, got)
		}
	}
}

// Loops in a row are built a constant number of times each.
func TestSpeculationOfManyLoops(t *testing.T) {
	for _, n := range []int{10, 200} {
		src := nest(1)
		head, rest, _ := strings.Cut(src, "%v0")
		loop := strings.TrimSuffix("%v0"+rest, "return }")
		var b strings.Builder
		b.WriteString(head)
		for i := range n {
			b.WriteString(strings.NewReplacer("%v0", fmt.Sprintf("%%v%d", i), "%g0", fmt.Sprintf("%%h%d", i), "%s0", fmt.Sprintf("%%s%d", i)).Replace(loop))
		}
		b.WriteString("return }")
		g, rounds := ir.Speculate(read(t, b.String()))
		if rounds > 6*n {
			t.Errorf("%d loops: %d bodies were built", n, rounds)
		}
		if got := strings.Count(show(g), "scf.if"); got != 0 {
			t.Errorf("%d loops: %d branches are left", n, got)
		}
	}
}

// A value that no round changes is found in loops of every form, though a branch
// that is never taken would change it; one that a round does change is not.
func TestSpeculationInEveryLoop(t *testing.T) {
	const head = `func.func @f(%y: i64) {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k7 = arith.constant 7 : i64
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %e = arith.constant 3 : index
  %v = memref.alloca() : memref<i64>
  %w = memref.alloca() : memref<i64>
  memref.store %k7, %v[] : memref<i64>
  memref.store %k0, %w[] : memref<i64>
`
	const body = `%a = memref.load %v[] : memref<i64>
    %s = arith.cmpi eq, %a, %k7 : i64
    scf.if %s { special.print %a : i64 } else { memref.store %k1, %v[] : memref<i64> }
`
	const changes = `%q = arith.cmpi eq, %y, %k1 : i64
    scf.if %q { memref.store %k1, %v[] : memref<i64> }
`
	for _, k := range []struct{ name, before, after string }{
		{"for", "scf.for %i = %z to %e step %o {", "}"},
		{"for that carries", "%r = scf.for %i = %z to %e step %o iter_args(%c = %k7) -> (i64) { %u = arith.cmpi eq, %c, %k7 : i64 scf.if %u { special.print %k0 : i64 }", "scf.yield %c : i64 }"},
		{"while", "scf.while : () -> () { %b = memref.load %w[] : memref<i64> %l = arith.cmpi slt, %b, %k7 : i64 scf.condition(%l) } do {",
			"%b = memref.load %w[] : memref<i64> %d = arith.addi %b, %k1 : i64 memref.store %d, %w[] : memref<i64> scf.yield }"},
		{"while whose first region does it", "scf.while : () -> () {", "%b = memref.load %w[] : memref<i64> %d = arith.addi %b, %k1 : i64 memref.store %d, %w[] : memref<i64> %l = arith.cmpi slt, %b, %k7 : i64 scf.condition(%l) } do { scf.yield }"},
		{"parallel", "scf.parallel (%i) = (%z) to (%e) step (%o) {", "scf.reduce }"},
		{"forall", "scf.forall (%i) in (3) {", "}"},
		{"two, one in the other", "scf.for %i = %z to %e step %o { scf.for %j = %z to %e step %o {", "} }"},
		{"in a branch", "%h = arith.cmpi slt, %k0, %y : i64 scf.if %h { scf.for %i = %z to %e step %o {", "} }"},
	} {
		for _, change := range []string{"", changes} {
			g := read(t, head+k.before+body+change+k.after+"\nreturn }")
			n, _ := apply(t, g, "speculate")
			s := show(n)
			if steady := !strings.Contains(s, "%c7_i64 : i64\n      scf.if") && !strings.Contains(s, "cmpi eq, %"); change == "" && (!steady || strings.Contains(s, "memref.store %c1")) {
				t.Errorf("%s: a branch is left:\n%s", k.name, s)
			}
			if change != "" && !strings.Contains(s, "memref.store") {
				t.Errorf("%s: a write is lost:\n%s", k.name, s)
			}
			for _, y := range []int64{0, 1, 5} {
				if got, want := call(t, n, y), call(t, g, y); got != want {
					t.Errorf("%s: @f(%d) shows %q, wanted %q\n%s", k.name, y, got, want, s)
				}
			}
		}
	}
}

// What does change is given up at once: nothing tries 0, 1, 2 ...
func TestSpeculationEnumeratesNoValues(t *testing.T) {
	for _, k := range []struct {
		name, src string
		rounds    int // bodies of loops built
	}{
		// The loop changes what it reads: each of its two regions is built twice.
		{"a variable", `func.func @f(%y: i64) -> i64 {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %v = memref.alloca() : memref<i64>
  memref.store %k0, %v[] : memref<i64>
  scf.while : () -> () { %b = memref.load %v[] : memref<i64> %l = arith.cmpi slt, %b, %y : i64 scf.condition(%l) }
  do { %b = memref.load %v[] : memref<i64> %d = arith.addi %b, %k1 : i64 memref.store %d, %v[] : memref<i64> scf.yield }
  %r = memref.load %v[] : memref<i64>
  return %r : i64 }`, 5},
		{"a carried value", `func.func @f(%y: i64) -> i64 {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %r = scf.while (%b = %k0) : (i64) -> i64 { %l = arith.cmpi slt, %b, %y : i64 scf.condition(%l) %b : i64 }
  do { ^bb0(%b: i64): %d = arith.addi %b, %k1 : i64 scf.yield %d : i64 }
  return %r : i64 }`, 4},
		{"a chain of carried values", `func.func @f(%y: i64) -> i64 {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %e = arith.index_cast %y : i64 to index
  %r:4 = scf.for %i = %z to %e step %o iter_args(%a = %k0, %b = %k0, %c = %k0, %d = %k0) -> (i64, i64, i64, i64) {
    %n = arith.addi %a, %k1 : i64 scf.yield %n, %a, %b, %c : i64, i64, i64, i64 }
  return %r#3 : i64 }`, 5},
	} {
		g := read(t, k.src)
		n, rounds := ir.Speculate(g)
		if rounds != k.rounds {
			t.Errorf("%s: %d bodies were built, wanted %d", k.name, rounds, k.rounds)
		}
		for _, y := range []int64{0, 1, 9} {
			if got, want := call(t, n, y), call(t, g, y); got != want {
				t.Errorf("%s: @f(%d) gives %q, wanted %q", k.name, y, got, want)
			}
		}
	}
}
