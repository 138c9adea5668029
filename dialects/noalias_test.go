package dialects_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// An argument declared llvm.noalias is memory of its own: a store to another one
// leaves what it holds, when the text is read and when the graph is rebuilt.
func TestNoAliasArguments(t *testing.T) {
	const src = `func.func @f(%a: memref<4xf64> NOALIAS, %b: memref<4xf64>, %x: f64) -> (f64, f64) {
  %c = arith.constant 0 : index
  %p = memref.load %a[%c] : memref<4xf64>
  memref.store %x, %b[%c] : memref<4xf64>
  %q = memref.load %a[%c] : memref<4xf64>
  return %p, %q : f64, f64
}`
	for attr, want := range map[string]int{"": 2, "{llvm.noalias}": 1} {
		ctx := ir.NewContext(dialects.All...)
		g, list := text.Parse(ctx, diag.NewSource("f.mlir", strings.Replace(src, "NOALIAS", attr, 1)), text.Options{})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		for _, g := range []*ir.Graph{g, ir.Rewrite(ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), nil, nil)} {
			if got := strings.Count(text.String(g, text.PrintOptions{}), "memref.load"); got != want {
				t.Errorf("with %q: %d loads, want %d", attr, got, want)
			}
		}
	}
}
