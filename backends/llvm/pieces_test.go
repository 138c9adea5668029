package llvm

import (
	"fmt"
	"strings"
	"testing"
)

// What a long function does outside of loops is in functions of a piece of it each, in conditionals too; what stays is
// short. A function with vectors stays whole.
func TestLongFunctionsArePieces(t *testing.T) {
	program := func(typ string, n int) string {
		var b strings.Builder
		lines := func(name, first string) {
			fmt.Fprintf(&b, "%%%s0 = arith.mulf %s, %s : %s\n", name, first, first, typ)
			for i := range n {
				fmt.Fprintf(&b, "%%%s%d = arith.divf %%%s%d, %%x : %s\n", name, i+1, name, i, typ)
			}
		}
		fmt.Fprintf(&b, "func.func @f(%%x: %s, %%c: i1) -> %s {\n", typ, typ)
		lines("a", "%x")
		fmt.Fprintf(&b, "%%r = scf.if %%c -> %s {\n", typ)
		lines("b", fmt.Sprintf("%%a%d", n))
		fmt.Fprintf(&b, "scf.yield %%b%d : %s\n} else {\n", n, typ)
		fmt.Fprintf(&b, "scf.yield %%x : %s\n}\nreturn %%r : %s\n}\n", typ, typ)
		return b.String()
	}
	for _, x := range []struct {
		typ string
		ops int
		cut bool
	}{{"f64", 2500, true}, {"f64", 1000, false}, {"vector<4xf64>", 2500, false}} {
		ll, err := Text(parse(t, program(x.typ, x.ops)), Options{Thunks: true})
		if err != nil {
			t.Fatal(err)
		}
		longest := 0
		for _, f := range strings.Split(ll, "\ndefine ")[1:] {
			longest = max(longest, strings.Count(f, "\n"))
		}
		if cut := strings.Contains(ll, "@irc.piece.f.1("); cut != x.cut || cut && longest > 4*pieceLength {
			t.Errorf("%d ops of %s: pieces %v, the longest function has %d lines", x.ops, x.typ, cut, longest)
		}
	}
}
