package fuse_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/ir"
)

// chain is a function of n maps, each of what the one before made, and their sum.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%n: index, %k: i64, %x0: !loop.array<i64>) -> i64 {\n %m = loop.len %x0 : !loop.array<i64>\n")
	for i := range n {
		fmt.Fprintf(&b, " %%x%d = loop.for %%i < %%m -> collect(i64) {\n  %%a = loop.at %%x%d[%%i] : !loop.array<i64>\n  %%b = arith.xori %%a, %%k : i64\n  %%c = arith.muli %%a, %%b : i64\n  loop.yield %%c : i64\n }\n", i+1, i)
	}
	fmt.Fprintf(&b, " %%s = loop.for %%i < %%m -> reduce(add : i64) {\n  %%a = loop.at %%x%d[%%i] : !loop.array<i64>\n  loop.yield %%a : i64\n }\n return %%s : i64\n}\n", n)
	return b.String()
}

// A chain of a thousand maps is one loop in under a second, and one of four thousand does
// not take sixteen times as long.
func TestChain(t *testing.T) {
	took := map[int]time.Duration{}
	for _, n := range []int{250, 1000, 4000} {
		g := read(t, chain(n))
		var f *ir.Graph
		for range 3 {
			start := time.Now()
			f, _ = fuse(t, g, "fuse", "")
			if d := time.Since(start); took[n] == 0 || d < took[n] {
				took[n] = d
			}
		}
		if loops, arrays, _ := static(f); loops != 1 || arrays != 0 {
			t.Errorf("a chain of %d becomes %d loops and %d arrays", n, loops, arrays)
		}
		want, _ := run(t, g, `[0, 5, [1, 2, 3]]`)
		if got, _ := run(t, f, `[0, 5, [1, 2, 3]]`); got != want {
			t.Errorf("a chain of %d gives %s, want %s", n, got, want)
		}
	}
	t.Logf("1000 maps in %v, 4000 in %v", took[1000], took[4000])
	if took[1000] > time.Second || took[4000] > 14*took[1000] {
		t.Errorf("1000 maps take %v, 4000 %v", took[1000], took[4000])
	}
}
