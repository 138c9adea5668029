package scf_test

import (
	"testing"

	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// Loops are read by what they seem to write. Where that is right the function is
// settled as read; where it is wrong the loop is read again, and gives what a loop
// gives that is built knowing what it writes.
var guessTests = []struct {
	name, body string
	settled    bool
}{
	{"reads", `%v = memref.load %m[%i] : memref<?xf64>`, true},
	{"reads what it wrote", `memref.store %x, %m[%j] : memref<?xf64>
    %v = memref.load %m[%i] : memref<?xf64>`, true},
	{"writes what it has read", `%v = memref.load %m[%i] : memref<?xf64>
    memref.store %x, %m[%j] : memref<?xf64>`, true},
	{"writes by an op with a result", `%v = memref.load %m[%i] : memref<?xf64>
    %w = memref.atomic_rmw assign %x, %m[%j] : (f64, memref<?xf64>) -> f64`, true},
	{"writes memory of its own", `%a = memref.alloca() : memref<4xf64>
    memref.store %x, %a[%i] : memref<4xf64>
    %v = memref.load %m[%i] : memref<?xf64>`, true},
	{"a loop in it writes", `%v = memref.load %m[%i] : memref<?xf64>
    scf.for %k = %i to %n step %i {
      %w = memref.atomic_rmw assign %v, %m[%k] : (f64, memref<?xf64>) -> f64
    }`, true},
	{"a branch in it writes, where more is known of its condition", `%v = memref.load %m[%i] : memref<?xf64>
    scf.if %c {
      %w = memref.atomic_rmw assign %x, %m[%j] : (f64, memref<?xf64>) -> f64
    }`, false},
}

func TestLoopsByGuess(t *testing.T) {
	for _, e := range guessTests {
		src := `func.func @f(%m: memref<?xf64>, %i: index, %n: index, %x: f64, %c: i1) -> f64 {
  %r = scf.for %j = %i to %n step %i iter_args(%s = %x) -> (f64) {
    ` + e.body + `
    %t = arith.addf %s, %v : f64
    scf.yield %t : f64
  }
  return %r : f64
}
`
		settled := false
		g, list := text.Parse(memtest.Context(), diag.NewSource("t.mlir", src), text.Options{Each: func(g *ir.Graph) *ir.Graph {
			s := ir.Settle(g)
			settled = s == g
			return s
		}})
		if list.Err() != nil {
			t.Errorf("%s: %v", e.name, list)
			continue
		}
		if settled != e.settled {
			t.Errorf("%s: settled as read: %v", e.name, settled)
		}
		built := ir.Rewrite(g.Ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), nil, nil)
		opts := text.PrintOptions{Generic: true}
		if a, b := text.String(g, opts), text.String(built, opts); a != b {
			t.Errorf("%s: is read as\n%s\nand built as\n%s", e.name, a, b)
		}
	}
}

// A loop that a fold makes again, with fewer values to carry, is assumed to write
// what the first one wrote: what it reads does not come to depend on its rounds.
func TestFoldedLoopIsSettled(t *testing.T) {
	src := `func.func @f(%m: memref<?xf64>, %i: index, %n: index, %x: f64) -> f64 {
  %r:2 = scf.for %j = %i to %n step %i iter_args(%s = %x, %u = %x) -> (f64, f64) {
    %q = scf.for %k = %i to %n step %i iter_args(%p = %s) -> (f64) {
      %v = memref.load %m[%i] : memref<?xf64>
      %t = arith.addf %p, %v : f64
      scf.yield %t : f64
    }
    scf.yield %q, %u : f64, f64
  }
  return %r#0 : f64
}
`
	_, list := text.Parse(memtest.Context(), diag.NewSource("t.mlir", src), text.Options{Each: func(g *ir.Graph) *ir.Graph {
		if s := ir.Settle(g); s != g {
			t.Errorf("it is built again: %s", text.String(s, text.PrintOptions{}))
		}
		return g
	}})
	if list.Err() != nil {
		t.Error(list)
	}
}
