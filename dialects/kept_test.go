package dialects_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// What a rule that is nearly right would take away stays.
func TestKept(t *testing.T) {
	for _, c := range []struct{ why, src, want string }{
		{"-0.0 + 0.0 is 0.0", `func.func @f(%x: f64) -> f64 {
  %z = arith.constant 0.0 : f64
  %r = arith.addf %x, %z : f64
  return %r : f64
}`, "arith.addf"},
		{"i and j + 1 may be one place", `func.func @f(%m: memref<8xf64>, %i: index, %j: index, %x: f64, %y: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %k = arith.addi %j, %c1 : index
  memref.store %x, %m[%i] : memref<8xf64>
  memref.store %y, %m[%k] : memref<8xf64>
  %r = memref.load %m[%i] : memref<8xf64>
  return %r : f64
}`, "memref.load"},
		{"i + 1 and j + 1 may be one place", `func.func @f(%m: memref<8xf64>, %i: index, %j: index, %x: f64, %y: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %h = arith.addi %i, %c1 : index
  %k = arith.addi %j, %c1 : index
  memref.store %x, %m[%h] : memref<8xf64>
  memref.store %y, %m[%k] : memref<8xf64>
  %r = memref.load %m[%h] : memref<8xf64>
  return %r : f64
}`, "memref.load"},
		{"the loop never ends", `func.func @f(%m: memref<f64>, %x: f64) {
  %t = arith.constant true
  scf.while : () -> () {
    memref.store %x, %m[] : memref<f64>
    scf.condition(%t)
  } do {
    scf.yield
  }
  return
}`, "scf.while"},
		{"the store in the branch may not run", `func.func @f(%m: memref<f64>, %c: i1, %x: f64, %y: f64) {
  memref.store %x, %m[] : memref<f64>
  scf.if %c {
    memref.store %y, %m[] : memref<f64>
  }
  return
}`, "store %arg2"},
	} {
		g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("f.mlir", c.src), text.Options{})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		if got := text.String(g, text.PrintOptions{}); !strings.Contains(got, c.want) {
			t.Errorf("%s: no %s in\n%s", c.why, c.want, got)
		}
	}
}
