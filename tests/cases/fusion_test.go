package cases

import (
	"strings"
	"testing"
)

// of is @f(%n, %k, %in), whose results have these types.
func of(results, body string) string {
	return `!a = !loop.array<i64>
!e = !loop.emit<i64>
func.func @f(%n: index, %k: i64, %in: !a) -> (` + results + `) {
 %c0 = arith.constant 0 : index
 %c1 = arith.constant 1 : index
 %c2 = arith.constant 2 : index
 %c10 = arith.constant 10 : index
 %c20 = arith.constant 20 : index
 %c30 = arith.constant 30 : index
 %c50 = arith.constant 50 : index
 %c100 = arith.constant 100 : index
 %k99 = arith.constant 99 : index
 %zero = arith.constant 0 : i64
 %k8 = arith.constant 8 : i64
 %k10 = arith.constant 10 : i64
 %k12 = arith.constant 12 : i64
 %k60 = arith.constant 60 : i64
 %one = arith.constant 1 : i64
 %two = arith.constant 2 : i64
 %three = arith.constant 3 : i64
 %fifty = arith.constant 50 : i64
 %len = loop.len %in : !a
` + body + "}\n"
}

// indices is the array %name of i for i < size.
func indices(name, size string) string {
	return strings.NewReplacer("NAME", name, "SIZE", size).Replace(`%NAME = loop.for %i < %SIZE -> collect(i64) {
 %x = arith.index_cast %i : index to i64
 loop.yield %x : i64
}
`)
}

// filter is the array %name of the elements x of %from, which is %size long, with x pred %than,
// and %nameLen how many that are.
func filter(name, from, size, pred, than string) string {
	return strings.NewReplacer("NAME", name, "FROM", from, "SIZE", size, "PRED", pred, "THAN", than).Replace(`%NAME = loop.for %i < %SIZE -> collect(i64) {
 %x = loop.at %FROM[%i] : !a
 %c = arith.cmpi PRED, %x, %THAN : i64
 %e = scf.if %c -> (!e) {
  %o = loop.emit %x : i64
  scf.yield %o : !e
 } else {
  %o = loop.none : !e
  scf.yield %o : !e
 }
 loop.yield %e : !e
}
%NAMELen = loop.len %NAME : !a
`)
}

// whole is the array %name, size long, of the sum of all elements of %from times the index.
func whole(name, size, from, fromSize string) string {
	return strings.NewReplacer("NAME", name, "FROM", from, "SIZE", size, "LEN", fromSize).Replace(`%NAME = loop.for %i < %SIZE -> collect(i64) {
 %q = arith.index_cast %i : index to i64
 %s = loop.for %j < %LEN -> reduce(add : i64) {
  %x = loop.at %FROM[%j] : !a
  %y = arith.muli %x, %q : i64
  loop.yield %y : i64
 }
 loop.yield %s : i64
}
`)
}

// sum is the sum %name of %from, which is %size long, of f(x), a line that makes %y of %x.
func sum(name, from, size, f string) string {
	return strings.NewReplacer("NAME", name, "FROM", from, "SIZE", size, "LINE", f).Replace(`%NAME = loop.for %i < %SIZE -> reduce(add : i64) {
 %x = loop.at %FROM[%i] : !a
 LINE
 loop.yield %y : i64
}
`)
}

const itself = `%y = arith.addi %x, %zero : i64`

// mapped is the array %name of what a line makes, %y of %x.
func mapped(name, from, size, f string) string {
	return strings.Replace(sum(name, from, size, f), "reduce(add : i64)", "collect(i64)", 1)
}

// Section 9, loop fusion.
func TestFusion(t *testing.T) {
	judgeAll(t, []program{
		{id: "9.1 fusion2: mean and variance", runs: [][2]string{{`[0, 0, []]`, `[100, 3333]`}},
			static: "loop.for 1, collect 0, reduce 2, arith.divf 2, arith.mulf 3, arith.addf 1", placed: "mulf for for top, addf for, divf top top, subf top, at nowhere",
			ran: "loop.for 1, arith.mulf 201, arith.addf 100, arith.divf 2",
			src: strings.ReplaceAll(of("f64, f64", `
 %f1 = arith.constant 1.0 : f64
 %f2 = arith.constant 2.0 : f64
 %f100 = arith.constant 100.0 : f64
 %const = loop.for %i < %c100 -> collect(f64) {
  loop.yield %f1 : f64
 }
 %lin = loop.for %i < %c100 -> collect(f64) {
  %j = arith.index_cast %i : index to i64
  %x = arith.sitofp %j : i64 to f64
  %y = arith.mulf %x, %f2 : f64
  loop.yield %y : f64
 }
 %aff = loop.for %i < %c100 -> collect(f64) {
  %x = loop.at %const[%i] : !fs
  %y = loop.at %lin[%i] : !fs
  %z = arith.addf %x, %y : f64
  loop.yield %z : f64
 }
 %s = loop.for %i < %c100 -> reduce(add : f64) {
  %x = loop.at %aff[%i] : !fs
  loop.yield %x : f64
 }
 %m = arith.divf %s, %f100 : f64
 %q = loop.for %i < %c100 -> reduce(add : f64) {
  %x = loop.at %aff[%i] : !fs
  %y = arith.mulf %x, %x : f64
  loop.yield %y : f64
 }
 %s1 = loop.for %i < %c100 -> reduce(add : f64) {
  %x = loop.at %aff[%i] : !fs
  loop.yield %x : f64
 }
 %m1 = arith.divf %s1, %f100 : f64
 %mq = arith.divf %q, %f100 : f64
 %m2 = arith.mulf %m1, %m1 : f64
 %v = arith.subf %mq, %m2 : f64
 return %m, %v : f64, f64
`), "!fs", "!loop.array<f64>")},
		{id: "9.2 fusion4", runs: [][2]string{{`[0, 0, []]`, `[3675]`}}, says: []string{"become one"},
			static: "loop.for 1, collect 0, reduce 1, scf.if 1", placed: "cmpi for, if for, emit for/if, at nowhere",
			ran: "loop.for 1, arith.cmpi 100, scf.if 100, loop.emit 49",
			src: of("i64", indices("range", "c100")+filter("odds", "range", "c100", "sgt", "fifty")+sum("s", "odds", "oddsLen", itself)+" return %s : i64\n")},
		{id: "9.3 horizontal, collect and reduce", runs: [][2]string{{`[4, 5, []]`, `[[0, 5, 10, 15], 6]`}, {`[0, 5, []]`, `[[], 0]`}},
			static: "loop.for 1, collect 1, reduce 1", placed: "muli for, index_cast for", ran: "loop.for 1, arith.muli 4, arith.index_cast 4",
			src: of("!a, i64", `
 %xs = loop.for %i < %n -> collect(i64) {
  %x = arith.index_cast %i : index to i64
  %y = arith.muli %x, %k : i64
  loop.yield %y : i64
 }
 %s = loop.for %i < %n -> reduce(add : i64) {
  %x = arith.index_cast %i : index to i64
  loop.yield %x : i64
 }
 return %xs, %s : !a, i64
`)},
		{id: "9.3 horizontal, a scan, a filter, a bucket and a region", runs: [][2]string{{`[0, 2, [1, 2, 3, 4]]`, `[[1, 3, 6, 10], [3, 4], [5, 2, 3], 42]`}, {`[0, 2, []]`, `[[], [], [], 1]`}},
			static: "loop.for 1, collect 1, scan 1, bucket 1, reduce 2, loop.at 1", placed: "at for, remsi for, emit for/if, if for", ran: "loop.for 1, loop.at 4, loop.emit 2",
			src: of("!a, !a, !a, i64", `
 %sums = loop.for %i < %len -> scan(add : i64) {
  %x = loop.at %in[%i] : !a
  loop.yield %x : i64
 }
`+filter("big", "in", "len", "sgt", "k")+`
 %g, %by = loop.for %i < %len -> bucket(i64, [reduce(add : i64)]) {
  %x = loop.at %in[%i] : !a
  %d = arith.remsi %x, %three : i64
  loop.yield %d, %x : i64, i64
 }
 %h = loop.for %i < %len -> reduce(%one : i64) {
  %x = loop.at %in[%i] : !a
  loop.yield %x : i64
 } combine(%a: i64, %b: i64) {
  %p = arith.muli %a, %two : i64
  %q = arith.addi %p, %b : i64
  loop.yield %q : i64
 }
 return %sums, %big, %by, %h : !a, !a, !a, i64
`)},
		{id: "9.4 a filter of a filter, summed: E2 inside E1", runs: [][2]string{{`[0, 3, [1, 2, 5, 6, -7]]`, `[11]`}, {`[0, 3, []]`, `[0]`}},
			static: "loop.for 1, collect 0, reduce 1", placed: "if for for/if, emit for/if/if, at for", ran: "loop.for 1, loop.at 5, loop.emit 2, arith.cmpi 9",
			src: of("i64", filter("pos", "in", "len", "sgt", "zero")+filter("big", "pos", "posLen", "sgt", "k")+sum("s", "big", "bigLen", itself)+" return %s : i64\n")},
		{id: "9.4 x1 is used elsewhere and stays", runs: [][2]string{{`[0, 3, [1, 2, 5, 6, -7]]`, `[[1, 2, 5, 6], 30]`}},
			static: "loop.for 1, collect 1, reduce 1", placed: "if for, addi nowhere, muli for/if", ran: "loop.for 1, arith.muli 4, arith.cmpi 5",
			src: of("!a, i64", filter("pos", "in", "len", "sgt", "zero")+sum("s", "pos", "posLen", "%p = arith.muli %x, %k : i64\n %y = arith.subi %p, %k : i64")+"\n %s2 = arith.minsi %s, %fifty : i64\n %s3 = arith.remsi %s2, %fifty : i64\n return %pos, %s3 : !a, i64\n")},
		{id: "9.4 into a bucket, of a map of a filter", runs: [][2]string{{`[0, 3, [1, 2, 5, 6, -7]]`, `[[1, 2, 0], [3, 21, 18]]`}},
			static: "loop.for 1, collect 0, bucket 1, reduce 1", placed: "remsi for/if, muli for/if, at for", ran: "loop.for 1, arith.remsi 4, arith.muli 4",
			src: of("!a, !a", filter("pos", "in", "len", "sgt", "zero")+mapped("ys", "pos", "posLen", "%y = arith.muli %x, %k : i64")+`
 %g, %by = loop.for %i < %posLen -> bucket(i64, [reduce(add : i64)]) {
  %x = loop.at %pos[%i] : !a
  %y = loop.at %ys[%i] : !a
  %d = arith.remsi %x, %three : i64
  loop.yield %d, %y : i64, i64
 }
 %keys = loop.keys %g[0] : !loop.buckets<i64>
 return %keys, %by : !a, !a
`)},
		{id: "9.7 fusion21: one of two pairs, no cycle", says: []string{"then something would be needed before the loop that needs it itself"},
			runs:   [][2]string{{`[3, 3, []]`, `[[0, 3], [0, 1, 2]]`}, {`[0, 3, []]`, `[[0, 0], []]`}},
			static: "loop.for 5, collect 4, reduce 2", placed: "for top top for top for, muli for/for for/for", ran: "loop.for 8, arith.muli 12",
			src: of("!a, !a", indices("cs", "n")+indices("as", "c2")+whole("bs", "c2", "cs", "n")+whole("ds", "n", "as", "c2")+" return %bs, %ds : !a, !a\n")},
		{id: "9.7 p of another array: both pairs", runs: [][2]string{{`[3, 3, [4, 5]]`, `[[0, 9], [0, 9, 18], [0, 1]]`}},
			static: "loop.for 4, collect 3, reduce 2", placed: "for top for top for", ran: "loop.for 7",
			src: of("!a, !a, !a", indices("cs", "n")+indices("as", "c2")+whole("bs", "c2", "in", "len")+whole("ds", "n", "in", "len")+
				"%sum = loop.for %i < %c2 -> collect(i64) {\n%a = loop.at %as[%i] : !a\n%b = loop.at %bs[%i] : !a\n%y = arith.minsi %a, %b : i64\nloop.yield %y : i64\n}\n"+
				"%prod = loop.for %i < %n -> collect(i64) {\n%a = loop.at %cs[%i] : !a\n%b = loop.at %ds[%i] : !a\n%y = arith.maxsi %a, %b : i64\nloop.yield %y : i64\n}\n return %bs, %prod, %sum : !a, !a, !a\n")},
		{id: "9.11 MC02: another size", says: []string{"its size is another"}, runs: [][2]string{{`[0, 4, []]`, `[[5, 6, 7, 8, 9], 99]`}},
			static: "loop.for 2, collect 2", placed: "for top top, if for, index_cast for", ran: "loop.for 2, arith.index_cast 100, arith.cmpi 10",
			src: of("!a, i64", indices("range", "c100")+filter("big", "range", "c10", "sgt", "k")+" %last = loop.at %range[%k99] : !a\n return %big, %last : !a, i64\n")},
		// LMS leaves two loops. None runs in the rounds of the other here either, but nobody else needs
		// the range, of which what is read is made where it is read.
		{id: "9.11 MC02: another size, and nobody else needs the range", says: []string{"its size is another", "are made where they are read"}, runs: [][2]string{{`[0, 4, []]`, `[[5, 6, 7, 8, 9]]`}},
			static: "loop.for 1, collect 1", placed: "for top, if for, index_cast for", ran: "loop.for 1, arith.index_cast 10, arith.cmpi 10",
			src: of("!a", indices("range", "c100")+filter("big", "range", "c10", "sgt", "k")+" return %big : !a\n")},
		{id: "9.11 sizes that are equal by another name: the length of a map", runs: [][2]string{{`[0, 4, [5, 1]]`, `[[20]]`}},
			static: "loop.for 1, collect 1", placed: "if for, muli for", ran: "loop.for 1, arith.muli 2",
			src: of("!a", mapped("xs", "in", "len", "%y = arith.muli %x, %k : i64")+"%m = loop.len %xs : !a\n"+filter("big", "xs", "m", "sgt", "k10")+" return %big : !a\n")},
		{id: "9.13 MC05: the element after it", says: []string{"it reads it at another index than its own", "that may lie outside of it"}, runs: [][2]string{{`[0, 3, []]`, "trap"}, {`[0, 100, []]`, "trap"}},
			static: "loop.for 2, collect 2, loop.len 0", placed: "at for, addi for", ran: "arith.index_cast 100",
			src: of("!a, index", indices("range", "c100")+`%m = loop.len %range : !a
%next = loop.for %i < %m -> collect(i64) {
 %j = arith.addi %i, %c1 : index
 %x = loop.at %range[%j] : !a
 loop.yield %x : i64
}
 return %next, %m : !a, index
`)},
		{id: "9.13 an index that wraps around", says: []string{"it reads it at another index than its own"}, runs: [][2]string{{`[3, 10, []]`, `[[10, 20, 0], 3]`}, {`[0, 3, []]`, `[[], 0]`}},
			static: "loop.for 2, collect 2, loop.len 0", placed: "at for, addi for, muli for", ran: "arith.muli 3, loop.at 3",
			src: of("!a, index", `%range = loop.for %i < %n -> collect(i64) {
 %x = arith.index_cast %i : index to i64
 %y = arith.muli %x, %k : i64
 loop.yield %y : i64
}
%m = loop.len %range : !a
%next = loop.for %i < %m -> collect(i64) {
 %j = arith.addi %i, %c1 : index
 %r = arith.remui %j, %m : index
 %x = loop.at %range[%r] : !a
 loop.yield %x : i64
}
 return %next, %m : !a, index
`)},
		{id: "9.15 MC17b: the index of a filter's reader is no index of the filter", says: []string{"it uses its index for more than to read what is emitted there"},
			runs:   [][2]string{{`[0, 2, [1, 5, 2, 7]]`, `[[5, 8]]`}, {`[0, 2, []]`, `[[]]`}},
			static: "loop.for 2, collect 2", placed: "at for for, addi for, if for", ran: "loop.for 2, arith.addi 2, loop.at 6",
			src: of("!a", filter("big", "in", "len", "sgt", "k")+`%r = loop.for %i < %bigLen -> collect(i64) {
 %x = loop.at %big[%i] : !a
 %j = arith.index_cast %i : index to i64
 %y = arith.addi %x, %j : i64
 loop.yield %y : i64
}
 return %r : !a
`)},
		{id: "9.15 the index of a map's reader is", runs: [][2]string{{`[0, 2, [1, 5, 2]]`, `[[2, 11, 6]]`}},
			static: "loop.for 1, collect 1", placed: "at for, addi for, muli for", ran: "loop.for 1, arith.addi 3",
			src: of("!a", mapped("twice", "in", "len", "%y = arith.muli %x, %two : i64")+`%r = loop.for %i < %len -> collect(i64) {
 %x = loop.at %twice[%i] : !a
 %j = arith.index_cast %i : index to i64
 %y = arith.addi %x, %j : i64
 loop.yield %y : i64
}
 return %r : !a
`)},
		{id: "9.19 MC38: never both", says: []string{"then something would be needed before the loop that needs it itself"}, runs: [][2]string{{`[0, 5, []]`, `[[5, 7, 9], [0, 1, 2, 3, 4, 5]]`}},
			static: "loop.for 3, collect 4", placed: "at top top for, for top top top", ran: "loop.for 3",
			src: of("!a, !a", `
 %three1 = arith.constant 3 : index
 %six = arith.constant 6 : index
`+indices("range", "six")+`%a = loop.for %i < %three1 -> collect(i64) {
 %x = arith.index_cast %i : index to i64
 %y = arith.muli %x, %two : i64
 loop.yield %y : i64
}
%b = loop.for %i < %three1 -> collect(i64) {
 %x = loop.at %a[%i] : !a
 %y = loop.at %range[%c0] : !a
 %w = arith.addi %x, %y : i64
 %z = arith.addi %w, %k : i64
 loop.yield %z : i64
}
%c = loop.for %i < %six -> collect(i64) {
 %x = loop.at %range[%i] : !a
 %y = loop.at %a[%c0] : !a
 %z = arith.addi %x, %y : i64
 loop.yield %z : i64
}
 return %b, %c : !a, !a
`)},
	})
}
