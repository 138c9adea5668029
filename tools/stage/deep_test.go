package stage_test

import (
	"runtime"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/stage"
)

// An op deep in a recursion of the host takes no more memory than one that is not: stacks share the calls that they have in common. (What
// is left of the depth is that the runtime reads the stack, some 12 ns a call.)
func TestDeepRecursion(t *testing.T) {
	var deep func(s *stage.S, x stage.Dyn[int], n int) stage.Dyn[int]
	deep = func(s *stage.S, x stage.Dyn[int], n int) stage.Dyn[int] {
		if n == 0 {
			return x
		}
		return deep(s, x.Add(n), n-1).Mul(3)
	}
	bytes := func(n int) uint64 { // of each op
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", func(s *stage.S, x stage.Dyn[int]) stage.Dyn[int] { return deep(s, x, n) })
		if runtime.ReadMemStats(&after); err != nil {
			t.Fatal(err)
		}
		return (after.TotalAlloc - before.TotalAlloc) / uint64(2*n)
	}
	bytes(10)
	if flat, deep := bytes(100), bytes(1600); deep > 2*flat {
		t.Errorf("an op takes %d bytes 100 calls deep, and %d 1600 calls deep", flat, deep)
	}
}
