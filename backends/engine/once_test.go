package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// long is a function of some 16,000 ops and a loop of so many rounds.
func long(rounds int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%x: f64, %m: memref<4xf64>, %c: i1) -> (f64, f64) {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n")
	fmt.Fprintf(&b, "%%n = arith.constant %d : index\n%%a0 = arith.addf %%x, %%x : f64\n", rounds)
	for i := range 8000 {
		fmt.Fprintf(&b, "%%b%d = arith.divf %%a%d, %%x : f64\n%%a%d = arith.addf %%b%d, %%x : f64\n", i, i, i+1, i)
		if i == 4000 {
			b.WriteString("memref.store %a4000, %m[%c2] : memref<4xf64>\n")
		}
	}
	b.WriteString(`%r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a8000) -> (f64) {
  %t = arith.addf %s, %b17 : f64
  scf.yield %t : f64
}
%q = scf.if %c -> f64 {
  %u = arith.mulf %r, %b7000 : f64
  scf.yield %u : f64
} else {
  scf.yield %b3 : f64
}
return %r, %q : f64, f64
}
`)
	return b.String()
}

// auto interprets a long program that is called once, unless a loop runs often; the pieces that machine code has of it
// give what the interpreter gives.
func TestOnce(t *testing.T) {
	native(t, Options{})
	for _, x := range []struct {
		rounds int
		once   bool
		engine string
	}{{10, true, "eval"}, {10, false, "llvm"}, {100000, true, "llvm"}} {
		g := parse(t, long(x.rounds))
		auto, _, err := New(t.Context(), "auto", Options{Once: x.once})
		if err != nil {
			t.Fatal(err)
		}
		defer auto.Close()
		p, q := prepare(t, auto, g), prepare(t, eval(t), g)
		if name, why := p.Engine(); name != x.engine {
			t.Errorf("%d rounds, once %v: %s, %s", x.rounds, x.once, name, why)
		}
		for c := range 2 {
			var all [2][]float64
			for i, p := range []Program{p, q} {
				m := numbers(1, 2, 3, 4)
				out, _, err := p.Call(t.Context(), "f", []ir.Val{ir.F64Val(1.25), m.Val(), ir.IntVal(int64(c), 1)})
				if err != nil {
					t.Fatal(err)
				}
				all[i] = []float64{out[0].F64(), out[1].F64(), m.Buf.Load(2).F64()}
			}
			if !slices.Equal(all[0], all[1]) {
				t.Errorf("%d rounds, once %v, %d: %v, and interpreted %v", x.rounds, x.once, c, all[0], all[1])
			}
		}
	}
}

// What is called once, is long and hardly repeats anything is lowered for the interpreter; a function that is called counts
// as often as it is.
func TestLowered(t *testing.T) {
	native(t, Options{})
	calls := "func.func private @sum(%n: index) -> i64 {\n%z = arith.constant 0 : i64\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n" +
		"%s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %z) -> (i64) {\n%u = arith.index_cast %i : index to i64\n%v = arith.addi %t, %u : i64\nscf.yield %v : i64\n}\nreturn %s : i64\n}\n"
	for _, x := range []struct {
		text   string
		once   bool
		engine string
	}{
		{long(10), true, "eval"}, {long(10), false, "llvm"}, {long(100_000), true, "eval"}, {long(1_000_000), true, "llvm"},
		{strings.Replace(long(10), "return", "%n9 = arith.constant 9 : index\n%k = call @sum(%n9) : (index) -> i64\nreturn", 1) + calls, true, "llvm"},
		{"func.func @f(%x: f64) -> f64 {\nreturn %x : f64\n}", true, "llvm"},
	} {
		g := parse(t, x.text)
		auto, _, err := New(t.Context(), "auto", Options{Once: x.once})
		if err != nil {
			t.Fatal(err)
		}
		defer auto.Close()
		var to []*target.Target
		e, low, err := Lowered(auto, g, func(g *ir.Graph, t *target.Target) (*ir.Graph, error) {
			to = append(to, t)
			return g, nil
		})
		if err != nil || low != g || e.Name() != x.engine || len(to) != 1 || to[0].Once != (x.engine == "eval") {
			t.Errorf("%.60s, once %v: %s for %v, %v", x.text, x.once, e.Name(), to, err)
		}
		if name, why := prepare(t, e, low).Engine(); name != x.engine {
			t.Errorf("%.60s, once %v: prepared by %s: %s", x.text, x.once, name, why)
		}
	}
	failing := errors.New("no rule")
	if _, _, err := Lowered(eval(t), parse(t, long(10)), func(*ir.Graph, *target.Target) (*ir.Graph, error) { return nil, failing }); err != failing {
		t.Error(err)
	}
}
