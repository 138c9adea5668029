package binding_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// The static parts of a sum that no loop makes are one number for a setup; what others read
// stays as it is.
func TestSplitSumsOutside(t *testing.T) {
	const src = `func.func @f(%x: memref<3xf64> {func.static, llvm.noalias}, %a: f64, %b: f64) -> (f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %v = memref.load %x[%zero] : memref<3xf64>
  %w = memref.load %x[%one] : memref<3xf64>
  %lv = math.log %v : f64
  %lw = math.log %w : f64
  %aok = arith.cmpf ogt, %a, %none : f64
  %vok = arith.cmpf ogt, %v, %none : f64
  %ok = arith.andi %aok, %vok : i1
  %p = arith.addf %a, %lv fastmath<reassoc> : f64
  %q = arith.subf %p, %b fastmath<reassoc> : f64
  %r = arith.addf %q, %lw fastmath<reassoc> : f64
  %s = arith.select %ok, %r, %nan : f64
  return %s, %READ : f64, f64
}
`
	for read, loads := range map[string]int{"a": 1, "q": 2} {
		before := built.Parse(t, strings.Replace(src, "READ", read, 1), text.Options{})
		after := built.Through(t, before, "split-sums")
		_, f, _ := strings.Cut(text.String(built.Through(t, after, "specialize-data"), text.PrintOptions{}), "@f(")
		if n := strings.Count(f, "memref.load"); n != loads {
			t.Errorf("with %s read: %d loads, want %d\n%s", read, n, loads, f)
		}
		for _, args := range []string{"[[1, 1, 1], 3, 2]", "[[1, 1, 0], -3, 2]", "[[-1, 1, 1], 3, 2]", "[[1, 0, 1], 3, 2]"} {
			if got, want := built.Run(t, after, "f", args), built.Run(t, before, "f", args); got != want {
				t.Errorf("with %s read, of %s: %s, want %s", read, args, got, want)
			}
		}
	}
}
