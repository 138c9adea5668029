package affine_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// A fact is a body of @f(%a: memref<16xi64>, %b: memref<?xi64>, %n: index, %x: i64), what
// of it goes and what stays.
type fact struct{ name, body, gone, stays string }

// facts are decided as they are built.
var facts = []fact{
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

// around are bodies of the same function, and what of them conditions and loops around
// decide when it is rebuilt.
var around = []fact{
	{"what is below a number is below a larger one", `
  %p = arith.cmpi slt, %n, %c2 : index
  scf.if %p {
    %q = arith.cmpi sge, %n, %c7 : index
    scf.if %q {
      special.print %x : i64
    }
  }`, "special.print", "return"},
	{"an index is below the bound of its loop", `
  scf.for %i = %c0 to %n step %c1 {
    %p = arith.cmpi slt, %i, %n : index
    scf.if %p {
      special.print %x : i64
    }
  }`, "scf.if", "special.print"},
	{"the one before it, too", `
  scf.for %i = %c1 to %n step %c1 {
    %l = arith.subi %i, %c1 : index
    %p = arith.cmpi sge, %l, %n : index
    scf.if %p {
      special.print %x : i64
    }
  }`, "special.print", "return"},
	{"but the one behind may not be", `
  scf.for %i = %c1 to %n step %c1 {
    %l = arith.addi %i, %c1 : index
    %p = arith.cmpi sge, %l, %n : index
    scf.if %p {
      special.print %x : i64
    }
  }`, "memref", "scf.if"},
	{"what is less without sign differs", `
  %k = memref.dim %b, %c0 : memref<?xi64>
  %p = arith.cmpi ult, %n, %k : index
  scf.if %p {
    %q = arith.cmpi eq, %k, %n : index
    scf.if %q {
      special.print %x : i64
    }
  }`, "special.print", "return"},
	{"in the other branch it is not less", `
  %k = memref.dim %b, %c0 : memref<?xi64>
  %p = arith.cmpi slt, %n, %k : index
  scf.if %p {
  } else {
    %q = arith.cmpi slt, %n, %k : index
    %r = arith.cmpi sgt, %k, %n : index
    scf.if %r {
      special.print %x : i64
    }
  }`, "special.print", "return"},
	{"behind the if nothing of it holds", `
  %p = arith.cmpi slt, %n, %c2 : index
  scf.if %p {
    special.print %n : index
  }
  %q = arith.cmpi slt, %n, %c7 : index
  scf.if %q {
    special.print %x : i64
  }`, "memref", "%c7"},
}

func TestWhatIsDecidedAround(t *testing.T) {
	decide(t, around, func(g *ir.Graph) *ir.Graph { return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), g.Ctx.Cleanups(), nil) })
}

func TestWhatIsDecided(t *testing.T) {
	decide(t, facts, func(g *ir.Graph) *ir.Graph { return g })
}

func decide(t *testing.T, facts []fact, then func(*ir.Graph) *ir.Graph) {
	for _, c := range facts {
		src := `func.func @f(%a: memref<16xi64>, %b: memref<?xi64>, %n: index, %x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %y = arith.constant 3 : i64` + c.body + "\n  return\n}\n"
		g, ds := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("t.mlir", src), text.Options{})
		if err := ds.Err(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := text.String(then(g), text.PrintOptions{})
		_, got, _ = strings.Cut(got, "{\n  func.func")
		_, got, _ = strings.Cut(got, "\n")
		if strings.Contains(got, c.gone) || !strings.Contains(got, c.stays) {
			t.Errorf("%s: has %s or lacks %s:\n%s", c.name, c.gone, c.stays, got)
		}
	}
}
