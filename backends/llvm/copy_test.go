package llvm

import (
	"strings"
	"testing"
)

// TestGaplessCopies: a row of a matrix is copied at once, and a column by way of a buffer.
func TestGaplessCopies(t *testing.T) {
	for _, x := range []struct {
		view   string
		buffer bool
	}{
		{"[%i, 0] [1, 7] [1, 1] : memref<9x7xi64> to memref<7xi64, strided<[1], offset: ?>>", false},
		{"[%i, 0] [2, 7] [1, 1] : memref<9x7xi64> to memref<2x7xi64, strided<[7, 1], offset: ?>>", false},
		{"[%i, 0] [2, 6] [1, 1] : memref<9x7xi64> to memref<2x6xi64, strided<[7, 1], offset: ?>>", true},
		{"[0, %i] [9, 1] [1, 1] : memref<9x7xi64> to memref<9xi64, strided<[7], offset: ?>>", true},
	} {
		_, typ, _ := strings.Cut(x.view, " to ")
		src := `func.func @f(%a: memref<9x7xi64>, %b: memref<9x7xi64>, %i: index) {
  %x = memref.subview %a` + x.view + `
  %y = memref.subview %b` + x.view + `
  memref.copy %x, %y : ` + typ + " to " + typ + `
  return
}`
		ll, err := Text(parse(t, src), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(ll, "@malloc("); got != x.buffer {
			t.Errorf("%s: a buffer: %v, want %v", x.view, got, x.buffer)
		}
	}
}
