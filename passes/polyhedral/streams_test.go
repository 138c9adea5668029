package polyhedral_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

// What a program reads once for two statements is not read for each: a matrix for the products with it and with its
// transpose, as in BiCG. By fuse=min they stay apart.
func TestStreams(t *testing.T) {
	const src = `func.func @f(%n: index, %a: memref<?x?xi64> {llvm.noalias}, %s: memref<?xi64> {llvm.noalias}, %q: memref<?xi64> {llvm.noalias}, %r: memref<?xi64> {llvm.noalias}) {
  %z = arith.constant 0 : i64
  affine.for %i = 0 to %n {
    affine.store %z, %s[%i] : memref<?xi64>
  }
  affine.for %i = 0 to %n {
    affine.store %z, %q[%i] : memref<?xi64>
    affine.for %j = 0 to %n {
      %x = affine.load %a[%i, %j] : memref<?x?xi64>
      %s0 = affine.load %s[%j] : memref<?xi64>
      %s1 = arith.addi %s0, %x : i64
      affine.store %s1, %s[%j] : memref<?xi64>
      %q0 = affine.load %q[%i] : memref<?xi64>
      %r0 = affine.load %r[%j] : memref<?xi64>
      %u = arith.muli %x, %r0 : i64
      %q1 = arith.addi %q0, %u : i64
      affine.store %q1, %q[%i] : memref<?xi64>
    }
  }
  return
}`
	const args = "[3, [[1, 2, 3], [4, 5, 6], [7, 8, 9]], [1, 1, 1], [1, 1, 1], [3, 2, 1]]"
	for _, c := range []struct{ name, src string }{
		{"by rows", src},
		{"by columns", strings.Replace(src, "%a[%i, %j]", "%a[%j, %i]", 1)},
	} {
		g := parse(t, c.src)
		want := built.After(t, g, "f", args)
		for fuse, bands := range map[string]int{"smart": 1, "min": 2} { // of two loops
			up := built.Through(t, g, "raise-affine,poly-schedule{alg=pluto fuse="+fuse+"}")
			if got := strings.Count(shown(up), "}, {"); got != bands {
				t.Errorf("%s, %s: %d bands of two loops, want %d:\n%s", c.name, fuse, got, bands, shown(up))
			}
			built.Gives(t, built.ThroughFor(t, built.Tiny(16, 2), up, "poly-tile,poly-codegen{parallel=true}"), "f", args, want, "%s, %s", c.name, fuse)
		}
	}
}
