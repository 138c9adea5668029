package grid_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/device/simt"
	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// loopText is a program that collects, reduces, scans what it collects, and reads that again.
func loopText(elem string) string {
	return strings.ReplaceAll(`func.func @main(%x: !loop.array<T>, %y: !loop.array<T>, %a: T) -> (!loop.array<T>, T, T, i64, !loop.array<T>, T) {
  %n = loop.len %x : !loop.array<T>
  %m = loop.len %y : !loop.array<T>
  %one = arith.constant 1 : i64
  %z, %s, %h, %c, %p = loop.for %i < %n -> collect(T), reduce(add reassoc : T), reduce(max : T), reduce(add : i64), scan(add reassoc : T) {
    %v = loop.at %x[%i] : !loop.array<T>
    %d = loop.for %j < %m -> reduce(add reassoc : T) {
      %u = loop.at %y[%j] : !loop.array<T>
      loop.yield %u : T
    }
    %w = arith.mulf %v, %a : T
    %t = arith.addf %w, %d : T
    loop.yield %t, %w, %v, %one, %v : T, T, T, i64, T
  }
  %q = loop.for %i < %n -> reduce(min : T) {
    %u = loop.at %p[%i] : !loop.array<T>
    %v = loop.at %z[%i] : !loop.array<T>
    %w = arith.addf %u, %v : T
    loop.yield %w : T
  }
  return %z, %s, %h, %c, %p, %q : !loop.array<T>, T, T, i64, !loop.array<T>, T
}
`, "T", elem)
}

// Kernels of loops give what the loops mean, of any number of rounds: their sums are of small whole numbers, which are exact.
func TestLoops(t *testing.T) {
	p, err := pass.Parse("loop-to-device", passes.All())
	if err != nil {
		t.Fatal(err)
	}
	for seed, n := range []int{0, 1, 31, 257, 1024, 2100} {
		rnd := rand.New(rand.NewPCG(uint64(seed), 5))
		var x []string
		for range n {
			x = append(x, fmt.Sprint(rnd.IntN(9)-4))
		}
		args := fmt.Sprintf("[[%s], [1, 2, 3], 2]", strings.Join(x, ", "))
		g := parse(t, loopText([]string{"f32", "f64"}[seed%2]))
		want, err := built.Interpret(g, "main", args, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		low, err := (&pass.Manager{VerifyEach: true}).Run(t.Context(), g, p)
		if err != nil {
			t.Fatal(err)
		}
		kernels, moves := simt.New(), transfers.New()
		for _, o := range []interp.Options{{Watch: kernels, Wrap: kernels.Wrap}, {Watch: moves, Wrap: moves.Wrap}} {
			if got, err := built.Interpret(low, "main", args, o); err != nil || got != want {
				t.Fatalf("%d rounds: %v\ngot  %s\nwant %s", n, err, got, want)
			}
		}
		if m := moves.Counts(); m.Launches != 9 || m.In.Copies != 2 || m.In.Needless+m.Out.Needless > 0 {
			t.Errorf("%d rounds: %s", n, m)
		}
	}
}

// Loops whose order counts, whose groups have floats, or that emit several tuples in a round, stay.
func TestLoopsLeft(t *testing.T) {
	for _, c := range []struct{ generator, result, given, says string }{
		{"reduce(add : f32)", "f32", "loop.yield %v : f32", "sums up floats in order"},
		{"scan(mul : f32)", "!loop.array<f32>", "loop.yield %v : f32", "sums up floats in order"},
		{"collect(f32)", "!loop.array<f32>", "%e = loop.emit %v : f32\n %s2 = loop.seq %e, %e : !loop.emit<f32>\n loop.yield %s2 : !loop.emit<f32>", "may emit more than one tuple"},
		{"bucket(f32, [])", "!loop.buckets<f32>", "loop.yield %v : f32", "groups by other than integers"},
		{"reduce(%zero : f32)", "f32", "loop.yield %v : f32\n } combine(%a: f32, %b: f32) {\n loop.yield %a : f32", "by a region in order"},
		{"reduce(%first reassoc : f32)", "f32", "loop.yield %v : f32\n } combine(%a: f32, %b: f32) {\n loop.yield %a : f32", "begins with what is no constant"},
		{"reduce(%zero reassoc : f32)", "f32", "loop.yield %v : f32\n } combine(%a: f32, %b: f32) {\n %c = arith.addf %a, %first : f32\n loop.yield %c : f32", "uses values from outside"},
	} {
		g := parse(t, fmt.Sprintf(`func.func @main(%%x: !loop.array<f32>, %%first: f32) -> %[1]s {
  %%n = loop.len %%x : !loop.array<f32>
  %%zero = arith.constant 0.0 : f32
  %%s = loop.for %%i < %%n -> %[2]s {
    %%v = loop.at %%x[%%i] : !loop.array<f32>
    %[3]s
  }
  return %%s : %[1]s
}`, c.result, c.generator, c.given))
		p, err := pass.Parse("loop-to-device", passes.All())
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		m := &pass.Manager{Remark: func(_, s string) { said = append(said, s) }}
		if _, err := m.Run(t.Context(), g, p); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(said, "\n"), c.says) {
			t.Errorf("%s: %q", c.generator, said)
		}
	}
}
