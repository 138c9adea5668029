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
%x = lms.var %k0 : i64
`)
	for i := range depth {
		fmt.Fprintf(&b, `%%v%d = lms.var %%k0 : i64
scf.while : () -> () { %%g = lms.get %%v%d : i64 %%l = arith.cmpi slt, %%g, %%k2 : i64 scf.condition(%%l) } do {
`, i, i)
	}
	fmt.Fprintf(&b, `%%a = lms.get %%x : i64 %%c = arith.cmpi slt, %%a, %%k10 : i64
scf.if %%c { lms.print %%a } else { %%z = lms.get %%v%d : i64 lms.set %%x, %%z : i64 }
`, depth-1)
	for i := depth - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "%%g%d = lms.get %%v%d : i64 %%s%d = arith.addi %%g%d, %%k1 : i64 lms.set %%v%d, %%s%d : i64 scf.yield }\n", i, i, i, i, i, i)
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
