package loop_test

const rows = cx + "!opt = !loop.nullable<i64>\n!row = !loop.struct<name: !loop.string, c: !cx, v: !opt>\n"

// of is a function of rows and a number.
func of(body, results string) string {
	return rows + "func.func @f(%rows: !loop.array<!row>, %x: i64) -> " + results + ` {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %two = arith.constant 2 : index
  %z = arith.constant 0 : i64
  %n = loop.len %rows : !loop.array<!row>` + body + "\n}"
}

const some = `[[{"name": "b", "c": {"re": 1, "im": 2}, "v": null}, {"name": "a", "c": {"re": 3, "im": 4}, "v": 5}, {"name": "b", "c": {"re": 1, "im": 6}, "v": 7}, {"name": "a", "c": {"re": 3, "im": 4}, "v": null}], 3]`

var formShapes = []shape{
	{name: "the length of one of two arrays", src: `
func.func @f(%c: i1) -> index {
  %x = arith.constant 0.0 : f64
  %n = arith.constant 100 : index
  %m = arith.constant 50 : index
  %a = scf.if %c -> (!loop.array<f64>) {
    %y = loop.for %i < %n -> collect(f64) { loop.yield %x : f64 }
    scf.yield %y : !loop.array<f64>
  } else {
    %y = loop.for %i < %m -> collect(f64) { loop.yield %x : f64 }
    scf.yield %y : !loop.array<f64>
  }
  %l = loop.len %a : !loop.array<f64>
  return %l : index
}`, calls: [][2]string{{`[true]`, `[100]`}, {`[false]`, `[50]`}}, ran: "arith.select 1"},
	{name: "the length of a choice of arrays, whose elements are summed", src: `
func.func @f(%c: i1, %a: !loop.array<f64>, %b: !loop.array<f64>) -> f64 {
  %s = arith.select %c, %a, %b : !loop.array<f64>
  %l = loop.len %s : !loop.array<f64>
  %r = loop.for %i < %l -> reduce(add : f64) {
    %x = loop.at %s[%i] : !loop.array<f64>
    loop.yield %x : f64
  }
  return %r : f64
}`, calls: [][2]string{{`[true, [1, 2], [4]]`, `[3]`}, {`[false, [1, 2], [4]]`, `[4]`}}, ops: "loop.at 1, loop.for 1, loop.len 2"},
	{name: "the larger of two lengths by emits in all branches", src: `
func.func @f(%c: i1, %d: i1, %n: index) -> (!loop.array<index>, index) {
  %a = loop.for %i < %n -> collect(index) {
    %e = scf.if %c -> (!loop.emit<index>) {
      %s = arith.addi %i, %n : index
      %o = loop.emit %s : index
      scf.yield %o : !loop.emit<index>
    } else {
      %t = loop.emit %n : index
      %u = loop.emit %i : index
      %o = arith.select %d, %t, %u : !loop.emit<index>
      scf.yield %o : !loop.emit<index>
    }
    loop.yield %e : !loop.emit<index>
  }
  %l = loop.len %a : !loop.array<index>
  return %a, %l : !loop.array<index>, index
}`, calls: [][2]string{{`[true, true, 2]`, `[[2, 3], 2]`}, {`[false, true, 2]`, `[[2, 2], 2]`}, {`[false, false, 2]`, `[[0, 1], 2]`}}, ops: "loop.for 1, scf.if 1"},
	{name: "no rounds", src: `
func.func @f(%x: f64) -> (f64, f64, !loop.array<f64>, index, !loop.array<f64>) {
  %n = arith.constant 0 : index
  %s, %p, %a, %e = loop.for %i < %n -> reduce(mul : f64), reduce(%x : f64), collect(f64), scan(add : f64) {
    loop.yield %x, %x, %x, %x : f64, f64, f64, f64
  } combine(%a: f64, %b: f64) {
    %c = arith.mulf %a, %b : f64
    loop.yield %c : f64
  }
  %l = loop.len %a : !loop.array<f64>
  return %s, %p, %a, %l, %e : f64, f64, !loop.array<f64>, index, !loop.array<f64>
}`, calls: [][2]string{{`[7]`, `[1, 7, [], 0, []]`}}, ops: "loop.for 1, loop.none 1"},
	{name: "no tuples", src: `
func.func @f(%x: i64, %n: index) -> (i64, !loop.array<i64>, index, !loop.array<index>, !loop.array<index>) {
  %none = loop.none : !loop.emit<i64>
  %s, %a, %ids, %sums = loop.for %i < %n -> reduce(min : i64), collect(i64), collect(index), scan(%x : i64) {
    %e = loop.for %j < %i -> emit(index) {
      %no = loop.none : !loop.emit<index>
      loop.yield %no : !loop.emit<index>
    }
    %o = loop.emit %i : index
    %both = loop.seq %e, %o : !loop.emit<index>
    loop.yield %none, %none, %both, %none : !loop.emit<i64>, !loop.emit<i64>, !loop.emit<index>, !loop.emit<i64>
  } combine(%a: i64, %b: i64) {
    %c = arith.muli %a, %b : i64
    loop.yield %c : i64
  }
  %l = loop.len %a : !loop.array<i64>
  %k = loop.len %sums : !loop.array<i64>
  %b = arith.addi %l, %k : index
  %order = loop.sort %ids asc : !loop.array<index>
  return %s, %a, %b, %ids, %order : i64, !loop.array<i64>, index, !loop.array<index>, !loop.array<index>
}`, calls: [][2]string{{`[7, 2]`, `[9223372036854775807, [], 0, [0, 1], [0, 1]]`}}, ops: "loop.for 2, loop.none 1, loop.sort 1"},
	{name: "one round", src: `
func.func @f(%x: i64, %m: index) -> (i64, f64, i64, !loop.array<i64>, !loop.array<index>) {
  %n = arith.constant 1 : index
  %f = arith.sitofp %x : i64 to f64
  %s, %g, %p, %a = loop.for %i < %n -> reduce(max : i64), reduce(min : f64), reduce(%x : i64), collect(i64) {
    loop.yield %x, %f, %x, %x : i64, f64, i64, i64
  } combine(%a: i64, %b: i64) {
    %c = arith.muli %a, %b : i64
    loop.yield %c : i64
  }
  %order = loop.sort %a desc : !loop.array<i64>
  %b = loop.for %i < %m -> collect(i64) {
    %e = loop.for %j < %n -> emit(i64) {
      loop.yield %x : i64
    }
    loop.yield %e : !loop.emit<i64>
  }
  return %s, %g, %p, %b, %order : i64, f64, i64, !loop.array<i64>, !loop.array<index>
}`, calls: [][2]string{{`[3, 2]`, `[3, 3, 9, [3, 3], [0]]`}}, ops: "loop.for 2"},
	{name: "elements in turn, of equal values and indices", src: `
func.func @f(%a: !loop.array<f64>, %x: f64) -> (!loop.array<f64>, f64, !loop.array<f64>, index, f64) {
  %n = loop.len %a : !loop.array<f64>
  %seven = arith.constant 7 : index
  %hundred = arith.constant 100 : index
  %b:2, %c = loop.for %i < %n -> collect(f64, f64), collect(index) {
    %e = loop.at %a[%i] : !loop.array<f64>
    loop.yield %e, %x, %i : f64, f64, index
  }
  %s = loop.for %i < %n -> reduce(add : f64) {
    %e = loop.at %b#1[%i] : !loop.array<f64>
    %k = loop.at %c[%i] : !loop.array<index>
    %d = loop.at %b#0[%k] : !loop.array<f64>
    %f = arith.addf %d, %e : f64
    loop.yield %f : f64
  }
  %z = loop.for %i < %hundred -> collect(f64) { loop.yield %x : f64 }
  %y = loop.at %z[%seven] : !loop.array<f64>
  %l = loop.len %b#1 : !loop.array<f64>
  return %b#0, %s, %b#1, %l, %y : !loop.array<f64>, f64, !loop.array<f64>, index, f64
}`, calls: [][2]string{{`[[1, 2], 3]`, `[[1, 2], 9, [3, 3], 2, 3]`}}, ops: "loop.at 1, loop.for 2, loop.len 1"},
	{name: "the same twice", src: `
func.func @f(%n: index, %x: f64) -> (!loop.array<index>, !loop.array<index>, f64, f64, f64) {
  %a:2, %b, %s, %t, %u = loop.for %i < %n -> collect(index, f64), collect(index), reduce(add : f64), reduce(add : f64), reduce(mul : f64) {
    loop.yield %i, %x, %i, %x, %x, %x : index, f64, index, f64, f64, f64
  }
  return %a#0, %b, %s, %t, %u : !loop.array<index>, !loop.array<index>, f64, f64, f64
}`, calls: [][2]string{{`[2, 3]`, `[[0, 1], [0, 1], 6, 6, 9]`}, {`[1, 3]`, `[[0], [0], 3, 3, 3]`}}, ops: "loop.for 1"},
	{name: "the first elements are not the array", src: `
func.func @f(%a: !loop.array<f64>) -> !loop.array<f64> {
  %n = arith.constant 2 : index
  %r = loop.for %i < %n -> collect(f64) {
    %x = loop.at %a[%i] : !loop.array<f64>
    loop.yield %x : f64
  }
  return %r : !loop.array<f64>
}`, calls: [][2]string{{`[[1, 2, 3]]`, `[[1, 2]]`}}, ops: "loop.at 1, loop.for 1"},
	{name: "slices", src: `
func.func @f(%a: !loop.array<f64>) -> (!loop.array<f64>, !loop.array<f64>, index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %5 = arith.constant 5 : index
  %n = loop.len %a : !loop.array<f64>
  %all = loop.slice %a[%0 to %n] : !loop.array<f64>
  %b = loop.slice %all[%1 to %5] : !loop.array<f64>
  %c = loop.slice %b[%1 to %2] : !loop.array<f64>
  %l = loop.len %c : !loop.array<f64>
  return %all, %c, %l : !loop.array<f64>, !loop.array<f64>, index
}`, calls: [][2]string{{`[[1, 2, 3, 4, 5]]`, `[[1, 2, 3, 4, 5], [3], 1]`}}, ops: "loop.slice 1"},
	{name: "a switch between sequences", src: `
func.func @f(%n: index) -> !loop.array<index> {
  %r = loop.for %i < %n -> collect(index) {
    %o = loop.emit %i : index
    %e = scf.index_switch %i -> !loop.emit<index>
    case 1 {
      %two = loop.seq %o, %o : !loop.emit<index>
      scf.yield %two : !loop.emit<index>
    }
    case 2 {
      %no = loop.none : !loop.emit<index>
      scf.yield %no : !loop.emit<index>
    }
    default {
      scf.yield %o : !loop.emit<index>
    }
    loop.yield %e : !loop.emit<index>
  }
  return %r : !loop.array<index>
}`, calls: [][2]string{{`[4]`, `[[0, 1, 1, 3]]`}}, ops: "loop.emit 1, loop.for 1, loop.none 1, loop.seq 1, scf.if 2"},
	{name: "strings that are known", src: `
func.func @f(%s: !loop.string) -> (i1, i1, i1, index, i8) {
  %a = loop.constant "abc"
  %b = loop.constant "abd"
  %1 = arith.constant 1 : index
  %x = loop.compare lt, %a, %b
  %y = loop.compare le, %s, %s
  %z = loop.compare ne, %s, %s
  %l = loop.len %a : !loop.string
  %c = loop.at %a[%1] : !loop.string
  return %x, %y, %z, %l, %c : i1, i1, i1, index, i8
}`, calls: [][2]string{{`["x"]`, `[true, true, false, 3, 98]`}}},
}
