package llvm

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// tangle is a function of n blocks with edges to wherever, most of them a little forward.
func tangle(n int) string {
	r := rand.New(rand.NewSource(7))
	var b strings.Builder
	b.WriteString("func.func @f(%a: i64, %b: i64) -> i64 {\n%c1 = arith.constant 1 : i64\n%c0 = arith.constant 0 : i64\ncf.br ^bb0(%a, %b : i64, i64)\n")
	for i := range n {
		fmt.Fprintf(&b, "^bb%d(%%x%d: i64, %%y%d: i64):\n%%z%d = arith.addi %%x%d, %%y%d : i64\n%%w%d = arith.subi %%y%d, %%c1 : i64\n%%g%d = arith.cmpi sgt, %%w%d, %%c0 : i64\n",
			i, i, i, i, i, i, i, i, i, i)
		if i == n-1 {
			fmt.Fprintf(&b, "return %%z%d : i64\n", i)
			break
		}
		near := func() int { return min(n-1, i+1+r.Intn(3)) }
		to := near()
		if r.Intn(4) == 0 {
			to = r.Intn(n)
		}
		fmt.Fprintf(&b, "cf.cond_br %%g%d, ^bb%d(%%z%d, %%w%d : i64, i64), ^bb%d(%%w%d, %%w%d : i64, i64)\n", i, to, i, i, near(), i, i)
	}
	return b.String() + "}\n"
}

// A function that was read as blocks with loops entered anywhere has no dispatcher left, and as many branches as it
// had; its code grows as the blocks do.
func TestDispatchersAreThreaded(t *testing.T) {
	lines := map[int]int{}
	for _, n := range []int{150, 300} {
		ll, err := Text(parse(t, tangle(n)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		lines[n] = strings.Count(ll, "\n")
		if branches := strings.Count(ll, "br i1"); strings.Contains(ll, "switch") || branches > n {
			t.Errorf("%d blocks: %d branches, %d switches", n, branches, strings.Count(ll, "switch"))
		}
	}
	if lines[300] > 5*lines[150]/2 {
		t.Errorf("%d blocks are %d lines, %d are %d", 150, lines[150], 300, lines[300])
	}
	few, err := Text(parse(t, tangle(20)), Options{})
	if err != nil || !strings.Contains(few, "switch") {
		t.Errorf("what has few dispatchers keeps them: %v\n%s", err, few)
	}
}
