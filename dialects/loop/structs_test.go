package loop_test

var structShapes = []shape{
	{name: "a filter of structs, one field and the length", src: of(`
  %f = loop.for %i < %n -> collect(!row) {
    %r = loop.at %rows[%i] : !loop.array<!row>
    %c = loop.field %r["c"] : !row
    %re = loop.field %c["re"] : !cx
    %k = arith.cmpi slt, %re, %x : i64
    %e = scf.if %k -> (!loop.emit<!row>) {
      %o = loop.emit %r : !row
      scf.yield %o : !loop.emit<!row>
    } else {
      %o = loop.none : !loop.emit<!row>
      scf.yield %o : !loop.emit<!row>
    }
    loop.yield %e : !loop.emit<!row>
  }
  %l = loop.len %f : !loop.array<!row>
  %s = loop.for %i < %l -> reduce(add : i64) {
    %r = loop.at %f[%i] : !loop.array<!row>
    %c = loop.field %r["c"] : !row
    %im = loop.field %c["im"] : !cx
    loop.yield %im : i64
  }
  return %s, %l : i64, index`, "(i64, index)"), calls: [][2]string{{some, `[8, 2]`}, {`[[], 1]`, `[0, 0]`}},
		ops: "loop.at 3, loop.column 3, loop.emit 1, loop.for 2, loop.len 2, loop.none 1, scf.if 1", ran: "loop.at 8, loop.emit 2"},
	{name: "how many are left of a filter", src: of(`
  %f = loop.for %i < %n -> collect(!row) {
    %r = loop.at %rows[%i] : !loop.array<!row>
    %c = loop.field %r["c"] : !row
    %re = loop.field %c["re"] : !cx
    %k = arith.cmpi slt, %re, %x : i64
    %o = loop.emit %r : !row
    %none = loop.none : !loop.emit<!row>
    %e = arith.select %k, %o, %none : !loop.emit<!row>
    loop.yield %e : !loop.emit<!row>
  }
  %l = loop.len %f : !loop.array<!row>
  return %l : index`, "index"), calls: [][2]string{{some, `[2]`}}, ops: "loop.at 1, loop.column 2, loop.emit 1, loop.for 1, loop.len 1, loop.none 1, scf.if 1"},
	{name: "the smallest with its place, by a region on structs, and a sum beside it", src: of(`
  %large = arith.constant 1000 : i64
  %id = loop.struct %large, %z : !cx
  %r:2 = loop.for %i < %n -> reduce(%id, %z : !cx, i64) {
    %r = loop.at %rows[%i] : !loop.array<!row>
    %c = loop.field %r["c"] : !row
    %re = loop.field %c["re"] : !cx
    %k = arith.index_cast %i : index to i64
    %m = arith.subi %z, %re : i64
    %t = loop.struct %m, %k : !cx
    loop.yield %t, %re : !cx, i64
  } combine(%a: !cx, %s: i64, %b: !cx, %t: i64) {
    %p = loop.field %a["re"] : !cx
    %q = loop.field %b["re"] : !cx
    %c = arith.cmpi sle, %p, %q : i64
    %d = arith.select %c, %a, %b : !cx
    %u = arith.addi %s, %t : i64
    loop.yield %d, %u : !cx, i64
  }
  %k = loop.field %r#0["im"] : !cx
  return %k : i64`, "i64"), calls: [][2]string{{some, `[1]`}}, ops: "loop.at 1, loop.column 2, loop.for 1, loop.len 1", ran: "arith.addi 0, arith.select 8"},
	{name: "groups by structs and nullable values, with structs in them", src: of(`
  %g, %sums, %cs, %last = loop.for %i < %n -> bucket(!cx, !opt, !loop.string, [reduce(add : i64), collect(!cx), reduce(%z : i64)]) {
    %r = loop.at %rows[%i] : !loop.array<!row>
    %name = loop.field %r["name"] : !row
    %c = loop.field %r["c"] : !row
    %v = loop.field %r["v"] : !row
    %re = loop.field %c["re"] : !cx
    %k = loop.struct %re, %z : !cx
    loop.yield %k, %v, %name, %re, %c, %re : !cx, !opt, !loop.string, i64, !cx, i64
  } combine(%a: i64, %b: i64) {
    loop.yield %b : i64
  }
  %k0 = loop.keys %g[0] : !loop.buckets<!cx, !opt, !loop.string>
  %k1 = loop.keys %g[1] : !loop.buckets<!cx, !opt, !loop.string>
  %k2 = loop.keys %g[2] : !loop.buckets<!cx, !opt, !loop.string>
  %three = arith.constant 3 : i64
  %no = arith.constant false
  %q = loop.struct %three, %z : !cx
  %null = loop.struct %x, %no : !opt
  %a = loop.constant "a"
  %at = loop.find %g, %q, %null, %a : !loop.buckets<!cx, !opt, !loop.string>
  return %k0, %k1, %k2, %cs, %at : !loop.array<!cx>, !loop.array<!opt>, !loop.array<!loop.string>, !loop.array<!loop.array<!cx>>, index`,
		"(!loop.array<!cx>, !loop.array<!opt>, !loop.array<!loop.string>, !loop.array<!loop.array<!cx>>, index)"),
		calls: [][2]string{{some, `[[{"re": 1, "im": 0}, {"re": 3, "im": 0}, {"re": 1, "im": 0}, {"re": 3, "im": 0}], [null, 5, 7, null], ["b", "a", "b", "a"], [[{"re": 1, "im": 2}], [{"re": 3, "im": 4}], [{"re": 1, "im": 6}], [{"re": 3, "im": 4}]], 3]`}},
		ops:   "loop.at 5, loop.column 7, loop.find 1, loop.for 1, loop.keys 5, loop.len 1, loop.zip 3"},
	{name: "groups of groups by structs: an array of buckets", src: of(`
  %g, %h, %cs = loop.for %i < %n -> bucket(!loop.string, [bucket(!cx, [collect(!cx)])]) {
    %r = loop.at %rows[%i] : !loop.array<!row>
    %name = loop.field %r["name"] : !row
    %c = loop.field %r["c"] : !row
    loop.yield %name, %c, %c : !loop.string, !cx, !cx
  }
  %b = loop.at %h[%0] : !loop.array<!loop.buckets<!cx>>
  %k = loop.keys %b[0] : !loop.buckets<!cx>
  return %k, %cs : !loop.array<!cx>, !loop.array<!loop.array<!loop.array<!cx>>>`, "(!loop.array<!cx>, !loop.array<!loop.array<!loop.array<!cx>>>)"),
		calls: [][2]string{{some, `[[{"re": 1, "im": 2}, {"re": 1, "im": 6}], [[[{"re": 1, "im": 2}], [{"re": 1, "im": 6}]], [[{"re": 3, "im": 4}, {"re": 3, "im": 4}]]]]`}},
		ops:   "loop.at 4, loop.column 4, loop.for 1, loop.keys 2, loop.len 1, loop.zip 2"},
	{name: "the order of structs and of nullable values", src: of(`
  %vs = loop.column %rows["v"] : !loop.array<!row>
  %s = loop.sort %vs desc, %rows asc : !loop.array<!opt>, !loop.array<!row>
  %t = loop.sort %rows desc : !loop.array<!row>
  return %s, %t : !loop.array<index>, !loop.array<index>`, "(!loop.array<index>, !loop.array<index>)"),
		calls: [][2]string{{some, `[[2, 1, 3, 0], [2, 0, 1, 3]]`}},
		ops:   "loop.at 2, loop.column 7, loop.for 1, loop.len 1, loop.sort 2"},
	{name: "the order of rows without a value, which is not zero", src: of(`
  %no = arith.constant false
  %v = loop.for %i < %n -> collect(!opt) {
    %k = arith.index_cast %i : index to i64
    %m = arith.subi %z, %k : i64
    %o = loop.struct %m, %no : !opt
    loop.yield %o : !opt
  }
  %s = loop.sort %v asc : !loop.array<!opt>
  return %s : !loop.array<index>`, "!loop.array<index>"),
		calls: [][2]string{{some, `[[0, 1, 2, 3]]`}}, ops: "loop.for 1, loop.len 1, loop.sort 1"},
	{name: "slices of arrays of structs, their elements and fields", src: of(`
  %m = arith.subi %n, %1 : index
  %part = loop.slice %rows[%1 to %n] : !loop.array<!row>
  %l = loop.len %part : !loop.array<!row>
  %s = loop.for %i < %l -> reduce(add : i64) {
    %r = loop.at %part[%i] : !loop.array<!row>
    %c = loop.field %r["c"] : !row
    %re = loop.field %c["re"] : !cx
    loop.yield %re : i64
  }
  %names = loop.column %part["name"] : !loop.array<!row>
  return %s, %names : i64, !loop.array<!loop.string>`, "(i64, !loop.array<!loop.string>)"),
		calls: [][2]string{{some, `[7, ["a", "b", "a"]]`}}, ops: "loop.at 1, loop.column 3, loop.for 1, loop.len 1, loop.slice 1"},
	{name: "structs that loops and switches hand on", src: of(`
  %r0 = loop.at %rows[%0] : !loop.array<!row>
  %r = scf.for %i = %1 to %n step %1 iter_args(%best = %r0) -> (!row) {
    %s = loop.at %rows[%i] : !loop.array<!row>
    %c = loop.field %s["c"] : !row
    %d = loop.field %best["c"] : !row
    %p = loop.field %c["im"] : !cx
    %q = loop.field %d["im"] : !cx
    %k = arith.cmpi sgt, %p, %q : i64
    %b = arith.select %k, %s, %best : !row
    scf.yield %b : !row
  }
  %c = loop.field %r["c"] : !row
  %w:2 = scf.while (%a = %c) : (!cx) -> (!cx, !row) {
    %re = loop.field %a["re"] : !cx
    %im = loop.field %a["im"] : !cx
    %k = arith.cmpi slt, %re, %im : i64
    scf.condition(%k) %a, %r : !cx, !row
  } do {
  ^bb0(%a: !cx, %b: !row):
    %re = loop.field %a["re"] : !cx
    %im = loop.field %a["im"] : !cx
    %up = arith.addi %re, %x : i64
    %t = loop.struct %up, %im : !cx
    scf.yield %t : !cx
  }
  %name = loop.field %w#1["name"] : !row
  %u = scf.index_switch %n -> !cx
  case 4 {
    scf.yield %w#0 : !cx
  }
  default {
    %t = loop.struct %x, %x : !cx
    scf.yield %t : !cx
  }
  %e = loop.field %u["re"] : !cx
  return %e, %name, %w#0 : i64, !loop.string, !cx`, "(i64, !loop.string, !cx)"), calls: [][2]string{{some, `[7, "b", {"re": 7, "im": 6}]`}},
		ops: "loop.at 6, loop.column 4, loop.len 1, loop.struct 1"},
	{name: "what is put together again is what it was", src: of(`
  %c = loop.column %rows["c"] : !loop.array<!row>
  %re = loop.column %c["re"] : !loop.array<!cx>
  %im = loop.column %c["im"] : !loop.array<!cx>
  %d = loop.zip %re, %im : !loop.array<!cx>
  return %d : !loop.array<!cx>`, "!loop.array<!cx>"), calls: [][2]string{{`[[{"name": "", "c": {"re": 1, "im": 2}, "v": 1}], 0]`, `[[{"re": 1, "im": 2}]]`}}, ops: "loop.column 1"},
	{name: "structs with arrays of structs", src: `
!item = !loop.struct<price: f64, name: !loop.string>
!order = !loop.struct<id: i64, items: !loop.array<!item>>
func.func @f(%orders: !loop.array<!order>) -> (!loop.array<!order>, f64) {
  %n = loop.len %orders : !loop.array<!order>
  %os = loop.for %i < %n -> collect(!order) {
    %o = loop.at %orders[%i] : !loop.array<!order>
    %id = loop.field %o["id"] : !order
    %items = loop.field %o["items"] : !order
    %m = loop.len %items : !loop.array<!item>
    %new = loop.for %j < %m -> collect(!item) {
      %it = loop.at %items[%j] : !loop.array<!item>
      %p = loop.field %it["price"] : !item
      %name = loop.field %it["name"] : !item
      %q = arith.addf %p, %p : f64
      %r = loop.struct %q, %name : !item
      loop.yield %r : !item
    }
    %o2 = loop.struct %id, %new : !order
    loop.yield %o2 : !order
  }
  %k = loop.len %os : !loop.array<!order>
  %s = loop.for %i < %k -> reduce(add : f64) {
    %o = loop.at %os[%i] : !loop.array<!order>
    %items = loop.field %o["items"] : !order
    %m = loop.len %items : !loop.array<!item>
    %t = loop.for %j < %m -> reduce(add : f64) {
      %it = loop.at %items[%j] : !loop.array<!item>
      %p = loop.field %it["price"] : !item
      loop.yield %p : f64
    }
    loop.yield %t : f64
  }
  return %os, %s : !loop.array<!order>, f64
}`, calls: [][2]string{{`[[{"id": 1, "items": [{"price": 1.5, "name": "a"}]}, {"id": 2, "items": []}]]`, `[[{"id": 1, "items": [{"price": 3, "name": "a"}]}, {"id": 2, "items": []}], 3]`}, {`[[]]`, `[[], 0]`}},
		ops: "loop.at 6, loop.column 4, loop.for 4, loop.len 3, loop.zip 2"},
	{name: "a struct that comes from outside", src: cx + `
func.func @f(%c: !cx, %b: i1) -> (!cx, !cx) {
  %re = loop.field %c["re"] : !cx
  %im = loop.field %c["im"] : !cx
  %p = loop.pack %re, %im : (i64, i64) -> !cx
  %q:2 = loop.unpack %p : !cx
  %d = loop.struct %q#0, %q#1 : !cx
  %e = loop.struct %im, %re : !cx
  %f = arith.select %b, %e, %d : !cx
  return %d, %f : !cx, !cx
}`, calls: [][2]string{{`[{"re": 1, "im": 2}, true]`, `[{"re": 1, "im": 2}, {"re": 2, "im": 1}]`}}, ops: "loop.field 2, loop.struct 1"},
}
