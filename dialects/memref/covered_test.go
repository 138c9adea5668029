package memref_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// A write that a later one covers is dead if nothing reads it, and what covers it
// may be another op without it. That is decided as the function is read, so that
// it need not be built again.
var coveredTests = []struct {
	name, body string
	stores     int // that are left
	settled    bool
}{
	{"a store over a store", `
  memref.store %x, %m[%i] : memref<8xf64>
  memref.store %y, %m[%i] : memref<8xf64>`, 1, true},
	{"three stores", `
  memref.store %x, %m[%i] : memref<8xf64>
  memref.store %y, %m[%i] : memref<8xf64>
  memref.store %x, %m[%i] : memref<8xf64>`, 1, true},
	{"what was loaded is put back at once", `
  %v = memref.load %m[%i] : memref<8xf64>
  memref.store %x, %m[%i] : memref<8xf64>
  memref.store %v, %m[%i] : memref<8xf64>`, 0, true},
	{"put back after another write", `
  memref.store %x, %m[%j] : memref<8xf64>
  %v = memref.load %m[%i] : memref<8xf64>
  memref.store %x, %m[%i] : memref<8xf64>
  memref.store %v, %m[%i] : memref<8xf64>
  %w = memref.load %m[%j] : memref<8xf64>
  memref.store %w, %n[%i] : memref<8xf64>`, 2, true},
	{"put back in a branch", `
  scf.if %c {
    %v = memref.load %m[%i] : memref<8xf64>
    memref.store %x, %m[%i] : memref<8xf64>
    memref.store %v, %m[%i] : memref<8xf64>
  }`, 0, false},
	{"put back although it was read meanwhile", `
  %v = memref.load %m[%i] : memref<8xf64>
  memref.store %x, %m[%i] : memref<8xf64>
  %w = memref.load %m[%j] : memref<8xf64>
  memref.store %v, %m[%i] : memref<8xf64>
  memref.store %w, %n[%i] : memref<8xf64>`, 3, true},
	{"put back although the first of two was read", `
  %v = memref.load %m[%i] : memref<8xf64>
  memref.store %x, %m[%i] : memref<8xf64>
  %w = memref.load %m[%j] : memref<8xf64>
  memref.store %y, %m[%i] : memref<8xf64>
  memref.store %v, %m[%i] : memref<8xf64>
  memref.store %w, %n[%i] : memref<8xf64>`, 3, false},
}

func TestCoveredWrites(t *testing.T) {
	for _, e := range coveredTests {
		src := "func.func @f(%m: memref<8xf64>, %n: memref<8xf64>, %i: index, %j: index, %x: f64, %y: f64, %c: i1) {" + e.body + "\n  return\n}\n"
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
		got := text.String(g, text.PrintOptions{})
		if n := strings.Count(got, "memref.store"); n != e.stores {
			t.Errorf("%s: %d stores are left, want %d:\n%s", e.name, n, e.stores, got)
		}
		if settled != e.settled {
			t.Errorf("%s: settled as read: %v", e.name, settled)
		}
		built := text.String(ir.Rewrite(g.Ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), nil, nil), text.PrintOptions{})
		if got != built {
			t.Errorf("%s: is read as\n%s\nand built again as\n%s", e.name, got, built)
		}
	}
}
