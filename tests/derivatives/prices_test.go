package derivatives

import (
	"fmt"
	"testing"

	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// What is recorded where it could be done again: functions alone, in short records, and not what leaves a loop.
func TestPrices(t *testing.T) {
	t.Parallel()
	const nest = `func.func @f(%%x: memref<?xf64> {llvm.noalias}, %%n: index) -> f64 {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%k = arith.constant %d : index
  %%m = arith.constant %d : index
  %%zero = arith.constant 0.0 : f64
  %%r = scf.for %%j = %%c0 to %%m step %%c1 iter_args(%%t = %%zero) -> f64 {
    %%s = scf.for %%i = %%c0 to %s step %%c1 iter_args(%%u = %%t) -> f64 {
      %%at = arith.addi %%i, %s : index
      %%v = memref.load %%x[%%at] : memref<?xf64>
      %%e = %s %%v : f64
      %%q = arith.mulf %%e, %%e : f64
      %%next = arith.addf %%u, %%q : f64
      scf.yield %%next : f64
    }
    scf.yield %%s : f64
  }
  return %%r : f64
}
`
	for _, c := range []struct {
		name         string
		inner, outer int
		to, by, op   string
		want         int64
	}{
		{"an exponential", 100, 30, "%k", "%j", "math.exp", 1},
		{"one that leaves the outer loop", 100, 30, "%k", "%c0", "math.exp", 0},
		{"a long record", 100, 41, "%k", "%j", "math.exp", 0},
		{"one that the sizes decide", 100, 30, "%n", "%j", "math.exp", 0},
		{"a cheap op", 100, 30, "%k", "%j", "arith.negf", 0},
		{"a square root", 100, 30, "%k", "%j", "math.sqrt", 0},
	} {
		p, err := pass.Parse("differentiate{of=f}", lowering.AllPasses())
		if err != nil {
			t.Fatal(err)
		}
		m := &pass.Manager{Count: true, Remark: func(string, string) {}}
		if _, err := m.Run(t.Context(), parsed(t, fmt.Sprintf(nest, c.inner, c.outer, c.to, c.by, c.op)), p); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := int64(m.Stats("differentiate", "recorded")); got != c.want {
			t.Errorf("%s: %d values are recorded, not %d", c.name, got, c.want)
		}
	}
}
