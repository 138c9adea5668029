package llvm

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// The clock is read before and after each outermost loop, and around all of a call, and nowhere unless it is asked for.
func TestTimes(t *testing.T) {
	const src = `func.func @f(%x: memref<8xf64>, %a: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %a, %x[%j] : memref<8xf64>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %a, %x[%i] : memref<8xf64>
  }
  return
}
`
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("f.mlir", src), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	for _, times := range []bool{false, true} {
		m, err := Emit(g, Options{Thunks: true, Times: times})
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if times {
			want = 6
		}
		if n := strings.Count(m.Text(), "call i64 @llvm.readcyclecounter"); n != want {
			t.Errorf("with times=%v the clock is read %d times, not %d", times, n, want)
		}
		if times && len(m.Timed) != 3 {
			t.Errorf("%+v", m.Timed)
		}
	}
}
