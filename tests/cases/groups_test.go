package cases

import (
	"strings"
	"testing"
)

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

// byRest is the array %name of the sums of a value, %x being an element of %from, by the rests modulo
// 3.
func byRest(name, from, size, value string) string {
	return strings.NewReplacer("NAME", name, "FROM", from, "SIZE", size, "VALUE", value).Replace(`%NAMEGroups, %NAME = loop.for %i < %SIZE -> bucket(i64, [reduce(add : i64)]) {
 %x = loop.at %FROM[%i] : !a
 %d = arith.remsi %x, %three : i64
 loop.yield %d, %VALUE : i64, i64
}
`)
}

// inGroup reduces the members %x of a group for which a line makes %c true.
func inGroup(by, line string) string {
	return strings.NewReplacer("BY", by, "LINE", line).Replace(` %s = loop.for %j < %m -> reduce(BY : i64) {
  %x = loop.at %row[%j] : !a
  LINE
  %e = scf.if %c -> (!e) {
   %o = loop.emit %x : i64
   scf.yield %o : !e
  } else {
   %o = loop.none : !e
   scf.yield %o : !e
  }
  loop.yield %e : !e
 }`)
}

// Section 9, buckets.
func TestGroups(t *testing.T) {
	judgeAll(t, []program{
		{id: "9.5 a bucket of collects into an inner loop", says: []string{"is done by the bucket"}, runs: [][2]string{{`[0, 10, [1, 2, 3, 4, 5]]`, `[[50, 70, 30]]`}, {`[0, 10, []]`, `[[]]`}},
			static: "loop.for 1, collect 0, bucket 1, reduce 1", placed: "muli for, remsi for, at for", ran: "loop.for 1, arith.muli 5",
			src: of("!a", grouped+eachGroup(` %s = loop.for %j < %m -> reduce(add : i64) {
  %x = loop.at %row[%j] : !a
  %y = arith.muli %x, %k : i64
  loop.yield %y : i64
 }`)+" return %h : !a\n")},
		{id: "9.5 the groups are kept", runs: [][2]string{{`[0, 10, [1, 2, 3, 4, 5]]`, `[[5, 7, 3], [[1, 4], [2, 5], [3]]]`}},
			static: "loop.for 1, collect 1, bucket 1, reduce 1", placed: "remsi for, at for", ran: "loop.for 1, loop.at 5",
			src: of("!a, !loop.array<!a>", grouped+eachGroup(strings.ReplaceAll(sum("s", "row", "m", itself), "%i", "%j"))+" return %h, %rows : !a, !loop.array<!a>\n")},
		{id: "9.5 a filter in the group: what changes nothing takes its place", says: []string{"is done by the bucket"}, runs: [][2]string{{`[0, 2, [1, 2, 3, 4, 5]]`, `[[4, 5, 3]]`}, {`[0, 9, [1]]`, `[[0]]`}},
			static: "loop.for 1, collect 0, bucket 1, reduce 1", placed: "cmpi for, if for, remsi for", ran: "loop.for 1, arith.cmpi 5",
			src: of("!a", grouped+eachGroup(inGroup("add", "%c = arith.cmpi sgt, %x, %k : i64"))+" return %h : !a\n")},
		{id: "9.5 a filter in the group of what may trap", runs: [][2]string{{`[0, 2, [1, 2, 3, 4, 5]]`, `[[6, 4, 12]]`}},
			static: "loop.for 1, collect 0, bucket 1, reduce 1", placed: "divsi for/if, if for", ran: "loop.for 1, arith.divsi 3",
			src: of("!a", grouped+eachGroup(strings.Replace(inGroup("mul", "%q = arith.subi %x, %k : i64\n  %c = arith.cmpi sgt, %x, %k : i64"), "%o = loop.emit %x", "%z = arith.divsi %k12, %q : i64\n%w = arith.subi %z, %k8 : i64\n %o = loop.emit %z", 1))+" return %h : !a\n")},
		{id: "9.5 of a region nothing is known that changes nothing", says: []string{"of a region it is not known what changes nothing"}, runs: [][2]string{{`[0, 2, [1, 2, 3, 4, 5]]`, `[[-2, -3, -1]]`}},
			static: "loop.for 3, collect 2, bucket 1, reduce 1", placed: "cmpi for/for, if for/for, remsi for", ran: "loop.for 5, arith.cmpi 5",
			src: of("!a", grouped+eachGroup(strings.Replace(strings.Replace(inGroup("add", "%c = arith.cmpi sgt, %x, %k : i64"), "reduce(add : i64)", "reduce(%two : i64)", 1)+" combine(%a: i64, %b: i64) {\n%p = arith.subi %a, %b : i64\n loop.yield %p : i64\n}\n", "}\n combine", "} combine", 1))+" return %h : !a\n")},
		{id: "9.5 what is collected of some members only", says: []string{"it collects or scans not of each member one tuple"}, runs: [][2]string{{`[0, 2, [1, 2, 3, 4, 5]]`, `[[[4], [5], [3]]]`}},
			static: "loop.for 3, collect 3, bucket 1", placed: "cmpi for/for, if for/for, remsi for", ran: "loop.for 5, arith.cmpi 5",
			src: of("!loop.array<!a>", grouped+strings.NewReplacer("reduce(add : i64)", "collect(i64)", "collect(i64) {\n %row", "collect(!a) {\n %row", "yield %s : i64", "yield %s : !a").Replace(eachGroup(inGroup("add", "%c = arith.cmpi sgt, %x, %k : i64")))+" return %h : !loop.array<!a>\n")},
		{id: "9.5 the place of a member in its group", says: []string{"it uses the place of a member in its group"}, runs: [][2]string{{`[0, 2, [1, 2, 3, 4, 5]]`, `[[4, 5, 0]]`}},
			static: "loop.for 3, collect 2, bucket 1, reduce 1", placed: "muli for/for, remsi for", ran: "loop.for 5",
			src: of("!a", grouped+eachGroup(` %s = loop.for %j < %m -> reduce(add : i64) {
  %x = loop.at %row[%j] : !a
  %q = arith.index_cast %j : index to i64
  %y = arith.muli %x, %q : i64
  loop.yield %y : i64
 }`)+" return %h : !a\n")},
		{id: "9.5 two sums by the same key, one by a filter of the groups: one table", runs: [][2]string{{`[0, 2, [1, 2, 3, 4, 5]]`, `[[4, 5, 3], [2, 2, 1]]`}},
			static: "loop.for 1, collect 0, bucket 1, reduce 2", placed: "cmpi for, if for, remsi for", ran: "loop.for 1, arith.cmpi 5, loop.at 5",
			src: of("!a, !a", grouped+eachGroup(inGroup("add", "%c = arith.cmpi sgt, %x, %k : i64"))+`
 %g2, %count = loop.for %i < %len -> bucket(i64, [reduce(add : i64)]) {
  %x = loop.at %in[%i] : !a
  %d = arith.remsi %x, %three : i64
  loop.yield %d, %one : i64, i64
 }
 return %h, %count : !a, !a
`)},
		{id: "9.5 two buckets of what a filter lets through: one table, looked up where it does", runs: [][2]string{{`[0, 2, [1, 2, 3, 4, 5, 7]]`, `[[3, 11, 5], [1, 2, 1]]`}, {`[0, 9, [1]]`, `[[], []]`}},
			static: "loop.for 1, collect 0, bucket 1, reduce 2, scf.if 1, loop.emit 1", placed: "remsi for/if, emit for/if, if for", ran: "loop.for 1, arith.remsi 4, loop.emit 4",
			src: of("!a, !a", filter("big", "in", "len", "sgt", "k")+byRest("sums", "big", "bigLen", "x")+byRest("counts", "big", "bigLen", "one")+" return %sums, %counts : !a, !a\n")},
		{id: "9.5 two buckets by other keys: two tables", runs: [][2]string{{`[0, 2, [1, 2, 3, 4, 5, 7]]`, `[[12, 7, 3], [16, 6]]`}},
			static: "loop.for 1, bucket 2, reduce 2", placed: "remsi for for", ran: "loop.for 1, arith.remsi 12",
			src: of("!a, !a", byRest("sums", "in", "len", "x")+strings.Replace(byRest("halves", "in", "len", "x"), "%three", "%two", 1)+" return %sums, %halves : !a, !a\n")},
		{id: "9.5 sums twice in one bucket", runs: [][2]string{{`[0, 2, [1, 2, 4]]`, `[[5, 2], [5, 2]]`}},
			static: "loop.for 1, bucket 1, reduce 1", placed: "remsi for, at for", ran: "loop.for 1, loop.at 3",
			src: of("!a, !a", `
 %g, %s1, %s2 = loop.for %i < %len -> bucket(i64, [reduce(add : i64), reduce(add : i64)]) {
  %x = loop.at %in[%i] : !a
  %d = arith.remsi %x, %three : i64
  loop.yield %d, %x, %x : i64, i64, i64
 }
 return %s1, %s2 : !a, !a
`)},
	})
}
