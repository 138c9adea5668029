package cases

import (
	"fmt"
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
 %k10 = arith.constant 10 : i64
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

// grouped are the elements of %in by their rest modulo 3: %g, and the %rows of each of %l groups.
const grouped = `%g, %rows = loop.for %i < %len -> bucket(i64, [collect(i64)]) {
 %x = loop.at %in[%i] : !a
 %d = arith.remsi %x, %three : i64
 loop.yield %d, %x : i64, i64
}
%l = loop.len %g : !loop.buckets<i64>
`

// eachGroup is the array %h of what a body, with %row and its length %m, yields as %s.
func eachGroup(body string) string {
	return `%h = loop.for %i < %l -> collect(i64) {
 %row = loop.at %rows[%i] : !loop.array<!a>
 %m = loop.len %row : !a
` + body + `
 loop.yield %s : i64
}
`
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
		{id: "9.5 a bucket of collects into an inner loop", says: []string{"is done by the bucket"}, runs: [][2]string{{`[0, 10, [1, 2, 3, 4, 5]]`, `[[50, 70, 30]]`}, {`[0, 10, []]`, `[[]]`}},
			static: "loop.for 1, collect 0, bucket 1, reduce 1", placed: "muli for, remsi for, at for", ran: "loop.for 1, arith.muli 5",
			src: of("!a", grouped+eachGroup(` %s = loop.for %j < %m -> reduce(add : i64) {
  %x = loop.at %row[%j] : !a
  %y = arith.muli %x, %k : i64
  loop.yield %y : i64
 }`)+" return %h : !a\n")},
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
		{id: "9.11 sizes that are equal by another name: the length of a map", runs: [][2]string{{`[0, 4, [5, 1]]`, `[[20]]`}},
			static: "loop.for 1, collect 1", placed: "if for, muli for", ran: "loop.for 1, arith.muli 2",
			src: of("!a", mapped("xs", "in", "len", "%y = arith.muli %x, %k : i64")+"%m = loop.len %xs : !a\n"+filter("big", "xs", "m", "sgt", "k10")+" return %big : !a\n")},
		{id: "9.13 MC05: the element after it", says: []string{"it reads it at another index than its own"}, runs: [][2]string{{`[0, 3, []]`, "trap"}, {`[0, 100, []]`, "trap"}},
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
