package random

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
)

// What random programs found, reduced.

// A function whose result is cast to a type that knows more is checked where it
// returns; the LLVM backend panicked (seed 3023000 and on).
func TestFoundCastOfResult(t *testing.T) {
	g, err := parse(ir.NewContext(dialects.All...), `
func.func @f(%m: memref<?xi64>) -> memref<8xi64> {
  %k = memref.cast %m : memref<?xi64> to memref<8xi64>
  return %k : memref<8xi64>
}`, false)
	if err != nil {
		t.Fatal(err)
	}
	m, err := llvm.Emit(g, llvm.Options{Thunks: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, trap := range m.Traps {
		if trap.Func == "f" && strings.Contains(trap.Reason, "not as its type says") {
			return
		}
	}
	t.Errorf("the size of the result is not checked:\n%s", m.Text())
}
