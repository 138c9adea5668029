package passes_test

import (
	"strings"
	"testing"
)

// product adds to OUT.
const product = `  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 6 {
        %0 = affine.load %a[%i, %k] : memref<4x6xf64>
        %1 = affine.load %b[%k, %j] : memref<6x5xf64>
        %2 = arith.mulf %0, %1 fastmath<reassoc,contract> : f64
        %3 = affine.load OUT[%i, %j] : memref<4x5xf64>
        %4 = arith.addf %3, %2 fastmath<reassoc,contract> : f64
        affine.store %4, OUT[%i, %j] : memref<4x5xf64>
      }
    }
  } {affine.contraction}
`

// twice has two products of its arguments, with ATTRS for the attributes of these.
var twice = `func.func @f(%a: memref<4x6xf64>ATTRS, %b: memref<6x5xf64>ATTRS, %c: memref<4x5xf64>ATTRS, %d: memref<4x5xf64>ATTRS) {
  %zero = arith.constant 0.0 : f64
` + strings.ReplaceAll(product, "OUT", "%c") + strings.ReplaceAll(product, "OUT", "%d") + `  return
}
func.func @f_loop() {
  return
}
`

// Equal loops become calls; those that differ, whose memory may be shared, that do little, that may trap, or whose extents are open stay.
func TestOutlineEqualLoops(t *testing.T) {
	apart := strings.ReplaceAll(twice, "ATTRS", " {llvm.noalias}")
	second := func(old, new string) string {
		at := strings.LastIndex(apart, old)
		return apart[:at] + new + apart[at+len(old):]
	}
	for _, k := range []struct {
		name, text, rounds string
		calls              int
	}{
		{"equal", apart, "100", 2},
		{"little to do", apart, "121", 0},
		{"what is written may be read under another name", strings.ReplaceAll(twice, "ATTRS", ""), "0", 0},
		{"only what is read may have two names", strings.NewReplacer("%c: memref<4x5xf64>ATTRS", "%c: memref<4x5xf64> {llvm.noalias}", "%d: memref<4x5xf64>ATTRS", "%d: memref<4x5xf64> {llvm.noalias}", "ATTRS", "").Replace(twice), "0", 2},
		{"what one reads may have two names, not what the other reads", strings.Replace(second("affine.load %a[%i, %k]", "affine.load %e[%i, %k]"), "%d: memref<4x5xf64> {llvm.noalias})", "%d: memref<4x5xf64> {llvm.noalias}, %e: memref<4x6xf64>)", 1), "0", 2},
		{"another bound", second("0 to 6", "0 to 5"), "0", 0},
		{"another subscript", second("%a[%i, %k]", "%a[%i, 0]"), "0", 0},
		{"one memory in two places", second("affine.load %d[%i, %j]", "affine.load %c[%i, %j]"), "0", 0},
		{"another op", second("arith.addf %3, %2", "arith.subf %3, %2"), "0", 0},
		{"other licence", second("arith.addf %3, %2 fastmath<reassoc,contract>", "arith.addf %3, %2 fastmath<reassoc>"), "0", 0},
		{"no contraction", strings.ReplaceAll(apart, " {affine.contraction}", ""), "0", 0},
		{"out of bounds", strings.ReplaceAll(apart, "0 to 6", "0 to 7"), "0", 0},
		{"open extents", strings.NewReplacer("memref<4x6xf64>", "memref<?x6xf64>").Replace(apart), "0", 0},
	} {
		g := read(t, k.text)
		n, m := apply(t, g, "outline-equal-loops{rounds="+k.rounds+"}")
		got := show(n)
		if m.Stats("outline-equal-loops", "calls") != k.calls || strings.Count(got, "call @f_loop_1(") != k.calls {
			t.Errorf("%s: %d calls, want %d\n%s", k.name, m.Stats("outline-equal-loops", "calls"), k.calls, got)
		}
		if k.calls == 0 && got != show(g) {
			t.Errorf("%s: changed\n%s", k.name, got)
		}
	}
}
