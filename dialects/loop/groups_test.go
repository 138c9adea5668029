package loop_test

// groupShapes are loops with several buckets, and concatenations.
var groupShapes = []shape{
	{name: "an element of what is in order", src: `
func.func @f(%in: !loop.array<i64>, %k: index) -> (i64, i64) {
  %n = loop.len %in : !loop.array<i64>
  %s = loop.sort %in desc : !loop.array<i64>
  %o = loop.for %i < %n -> collect(i64) {
    %p = loop.at %s[%i] : !loop.array<index>
    %x = loop.at %in[%p] : !loop.array<i64>
    loop.yield %x : i64
  }
  %c0 = arith.constant 0 : index
  %most = loop.at %o[%c0] : !loop.array<i64>
  %x = loop.at %o[%k] : !loop.array<i64>
  return %most, %x : i64, i64
}`, calls: [][2]string{{`[[1, 2, 7, 5], 2]`, `[7, 2]`}, {`[[3], 0]`, `[3, 3]`}}, ops: "loop.at 4, loop.sort 1"},
	{name: "two buckets by the same key are one", src: `
func.func @f(%in: !loop.array<i64>, %m: i64) -> (!loop.array<i64>, !loop.array<i64>, !loop.array<i64>, !loop.array<i64>, i64) {
  %n = loop.len %in : !loop.array<i64>
  %one = arith.constant 1 : i64
  %g, %a, %s, %h, %b, %x = loop.for %i < %n -> bucket(i64, [reduce(%one : i64)]), reduce(%m : i64), bucket(i64, [reduce(add : i64), reduce(%m : i64)]) {
    %x = loop.at %in[%i] : !loop.array<i64>
    %k = arith.remsi %x, %m : i64
    loop.yield %k, %x, %x, %k, %x, %x : i64, i64, i64, i64, i64, i64
  } combine(%p: i64, %q: i64) {
    %r = arith.muli %p, %q : i64
    loop.yield %r : i64
  } combine(%p: i64, %q: i64) {
    %r = arith.subi %p, %q : i64
    loop.yield %r : i64
  } combine(%p: i64, %q: i64) {
    %r = arith.xori %p, %q : i64
    loop.yield %r : i64
  }
  %keys = loop.keys %h[0] : !loop.buckets<i64>
  return %keys, %a, %b, %x, %s : !loop.array<i64>, !loop.array<i64>, !loop.array<i64>, !loop.array<i64>, i64
}`, calls: [][2]string{{`[[1, 2, 4, 5, 7], 3]`, `[[1, 2], [28, 10], [12, 7], [1, 4], -16]`}, {`[[], 3]`, `[[], [], [], [], 3]`}},
		ops: "loop.at 1, loop.for 1, loop.keys 1, loop.len 1", ran: "loop.at 5"},
	{name: "two buckets that are given the same keys where conditions, parts and inner loops emit", src: `
func.func @f(%in: !loop.array<i64>, %m: i64, %c: i1, %j: index) -> (!loop.array<i64>, !loop.array<i64>, !loop.array<i64>) {
  %n = loop.len %in : !loop.array<i64>
  %none = loop.none : !loop.emit<i64, i64>
  %g, %a, %h, %b = loop.for %i < %n -> bucket(i64, [reduce(add : i64)]), bucket(i64, [reduce(mul : i64)]) {
    %x = loop.at %in[%i] : !loop.array<i64>
    %k = arith.remsi %x, %m : i64
    %y = arith.addi %x, %m : i64
    %big = arith.cmpi sgt, %x, %m : i64
    %e:2 = scf.if %big -> (!loop.emit<i64, i64>, !loop.emit<i64, i64>) {
      %o = loop.emit %k, %x : i64, i64
      %p = loop.emit %k, %y : i64, i64
      scf.yield %o, %p : !loop.emit<i64, i64>, !loop.emit<i64, i64>
    } else {
      scf.yield %none, %none : !loop.emit<i64, i64>, !loop.emit<i64, i64>
    }
    %q:2 = loop.for %l < %j -> emit(i64, i64), emit(i64, i64) {
      %d = arith.index_cast %l : index to i64
      %z = arith.addi %d, %x : i64
      loop.yield %d, %z, %d, %y : i64, i64, i64, i64
    }
    %s = loop.emit %m, %x : i64, i64
    %t = loop.emit %m, %y : i64, i64
    %u = arith.select %c, %s, %none : !loop.emit<i64, i64>
    %v = arith.select %c, %t, %none : !loop.emit<i64, i64>
    %all = loop.seq %e#0, %q#0, %u : !loop.emit<i64, i64>
    %other = loop.seq %e#1, %q#1, %v : !loop.emit<i64, i64>
    loop.yield %all, %other : !loop.emit<i64, i64>, !loop.emit<i64, i64>
  }
  %keys = loop.keys %g[0] : !loop.buckets<i64>
  return %keys, %a, %b : !loop.array<i64>, !loop.array<i64>, !loop.array<i64>
}`, calls: [][2]string{{`[[1, 5, 7], 3, true, 2]`, `[[0, 1, 3, 2], [13, 23, 13, 5], [320, 3200, 320, 8]]`}, {`[[1, 5], 3, false, 0]`, `[[2], [5], [8]]`}},
		ops: "loop.at 1, loop.emit 2, loop.for 2, loop.keys 1, loop.len 1, loop.none 1, loop.seq 1, scf.if 2", ran: "arith.cmpi 3"},
	{name: "conditions apart, the same keys and places", src: `
func.func @f(%in: !loop.array<i64>, %m: i64) -> (!loop.array<i64>, !loop.array<i64>) {
  %n = loop.len %in : !loop.array<i64>
  %none = loop.none : !loop.emit<i64, i64>
  %g, %a, %h, %b = loop.for %i < %n -> bucket(i64, [reduce(add : i64)]), bucket(i64, [reduce(mul : i64)]) {
    %x = loop.at %in[%i] : !loop.array<i64>
    %k = arith.remsi %x, %m : i64
    %big = arith.cmpi sgt, %x, %m : i64
    %e = scf.if %big -> (!loop.emit<i64, i64>) {
      %o = loop.emit %k, %x : i64, i64
      scf.yield %o : !loop.emit<i64, i64>
    } else {
      scf.yield %none : !loop.emit<i64, i64>
    }
    %d = scf.if %big -> (!loop.emit<i64, i64>) {
      %y = arith.addi %x, %m : i64
      %o = loop.emit %k, %y : i64, i64
      scf.yield %o : !loop.emit<i64, i64>
    } else {
      scf.yield %none : !loop.emit<i64, i64>
    }
    loop.yield %e, %d : !loop.emit<i64, i64>, !loop.emit<i64, i64>
  }
  return %a, %b : !loop.array<i64>, !loop.array<i64>
}`, calls: [][2]string{{`[[1, 5, 7, 8], 3]`, `[[13, 7], [88, 10]]`}}, ops: "loop.at 1, loop.emit 1, loop.for 1, loop.len 1, loop.none 1, scf.if 1"},
	{name: "other keys, and other places, are other buckets", src: `
func.func @f(%in: !loop.array<i64>, %m: i64) -> (!loop.array<i64>, !loop.array<i64>, !loop.array<i64>) {
  %n = loop.len %in : !loop.array<i64>
  %none = loop.none : !loop.emit<i64, i64>
  %g, %a, %h, %b, %j, %c = loop.for %i < %n -> bucket(i64, [reduce(add : i64)]), bucket(i64, [reduce(add : i64)]), bucket(i64, [reduce(add : i64)]) {
    %x = loop.at %in[%i] : !loop.array<i64>
    %k = arith.remsi %x, %m : i64
    %big = arith.cmpi sgt, %x, %m : i64
    %e = scf.if %big -> (!loop.emit<i64, i64>) {
      %o = loop.emit %k, %x : i64, i64
      scf.yield %o : !loop.emit<i64, i64>
    } else {
      scf.yield %none : !loop.emit<i64, i64>
    }
    loop.yield %k, %x, %x, %x, %e : i64, i64, i64, i64, !loop.emit<i64, i64>
  }
  return %a, %b, %c : !loop.array<i64>, !loop.array<i64>, !loop.array<i64>
}`, calls: [][2]string{{`[[1, 5, 7, 8], 3]`, `[[8, 13], [1, 5, 7, 8], [13, 7]]`}}, ops: "loop.at 1, loop.emit 1, loop.for 1, loop.len 1, loop.none 1, scf.if 1"},
	{name: "generators of a group that are alike", src: `
func.func @f(%in: !loop.array<i64>, %m: i64) -> (!loop.array<i64>, !loop.array<i64>, !loop.array<i64>, !loop.array<!loop.array<i64>>, !loop.array<!loop.array<i64>>, !loop.array<!loop.array<i64>>) {
  %n = loop.len %in : !loop.array<i64>
  %z = arith.constant 0 : index
  %g, %a, %b, %h, %c, %d, %k, %e = loop.for %i < %n -> bucket(i64, [reduce(add : i64), reduce(add : i64), bucket(i64, [collect(i64), collect(i64)]), bucket(i64, [collect(i64)])]) {
    %x = loop.at %in[%i] : !loop.array<i64>
    %k = arith.remsi %x, %m : i64
    %y = arith.addi %x, %m : i64
    %o = loop.emit %k, %x, %x, %y, %y, %y, %y, %y : i64, i64, i64, i64, i64, i64, i64, i64
    %p = loop.emit %m, %y, %y, %x, %x, %x, %x, %x : i64, i64, i64, i64, i64, i64, i64, i64
    %s = loop.seq %o, %p : !loop.emit<i64, i64, i64, i64, i64, i64, i64, i64>
    loop.yield %s : !loop.emit<i64, i64, i64, i64, i64, i64, i64, i64>
  }
  %keys = loop.keys %g[0] : !loop.buckets<i64>
  %q = loop.at %c[%z] : !loop.array<!loop.array<!loop.array<i64>>>
  %r = loop.at %d[%z] : !loop.array<!loop.array<!loop.array<i64>>>
  %t = loop.at %e[%z] : !loop.array<!loop.array<!loop.array<i64>>>
  return %keys, %a, %b, %q, %r, %t : !loop.array<i64>, !loop.array<i64>, !loop.array<i64>, !loop.array<!loop.array<i64>>, !loop.array<!loop.array<i64>>, !loop.array<!loop.array<i64>>
}`, calls: [][2]string{{`[[1, 4], 3]`, `[[1, 3], [5, 11], [5, 11], [[4], [7]], [[4], [7]], [[4], [7]]]`}}, ops: "loop.at 2, loop.emit 2, loop.for 1, loop.keys 1, loop.len 1, loop.seq 1"},
	{name: "a concatenation, summed by a region", src: `
func.func @f(%xs: !loop.array<i64>, %k: i64) -> (i64, !loop.array<i64>) {
  %n = loop.len %xs : !loop.array<i64>
  %one = arith.constant 1 : index
  %s, %a = loop.for %i < %one -> reduce(%k : i64), collect(i64) {
    %p = loop.for %j < %n -> emit(i64) {
      %x = loop.at %xs[%j] : !loop.array<i64>
      loop.yield %x : i64
    }
    %z = arith.index_cast %i : index to i64
    %o = loop.emit %z : i64
    %e = loop.seq %p, %o : !loop.emit<i64>
    loop.yield %e, %e : !loop.emit<i64>, !loop.emit<i64>
  } combine(%a: i64, %b: i64) {
    %r = arith.subi %a, %b : i64
    loop.yield %r : i64
  }
  return %s, %a : i64, !loop.array<i64>
}`, calls: [][2]string{{`[[1, 2], 9]`, `[6, [1, 2, 0]]`}, {`[[], 9]`, `[9, [0]]`}}, ops: "loop.at 1, loop.emit 1, loop.for 2, loop.len 1, loop.seq 1"},
}
