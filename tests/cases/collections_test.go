package cases

import (
	"fmt"
	"strings"
	"testing"
)

// array is the array %name of values, and %nameLen its length.
func array(name string, values ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%%%s = loop.for %%i < %%c1 -> collect(i64) {\n", name)
	var parts []string
	for i, v := range values {
		fmt.Fprintf(&b, " %%o%d = loop.emit %%%s : i64\n", i, v)
		parts = append(parts, fmt.Sprintf("%%o%d", i))
	}
	fmt.Fprintf(&b, " %%e = loop.seq %s : !e\n loop.yield %%e : !e\n}\n%%%sLen = loop.len %%%s : !a\n", strings.Join(parts, ", "), name, name)
	return b.String()
}

// concat is the array %name of the elements of two arrays, and %nameLen its length.
func concat(name, xs, xsLen, ys, ysLen string) string {
	return strings.NewReplacer("NAME", name, "XSLEN", xsLen, "YSLEN", ysLen, "XS", xs, "YS", ys).Replace(`%NAME = loop.for %i < %c1 -> collect(i64) {
 %p = loop.for %j < %XSLEN -> emit(i64) {
  %x = loop.at %XS[%j] : !a
  loop.yield %x : i64
 }
 %q = loop.for %j < %YSLEN -> emit(i64) {
  %x = loop.at %YS[%j] : !a
  loop.yield %x : i64
 }
 %e = loop.seq %p, %q : !e
 loop.yield %e : !e
}
%NAMELen = loop.len %NAME : !a
`)
}

// sixtyFour is the array %many of 0 to 63.
func sixtyFour() string {
	var b strings.Builder
	var names []string
	for i := range 64 {
		fmt.Fprintf(&b, "%%v%d = arith.constant %d : i64\n", i, i)
		names = append(names, fmt.Sprintf("v%d", i))
	}
	return b.String() + array("many", names...)
}

// fifty makes %y of %x by 50 operations, and exploded is the sum of it for 0 to 63 and more.
func fifty() string {
	var b strings.Builder
	b.WriteString("%y0 = arith.addi %x, %zero : i64\n")
	for i := range 25 {
		fmt.Fprintf(&b, "%%z%d = arith.muli %%y%d, %%k : i64\n%%y%d = arith.xori %%z%d, %%x : i64\n", i, i, i+1, i)
	}
	return strings.ReplaceAll(b.String(), "%y25", "%y")
}

func exploded(k int64, more ...int64) (s int64) {
	for x := range int64(64) {
		more = append(more, x)
	}
	for _, x := range more {
		y := x
		for range 25 {
			y = y*k ^ x
		}
		s += y
	}
	return s
}

// Section 9, what collections are made of: flatMap, distinct, groupBy, arrays of given values,
// concatenation.
func TestCollections(t *testing.T) {
	judgeAll(t, []program{
		{id: "9.6 flatMap", runs: [][2]string{{`[4, 0, []]`, `[4]`}, {`[0, 0, []]`, `[0]`}},
			static: "loop.for 2, collect 0, reduce 1, emit 1", placed: "for top for, index_cast for/for", ran: "loop.for 5, arith.index_cast 6",
			src: of("i64", `
 %fm = loop.for %i < %n -> collect(index) {
  %e = loop.for %j < %i -> emit(index) {
   loop.yield %j : index
  }
  loop.yield %e : !loop.emit<index>
 }
 %m = loop.len %fm : !loop.array<index>
 %s = loop.for %i < %m -> reduce(add : i64) {
  %x = loop.at %fm[%i] : !loop.array<index>
  %y = arith.index_cast %x : index to i64
  loop.yield %y : i64
 }
 return %s : i64
`)},
		{id: "9.6 distinct, of a map, and how many", runs: [][2]string{{`[0, 0, [1, 2, 4, 5, 7, 3]]`, `[[1, 2, 0], 3]`}, {`[0, 0, []]`, `[[], 0]`}},
			static: "loop.for 1, collect 0, bucket 1, reduce 0", placed: "remsi for, at for, keys top, len top top", ran: "loop.for 1, loop.at 6, arith.remsi 6",
			src: of("!a, index", mapped("rests", "in", "len", "%y = arith.remsi %x, %three : i64")+`
 %g, %last = loop.for %i < %len -> bucket(i64, [reduce(add : i64)]) {
  %x = loop.at %rests[%i] : !a
  loop.yield %x, %x : i64, i64
 }
 %keys = loop.keys %g[0] : !loop.buckets<i64>
 %l = loop.len %keys : !a
 return %keys, %l : !a, index
`)},
		{id: "9.6 distinct by a bucket of the last value (rhs), the sum of it", runs: [][2]string{{`[0, 0, [1, 2, 1, 2, 7]]`, `[10]`}},
			static: "loop.for 2, collect 0, bucket 1, reduce 2", placed: "for top top, at for for", ran: "loop.for 2, loop.at 8",
			says: []string{"is not fused with that at"},
			src: of("i64", `
 %g, %xs = loop.for %i < %len -> bucket(i64, [reduce(%zero : i64)]) {
  %x = loop.at %in[%i] : !a
  loop.yield %x, %x : i64, i64
 } combine(%a: i64, %b: i64) {
  loop.yield %b : i64
 }
 %m = loop.len %g : !loop.buckets<i64>
`+sum("s", "xs", "m", itself)+" return %s : i64\n")},
		{id: "9.6 groupBy.unzip: keys and values apart", runs: [][2]string{{`[0, 0, [1, 2, 4, 5, 7, 3]]`, `[[1, 2, 0], [[1, 4, 7], [2, 5], [3]]]`}, {`[0, 0, []]`, `[[], []]`}},
			static: "loop.for 1, bucket 1, reduce 1, collect 1", placed: "remsi for, at for", ran: "loop.for 1, loop.at 6, arith.remsi 6",
			src: of("!a, !loop.array<!a>", `
 %g, %ks = loop.for %i < %len -> bucket(i64, [reduce(%zero : i64)]) {
  %x = loop.at %in[%i] : !a
  %d = arith.remsi %x, %three : i64
  loop.yield %d, %d : i64, i64
 } combine(%a: i64, %b: i64) {
  loop.yield %b : i64
 }
 %h, %vs = loop.for %i < %len -> bucket(i64, [collect(i64)]) {
  %x = loop.at %in[%i] : !a
  %d = arith.remsi %x, %three : i64
  loop.yield %d, %x : i64, i64
 }
 return %ks, %vs : !a, !loop.array<!a>
`)},
		{id: "9.6 Array(a, b, c): straight-line yields", runs: [][2]string{{`[0, 7, []]`, `[2550]`}},
			static: "loop.for 1, collect 0, reduce 1, loop.seq 1, loop.emit 3, arith.muli 1", placed: "emit top top top, seq top, muli top", ran: "loop.for 1, loop.emit 3, arith.muli 1",
			src: of("i64", array("abc", "one", "k", "fifty")+sum("s", "abc", "abcLen", "%y = arith.muli %x, %x : i64")+" return %s : i64\n")},
		{id: "9.6 xs ++ ys, summed", runs: [][2]string{{`[3, 10, [1, 2]]`, `[60]`}, {`[0, 10, []]`, `[0]`}},
			static: "collect 0, reduce 1, emit 2, loop.seq 1, arith.muli 2, loop.for 3", placed: "for top top top, muli for for", ran: "loop.for 3, arith.muli 5",
			src: of("i64", indices("ys", "n")+concat("xs", "in", "len", "ys", "n")+sum("s", "xs", "xsLen", "%y = arith.muli %x, %k : i64")+" return %s : i64\n")},
		{id: "9.6 the cut-off: 64 constants ++ an array into a body of 50 operations", says: []string{"copies of the body are more code than the limit"},
			runs:   [][2]string{{`[0, 3, [5]]`, fmt.Sprintf("[%d]", exploded(3, 5))}, {`[0, 1, []]`, fmt.Sprintf("[%d]", exploded(1))}},
			static: "loop.emit 64, arith.muli 25, arith.xori 25, loop.for 3", placed: "at for for", ran: "arith.muli 1625, arith.xori 1625",
			src: of("i64", sixtyFour()+concat("xs", "many", "manyLen", "in", "len")+sum("s", "xs", "xsLen", fifty())+" return %s : i64\n")},
		{id: "9.6 below the cut-off: 4 constants ++ an array into a body of 2", runs: [][2]string{{`[0, 3, [5]]`, `[199]`}},
			static: "loop.for 2, arith.muli 4, collect 0", placed: "muli top top top for", ran: "arith.muli 4",
			src: of("i64", array("many", "one", "two", "three", "fifty")+concat("xs", "many", "manyLen", "in", "len")+sum("s", "xs", "xsLen", "%z = arith.muli %x, %k : i64\n%w = arith.addi %z, %k : i64\n%y = arith.xori %w, %one : i64")+" return %s : i64\n")},
	})
}
