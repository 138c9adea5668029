package input

import (
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// FuzzData checks that no text makes a reader of data panic, and that every
// array it gives is well formed.
func FuzzData(f *testing.F) {
	for _, s := range []string{
		`{"x": [[1, null], [2.5, "NaN"]], "y": 3}`, "x <- structure(c(1, NA), .Dim = 1:2)\n`y` = rep(1:2, each = 2)",
		"list(x = matrix(1:4, 2, byrow = TRUE), y = structure(.Data = c(1, 2), .Dim = c(1, 2)))",
		"x[] Y[,1]\n1 2\nEND", "x,Y[1],\n1,NA", `[{"a": [1]}, {"a": [2]}]`, "x <- seq(1, 2, length = 3)",
	} {
		for k := range uint8(5) {
			f.Add(s, k)
		}
	}
	f.Fuzz(func(t *testing.T, text string, kind uint8) {
		d, list := ParseData(diag.NewSource("d", text), Kind(kind%5))
		_ = list.Error()
		points, list := ParsePoints(diag.NewSource("d", text))
		_ = list.Error()
		for _, d := range append(points, d) {
			for _, n := range d.Names {
				a := d.Get(n)
				if size := ir.Elements(a.Dims); size != len(a.Values) || a.Missing != nil && len(a.Missing) != size {
					t.Fatalf("%q: %s has dimensions %v and %d values", text, n, a.Dims, len(a.Values))
				}
			}
		}
	})
}
