package contraction_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// integers is a matrix of small ones.
func integers(rows, columns, by int) string {
	var all []string
	for i := range rows {
		row := make([]string, columns)
		for j := range row {
			row[j] = fmt.Sprint((i*7+j*by)%5 - 2)
		}
		all = append(all, "["+strings.Join(row, ",")+"]")
	}
	return "[" + strings.Join(all, ",") + "]"
}

// row is one row of such.
func row(columns int) string {
	all := integers(1, columns, 4)
	return all[1 : len(all)-1]
}

// A few columns behind the last whole vector are summed up along k, where the products are vectors of them, and have their epilogue.
func TestDots(t *testing.T) {
	const program = `func.func @f(%a: memref<NxKxf64> {llvm.noalias}, %b: memref<KxMxf64> {llvm.noalias}, %c: memref<NxMxf64> {llvm.noalias}, %d: memref<Mxf64> {llvm.noalias}) -> memref<NxMxf64> {
  affine.for %i = 0 to N { affine.for %j = 0 to M {
    %zero = arith.constant 0.0 : f64
    affine.store %zero, %c[%i, %j] : memref<NxMxf64>
    affine.for %k = 0 to K {
      %x = affine.load %a[%i, %k] : memref<NxKxf64>
      %y = affine.load %b[%k, %j] : memref<KxMxf64>
      %z = affine.load %c[%i, %j] : memref<NxMxf64>
      %q = arith.mulf %x, %y fastmath<reassoc,contract> : f64
      %s = arith.SIGN %z, %q fastmath<reassoc,contract> : f64
      affine.store %s, %c[%i, %j] : memref<NxMxf64>
    }
  } }
  affine.for %i = 0 to N { affine.for %j = 0 to M {
    %z = affine.load %c[%i, %j] : memref<NxMxf64>
    %e = affine.load %d[%j] : memref<Mxf64>
    %s = arith.addf %z, %e : f64
    affine.store %s, %c[%i, %j] : memref<NxMxf64>
  } }
  return %c : memref<NxMxf64>
}`
	for _, x := range []struct {
		bytes, n, m, k int
		sign           string
		dots           bool
	}{
		{32, 5, 3, 96, "addf", true}, {32, 13, 5, 32, "subf", true}, {32, 5, 11, 96, "addf", true}, {32, 5, 12, 32, "addf", false}, {32, 5, 9, 34, "addf", false},
		{64, 30, 2, 64, "addf", true}, {64, 30, 9, 32, "addf", true}, {64, 30, 3, 96, "addf", true}, {64, 4, 20, 128, "subf", true}, {64, 7, 21, 32, "addf", false}, {64, 7, 9, 24, "addf", false},
	} {
		g := built.Parse(t, strings.NewReplacer("NxK", fmt.Sprintf("%dx%d", x.n, x.k), "KxM", fmt.Sprintf("%dx%d", x.k, x.m), "NxM", fmt.Sprintf("%dx%d", x.n, x.m), "Mxf", fmt.Sprintf("%dxf", x.m),
			"to N", fmt.Sprintf("to %d", x.n), "to M", fmt.Sprintf("to %d", x.m), "to K", fmt.Sprintf("to %d", x.k), "SIGN", x.sign).Replace(program), text.Options{})
		loops := built.ThroughFor(t, built.Tiny(x.bytes, 1), built.Through(t, g, built.Tiles), "poly-codegen")
		dots := strings.Contains(text.String(loops, text.PrintOptions{}), "vector.reduction")
		if dots != x.dots {
			t.Errorf("%+v: sums along k is %v", x, dots)
		}
		args := fmt.Sprintf("[%s, %s, %s, %s]", integers(x.n, x.k, 3), integers(x.k, x.m, 2), integers(x.n, x.m, 1), row(x.m))
		if want, got := built.After(t, g, "f", args), built.After(t, loops, "f", args); got != want {
			t.Errorf("%+v: it gives\n%s\nand not\n%s", x, got, want)
		}
	}
}
