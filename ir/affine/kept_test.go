package affine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// Facts are kept for all who ask, so they believe no promise: where q may be the least
// number, q - 1 >= 10 does not say that q is above 10.
func TestFactsAreCertain(t *testing.T) {
	_, f := read(t, ir.NewContext(dialects.All...), `func.func @f(%n: index) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c10 = arith.constant 10 : index
  %big = arith.constant 9223372036854775807 : index
  %k = arith.andi %n, %c7 : index
  %m = arith.andi %n, %big : index
  %q = arith.muli %k, %m overflow<nsw> : index
  %v = arith.subi %q, %c1 : index
  %p = arith.cmpi sge, %v, %c10 : index
  scf.if %p {
    special.print %q : index
  }
  return
}
`)
	of := affine.Of(f)
	for r := range f.NumRegions() {
		for v := range f.Len() {
			if f.Def(ir.Value(v)) != arith.Muli {
				continue
			}
			of.At(ir.Region(r)).Number(ir.Value(v))
			if n := of.Certain().At(ir.Region(r)).Number(ir.Value(v)); n.Low > 0 {
				t.Errorf("region %d: it is certain that q is at least %d", r, n.Low)
			}
		}
	}
}

// What is asked of all values everywhere takes time linear in the graph: sums that share
// their operands, under conditions about all of them, of which the answers are kept. Each
// asked anew, this would never end.
func TestSharedSums(t *testing.T) {
	var b strings.Builder
	b.WriteString("func.func @f(%v0: index, %v1: index) {\n%c = arith.constant 1000 : index\n")
	const sums, nest = 2000, 40
	for i := 2; i < sums; i++ {
		fmt.Fprintf(&b, "%%v%d = arith.minsi %%v%d, %%v%d : index\n%%p%d = arith.cmpi slt, %%v%d, %%v%d : index\n", i, i-1, i-2, i, i, i-2)
	}
	for i := range nest {
		k := sums - 2 - i*16
		fmt.Fprintf(&b, "%%q%d_0 = arith.andi %%p%d, %%p%d : i1\n", i, k, k+1)
		for j := range 14 {
			fmt.Fprintf(&b, "%%q%d_%d = arith.andi %%q%d_%d, %%p%d : i1\n", i, j+1, i, j, k-j-1)
		}
		fmt.Fprintf(&b, "scf.if %%q%d_14 {\nspecial.print %%v%d : index\n", i, k)
	}
	b.WriteString(strings.Repeat("}\n", nest) + "return\n}\n")
	_, f := read(t, ir.NewContext(dialects.All...), b.String())
	start, of := time.Now(), affine.Of(f)
	for r := range f.NumRegions() {
		for v := range f.Len() {
			of.At(ir.Region(r)).Number(ir.Value(v))
		}
	}
	if d := time.Since(start); d > 20*time.Second { // a third of a second
		t.Errorf("it took %v", d)
	}
}
