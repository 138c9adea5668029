package loops_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/tests/built"
)

// Nests of all shapes do each iteration once, in another order and in tiles.
func TestShapes(t *testing.T) {
	row := "[" + strings.Repeat("0, ", 29) + "0]"
	args := "[5, [" + strings.Repeat(row+", ", 29) + row + "]]"
	for _, bounds := range [][3]string{
		{"0 to 6", "0 to affine_map<(d0) -> (d0 * 2 + 1)>(%i)", "0 to 1"},
		{"0 to 6", "affine_map<(d0) -> (d0 * 3 - 7)>(%i) to 9", "0 to 1"},
		{"1 to %n", "affine_map<(d0) -> (-d0)>(%i) to affine_map<(d0) -> (d0 * 2)>(%i)", "0 to 1"},
		{"0 to %n", "max affine_map<(d0)[s0] -> (d0 - 2, s0 - d0)>(%i)[%n] to min affine_map<(d0) -> (7, d0 * 2 + 2)>(%i)", "0 to 1"},
		{"0 to 5", "0 to affine_map<(d0) -> (d0)>(%i)", "affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 * 2 + 1)>(%j)"},
		{"0 to 5", "0 to 4", "affine_map<(d0, d1) -> (d0 - d1)>(%i, %j) to affine_map<(d0, d1)[s0] -> (d0 + d1 * 2 - s0)>(%i, %j)[%n]"},
		{"-3 to 4", "0 to affine_map<(d0) -> (d0 * -2)>(%i)", "0 to affine_map<(d0) -> (3 - d0)>(%j)"},
	} {
		src := fmt.Sprintf(`func.func @f(%%n: index, %%C: memref<30x30xi64>) {
  %%one = arith.constant 1 : i64
  affine.for %%i = %s {
    affine.for %%j = %s {
      affine.for %%k = %s {
        %%x = affine.load %%C[%%i + 8, %%j + %%k + 10] : memref<30x30xi64>
        %%y = arith.addi %%x, %%one : i64
        affine.store %%y, %%C[%%i + 8, %%j + %%k + 10] : memref<30x30xi64>
      }
    }
  }
  return
}`, bounds[0], bounds[1], bounds[2])
		g := built.Parse(t, src, text.Options{})
		want := built.After(t, g, "f", args)
		if !strings.HasPrefix(want, "[") {
			t.Fatalf("%s: %s", bounds, want)
		}
		for _, p := range []string{"loop-interchange{order=1,0}", "loop-interchange{order=2,0,1}", "loop-interchange{order=2,1,0}", "loop-tile{sizes=2,3}", "loop-tile{sizes=3,1,2}",
			"loop-skew{factor=1},loop-interchange{order=1,0}", "loop-skew{factor=-2},loop-tile{sizes=2,2}"} {
			h := built.Through(t, g, p)
			if got := built.After(t, h, "f", args); got != want {
				t.Errorf("%s, %s: got %s, want %s\n%s", bounds, p, got, want, text.String(h, text.PrintOptions{}))
			}
			if first, _, _ := strings.Cut(p, ","); strings.Contains(first, "order=1,0") && fixpoint.Fingerprint(h) == fixpoint.Fingerprint(g) {
				t.Errorf("%s, %s: nothing is changed", bounds, p)
			}
		}
	}
}
