package dependence

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
)

// What an analysis takes grows as its table does: with the square of what is in it, of loops in one another, of ifs, of calls.
func TestGrowth(t *testing.T) {
	var loops, ifs, calls strings.Builder
	loops.WriteString("func.func @f(%m: memref<?xf64>, %n: index) {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n")
	for i := range 40 {
		fmt.Fprintf(&loops, "scf.for %%i%d = %%c0 to %%n step %%c1 {\n%%x%d = memref.load %%m[%%i%d] : memref<?xf64>\nmemref.store %%x%d, %%m[%%c0] : memref<?xf64>\n", i, i, i, i)
	}
	loops.WriteString(strings.Repeat("}", 40) + "\nreturn\n}\n")
	ifs.WriteString("func.func @f(%m: memref<8xi32>, %v: i32, %i: index) {\n")
	for i := range 300 {
		fmt.Fprintf(&ifs, "%%l%d = memref.load %%m[%%i] : memref<8xi32>\n%%c%d = arith.cmpi slt, %%l%d, %%v : i32\nscf.if %%c%d {\nmemref.store %%l%d, %%m[%%i] : memref<8xi32>\n", i, i, i, i, i)
	}
	ifs.WriteString(strings.Repeat("}", 300) + "\nreturn\n}\n")
	calls.WriteString("func.func private @g(memref<?xf64>) -> f64\nfunc.func @f(%m: memref<?xf64>) {\n")
	for i := range 1200 {
		fmt.Fprintf(&calls, "%%c%d = call @g(%%m) : (memref<?xf64>) -> f64\n", i)
	}
	calls.WriteString("return\n}\n")
	for name, src := range map[string]string{"loops": loops.String(), "ifs": ifs.String(), "calls": calls.String()} {
		g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("t.mlir", src), text.Options{Verbatim: true})
		if err := errs.Err(); err != nil {
			t.Fatal(err)
		}
		spent := irtest.Work()
		if _, err := AnalyzeAll(g, Options{}); err != nil {
			t.Fatal(err)
		}
		if d := spent(); d > 3*time.Second {
			t.Errorf("%s: %v of processor time", name, d)
		}
	}
}
