package table

import (
	"fmt"
	"slices"
	"testing"
)

// Any text is read as the same table, or has the same first error, in pieces of any size.
func FuzzReadCSV(f *testing.F) {
	f.Add("a,b\n1,x\n", uint8(3))
	f.Add("\ufeff\"a\",b\r\n-0.5,\"x\"\"\n,\"\n\n,", uint8(1))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		for _, k := range []Kind{I8, Date, F64} {
			wants := []Want{{"a", k, true}, {"b", String, false}}
			got, err := read(text, wants...)
			other, err2 := inPieces(text, 1+int(size), wants...)
			if fmt.Sprint(err) != fmt.Sprint(err2) || err == nil && !slices.Equal(cells(got), cells(other)) {
				t.Fatalf("%v, in pieces of %d: %v", err, 1+int(size), err2)
			}
		}
	})
}
