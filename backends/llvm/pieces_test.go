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
		if cut := strings.Contains(ll, "@irc.piece.f.1("); cut != x.cut || cut && longest > 4*500 {
			t.Errorf("%d ops of %s: pieces %v, the longest function has %d lines", x.ops, x.typ, cut, longest)
		}
	}
}

// A function of which very many calls stand in a program is not put in their place; one of few, or a short one, may be.
func TestManyCallsStay(t *testing.T) {
	for _, x := range []struct {
		calls, ops int
		stay       bool
	}{{100, 50, true}, {100, 5, false}, {10, 500, false}} {
		var b strings.Builder
		b.WriteString("func.func private @g(%x: f64) -> f64 {\n%a0 = arith.mulf %x, %x : f64\n")
		for i := range x.ops {
			fmt.Fprintf(&b, "%%a%d = arith.divf %%a%d, %%x : f64\n", i+1, i)
		}
		fmt.Fprintf(&b, "return %%a%d : f64\n}\nfunc.func @f(%%x0: f64) -> f64 {\n", x.ops)
		for i := range x.calls {
			fmt.Fprintf(&b, "%%x%d = call @g(%%x%d) : (f64) -> f64\n", i+1, i)
		}
		fmt.Fprintf(&b, "return %%x%d : f64\n}\n", x.calls)
		ll, err := Text(parse(t, b.String()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var g string
		for line := range strings.Lines(ll) {
			if strings.HasPrefix(line, "define") && strings.Contains(line, "g(double") {
				g = line
			}
		}
		if got := strings.Contains(g, "noinline"); g == "" || got != x.stay {
			t.Errorf("%d calls of a function of %d ops: they stay %v; %s", x.calls, x.ops, got, g)
		}
	}
}
