package cases

import (
	"strings"
	"testing"
)

// at is the array %name, size long, of the elements of %from at %j, which lines make of %i.
func at(name, from, size, lines string) string {
	return strings.NewReplacer("NAME", name, "FROM", from, "SIZE", size, "LINES", lines).Replace(`%NAME = loop.for %i < %SIZE -> collect(i64) {
 LINES
 %x = loop.at %FROM[%j] : !a
 loop.yield %x : i64
}
`)
}

// fromEnd are lines that make %j the index from the end of what is %size long.
func fromEnd(size string) string {
	return " %last = arith.subi %" + size + ", %c1 : index\n %j = arith.subi %last, %i : index"
}

// stencil is the array %name, %n long, of the sums of three elements in turn of %from, which is
// %longer, n + 2, long.
func stencil(name, from string) string {
	return strings.NewReplacer("NAME", name, "FROM", from).Replace(`%NAME = loop.for %i < %n -> collect(i64) {
 %j = arith.addi %i, %c1 : index
 %l = arith.addi %i, %c2 : index
 %x = loop.at %FROM[%i] : !a
 %y = loop.at %FROM[%j] : !a
 %z = loop.at %FROM[%l] : !a
 %p = arith.addi %x, %y : i64
 %q = arith.addi %p, %z : i64
 loop.yield %q : i64
}
`)
}

const longer = "%longer = arith.addi %n, %c2 : index\n"

const twice = "%y = arith.muli %x, %k : i64"

// Section 9, arrays that are read at another index, or from a loop of another size: each element
// that is read once is made where it is read, what is read more often if that is cheap.
func TestElements(t *testing.T) {
	dear := "%y1 = arith.muli %x, %k : i64\n %y2 = arith.xori %y1, %x : i64\n %y3 = arith.muli %y2, %k : i64\n %y = arith.xori %y3, %x : i64"
	judgeAll(t, []program{
		{id: "reverse, of a map", says: []string{"are made where they are read"}, runs: [][2]string{{`[0, 2, [1, 2, 3]]`, `[[6, 4, 2]]`}, {`[0, 2, []]`, `[[]]`}},
			static: "loop.for 1, collect 1, loop.at 1", placed: "muli for, at for, for top", ran: "loop.for 1, arith.muli 3, loop.at 3",
			src: of("!a", mapped("ys", "in", "len", twice)+at("r", "ys", "len", fromEnd("len"))+" return %r : !a\n")},
		{id: "reverse of reverse, summed", runs: [][2]string{{`[0, 2, [1, 2, 3]]`, `[12]`}},
			static: "loop.for 1, collect 0, loop.at 1, arith.subi 0", placed: "muli for, at for", ran: "loop.for 1, arith.muli 3",
			src: of("i64", mapped("ys", "in", "len", twice)+at("r", "ys", "len", fromEnd("len"))+at("q", "r", "len", fromEnd("len"))+sum("s", "q", "len", itself)+" return %s : i64\n")},
		{id: "a palindrome: what is read forwards and backwards, cheap", runs: [][2]string{{`[0, 2, [1, 2, 3]]`, `[40]`}},
			static: "loop.for 1, collect 0, loop.at 2", placed: "muli for for for, at for for", ran: "loop.for 1, arith.muli 9",
			src: of("i64", mapped("ys", "in", "len", twice)+`%s = loop.for %i < %len -> reduce(add : i64) {
`+fromEnd("len")+`
 %x = loop.at %ys[%i] : !a
 %y = loop.at %ys[%j] : !a
 %z = arith.muli %x, %y : i64
 loop.yield %z : i64
}
 return %s : i64
`)},
		{id: "take, of a map: no more is made", runs: [][2]string{{`[2, 2, [1, 2, 3]]`, `[6]`}, {`[9, 2, [1, 2, 3]]`, `[12]`}, {`[0, 2, []]`, `[0]`}},
			static: "loop.for 1, collect 0, loop.at 1, loop.slice 0", placed: "muli for, at for", ran: "loop.for 1, arith.muli 2",
			src: of("i64", mapped("ys", "in", "len", twice)+`%m = arith.minsi %n, %len : index
%part = loop.slice %ys[%c0 to %m] : !a
%l = loop.len %part : !a
`+sum("s", "part", "l", itself)+" return %s : i64\n")},
		{id: "drop, of a map", runs: [][2]string{{`[0, 2, [1, 2, 3]]`, `[[6]]`}, {`[0, 2, [1]]`, `[[]]`}, {`[0, 2, []]`, `[[]]`}},
			static: "loop.for 1, collect 1, loop.at 1, loop.slice 0", placed: "muli for, at for", ran: "loop.for 1, arith.muli 1",
			src: of("!a", mapped("ys", "in", "len", twice)+`%m = arith.minsi %c2, %len : index
%part = loop.slice %ys[%m to %len] : !a
%l = loop.len %part : !a
`+mapped("r", "part", "l", itself)+" return %r : !a\n")},
		{id: "a slice between constants, backwards", runs: [][2]string{{`[0, 3, []]`, `[[57, 54, 51, 48, 45, 42, 39, 36, 33, 30]]`}},
			static: "loop.for 1, collect 1, loop.at 0, loop.slice 0", placed: "muli for", ran: "loop.for 1, arith.muli 10",
			src: of("!a", indices("range", "c100")+mapped("ys", "range", "c100", twice)+`%part = loop.slice %ys[%c10 to %c20] : !a
`+at("r", "part", "c10", fromEnd("c10"))+" return %r : !a\n")},
		{id: "a slice whose end is not known to be inside is read", says: []string{"that may lie outside of it"}, runs: [][2]string{{`[2, 2, [1, 2, 3]]`, `[6]`}, {`[4, 2, [1, 2, 3]]`, "trap"}},
			static: "loop.for 2, collect 1, loop.at 2", placed: "muli for, at for for", ran: "loop.for 2, arith.muli 3",
			src: of("i64", mapped("ys", "in", "len", twice)+`%part = loop.slice %ys[%c0 to %n] : !a
%l = loop.len %part : !a
`+sum("s", "part", "l", itself)+" return %s : i64\n")},
		{id: "a stencil over what is cheap", runs: [][2]string{{`[2, 1, []]`, `[[3, 6]]`}, {`[0, 1, []]`, `[[]]`}},
			static: "loop.for 1, collect 1, loop.at 0", placed: "index_cast for for for, addi for for for for", ran: "loop.for 1, arith.index_cast 6",
			src: of("!a", longer+indices("ys", "longer")+stencil("r", "ys")+" return %r : !a\n")},
		{id: "a stencil over what is dear", says: []string{"to make them again is dearer than to keep them"}, runs: [][2]string{{`[2, 2, []]`, `[[21, 30]]`}},
			static: "loop.for 2, collect 2, loop.at 3", placed: "muli for for, at for for for", ran: "loop.for 2, arith.muli 8, loop.at 6",
			src: of("!a", longer+indices("xs", "longer")+mapped("ys", "xs", "longer", dear)+stencil("r", "ys")+" return %r : !a\n")},
		{id: "what is needed whole as well is kept", runs: [][2]string{{`[0, 2, [1, 2, 3]]`, `[[6, 4, 2], [2, 4, 6]]`}},
			static: "loop.for 2, collect 2, loop.at 2", placed: "muli for, at for for", ran: "loop.for 2, arith.muli 3",
			src: of("!a, !a", mapped("ys", "in", "len", twice)+at("r", "ys", "len", fromEnd("len"))+" return %r, %ys : !a, !a\n")},
		{id: "how many a filter lets through is known at the end: reverse reads it", runs: [][2]string{{`[0, 1, [1, 2, 3]]`, `[[3, 2]]`}},
			static: "loop.for 2, collect 2, loop.at 2", placed: "if for, at for for", ran: "loop.for 2, loop.at 5",
			src: of("!a", filter("big", "in", "len", "sgt", "k")+at("r", "big", "bigLen", fromEnd("bigLen"))+" return %r : !a\n")},
		{id: "an inner loop over the first so many: made again each time it is not", says: []string{"to make them again is dearer than to keep them"}, runs: [][2]string{{`[0, 2, [1, 2, 3]]`, `[[0, 2, 6]]`}},
			static: "loop.for 3, collect 2, reduce 1", placed: "muli for, at for for/for", ran: "loop.for 5, arith.muli 3",
			src: of("!a", mapped("ys", "in", "len", twice)+`%r = loop.for %i < %len -> collect(i64) {
 %s = loop.for %j < %i -> reduce(add : i64) {
  %x = loop.at %ys[%j] : !a
  loop.yield %x : i64
 }
 loop.yield %s : i64
}
 return %r : !a
`)},
		{id: "a concatenation of maps and a reverse, summed", runs: [][2]string{{`[3, 10, [1, 2]]`, `[120]`}},
			static: "collect 0, reduce 1, emit 3, loop.for 3", placed: "for top top top", ran: "loop.for 3, loop.at 4",
			src: of("i64", mapped("ys", "in", "len", twice)+indices("zs", "n")+mapped("us", "zs", "n", twice)+at("r", "ys", "len", fromEnd("len"))+
				concat("a", "ys", "len", "us", "n")+concat("b", "a", "aLen", "r", "len")+sum("s", "b", "bLen", "%y0 = arith.addi %x, %zero : i64\n %y = arith.minsi %y0, %fifty : i64")+" %t = arith.muli %s, %two : i64\n %u = arith.subi %t, %k60 : i64\n return %u : i64\n")},
	})
}
