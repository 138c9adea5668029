package fuse_test

import (
	"strings"
	"testing"
)

// A table whose keys may have any number of tuples in a round is not asked for its groups ahead:
// a bucket of numbers stays out of the loop that emits them, and one of few keys, of strings, which
// are dear to keep, or of one tuple at most does not.
func TestMissed(t *testing.T) {
	const program = `func.func @f(%xs: !loop.array<i64>, %ss: !loop.array<!loop.string>, %two: index) -> !loop.array<KEY> {
  %n = loop.len %xs : !loop.array<i64>
  %none = loop.none : !loop.emit<KEY>
  %five = arith.constant 5 : i64
  %ys = loop.for %i < %n -> collect(KEY) {
    %x = loop.at %xs[%i] : !loop.array<i64>
    %s = loop.at %ss[%i] : !loop.array<!loop.string>
    %b = arith.trunci %x : i64 to i8
    %c = arith.cmpi sgt, %x, %five : i64
    EMITS
    loop.yield %e : !loop.emit<KEY>
  }
  %m = loop.len %ys : !loop.array<KEY>
  %g = loop.for %i < %m -> bucket(KEY) {
    %y = loop.at %ys[%i] : !loop.array<KEY>
    loop.yield %y : KEY
  }
  %keys = loop.keys %g[0] : !loop.buckets<KEY>
  return %keys : !loop.array<KEY>
}`
	many := "%e = loop.for %j < %two -> emit(KEY) {\n loop.yield VALUE : KEY\n }"
	atMostOne := "%o = loop.emit VALUE : KEY\n %e = arith.select %c, %o, %none : !loop.emit<KEY>"
	for _, c := range []struct {
		key, value, emits string
		loops             int // those inside of others too
	}{
		{"i64", "%x", many, 3}, {"i64", "%x", atMostOne, 1},
		{"i8", "%b", many, 2}, {"!loop.string", "%s", many, 2},
	} {
		src := strings.NewReplacer("EMITS", c.emits).Replace(program)
		src = strings.NewReplacer("KEY", c.key, "VALUE", c.value).Replace(src)
		g, said := fuse(t, read(t, src), "fuse", src)
		if loops, _, _ := static(g); loops != c.loops {
			t.Errorf("%s, %s: %d loops, want %d\n%s", c.key, c.emits, loops, c.loops, show(g))
		}
		const late = "its groups would be asked for only when they are needed"
		if got := strings.Contains(strings.Join(said, "\n"), late); got != (c.loops == 3) {
			t.Errorf("%s, %s: says %q", c.key, c.emits, said)
		}
	}
}
