package fuse_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

// shifted writes a program of maps, reverses, slices, stencils and concatenations of arrays, and
// reductions of some of them.
func shifted(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 9))
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, " "+format+"\n", args...) }
	line("%%l0 = loop.len %%in : A")
	line("%%three = arith.constant 3 : index")
	arrays := 1 // %x0 is %in
	size := func(i int) string { return fmt.Sprintf("%%l%d", i) }
	name := func(i int) string {
		if i == 0 {
			return "%in"
		}
		return fmt.Sprintf("%%x%d", i)
	}
	var sums []string
	for range 3 + r.IntN(6) {
		from, n := r.IntN(arrays), arrays
		if r.IntN(2) == 0 {
			from = arrays - 1
		}
		x, s := name(from), size(from)
		loop := func(size, lines string) {
			line("%%x%d = loop.for %%i < %s -> collect(i64) {\n%s\n  loop.yield %%y : i64\n }", n, size, lines)
		}
		at := func(j string) string {
			return fmt.Sprintf("  %%a = loop.at %s[%s] : A\n  %%y = arith.xori %%a, %%k : i64", x, j)
		}
		switch r.IntN(8) {
		case 0:
			loop(s, "  %q = arith.index_cast %i : index to i64\n  %a = loop.at "+x+"[%i] : A\n  %z = arith.muli %a, %q : i64\n  %y = arith.addi %z, %k : i64")
		case 1:
			loop(s, "  %m = arith.subi "+s+", %c1 : index\n  %j = arith.subi %m, %i : index\n"+at("%j"))
		case 2, 3:
			line("%%t%d = arith.minsi %s, %s : index", n, []string{"%three", "%c1", "%c10"}[r.IntN(3)], s)
			bounds := []string{fmt.Sprintf("%%c0 to %%t%d", n), fmt.Sprintf("%%t%d to %s", n, s)}[r.IntN(2)]
			line("%%v%d = loop.slice %s[%s] : A", n, x, bounds)
			line("%%w%d = loop.len %%v%d : A", n, n)
			x = fmt.Sprintf("%%v%d", n)
			loop(fmt.Sprintf("%%w%d", n), at("%i"))
		case 4:
			line("%%big%d = arith.maxsi %s, %%three : index", n, s)
			line("%%less%d = arith.subi %%big%d, %%three : index", n, n)
			loop(fmt.Sprintf("%%less%d", n), fmt.Sprintf("  %%j = arith.addi %%i, %%three : index\n  %%a = loop.at %s[%%i] : A\n  %%b = loop.at %s[%%j] : A\n  %%y = arith.subi %%a, %%b : i64", x, x))
		case 5:
			other := r.IntN(arrays)
			part := func(p, x, s string) string {
				return "  %" + p + " = loop.for %j < " + s + " -> emit(i64) {\n   %a = loop.at " + x + "[%j] : A\n   loop.yield %a : i64\n  }\n"
			}
			line("%%x%d = loop.for %%i < %%c1 -> collect(i64) {\n%s%s  %%y = loop.seq %%p, %%q : E\n  loop.yield %%y : E\n }", n, part("p", x, s), part("q", name(other), size(other)))
		default:
			line("%%s%d = loop.for %%i < %s -> reduce(add : i64) {\n%s\n  loop.yield %%y : i64\n }", len(sums), s, at("%i"))
			sums = append(sums, fmt.Sprintf("%%s%d", len(sums)))
			continue
		}
		line("%%l%d = loop.len %s : A", n, name(n))
		arrays++
	}
	types := strings.Repeat("i64, ", len(sums)) + "A"
	line("return %s : %s", strings.Join(append(sums, name(arrays-1)), ", "), types)
	return body(types, b.String())
}

// Arrays that are read at another index give the same, made or not, and often are not made.
func TestShifted(t *testing.T) {
	before, after := 0, 0
	for seed := range uint64(300) {
		src := shifted(seed)
		g := read(t, src)
		n, _ := fuse(t, g, "fuse", "")
		_, b, _ := static(g)
		_, a, _ := static(n)
		before, after = before+b, after+a
		for _, args := range inputs {
			want, _ := built.Outcome(t, g, args)
			if got, _ := built.Outcome(t, n, args); got != want && want != "trap" {
				t.Fatalf("seed %d of %s: %s, fused %s\n%s\n%s", seed, args, want, got, src, show(n))
			}
		}
	}
	t.Logf("of %d arrays %d are left", before, after)
	if after*3 > before*2 {
		t.Errorf("of %d arrays %d are left", before, after)
	}
}
