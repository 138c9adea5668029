package scf_test

import (
	"testing"

	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// A write that a later one covers needs another build where nothing reads it: what
// comes after it then finds another state.
func TestCoveredWrites(t *testing.T) {
	for between, may := range map[string]bool{`%v = memref.load %m[%j] : memref<?xf64>`: true, `%v = arith.addf %x, %y : f64`: false} {
		src := `func.func @f(%m: memref<?xf64>, %i: index, %j: index, %x: f64, %y: f64, %c: i1) -> f64 {
  scf.if %c { memref.store %y, %m[%j] : memref<?xf64> }
  memref.store %x, %m[%i] : memref<?xf64>
  ` + between + `
  %w = memref.load %m[%i] : memref<?xf64>
  memref.store %y, %m[%i] : memref<?xf64>
  %s = arith.addf %v, %w : f64
  return %s : f64
}
`
		settled := false
		g, list := text.Parse(memtest.Context(), diag.NewSource("t.mlir", src), text.Options{Each: func(g *ir.Graph) *ir.Graph {
			s := ir.Settle(g)
			settled = s == g
			return s
		}})
		if list.Err() != nil {
			t.Fatal(list)
		}
		if settled && !may {
			t.Errorf("with %s between: taken for settled as read", between)
		}
		built := ir.Rewrite(g.Ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), nil, nil)
		if a, b := text.String(g, text.PrintOptions{}), text.String(built, text.PrintOptions{}); a != b {
			t.Errorf("with %s between: is read as\n%s\nand built as\n%s", between, a, b)
		}
	}
}
