package fuse_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
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

// A chain of maps is one loop, and four times as many are four times the work, where a square
// would be sixteen times: steps of the core, and objects and bytes that are allocated.
func TestChain(t *testing.T) {
	work := map[int][3]int64{}
	for _, n := range []int{250, 1000, 4000} {
		g := read(t, chain(n))
		var before, after runtime.MemStats
		steps := g.Ctx.Steps()
		runtime.ReadMemStats(&before)
		f, _ := fuse(t, g, "fuse", "")
		runtime.ReadMemStats(&after)
		work[n] = [3]int64{g.Ctx.Steps() - steps, int64(after.Mallocs - before.Mallocs), int64(after.TotalAlloc - before.TotalAlloc)}
		if loops, arrays, _ := static(f); loops != 1 || arrays != 0 {
			t.Errorf("a chain of %d becomes %d loops and %d arrays", n, loops, arrays)
		}
		want, _ := built.Outcome(t, g, `[0, 5, [1, 2, 3]]`)
		if got, _ := built.Outcome(t, f, `[0, 5, [1, 2, 3]]`); got != want {
			t.Errorf("a chain of %d gives %s, want %s", n, got, want)
		}
	}
	for i, unit := range []string{"steps", "objects", "bytes"} {
		if few, many := work[1000][i], work[4000][i]; many > 6*few {
			t.Errorf("1000 maps take %d %s, 4000 take %d", few, unit, many)
		}
	}
	t.Logf("steps, objects and bytes: %v", work)
}
