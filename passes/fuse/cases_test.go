package fuse_test

import (
	"strings"
	"testing"
)

// write writes a program in short: A for !loop.array<i64>, E for !loop.emit<i64>; `when c x`
// emits x if c holds.
func write(body string) string {
	var out []string
	for _, line := range strings.Split(body, "\n") {
		f := strings.Fields(line)
		if len(f) == 5 && f[2] == "when" { // %e = when %c %x
			line = f[0] + ` = scf.if ` + f[3] + ` -> (E) {
 %o = loop.emit ` + f[4] + ` : i64
 scf.yield %o : E
} else {
 %o = loop.none : E
 scf.yield %o : E
}`
		}
		out = append(out, line)
	}
	return strings.NewReplacer(" A", " !loop.array<i64>", "<A", "<!loop.array<i64>", "(A", "(!loop.array<i64>", " E", " !loop.emit<i64>", "(E", "(!loop.emit<i64>").Replace(strings.Join(out, "\n"))
}

const head = `func.func @f(%n: index, %k: i64, %in: A) -> (RESULTS) {
 %c0 = arith.constant 0 : index
 %c1 = arith.constant 1 : index
 %c10 = arith.constant 10 : index
 %c20 = arith.constant 20 : index
 %c30 = arith.constant 30 : index
 %c50 = arith.constant 50 : index
 %c100 = arith.constant 100 : index
 %one = arith.constant 1 : i64
 %two = arith.constant 2 : i64
 %fifty = arith.constant 50 : i64
 %hundred = arith.constant 100 : i64
`

// square is the array of i*i.
const square = `%sq = loop.for %i < %n -> collect(i64) {
 %x = arith.index_cast %i : index to i64
 %y = arith.muli %x, %x : i64
 loop.yield %y : i64
}
`

// odd is what of %sq is odd.
const odd = square + `%odd = loop.for %i < %n -> collect(i64) {
 %x = loop.at %sq[%i] : A
 %r = arith.andi %x, %one : i64
 %c = arith.cmpi eq, %r, %one : i64
 %e = when %c %x
 loop.yield %e : E
}
%m = loop.len %odd : A
`

// grouped are the squares by their last digit.
const grouped = square + `%ten = arith.constant 10 : i64
%g, %rows = loop.for %i < %n -> bucket(i64, [collect(i64)]) {
 %x = loop.at %sq[%i] : A
 %d = arith.remui %x, %ten : i64
 loop.yield %d, %x : i64, i64
}
%l = loop.len %g : !loop.buckets<i64>
`

func body(results, text string) string {
	return write(strings.Replace(head, "RESULTS", results, 1) + text + "}\n")
}

var inputs = []string{`[3, 5, [4, 5, 6]]`, `[0, 5, []]`, `[1, -3, [7]]`, `[40, 100, [1, 2, 3]]`}

// More of the kinds of fusion that tests/cases judges on every axis.
func TestCases(t *testing.T) {
	for _, p := range []program{
		{name: "a filter of a filter, all kept", loops: 1, arrays: 3, src: body("A, A, A, index", odd+`
 %big = loop.for %i < %m -> collect(i64) {
  %x = loop.at %odd[%i] : A
  %c = arith.cmpi sgt, %x, %k : i64
  %e = when %c %x
  loop.yield %e : E
 }
 %l = loop.len %big : A
 return %sq, %odd, %big, %l : A, A, A, index
`)},
		{name: "a filter counted", loops: 1, src: body("index", odd+` return %m : index
`)},
		{name: "zip of a filter with a map of it", loops: 1, src: body("i64", odd+`
 %dbl = loop.for %i < %m -> collect(i64) {
  %x = loop.at %odd[%i] : A
  %y = arith.addi %x, %x : i64
  loop.yield %y : i64
 }
 %s = loop.for %i < %m -> reduce(xor : i64) {
  %x = loop.at %odd[%i] : A
  %y = loop.at %dbl[%i] : A
  %z = arith.muli %x, %y : i64
  loop.yield %z : i64
 }
 return %s : i64
`)},
		{name: "mean, then variance", says: "it uses a result that is known after the last round only", loops: 2, arrays: 1, src: body("i64", square+`
 %s = loop.for %i < %n -> reduce(add : i64) {
  %x = loop.at %sq[%i] : A
  loop.yield %x : i64
 }
 %v = loop.for %i < %n -> reduce(add : i64) {
  %x = loop.at %sq[%i] : A
  %d = arith.subi %x, %s : i64
  %y = arith.muli %d, %d : i64
  loop.yield %y : i64
 }
 return %v : i64
`)},
		{name: "prints in one loop", loops: 1, src: body("i64", square+`
 %s = loop.for %i < %n -> reduce(add : i64) {
  %x = loop.at %sq[%i] : A
  special.print %x : i64
  loop.yield %x : i64
 }
 return %s : i64
`)},
		{name: "prints in two loops", says: "both touch memory or print", loops: 2, src: body("i64, i64", `
 %s = loop.for %i < %n -> reduce(add : i64) {
  special.print %k : i64
  loop.yield %k : i64
 }
 %p = loop.for %i < %n -> reduce(mul : i64) {
  special.print %one : i64
  loop.yield %k : i64
 }
 return %s, %p : i64, i64
`)},
		{name: "what emits beside what prints, which would print again", says: "both touch memory or print", loops: 3, arrays: 1, src: body("A", `
 %p = loop.for %i < %n -> reduce(add : i64) {
  special.print %k : i64
  loop.yield %k : i64
 }
 %e = loop.for %i < %n -> emit(i64) {
  loop.yield %k : i64
 }
 %xs = loop.for %i < %c10 -> collect(i64) {
  loop.yield %e : E
 }
 %m = loop.len %xs : A
 %ys = loop.for %i < %m -> collect(i64) {
  %x = loop.at %xs[%i] : A
  %y = arith.addi %x, %x : i64
  loop.yield %y : i64
 }
 return %ys : A
`)},
		{name: "what is emitted twice, whose rounds would be made twice with it", says: "what one emits is taken elsewhere, or more than once", loops: 3, arrays: 2, src: body("A, A", square+`
 %e = loop.for %i < %n -> emit(i64) {
  %x = loop.at %sq[%i] : A
  loop.yield %x : i64
 }
 %both = loop.seq %e, %e : E
 %xs = loop.for %i < %c10 -> collect(i64) {
  loop.yield %both : E
 }
 return %sq, %xs : A, A
`)},
		{name: "a loop that reads nothing of what is emitted in its rounds, and knows their number alone", says: "they read nothing in common", loops: 2, arrays: 2, src: body("A, A", odd+`
 %ones = loop.for %i < %m -> collect(i64) {
  loop.yield %k : i64
 }
 return %odd, %ones : A, A
`)},
		{name: "a table beside what LLVM makes vectors of", says: "they read nothing in common", loops: 2, arrays: 1, src: body("A, A", `
 %ones = loop.for %i < %n -> collect(i64) {
  loop.yield %k : i64
 }
 %g, %sums = loop.for %i < %n -> bucket(i64, [reduce(add : i64)]) {
  %x = arith.index_cast %i : index to i64
  %y = arith.andi %x, %one : i64
  loop.yield %y, %x : i64, i64
 }
 return %ones, %sums : A, A
`)},
		{name: "a table of what another loop reads too", loops: 1, src: body("i64, A", `
 %len = loop.len %in : A
 %s = loop.for %i < %len -> reduce(add : i64) {
  %x = loop.at %in[%i] : A
  loop.yield %x : i64
 }
 %g, %sums = loop.for %i < %len -> bucket(i64, [reduce(add : i64)]) {
  %x = loop.at %in[%i] : A
  %y = arith.andi %x, %one : i64
  loop.yield %y, %x : i64, i64
 }
 return %s, %sums : i64, A
`)},
		{name: "regions that combine", loops: 1, src: body("i64, i64", odd+`
 %s = loop.for %i < %m -> reduce(%one : i64) {
  %x = loop.at %odd[%i] : A
  loop.yield %x : i64
 } combine(%a: i64, %b: i64) {
  %x = arith.muli %a, %b : i64
  %y = arith.addi %x, %k : i64
  loop.yield %y : i64
 }
 %p = loop.for %i < %n -> reduce(%two : i64) {
  %x = loop.at %sq[%i] : A
  loop.yield %x : i64
 } combine(%a: i64, %b: i64) {
  %x = arith.subi %a, %b : i64
  loop.yield %x : i64
 }
 return %s, %p : i64, i64
`)},
		{name: "nested", loops: 2, arrays: 1, src: body("A", `
 %r = loop.for %i < %n -> collect(i64) {
  %q = arith.index_cast %i : index to i64
  %xs = loop.for %j < %i -> collect(i64) {
   %x = arith.index_cast %j : index to i64
   %y = arith.muli %x, %q : i64
   loop.yield %y : i64
  }
  %s = loop.for %j < %i -> reduce(add : i64) {
   %x = loop.at %xs[%j] : A
   loop.yield %x : i64
  }
  loop.yield %s : i64
 }
 return %r : A
`)},
		{name: "loops in loops that become one", loops: 2, src: body("i64, i64", `
 %a = loop.for %i < %n -> reduce(add : i64) {
  %s = loop.for %j < %i -> reduce(add : i64) {
   %x = arith.index_cast %j : index to i64
   loop.yield %x : i64
  }
  loop.yield %s : i64
 }
 %b = loop.for %i < %n -> reduce(add : i64) {
  %s = loop.for %j < %i -> reduce(xor : i64) {
   %x = arith.index_cast %j : index to i64
   loop.yield %x : i64
  }
  loop.yield %s : i64
 }
 return %a, %b : i64, i64
`)},
		{name: "groups: a mean and a region", loops: 2, arrays: 1, says: "is done by the bucket", src: body("A", grouped+`
 %h = loop.for %i < %l -> collect(i64) {
  %row = loop.at %rows[%i] : !loop.array<A>
  %len = loop.len %row : A
  %s = loop.for %j < %len -> reduce(add : i64) {
   %x = loop.at %row[%j] : A
   loop.yield %x : i64
  }
  %p = loop.for %j < %len -> reduce(%two : i64) {
   %x = loop.at %row[%j] : A
   %y = arith.xori %x, %k : i64
   loop.yield %y : i64
  } combine(%a: i64, %b: i64) {
   %y = arith.subi %a, %b : i64
   loop.yield %y : i64
  }
  %c = arith.index_cast %len : index to i64
  %m = arith.divsi %s, %c : i64
  %r = arith.muli %m, %p : i64
  loop.yield %r : i64
 }
 return %h : A
`)},
		{name: "groups: with what each group has", loops: 3, arrays: 1, src: body("A", grouped+`
 %h = loop.for %i < %l -> collect(i64) {
  %row = loop.at %rows[%i] : !loop.array<A>
  %len = loop.len %row : A
  %q = arith.index_cast %i : index to i64
  %s = loop.for %j < %len -> reduce(add : i64) {
   %x = loop.at %row[%j] : A
   %y = arith.muli %x, %q : i64
   loop.yield %y : i64
  }
  loop.yield %s : i64
 }
 return %h : A
`)},
	} {
		p.args = inputs
		t.Run(p.name, func(t *testing.T) { check(t, p) })
	}
}
