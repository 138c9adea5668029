package fuse_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
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

// The cases of section 9 of graph-optimizations.md, and more of each kind.
func TestCases(t *testing.T) {
	for _, p := range []program{
		{name: "9.1", ran: map[*ir.OpDef]int64{loop.For: 1, arith.Muli: 201, arith.Addi: 100, arith.Divsi: 2}, want: `[100, 3333]`, loops: 1, src: body("i64, i64", `
 %const = loop.for %i < %c100 -> collect(i64) {
  loop.yield %one : i64
 }
 %lin = loop.for %i < %c100 -> collect(i64) {
  %x = arith.index_cast %i : index to i64
  %y = arith.muli %x, %two : i64
  loop.yield %y : i64
 }
 %aff = loop.for %i < %c100 -> collect(i64) {
  %x = loop.at %const[%i] : A
  %y = loop.at %lin[%i] : A
  %z = arith.addi %x, %y : i64
  loop.yield %z : i64
 }
 %s = loop.for %i < %c100 -> reduce(add : i64) {
  %x = loop.at %aff[%i] : A
  loop.yield %x : i64
 }
 %q = loop.for %i < %c100 -> reduce(add : i64) {
  %x = loop.at %aff[%i] : A
  %y = arith.muli %x, %x : i64
  loop.yield %y : i64
 }
 %mean = arith.divsi %s, %hundred : i64
 %mq = arith.divsi %q, %hundred : i64
 %m2 = arith.muli %mean, %mean : i64
 %v = arith.subi %mq, %m2 : i64
 return %mean, %v : i64, i64
`)},
		{name: "9.2", ran: map[*ir.OpDef]int64{loop.For: 1, arith.Cmpi: 100, scf.If: 100, loop.Emit: 49}, says: "the loops at line 14, line 18, line 31 become one", want: `[3675]`, loops: 1, src: body("i64", `
 %range = loop.for %i < %c100 -> collect(i64) {
  %x = arith.index_cast %i : index to i64
  loop.yield %x : i64
 }
 %odds = loop.for %i < %c100 -> collect(i64) {
  %x = loop.at %range[%i] : A
  %c = arith.cmpi sgt, %x, %fifty : i64
  %e = when %c %x
  loop.yield %e : E
 }
 %m = loop.len %odds : A
 %s = loop.for %i < %m -> reduce(add : i64) {
  %x = loop.at %odds[%i] : A
  loop.yield %x : i64
 }
 return %s : i64
`)},
		{name: "9.3", loops: 1, arrays: 1, src: body("A, i64", square+`
 %s = loop.for %i < %n -> reduce(mul : i64) {
  %x = arith.index_cast %i : index to i64
  loop.yield %x : i64
 }
 return %sq, %s : A, i64
`)},
		{name: "9.4", loops: 1, src: body("i64", odd+`
 %big = loop.for %i < %m -> collect(i64) {
  %x = loop.at %odd[%i] : A
  %c = arith.cmpi sgt, %x, %k : i64
  %e = when %c %x
  loop.yield %e : E
 }
 %l = loop.len %big : A
 %s = loop.for %i < %l -> reduce(add : i64) {
  %x = loop.at %big[%i] : A
  loop.yield %x : i64
 }
 return %s : i64
`)},
		{name: "9.4, all kept", loops: 1, arrays: 3, src: body("A, A, A, index", odd+`
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
		{name: "9.6 flatMap", loops: 2, src: body("i64", `
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
		{name: "9.6 Array(a, b, c)", loops: 1, src: body("i64", `
 %abc = loop.for %i < %c1 -> collect(i64) {
  %a = loop.emit %one : i64
  %b = loop.emit %k : i64
  %c = loop.emit %fifty : i64
  %e = loop.seq %a, %b, %c : E
  loop.yield %e : E
 }
 %m = loop.len %abc : A
 %s = loop.for %i < %m -> reduce(add : i64) {
  %x = loop.at %abc[%i] : A
  %y = arith.muli %x, %x : i64
  loop.yield %y : i64
 }
 return %s : i64
`)},
		{name: "9.7", loops: 3, arrays: 4, src: body("A, A", `
 %cs = loop.for %i < %c100 -> collect(i64) {
  %x = arith.index_cast %i : index to i64
  %y = arith.muli %x, %k : i64
  loop.yield %y : i64
 }
 %as = loop.for %i < %c50 -> collect(i64) {
  %x = arith.index_cast %i : index to i64
  %y = arith.muli %x, %two : i64
  loop.yield %y : i64
 }
 %bs = loop.for %i < %c50 -> collect(i64) {
  %x = loop.at %cs[%c1] : A
  loop.yield %x : i64
 }
 %ds = loop.for %i < %c100 -> collect(i64) {
  %x = loop.at %as[%c1] : A
  loop.yield %x : i64
 }
 return %bs, %ds : A, A
`)},
		{name: "9.11", says: "its size is another", loops: 2, arrays: 2, src: body("A", `
 %range = loop.for %i < %c100 -> collect(i64) {
  %x = arith.index_cast %i : index to i64
  loop.yield %x : i64
 }
 %f = loop.for %i < %c10 -> collect(i64) {
  %x = loop.at %range[%i] : A
  %c = arith.cmpi sgt, %x, %k : i64
  %e = when %c %x
  loop.yield %e : E
 }
 return %f : A
`)},
		{name: "9.13", says: "it reads it at another index than its own", loops: 2, arrays: 2, src: body("A, index", `
 %range = loop.for %i < %c100 -> collect(i64) {
  %x = arith.index_cast %i : index to i64
  loop.yield %x : i64
 }
 %m = loop.len %range : A
 %f = loop.for %i < %m -> collect(i64) {
  %j = arith.addi %i, %c1 : index
  %r = arith.remui %j, %m : index
  %x = loop.at %range[%r] : A
  loop.yield %x : i64
 }
 return %f, %m : A, index
`)},
		{name: "9.15", says: "it uses its index for more than to read what is emitted there", loops: 2, arrays: 2, src: body("A", odd+`
 %f = loop.for %i < %m -> collect(i64) {
  %x = loop.at %odd[%i] : A
  %j = arith.index_cast %i : index to i64
  %y = arith.addi %x, %j : i64
  loop.yield %y : i64
 }
 return %f : A
`)},
		{name: "9.19", says: "then something would be needed before the loop that needs it itself", loops: 3, arrays: 4, src: body("A, A", `
 %range = loop.for %i < %c30 -> collect(i64) {
  %x = arith.index_cast %i : index to i64
  loop.yield %x : i64
 }
 %a = loop.for %i < %c20 -> collect(i64) {
  %x = arith.index_cast %i : index to i64
  %y = arith.muli %x, %two : i64
  loop.yield %y : i64
 }
 %b = loop.for %i < %c20 -> collect(i64) {
  %x = loop.at %a[%i] : A
  %y = loop.at %range[%c0] : A
  %z = arith.addi %x, %y : i64
  loop.yield %z : i64
 }
 %c = loop.for %i < %c30 -> collect(i64) {
  %x = loop.at %range[%i] : A
  %y = loop.at %a[%c0] : A
  %z = arith.addi %x, %y : i64
  loop.yield %z : i64
 }
 return %b, %c : A, A
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
  lms.print %x
  loop.yield %x : i64
 }
 return %s : i64
`)},
		{name: "prints in two loops", says: "both touch memory or print", loops: 2, src: body("i64, i64", `
 %s = loop.for %i < %n -> reduce(add : i64) {
  lms.print %k
  loop.yield %k : i64
 }
 %p = loop.for %i < %n -> reduce(mul : i64) {
  lms.print %one
  loop.yield %k : i64
 }
 return %s, %p : i64, i64
`)},
		{name: "what emits beside what prints, which would print again", says: "both touch memory or print", loops: 3, arrays: 1, src: body("A", `
 %p = loop.for %i < %n -> reduce(add : i64) {
  lms.print %k
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
		{name: "9.5", loops: 1, says: "is done by the bucket", src: body("A", grouped+`
 %h = loop.for %i < %l -> collect(i64) {
  %row = loop.at %rows[%i] : !loop.array<A>
  %len = loop.len %row : A
  %s = loop.for %j < %len -> reduce(add : i64) {
   %x = loop.at %row[%j] : A
   %y = arith.muli %x, %k : i64
   loop.yield %y : i64
  }
  loop.yield %s : i64
 }
 return %h : A
`)},
		{name: "9.5, a mean and a region", loops: 2, arrays: 1, says: "is done by the bucket", src: body("A", grouped+`
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
		{name: "9.5, the groups kept", loops: 3, arrays: 1, src: body("A, !loop.array<A>", grouped+`
 %h = loop.for %i < %l -> collect(i64) {
  %row = loop.at %rows[%i] : !loop.array<A>
  %len = loop.len %row : A
  %s = loop.for %j < %len -> reduce(add : i64) {
   %x = loop.at %row[%j] : A
   loop.yield %x : i64
  }
  loop.yield %s : i64
 }
 return %h, %rows : A, !loop.array<A>
`)},
		{name: "9.5, with what each group has", loops: 3, arrays: 1, src: body("A", grouped+`
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
