package loop_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// wrong lists functions that are wrong in one way each, and the first line of what is said of
// it: the function begins in line 5. They have parameters %n: index, %x: f64, %k: i64, %b: i1, %a: array of f64,
// %r: array of !row, %s: string.
var wrong = []struct{ body, says string }{
	{`%0 = loop.for %i < %n -> reduce(f64) {
  loop.yield %x : f64
}`,
		`5:33: error: a reduce combines by add, mul, min, max, and, or, xor, or by a region, and then has its identity here: 'reduce(%zero : f64) {...} combine(%a: f64, %b: f64) {...}'`},
	{`%0 = loop.for %i < %n -> reduce(add : !cx) {
  %c = loop.struct %k, %k : !cx
  loop.yield %c : !cx
}`,
		`5:26: error: add combines numbers; of other values a region says how`},
	{`%0 = loop.for %i < %n -> reduce(xor : f64) {
  loop.yield %x : f64
}`,
		`5:26: error: xor combines integers, not floats`},
	{`%0 = loop.for %i < %n -> reduce(%k : f64) {
  loop.yield %x : f64
} combine(%c: f64, %d: f64) {
  loop.yield %c : f64
}`,
		`5:6: error: 'loop.for' op has identities of type i64 for generators that combine f64`},
	{`%0 = loop.for %i < %n -> reduce(%x : f64) {
  loop.yield %x : f64
}`,
		`8:1: error: expected the region by which a reduce combines two tuples: combine(%a: f64, %b: f64) {...}`},
	{`%0 = loop.for %i < %n -> reduce(%x : f64) {
  loop.yield %x : f64
} combine(%c: f64, %d: i64) {
  loop.yield %c : f64
}`,
		`5:6: error: 'loop.for' op has a region that combines two tuples f64, and its parameters are (f64, i64)`},
	{`%0 = loop.for %i < %n -> reduce(%x : f64) {
  loop.yield %x : f64
} combine(%c: f64, %d: f64) {
  loop.yield %k : i64
}`,
		`5:6: error: 'loop.for' op has a region that combines two tuples f64 to one i64`},
	{`%0:2 = loop.for %i < %n -> bucket(i64, [reduce(add : f64)]) {
  loop.yield %x, %x : f64, f64
}`,
		`5:8: error: 'loop.for' op generator #0, bucket, takes (i64, f64), and is given (f64, f64)`},
	{`%0 = loop.for %i < %n -> bucket(!loop.array<f64>, []) {
  loop.yield %a : !loop.array<f64>
}`,
		`5:26: error: bucket has keys that are numbers of at most 64 bits, strings, or structs of such`},
	{`%0 = loop.for %i < %n -> bucket([reduce(add : f64)]) {
  loop.yield %x : f64
}`,
		`5:26: error: bucket has no key, whose type comes first: bucket(i64, [...])`},
	{`%0:2 = loop.for %i < %n -> bucket(i64, [emit(f64)]) {
  loop.yield %k, %x : i64, f64
}`,
		`5:28: error: emit stands in no bucket: it hands tuples to the loop around it`},
	{`%0 = loop.for %i < %n -> collect(vector<4xf32>) {
  loop.yield %x : f64
}`,
		`5:26: error: collect holds numbers of at most 64 bits, strings, structs, nullable values or arrays`},
	{`%0 = loop.for %i < %n -> gather(f64) {
  loop.yield %x : f64
}`,
		`5:26: error: expected a generator: collect, reduce, scan, bucket or emit`},
	{`%0 = loop.for %i < %k -> collect(f64) {
  loop.yield %x : f64
}`,
		`5:20: error: '%k' is used as index, but its type is i64`},
	{`%0 = loop.for %i < %n -> collect(f64) {
  loop.yield %x, %x : f64, f64
}`,
		`5:6: error: 'loop.for' op yields more than its generators take: f64`},
	{`%0 = loop.for %i < %n -> collect(f64) {
  %y = arith.addf %x, %x : f64
}`,
		`5:6: error: 'loop.for' op has region #0 that does not end with loop.yield`},
	{`%0 = loop.for %i < %n -> collect(f64) {
  %e = scf.if %b -> (!loop.emit<f64>) {
    loop.yield %x : f64
  } else {
    %o = loop.none : !loop.emit<f64>
    scf.yield %o : !loop.emit<f64>
  }
  loop.yield %e : !loop.emit<f64>
}`,
		`6:8: error: 'scf.if' op expects region #0 to end with 'scf.yield', not with 'loop.yield'`},
	{`loop.yield %x : f64`,
		`6:1: error: 'func.return' op stands after the terminator of its region, 'loop.yield'`},
	{`%0 = loop.for %i < %n -> collect(f64) {
  loop.yield %q : !loop.emit<f64>
}`,
		`5:6: error: 'loop.for' op yields as value #0 a !loop.emit that comes from a parameter; a sequence is made in the body that yields it, by loop.emit, loop.none, loop.seq, scf.if, arith.select or a loop.for with emit`},
	{`%0 = scf.for %i = %n to %n step %n iter_args(%e = %q) -> (!loop.emit<f64>) {
  %t = loop.seq %e, %e : !loop.emit<f64>
  scf.yield %t : !loop.emit<f64>
}`,
		`6:8: error: 'loop.seq' op takes as operand #0 a !loop.emit that comes from a parameter; a sequence is made in the body that yields it, by loop.emit, loop.none, loop.seq, scf.if, arith.select or a loop.for with emit`},
	{`%e = func.call @g() : () -> !loop.emit<f64>
%0 = loop.for %i < %n -> collect(f64) {
  loop.yield %e : !loop.emit<f64>
}`,
		`6:6: error: 'loop.for' op yields as value #0 a !loop.emit that comes from func.call; a sequence is made in the body that yields it, by loop.emit, loop.none, loop.seq, scf.if, arith.select or a loop.for with emit`},
	{`%e = loop.at %r[%n] : !loop.array<!row>
%0 = loop.column %e["v"] : !row`,
		`6:6: error: 'loop.column' op takes an array of structs, not !loop.struct<name: !loop.string, v: i64>, of which loop.field takes a field`},
	{`%e = loop.emit %x : f64
%0 = loop.struct %e : !loop.struct<e: !loop.emit<f64>>`,
		`6:23: error: type '!loop.struct' holds numbers of at most 64 bits, strings, structs, nullable values or arrays`},
	{`%e = loop.emit %x : f64
%f = loop.emit %k : i64
%0 = loop.seq %e, %f : !loop.emit<f64>`,
		`7:6: error: 'loop.seq' op operand #1 is !loop.emit<i64>, not !loop.emit<f64>`},
	{`%0 = loop.struct %k, %k : !loop.struct<a: i64, a: i64>`,
		`5:27: error: type '!loop.struct' has two fields "a"`},
	{`%0 = loop.struct : !loop.struct<>`,
		`5:33: error: expected a keyword, found '>'`},
	{`%0 = loop.struct %k, %x : !cx`,
		`5:6: error: 'loop.struct' op field "im" is i64, not f64`},
	{`%0 = loop.struct %k : !cx`,
		`5:6: error: 'loop.struct' op has 1 operands for the 2 fields of !loop.struct<re: i64, im: i64>`},
	{`%0 = loop.column %r["nam"] : !loop.array<!row>`,
		`5:6: error: 'loop.column' op names a field "nam", which is not there; did you mean "name"?`},
	{`%e = loop.at %r[%n] : !loop.array<!row>
%0 = loop.field %e["amount"] : !row`,
		`6:6: error: 'loop.field' op names a field "amount", which is not there; there are name, v`},
	{`%0 = loop.field %r["name"] : !loop.array<!row>`,
		`5:6: error: 'loop.field' op takes a struct or a nullable value, not !loop.array<!loop.struct<name: !loop.string, v: i64>>, of whose elements loop.column takes a field`},
	{`%0 = loop.zip %a, %a : !loop.array<!cx>`,
		`5:6: error: 'loop.zip' op column "re" is !loop.array<i64>, not !loop.array<f64>`},
	{`%0 = loop.at %a[%k] : !loop.array<f64>`,
		`5:6: error: 'loop.at' op operand #1 is i64, not index`},
	{`%0 = loop.at %x[%n] : f64`,
		`5:6: error: 'loop.at' op takes an array or a string, not f64`},
	{`%0 = loop.slice %a[%n to %k] : !loop.array<f64>`,
		`5:6: error: 'loop.slice' op operand #2 is i64, not index`},
	{`%0 = loop.sort %a up : !loop.array<f64>`,
		`5:19: error: expected ':', found 'up'`},
	{`%g = loop.for %i < %n -> collect(!loop.array<f64>) {
  loop.yield %a : !loop.array<f64>
}
%0 = loop.sort %g asc : !loop.array<!loop.array<f64>>`,
		`8:6: error: 'loop.sort' op operand #0 is !loop.array<!loop.array<f64>>, not an array of numbers, strings or structs of such`},
	{`%g = loop.for %i < %n -> bucket(i64, []) {
  loop.yield %k : i64
}
%0 = loop.find %g, %x : !loop.buckets<i64>`,
		`8:6: error: 'loop.find' op looks for a key of type f64 in !loop.buckets<i64>`},
	{`%g = loop.for %i < %n -> bucket(i64, []) {
  loop.yield %k : i64
}
%0 = loop.keys %g[1] : !loop.buckets<i64>`,
		`8:6: error: 'loop.keys' op asks for key 1 of 1; the first is 0`},
	{`%0 = loop.len %x : f64`,
		`5:6: error: 'loop.len' op takes an array, a string or buckets, not f64`},
	{`%0 = loop.compare lt, %x, %x`,
		`5:6: error: 'loop.compare' op operand #0 is f64, not a string`},
	{`%0 = loop.compare like, %s, %s`,
		`5:19: error: expected one of eq, ne, lt, le, gt, ge, found 'like'`},
	{`%0 = arith.select %b, %a, %r : !loop.array<f64>`,
		`5:27: error: '%r' is used as !loop.array<f64>, but its type is !loop.array<!loop.struct<name: !loop.string, v: i64>>`},
}

const wrongHead = cx + "!row = !loop.struct<name: !loop.string, v: i64>\n" +
	"func.func private @g() -> !loop.emit<f64>\nfunc.func private @f(%n: index, %x: f64, %k: i64, %b: i1, %a: !loop.array<f64>, %r: !loop.array<!row>, %s: !loop.string, %q: !loop.emit<f64>) {\n"

// One good diagnostic each, with the line and a caret under the place.
func TestWrong(t *testing.T) {
	for _, x := range wrong {
		_, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("t.mlir", wrongHead+x.body+"\nreturn\n}\n"), text.Options{})
		if list.Err() == nil {
			t.Errorf("%s\nis taken", x.body)
			continue
		}
		lines := strings.Split(list.Err().Error(), "\n")
		if lines[0] != "t.mlir:"+x.says || len(lines) < 3 || !strings.Contains(lines[2], "^") {
			t.Errorf("%s\ngives\n%v\nwant\n%s", x.body, list.Err(), x.says)
		}
	}
}

// trapping lists bodies of a function of %n: index, %a: array of f64, %b: array of i64 that are
// wrong for [2, [1, 2, 3], [1]], what they give, and what is said.
var trapping = []struct{ body, gives, says string }{
	{`%m = arith.subi %z, %n : index
%0 = loop.for %i < %m -> reduce(add : index) {
  loop.yield %i : index
}`, "index", "'loop.for' op: trap: a loop of -2 rounds in @f"},
	{`%0 = loop.zip %a, %b : !loop.array<!p>`, "!loop.array<!p>", "'loop.zip' op: trap: columns of 3 and of 1 elements in @f"},
	{`%0 = loop.for %i < %n -> reduce(add : i64) {
  %x = loop.at %b[%i] : !loop.array<i64>
  loop.yield %x : i64
}`, "i64", "'loop.at' op: trap: element 1 of an array of 1 in @f"},
	{`%0 = loop.slice %b[%z to %n] : !loop.array<i64>`, "!loop.array<i64>", "'loop.slice' op: trap: elements 0 to 2 of an array of 1 in @f"},
	{`%0 = loop.slice %a[%n to %z] : !loop.array<f64>`, "!loop.array<f64>", "'loop.slice' op: trap: elements 2 to 0 of an array of 3 in @f"},
	{`%0 = loop.sort %a asc, %b desc : !loop.array<f64>, !loop.array<i64>`, "!loop.array<index>", "'loop.sort' op: trap: keys of 3 and of 1 rows in @f"},
	{`%s = loop.constant "ab"
%0 = loop.at %s[%n] : !loop.string`, "i8", "'loop.at' op: trap: element 2 of an array of 2 in @f"},
}

// What differs at run time stops the program where it is wrong, as written and as built.
func TestTraps(t *testing.T) {
	for _, x := range trapping {
		src := "!p = !loop.struct<a: f64, b: i64>\nfunc.func @f(%n: index, %a: !loop.array<f64>, %b: !loop.array<i64>) -> " + x.gives +
			" {\n%z = arith.constant 0 : index\n" + x.body + "\nreturn %0 : " + x.gives + "\n}"
		for _, verbatim := range []bool{true, false} {
			if got := built.Run(t, built.Parse(t, src, text.Options{Verbatim: verbatim}), "f", `[2, [1, 2, 3], [1]]`); got != x.says {
				t.Errorf("%s\nverbatim %v, says\n%s\nwant\n%s", x.body, verbatim, got, x.says)
			}
		}
	}
}
