package cores

import (
	"context"
	"fmt"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// groupsThatTrap counts the rounds of each key. Its key cannot be made in two rounds: the first divides by zero, the second, later one
// has no remainder.
const groupsThatTrap = `func.func @f0(%%n: index, %%k: i64) -> (i64, i64) {
  %%c977 = arith.constant 977 : i64
  %%one = arith.constant 1 : i64
  %%first = arith.constant %d : i64
  %%later = arith.constant %d : i64
  %%some = arith.constant %d : i64
  %%b, %%counts = loop.for %%i < %%n -> bucket(i64, [reduce(add : i64)]) {
    %%a = arith.index_cast %%i : index to i64
    %%d = arith.subi %%a, %%first : i64
    %%q = arith.divsi %%c977, %%d : i64
    %%e = arith.subi %%a, %%later : i64
    %%r = arith.remsi %%c977, %%e : i64
    %%s = arith.muli %%a, %%some : i64
    %%t = arith.addi %%q, %%s : i64
    %%key = arith.xori %%t, %%r : i64
    loop.yield %%key, %%one : i64, i64
  }
  %%m = loop.len %%counts : !loop.array<i64>
  %%out = arith.index_cast %%m : index to i64
  return %%out, %%one : i64, i64
}
`

// A trap is that of the first round in which there is one, whatever rounds the sample of the keys looks at: of what is made of the
// program for two cores, as the interpreter runs it.
func TestTrapsOfGroups(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	e, _, err := engine.Eval.Start(ctx, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const rounds = 9000 // more than there are in a sample, which takes each second one of what traps never
	for _, x := range []struct{ first, later, distinct int }{{5001, 6000, 0}, {5001, 6000, 1}, {8501, 8600, 0}, {8501, 8600, 1}} {
		source := fmt.Sprintf(groupsThatTrap, x.first, x.later, x.distinct)
		g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("groups.mlir", source), text.Options{})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		shares, err := pass.Parse("lower{to=scf}", lowering.AllPasses())
		if err != nil {
			t.Fatal(err)
		}
		machine := *target.Host()
		machine.Cores = 2
		low, err := (&pass.Manager{Target: &machine}).Run(ctx, g, shares)
		if err != nil {
			t.Fatal(err)
		}
		ps, err := e.Prepare(ctx, low)
		if err != nil {
			t.Fatal(err)
		}
		if got := runLoops(ps[0], 0, rounds); got.trap != "arith.divsi" {
			t.Errorf("rounds %d and %d trap: %q, want that of the division", x.first, x.later, got.trap)
		}
	}
}
