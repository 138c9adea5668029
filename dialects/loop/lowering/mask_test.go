package lowering_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/built"
)

// filtered is a loop over numbers whose body makes %e under conditions.
func filtered(generators, results, body string) string {
	return fmt.Sprintf(`
func.func @f(%%xs: !loop.array<f64>) -> (%[2]s) {
  %%zero = arith.constant 0.0 : f64
  %%two = arith.constant 2.0 : f64
  %%n = loop.len %%xs : !loop.array<f64>
  %%r:2 = loop.for %%i < %%n -> %[1]s {
    %%x = loop.at %%xs[%%i] : !loop.array<f64>
    %%c = arith.cmpf ogt, %%x, %%zero : f64
    %%d = arith.cmpf olt, %%x, %%two : f64
    %%y = arith.mulf %%x, %%two : f64
    %[3]s
  }
  return %%r#0, %%r#1 : %[2]s
}`, generators, results, body)
}

const (
	positive = `%e = scf.if %c -> (!loop.emit<f64>) {
      %o = loop.emit %y : f64
      scf.yield %o : !loop.emit<f64>
    } else {
      %o = loop.none : !loop.emit<f64>
      scf.yield %o : !loop.emit<f64>
    }
    loop.yield %e, %e : !loop.emit<f64>, !loop.emit<f64>`
	otherwise = `%e = scf.if %c -> (!loop.emit<f64>) {
      %o = loop.none : !loop.emit<f64>
      scf.yield %o : !loop.emit<f64>
    } else {
      %z = arith.negf %y : f64
      %o = loop.emit %z : f64
      scf.yield %o : !loop.emit<f64>
    }
    loop.yield %e, %e : !loop.emit<f64>, !loop.emit<f64>`
	twice = `%e = scf.if %c -> (!loop.emit<f64>) {
      %in = scf.if %d -> (!loop.emit<f64>) {
        %o = loop.emit %y : f64
        scf.yield %o : !loop.emit<f64>
      } else {
        %o = loop.none : !loop.emit<f64>
        scf.yield %o : !loop.emit<f64>
      }
      %also = loop.emit %x : f64
      %both = loop.seq %in, %also : !loop.emit<f64>
      scf.yield %both : !loop.emit<f64>
    } else {
      %o = loop.none : !loop.emit<f64>
      scf.yield %o : !loop.emit<f64>
    }
    loop.yield %e, %e : !loop.emit<f64>, !loop.emit<f64>`
	costly = `%e = scf.if %c -> (!loop.emit<f64>) {
      %z = arith.divf %two, %y : f64
      %o = loop.emit %z : f64
      scf.yield %o : !loop.emit<f64>
    } else {
      %o = loop.none : !loop.emit<f64>
      scf.yield %o : !loop.emit<f64>
    }
    loop.yield %e, %e : !loop.emit<f64>, !loop.emit<f64>`
)

// What is emitted under a condition and costs little needs no branch; the results are those of
// the loop as it is written, on all engines, up to the last element that there is room for.
func TestMasked(t *testing.T) {
	for _, x := range []struct {
		name, generators, results, body string
		branches                        bool
	}{
		{"sums and arrays", "reduce(add : f64), collect(f64)", "f64, !loop.array<f64>", positive, false},
		{"the branch else", "reduce(add reassoc : f64), collect(f64)", "f64, !loop.array<f64>", otherwise, false},
		{"least and largest", "reduce(min : f64), reduce(max : f64)", "f64, f64", positive, false},
		{"products", "reduce(mul : f64), reduce(add : f64)", "f64, f64", otherwise, false},
		{"conditions in conditions", "reduce(add : f64), collect(f64)", "f64, !loop.array<f64>", twice, true},
		{"what costs", "reduce(add : f64), collect(f64)", "f64, !loop.array<f64>", costly, true},
		{"a scan", "scan(add : f64), collect(f64)", "!loop.array<f64>, !loop.array<f64>", positive, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			src := filtered(x.generators, x.results, x.body)
			low, err := lowering.Compile(context.Background(), built.Parse(t, src, text.Options{}), target.Interp())
			if err != nil {
				t.Fatal(err)
			}
			if out := text.String(low, text.PrintOptions{}); strings.Contains(out, "scf.if") != x.branches {
				t.Errorf("branches: wanted %v\n%s", x.branches, out)
			}
			for _, args := range []string{`[[]]`, `[[1]]`, `[[-1]]`, `[[-0.0, 0, 1, -1, 1.5, 3, "NaN", "Infinity", -2, 1, 1]]`, `[[0.5, 0.25, 1, 1.5]]`} {
				want := built.Run(t, built.Parse(t, src, text.Options{}), "f", args)
				for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
					if got := built.Lowered(t, kind, built.Parse(t, src, text.Options{}), "f", args); got != want {
						t.Errorf("%s of %s: %s, want %s", kind.Name, args, got, want)
					}
				}
			}
		})
	}
}
