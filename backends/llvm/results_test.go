package llvm

import (
	"fmt"
	"strings"
	"testing"
)

// The text of a call of many results grows with them, not with their square; a function and who calls it, by its address
// too, have one type.
func TestManyResults(t *testing.T) {
	program := func(n int) string {
		all := strings.TrimSuffix(strings.Repeat("i64, ", n), ", ")
		var b strings.Builder
		fmt.Fprintf(&b, "func.func private @g(%%x: i64) -> (%s)\nfunc.func @f(%%x: i64) -> i64 {\n%%p = func.constant @g : (i64) -> (%s)\n", all, all)
		fmt.Fprintf(&b, "%%r:%d = func.call @g(%%x) : (i64) -> (%s)\n%%q:%d = func.call_indirect %%p(%%x) : (i64) -> (%s)\n%%s0 = arith.addi %%x, %%x : i64\n", n, all, n, all)
		for i := range n {
			fmt.Fprintf(&b, "%%t%d = arith.xori %%s%d, %%r#%d : i64\n%%s%d = arith.addi %%t%d, %%q#%d : i64\n", i, i, i, i+1, i, i)
		}
		fmt.Fprintf(&b, "return %%s%d : i64\n}\n", n)
		return b.String()
	}
	var size [2]int
	for i, n := range []int{100, 400} {
		ll, err := Text(parse(t, program(n)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		verify(t, ll)
		if strings.Count(ll, "{ i64, i64") != 1 {
			t.Errorf("the type of %d results is written more than once", n)
		}
		size[i] = len(ll)
	}
	if size[1] > 5*size[0] {
		t.Errorf("100 results take %d bytes, 400 %d", size[0], size[1])
	}
}
