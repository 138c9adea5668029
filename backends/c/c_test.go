package c

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// What is read before a write is read before it in C; what is not written to between becomes
// part of the expression that uses it.
func TestOrder(t *testing.T) {
	const swap = `func.func @swap(%m: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %m[%c0] : memref<2xf64>
  %b = memref.load %m[%c1] : memref<2xf64>
  memref.store %b, %m[%c0] : memref<2xf64>
  memref.store %a, %m[%c1] : memref<2xf64>
  return
}
`
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("swap.mlir", swap), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	got, err := Emit(g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "void swap(double *arg0) {\n\tdouble t1 = *arg0;\n\t*arg0 = arg0[1];\n\targ0[1] = t1;\n}\n"
	if !strings.Contains(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}
