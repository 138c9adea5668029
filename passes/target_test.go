package passes_test

import (
	"context"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
)

const countedLoop = `func.func private @g(%a: i64) -> i64 {
  %b = arith.muli %a, %a : i64
  %c = arith.addi %b, %a : i64
  %d = arith.muli %c, %b : i64
  return %d : i64
}
func.func @f(%x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %r = scf.for %i = %c0 to %c12 step %c1 iter_args(%acc = %x) -> (i64) {
    %y = func.call @g(%acc) : (i64) -> i64
    scf.yield %y : i64
  }
  %s = func.call @g(%r) : (i64) -> i64
  return %s : i64
}`

// What decides by a number asks the target, unless the option of the pass says it.
func TestTargetDecides(t *testing.T) {
	apart := splitHead + "scf.if %k {\n" + set("%k1", "%a") + "}\n" + strings.Repeat(set("%k3", "%b")+"special.print %x : i64\n", 3) + "scf.if %k {\n" + set("%k9", "%c") + "}\n" + splitTail
	cases := []struct {
		name, src, pipeline, what string
		set                       func(*target.Costs)
		usual, other              int // how often `what` stands there
	}{
		{"rounds in a row", countedLoop, "unroll", "call @g(", func(c *target.Costs) { c.Unroll = 3 }, 5, 4},
		{"rounds in a row, said", countedLoop, "unroll{factor=2}", "call @g(", func(c *target.Costs) { c.Unroll = 3 }, 3, 3},
		{"full unrolling", countedLoop, "unroll{full}", "scf.for", func(c *target.Costs) { c.MaxFull = 11 }, 0, 1},
		{"full unrolling, said", countedLoop, "unroll{full limit=12}", "scf.for", func(c *target.Costs) { c.MaxFull = 11 }, 0, 0},
		{"inlining", countedLoop, "inline", "call @g(", func(c *target.Costs) { c.MaxInline = 2 }, 0, 2},
		{"inlining, said", countedLoop, "inline{threshold=50}", "call @g(", func(c *target.Costs) { c.MaxInline = 2 }, 0, 0},
		{"conditionals apart", apart, "split-effects", "scf.if", func(c *target.Costs) { c.MaxApart = 1 }, 1, 2},
	}
	for _, k := range cases {
		machine := *target.Host()
		other := machine
		k.set(&other.Costs)
		for m, want := range map[*target.Target]int{&machine: k.usual, &other: k.other} {
			p, err := pass.Parse(k.pipeline, all())
			if err != nil {
				t.Fatal(err)
			}
			g := read(t, k.src)
			n, err := (&pass.Manager{VerifyEach: true, Target: m}).Run(context.Background(), g, p)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(show(n), k.what); got != want {
				t.Errorf("%s, costs %+v: %d times %q, want %d\n%s", k.name, m.Costs, got, k.what, want, show(n))
			}
		}
	}
}
