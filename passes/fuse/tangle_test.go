package fuse

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// tangle writes n loops of three sizes that read each other's arrays, at their own index and
// at others, so that some could be fused and not all.
func tangle(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 3))
	sizes := []string{"%c20", "%c30", "%c50"}
	var b strings.Builder
	b.WriteString("func.func @f(%k: i64) -> (RESULTS) {\n %c0 = arith.constant 0 : index\n %c20 = arith.constant 20 : index\n %c30 = arith.constant 30 : index\n %c50 = arith.constant 50 : index\n")
	var size []int
	for i := range n {
		s := r.IntN(2 + r.IntN(2))
		fmt.Fprintf(&b, " %%x%d = loop.for %%i < %s -> collect(i64) {\n  %%a = arith.index_cast %%i : index to i64\n", i, sizes[s])
		last := "%a"
		for j := range i {
			at := ""
			switch {
			case size[j] == s && r.IntN(2) == 0:
				at = "%i"
			case r.IntN(3) == 0:
				at = "%c0"
			default:
				continue
			}
			fmt.Fprintf(&b, "  %%r%d = loop.at %%x%d[%s] : !loop.array<i64>\n  %%s%d = arith.muli %s, %%r%d : i64\n", j, j, at, j, last, j)
			last = fmt.Sprintf("%%s%d", j)
		}
		fmt.Fprintf(&b, "  %%y = arith.xori %s, %%k : i64\n  loop.yield %%y : i64\n }\n", last)
		size = append(size, s)
	}
	var names, types []string
	for i := range n {
		if i == n-1 || r.IntN(2) == 0 {
			names, types = append(names, fmt.Sprintf("%%x%d", i)), append(types, "!loop.array<i64>")
		}
	}
	fmt.Fprintf(&b, " return %s : %s\n}\n", strings.Join(names, ", "), strings.Join(types, ", "))
	return strings.Replace(b.String(), "RESULTS", strings.Join(types, ", "), 1)
}
