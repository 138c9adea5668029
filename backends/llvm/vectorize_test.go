package llvm

import (
	"regexp"
	"strings"
	"testing"
)

// LLVM is told in each function of the widest vectors that there are, or are to be.
func TestLegalWidth(t *testing.T) {
	const loop = `func.func @f(%x: memref<32xf64>ARGUMENT) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c32 step %c1 {
    %a = memref.load %x[%i] : memref<32xf64>
    %m = arith.mulf %a, %a : f64
VALUE    memref.store %m, %x[%i] : memref<32xf64>
  }HINT
  return
}
func.func @g() {
  return
}
`
	width := regexp.MustCompile(`(?m)^define .*"min-legal-vector-width"="(\d+)" \{$`)
	for _, c := range []struct{ name, at, text, want string }{
		{"numbers", "", "", "0"},
		{"a loop that is to be vectors", "HINT", " {irc.lanes = 8 : i64}", "512"},
		{"an argument", "ARGUMENT", ", %v: vector<4xf64>", "256"},
		{"an argument of narrow numbers", "ARGUMENT", ", %v: vector<16xi8>", "128"},
		{"a value", "VALUE", "    %w = vector.broadcast %a : f64 to vector<16xf64>\n    vector.store %w, %x[%c0] : memref<32xf64>, vector<16xf64>\n", "1024"},
	} {
		src := loop
		if c.at != "" {
			src = strings.Replace(src, c.at, c.text, 1)
		}
		src = strings.NewReplacer("HINT", "", "ARGUMENT", "", "VALUE", "").Replace(src)
		ll, err := Text(parse(t, src), Options{Thunks: true, Unchecked: true})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		verify(t, ll)
		found := width.FindAllStringSubmatch(ll, -1)
		if len(found) < 3 || len(found) != strings.Count(ll, "\ndefine ") {
			t.Errorf("%s: %d functions say it:\n%s", c.name, len(found), ll)
		}
		for _, m := range found {
			if m[1] != c.want {
				t.Errorf("%s: vectors of %s bits are to be legal, want %s", c.name, m[1], c.want)
			}
		}
	}
}
