package derivatives

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/polybench"
)

// stencils are random sweeps over two arrays; of one column there is nothing to sweep over.
func stencils(columns int) *polybench.Kernel {
	return &polybench.Kernel{Params: []string{"N", "M", "K"}, Small: []int{6, columns, 1}, Arrays: []polybench.Array{{Name: "A", Sizes: []string{"N", "M"}}, {Name: "B", Sizes: []string{"N", "M"}}}}
}

// The derivatives of stencils in reverse, where many reads are gathered, are those forward.
func TestStencils(t *testing.T) {
	t.Parallel()
	gathered := 0
	for seed := range uint64(200) {
		src := stencilText(rand.New(rand.NewPCG(seed, 3)))
		back, n := withCount(t, "stencil.mlir", src, "differentiate{of=kernel}", "gathered")
		forth, _ := withCount(t, "stencil.mlir", src, "differentiate{of=kernel mode=forward}", "gathered")
		gathered += n
		sameBothWays(t, back, forth, stencils(5), seed)
		if sameBothWays(t, back, forth, stencils(1), seed); t.Failed() {
			t.Fatal(src)
		}
	}
	if gathered < 300 {
		t.Errorf("%d reads are gathered, not hundreds", gathered)
	}
}

// stencilText is a function of one sweep or two, run twice. A sweep reads neighbours of an element, or of the one that lies opposite in its
// row, and writes the element: of the array that it reads, perhaps. Rows and columns may be skipped, begin where others end, or not be there: K is 1.
func stencilText(r *rand.Rand) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	next := 0
	name := func() string { next++; return fmt.Sprintf("%%v%d", next) }
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	line("func.func @kernel(%%A: memref<?x?xf64> {llvm.noalias}, %%B: memref<?x?xf64> {llvm.noalias}, %%k: index) {")
	for i, c := range []int{0, 1, 2, -1} {
		line("  %%c%d = arith.constant %d : index", i, c)
	}
	line("  %%w0 = arith.constant 0.25 : f64\n  %%w1 = arith.constant -0.5 : f64")
	line("  %%n = memref.dim %%A, %%c0 : memref<?x?xf64>\n  %%m = memref.dim %%A, %%c1 : memref<?x?xf64>")
	line("  %%n1 = arith.subi %%n, %%c1 : index\n  %%m1 = arith.subi %%m, %%c1 : index")
	line("  scf.for %%t = %%c0 to %%c2 step %%c1 {")
	for range 1 + r.IntN(2) {
		from, to := pick("%A", "%B"), pick("%A", "%B")
		line("  scf.for %%i = %%c1 to %s step %%c%d {", pick("%n1", "%n1", "%n1", "%k"), 1+r.IntN(4)/3)
		line("  scf.for %%j = %s to %s step %%c%d {", pick("%c1", "%c1", "%c1", "%i"), pick("%m1", "%m1", "%m1", "%k"), 1+r.IntN(4)/3)
		sum := name()
		line("    %s = arith.constant 0.125 : f64", sum)
		for range 2 + r.IntN(5) {
			row, column, x, y := name(), name(), name(), name()
			line("    %s = arith.addi %%i, %s : index", row, pick("%c0", "%c0", "%c1", "%c3"))
			at := "%j"
			if r.IntN(5) == 0 {
				at = name()
				line("    %s = arith.subi %%m1, %%j : index", at)
			}
			line("    %s = arith.addi %s, %s : index", column, at, pick("%c0", "%c1", "%c3"))
			line("    %s = memref.load %s[%s, %s] : memref<?x?xf64>", x, pick(from, from, from, "%A"), row, column)
			switch r.IntN(4) {
			case 0:
				z := name()
				line("    %s = math.sin %s : f64", z, x)
				x = z
			case 1:
				z := name()
				line("    %s = arith.mulf %s, %s : f64", z, x, pick("%w0", "%w1"))
				x = z
			}
			line("    %s = arith.%s %s, %s : f64", y, pick("addf", "subf"), sum, x)
			sum = y
		}
		v := name()
		if r.IntN(3) == 0 {
			line("    %s = arith.mulf %s, %s : f64", v, sum, pick("%w0", "%w1"))
		} else {
			line("    %s = math.cos %s : f64", v, sum)
		}
		line("    memref.store %s, %s[%%i, %%j] : memref<?x?xf64>", v, to)
		line("  }\n  }")
	}
	line("  }\n  return\n}")
	return b.String()
}
