package tensors

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// Memory that is cast to extents which it does not have is no tensor, before the lowering pipeline and behind it, whether it is read or written.
func TestCasts(t *testing.T) {
	const program = `func.func @main(%n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %a = memref.alloc(%n, %n) : memref<?x?xf64>
  %b = memref.alloc(%m, %n) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %n step %c1 { memref.store %one, %a[%i, %j] : memref<?x?xf64> } }
  %x = memref.cast %a : memref<?x?xf64> to memref<4x4xf64>
  %y = memref.cast %b : memref<?x?xf64> to memref<4x4xf64>
  %p = ten.pack %x : memref<4x4xf64>
  %q = ten.einsum "ij,jk->ik" %p, %p : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
  ten.write %q to %y : tensor<4x4xf64>, memref<4x4xf64>
  %r = memref.load %b[%c1, %c1] : memref<?x?xf64>
  memref.dealloc %a : memref<?x?xf64>
  memref.dealloc %b : memref<?x?xf64>
  return %r : f64
}`
	written := built.Parse(t, program, text.Options{})
	for _, g := range []*ir.Graph{written, built.Through(t, written, "lower{to=affine}")} {
		for args, want := range map[string]string{"[4, 4]": "4", "[3, 4]": "trap", "[5, 4]": "trap", "[4, 5]": "trap", "[4, 3]": "trap"} {
			got, err := built.Interpret(g, "main", args, interp.Options{})
			if ir.IsTrap(err) {
				got = "trap"
			} else if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got, want) {
				t.Errorf("of %s it gives %s, not %s", args, got, want)
			}
		}
	}
}
