package affine_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// facts are bodies of @f(%a: memref<16xi64>, %n: index, %x: i64), and what of them is
// decided as they are built.
var facts = []struct{ name, body, gone, stays string }{
	{"an index below a bound that is not constant", `
  %c15 = arith.constant 15 : index
  %k = arith.andi %n, %c15 : index
  scf.for %i = %c0 to %k step %c1 {
    %p = arith.cmpi slt, %i, %c15 : index
    scf.if %p {
      special.print %x : i64
    }
  }`, "scf.if", "scf.for"},
	{"an even index is not an odd one", `
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.muli %i, %c2 : index
    %o = arith.addi %e, %c1 : index
    %p = arith.cmpi eq, %e, %o : index
    scf.if %p {
      special.print %x : i64
    }
  }`, "scf.if", "return"},
	{"a store to an odd place leaves what was stored to an even one", `
  %k = arith.remui %n, %c2 : index
  %e = arith.muli %k, %c2 : index
  %s = arith.shli %n, %c1 : index
  %o = arith.ori %s, %c1 : index
  %m = arith.andi %o, %c7 : index
  memref.store %x, %a[%e] : memref<16xi64>
  memref.store %y, %a[%m] : memref<16xi64>
  %v = memref.load %a[%e] : memref<16xi64>
  special.print %v : i64`, "memref.load", "memref.store"},
	{"a step of three never meets a multiple of three", `
  %c30 = arith.constant 30 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c1 to %c30 step %c3 {
    %r = arith.remui %n, %c7 : index
    %m = arith.muli %r, %c3 : index
    %p = arith.cmpi eq, %i, %m : index
    scf.if %p {
      special.print %x : i64
    }
  }`, "scf.if", "return"},
	{"a sum that may wrap decides nothing", `
  %s = arith.addi %n, %c1 : index
  %p = arith.cmpi slt, %n, %s : index
  scf.if %p {
    special.print %x : i64
  }`, "memref", "scf.if"},
	{"nor does a divisor that may be poison end a trap", `
  %r = arith.remui %n, %c7 : index
  %big = arith.constant 9223372036854775807 : index
  %q = arith.muli %r, %big overflow<nsw> : index
  %d = arith.addi %q, %c1 overflow<nsw> : index
  scf.for %i = %c0 to %n step %c1 {
    %z = arith.divui %n, %d : index
    %w = arith.index_cast %z : index to i64
    special.print %w : i64
  }`, "memref", "step %c1 {\n      %3 = arith.divui"},
}

func TestWhatIsDecided(t *testing.T) {
	for _, c := range facts {
		src := `func.func @f(%a: memref<16xi64>, %n: index, %x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %y = arith.constant 3 : i64` + c.body + "\n  return\n}\n"
		g, ds := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("t.mlir", src), text.Options{})
		if err := ds.Err(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := text.String(g, text.PrintOptions{})
		_, got, _ = strings.Cut(got, "{\n  func.func")
		_, got, _ = strings.Cut(got, "\n")
		if strings.Contains(got, c.gone) || !strings.Contains(got, c.stays) {
			t.Errorf("%s: has %s or lacks %s:\n%s", c.name, c.gone, c.stays, got)
		}
	}
}
