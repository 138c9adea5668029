package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/cuda/cudatest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Atomic ops on memory of the thread's own do what they do elsewhere, though no
// atomic instruction works there.
func TestAtomicsOnOwnMemory(t *testing.T) {
	var body strings.Builder
	body.WriteString(`device.kernel @own(%y: memref<?xf64>) {
  %i = device.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.index_cast %i : index to i32
  %x = arith.sitofp %n : i32 to f64
  %m = memref.alloca() : memref<2xi32>
  %f = memref.alloca() : memref<2xf64>
  memref.store %n, %m[%c0] : memref<2xi32>
  memref.store %n, %m[%c1] : memref<2xi32>
  memref.store %x, %f[%c1] : memref<2xf64>
  %k = arith.constant 5 : i32
  %h = arith.constant 2.5 : f64
`)
	var ints, floats []string
	for i, kind := range []string{"addi", "muli", "maxs", "minu", "ori", "andi", "assign"} {
		fmt.Fprintf(&body, "  %%a%d = memref.atomic_rmw %s %%k, %%m[%%c1] : (i32, memref<2xi32>) -> i32\n", i, kind)
		ints = append(ints, fmt.Sprintf("%%a%d", i))
	}
	for i, kind := range []string{"addf", "mulf", "maximumf", "minnumf", "assign"} {
		fmt.Fprintf(&body, "  %%b%d = memref.atomic_rmw %s %%h, %%f[%%c1] : (f64, memref<2xf64>) -> f64\n", i, kind)
		floats = append(floats, fmt.Sprintf("%%b%d", i))
	}
	body.WriteString(`  %g = memref.generic_atomic_rmw %f[%c1] : memref<2xf64> { ^bb0(%o: f64): %p = arith.addf %o, %x : f64 memref.atomic_yield %p : f64 }
  %q = memref.load %f[%c1] : memref<2xf64>
  %c = device.atomic_cas %k, %a0, %m[%c1] : memref<2xi32>
  %d = device.atomic_cas %k, %k, %m[%i] : memref<2xi32>
  %e = memref.load %m[%c1] : memref<2xi32>
`)
	floats = append(floats, "%g", "%q")
	for i, v := range append(ints, "%c", "%d", "%e") {
		fmt.Fprintf(&body, "  %%s%d = arith.sitofp %s : i32 to f64\n", i, v)
		floats = append(floats, fmt.Sprintf("%%s%d", i))
	}
	for i, v := range floats {
		fmt.Fprintf(&body, "  %%at%d = arith.constant %d : index\n  %%to%d = arith.addi %%at%d, %%i : index\n  memref.store %s, %%y[%%to%d] : memref<?xf64>\n", i, 2*i, i, i, v, i)
	}
	body.WriteString("  device.return\n}\n")
	body.WriteString(`func.func @run(%y: memref<?xf64>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  device.launch @own blocks(%c1) threads(%c2) args(%y : memref<?xf64>)
  return
}`)
	onDevices(t, Options{}, func(t *testing.T, e Engine, _ *cudatest.Driver) {
		g := parse(t, body.String())
		p, ref := prepare(t, e, g), prepare(t, eval(t), g)
		in, _, err := p.Signature("run")
		if err != nil {
			t.Fatal(err)
		}
		args := func() []ir.Val { return []ir.Val{quarters(1, int64(2*len(floats)))} }
		got, want := args(), args()
		if _, _, err := p.Call(t.Context(), "run", got); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ref.Call(t.Context(), "run", want); err != nil {
			t.Fatal(err)
		}
		if a, b := interp.FormatVal(g.Ctx, got[0], in[0]), interp.FormatVal(g.Ctx, want[0], in[0]); a != b {
			t.Errorf("got\n%s, want\n%s", a, b)
		}
	})
}
