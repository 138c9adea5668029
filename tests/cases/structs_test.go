package cases

import "testing"

// complexes is @f with complex numbers.
func complexes(params, results, body string) string {
	return `!cx = !loop.struct<re: i64, im: i64>
!cs = !loop.array<!cx>
func.func @f(` + params + `) -> (` + results + `) {
 %zero = arith.constant 0 : i64
 %seven = arith.constant 7 : i64
 %c100 = arith.constant 100 : index
` + body + "}\n"
}

// conj is the array %name of the conjugates of %from, which is %size long.
func conj(name, from, size string) string {
	return "%" + name + " = loop.for %i < %" + size + ` -> collect(!cx) {
 %c = loop.at %` + from + `[%i] : !cs
 %re = loop.field %c["re"] : !cx
 %im = loop.field %c["im"] : !cx
 %m = arith.subi %zero, %im : i64
 %d = loop.struct %re, %m : !cx
 loop.yield %d : !cx
}
`
}

// diagonal is the array %name of (i, 0 - i) for i < %size.
func diagonal(name, size string) string {
	return "%" + name + " = loop.for %i < %" + size + ` -> collect(!cx) {
 %k = arith.index_cast %i : index to i64
 %m = arith.subi %zero, %k : i64
 %c = loop.struct %k, %m : !cx
 loop.yield %c : !cx
}
`
}

// Section 7, structs and structs of arrays.
func TestStructs(t *testing.T) {
	judgeAll(t, []program{
		{id: "7.1 a field of a struct", runs: [][2]string{{`[3, 4]`, `[3]`}, {`[-1, 0]`, `[-1]`}},
			static: "loop.struct 0, loop.field 0, arith.muli 0", placed: "struct nowhere, muli nowhere", ran: "loop.struct 0, arith.muli 0",
			src: complexes("%x: i64, %y: i64", "i64", `
 %im = arith.muli %x, %y : i64
 %s = loop.struct %x, %im : !cx
 %r = loop.field %s["re"] : !cx
 return %r : i64
`)},
		{id: "7.1 a field of a field, and of the struct of all fields", runs: [][2]string{{`[3, {"re": 1, "im": 2}]`, `[2, {"re": 1, "im": 2}]`}},
			static: "loop.struct 0, loop.field 1", placed: "struct nowhere, field top", ran: "loop.struct 0, loop.field 1",
			src: complexes("%x: i64, %c: !cx", "i64, !cx", `
 %s = loop.struct %x, %c : !loop.struct<a: i64, c: !cx>
 %d = loop.field %s["c"] : !loop.struct<a: i64, c: !cx>
 %im = loop.field %d["im"] : !cx
 %re = loop.field %d["re"] : !cx
 %e = loop.struct %re, %im : !cx
 return %im, %e : i64, !cx
`)},
		{id: "7.2 struct1: a variable is two, put together for the one who wants it whole", runs: [][2]string{{`[3, 4]`, `[{"re": 3, "im": 3}]`}},
			static: "loop.struct 1, loop.field 0, arith.addi 0", placed: "struct top", ran: "loop.struct 1",
			src: complexes("%x: i64, %y: i64", "!cx", `
 %c = loop.struct %x, %zero : !cx
 %d = loop.struct %zero, %x : !cx
 %a = loop.field %c["re"] : !cx
 %b = loop.field %d["re"] : !cx
 %p = loop.field %c["im"] : !cx
 %q = loop.field %d["im"] : !cx
 %re = arith.addi %a, %b : i64
 %im = arith.addi %p, %q : i64
 %s = loop.struct %re, %im : !cx
 return %s : !cx
`)},
		{id: "7.2 a variable of a loop", runs: [][2]string{{`[3, 4]`, `[{"re": 3, "im": 12}]`}, {`[3, 0]`, `[{"re": 3, "im": 0}]`}},
			static: "loop.struct 1, loop.field 0, scf.for 1, arith.addi 1", placed: "struct top, addi for, for top", ran: "arith.addi 4, loop.struct 1",
			src: complexes("%x: i64, %n: index", "!cx", `
 %i0 = arith.constant 0 : index
 %i1 = arith.constant 1 : index
 %c = loop.struct %x, %zero : !cx
 %r = scf.for %i = %i0 to %n step %i1 iter_args(%v = %c) -> (!cx) {
  %re = loop.field %v["re"] : !cx
  %im = loop.field %v["im"] : !cx
  %im2 = arith.addi %im, %x : i64
  %w = loop.struct %re, %im2 : !cx
  scf.yield %w : !cx
 }
 return %r : !cx
`)},
		{id: "7.3 a field of a conditional struct: the other pair is dead", runs: [][2]string{{`[true, 3, 4]`, `[9]`}, {`[false, 3, 4]`, `[12]`}},
			static: "scf.if 1, loop.struct 0, arith.muli 2, arith.divsi 0", placed: "if top, muli if if.1, divsi nowhere", ran: "scf.if 1, arith.muli 1, arith.divsi 0",
			src: complexes("%k: i1, %a: i64, %b: i64", "i64", `
 %s = scf.if %k -> (!cx) {
  %y = arith.divsi %a, %b : i64
  %x = arith.muli %a, %a : i64
  %t = loop.struct %x, %y : !cx
  scf.yield %t : !cx
 } else {
  %y = arith.divsi %b, %a : i64
  %x = arith.muli %a, %b : i64
  %t = loop.struct %x, %y : !cx
  scf.yield %t : !cx
 }
 %x = loop.field %s["re"] : !cx
 return %x : i64
`)},
		{id: "7.3 a field of a choice of structs", runs: [][2]string{{`[true, 3, 4]`, `[3]`}, {`[false, 3, 4]`, `[4]`}},
			static: "arith.select 1, loop.struct 0, loop.field 0, arith.muli 0", placed: "select top", ran: "arith.select 1",
			src: complexes("%k: i1, %a: i64, %b: i64", "i64", `
 %p = arith.muli %a, %b : i64
 %s = loop.struct %a, %p : !cx
 %t = loop.struct %b, %a : !cx
 %u = arith.select %k, %s, %t : !cx
 %x = loop.field %u["re"] : !cx
 return %x : i64
`)},
		// LMS makes two arrays, which have the same elements; here they are one as well.
		{id: "7.4 struct3: a map of a map is one loop without a negation", runs: [][2]string{{`[3]`, `[[{"re": 0, "im": 0}, {"re": 1, "im": 1}, {"re": 2, "im": 2}]]`}, {`[0]`, `[[]]`}},
			static: "loop.for 1, collect 1, loop.zip 1, loop.struct 0, arith.subi 0", placed: "for top, zip top, index_cast for, subi nowhere", ran: "loop.for 1, loop.zip 1, arith.index_cast 3, arith.subi 0, loop.at 0",
			src: complexes("%n: index", "!cs", diagonal("v", "n")+"%l = loop.len %v : !cs\n"+conj("w", "v", "l")+" return %w : !cs\n")},
		{id: "7.4 two arrays that differ", runs: [][2]string{{`[3]`, `[[{"re": 0, "im": 0}, {"re": 1, "im": -1}, {"re": 2, "im": -2}]]`}},
			static: "loop.for 1, collect 1, loop.zip 1, loop.struct 0, arith.subi 1", placed: "for top, zip top, subi for", ran: "loop.for 1, arith.subi 3, loop.at 0",
			src: complexes("%n: index", "!cs", diagonal("v", "n")+conj("w", "v", "n")+conj("x", "w", "n")+" return %x : !cs\n")},
		{id: "7.5 struct4: the conditional gives a single array", runs: [][2]string{{`[8, 2]`, `[[{"re": 0, "im": 0}, {"re": 1, "im": 1}], [{"re": 0, "im": 0}, {"re": 1, "im": -1}]]`}, {`[7, 2]`, `[[{"re": 0, "im": 0}, {"re": 1, "im": -1}], [{"re": 0, "im": 0}, {"re": 1, "im": -1}]]`}},
			static: "loop.for 2, collect 2, loop.zip 2, scf.if 1, loop.struct 0", placed: "for top if, if top, zip top top, at if/for", ran: "loop.for 2, loop.at 2, arith.index_cast 2",
			src: complexes("%x: i64, %n: index", "!cs, !cs", diagonal("v", "n")+`
 %b = arith.cmpi sgt, %x, %seven : i64
 %r = scf.if %b -> (!cs) {
`+conj("w", "v", "n")+`
  scf.yield %w : !cs
 } else {
  scf.yield %v : !cs
 }
 return %r, %v : !cs, !cs
`)},
		{id: "7.8 an element's field and the length: the other field is never made", runs: [][2]string{{`[3, 2, 1]`, `[2, 3]`}, {`[5, 0, 1]`, `[0, 5]`}},
			static: "loop.for 1, collect 1, loop.len 0, arith.divsi 0, loop.struct 0, loop.zip 0", placed: "divsi nowhere, at top, index_cast for", ran: "loop.for 1, arith.divsi 0, arith.index_cast 3, loop.at 1",
			src: complexes("%n: index, %j: index, %x: i64", "i64, index", `
 %v = loop.for %i < %n -> collect(!cx) {
  %k = arith.index_cast %i : index to i64
  %g = arith.divsi %k, %x : i64
  %c = loop.struct %k, %g : !cx
  loop.yield %c : !cx
 }
 %c = loop.at %v[%j] : !cs
 %re = loop.field %c["re"] : !cx
 %l = loop.len %v : !cs
 return %re, %l : i64, index
`)},
		{id: "7.8 of a filter of structs, summed", runs: [][2]string{{`[5, 1]`, `[9]`}, {`[0, 1]`, `[0]`}},
			static: "loop.for 1, collect 0, arith.divsi 0, loop.struct 0", placed: "divsi nowhere, if for, emit for/if", ran: "loop.for 1, arith.index_cast 5, loop.emit 3",
			src: complexes("%n: index, %x: i64", "i64", `
 %v = loop.for %i < %n -> collect(!cx) {
  %k = arith.index_cast %i : index to i64
  %g = arith.divsi %k, %x : i64
  %c = loop.struct %k, %g : !cx
  loop.yield %c : !cx
 }
 %w = loop.for %i < %n -> collect(!cx) {
  %c = loop.at %v[%i] : !cs
  %re = loop.field %c["re"] : !cx
  %b = arith.cmpi sgt, %re, %x : i64
  %o = loop.emit %c : !cx
  %none = loop.none : !loop.emit<!cx>
  %e = arith.select %b, %o, %none : !loop.emit<!cx>
  loop.yield %e : !loop.emit<!cx>
 }
 %m = loop.len %w : !cs
 %s = loop.for %i < %m -> reduce(add : i64) {
  %c = loop.at %w[%i] : !cs
  %re = loop.field %c["re"] : !cx
  loop.yield %re : i64
 }
 return %s : i64
`)},
		{id: "7.8 of groups of structs a field's sum", runs: [][2]string{{`[5, 2]`, `[[6, 4]]`}},
			static: "loop.for 1, collect 0, bucket 1, reduce 1, arith.divsi 0", placed: "divsi nowhere, remsi for", ran: "loop.for 1, arith.index_cast 5",
			src: complexes("%n: index, %x: i64", "!loop.array<i64>", `
 %g, %rows = loop.for %i < %n -> bucket(i64, [collect(!cx)]) {
  %k = arith.index_cast %i : index to i64
  %q = arith.divsi %k, %x : i64
  %r = arith.remsi %k, %x : i64
  %c = loop.struct %k, %q : !cx
  loop.yield %r, %c : i64, !cx
 }
 %l = loop.len %g : !loop.buckets<i64>
 %h = loop.for %i < %l -> collect(i64) {
  %row = loop.at %rows[%i] : !loop.array<!cs>
  %m = loop.len %row : !cs
  %s = loop.for %j < %m -> reduce(add : i64) {
   %c = loop.at %row[%j] : !cs
   %re = loop.field %c["re"] : !cx
   loop.yield %re : i64
  }
  loop.yield %s : i64
 }
 return %h : !loop.array<i64>
`)},
	})
}
