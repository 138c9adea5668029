// run: for_sum [0, 10, 3]
// run: for_sum [5, 5, 1]
// run: for_sum [9223372036854775800, 9223372036854775807, 5]
// run: for_sum [-9223372036854775808, -9223372036854775800, 3]
// run: for_sum [0, 10, 0]
// run: for_sum [10, 0, -1]
func.func @for_sum(%lo: index, %hi: index, %st: index) -> (index, index) {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %s:2 = scf.for %i = %lo to %hi step %st iter_args(%a = %z, %n = %z) -> (index, index) {
    %b = arith.addi %a, %i : index
    %m = arith.addi %n, %one : index
    scf.yield %b, %m : index, index
  }
  return %s#0, %s#1 : index, index
}

// run: narrow [100, 127]
// run: narrow [-128, 127]
func.func @narrow(%lo: i8, %hi: i8) -> i32 {
  %st = arith.constant 50 : i8
  %z = arith.constant 0 : i32
  %s = scf.for %i = %lo to %hi step %st iter_args(%a = %z) -> i32 : i8 {
    %x = arith.extsi %i : i8 to i32
    %b = arith.addi %a, %x : i32
    scf.yield %b : i32
  }
  return %s : i32
}

// run: fib [20]
func.func @fib(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a0 = arith.constant 0 : i64
  %b0 = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0, %b = %b0) -> (i64, i64) {
    %c = arith.addi %a, %b : i64
    scf.yield %b, %c : i64, i64
  }
  return %r#0 : i64
}

// run: collatz [27]
func.func @collatz(%n: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %r:2 = scf.while (%x = %n, %k = %c0) : (i64, i64) -> (i64, i64) {
    %c = arith.cmpi sgt, %x, %c1 : i64
    scf.condition(%c) %x, %k : i64, i64
  } do {
  ^bb0(%x: i64, %k: i64):
    %b = arith.remui %x, %c2 : i64
    %e = arith.cmpi eq, %b, %c0 : i64
    %y = scf.if %e -> i64 {
      %h = arith.divui %x, %c2 : i64
      scf.yield %h : i64
    } else {
      %m = arith.muli %x, %c3 : i64
      %p = arith.addi %m, %c1 : i64
      scf.yield %p : i64
    }
    %k1 = arith.addi %k, %c1 : i64
    scf.yield %y, %k1 : i64, i64
  }
  return %r#1 : i64
}

// run: switch [2, 7]
// run: switch [5, 7]
// run: switch [9, 0]
func.func @switch(%i: index, %d: i32) -> (i32, f64) {
  %r:2 = scf.index_switch %i -> i32, f64
  case 2 {
    %a = arith.constant 10 : i32
    %x = arith.constant 1.5 : f64
    scf.yield %a, %x : i32, f64
  }
  case 5 {
    %b = arith.muli %d, %d : i32
    %x = arith.sitofp %b : i32 to f64
    scf.yield %b, %x : i32, f64
  }
  default {
    %c1 = arith.constant 100 : i32
    %q = arith.divsi %c1, %d : i32
    %x = arith.constant -0.0 : f64
    scf.yield %q, %x : i32, f64
  }
  return %r#0, %r#1 : i32, f64
}

// run: parallel [[[1.5, 2.0, 3.0], [4.0, 5.0, 6.5]]]
func.func @parallel(%m: memref<?x?xf64>) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?x?xf64>
  %k = memref.dim %m, %c1 : memref<?x?xf64>
  %z = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %r:2 = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %k) step (%c1, %c1) init (%z, %one) -> (f64, f64) {
    %x = memref.load %m[%i, %j] : memref<?x?xf64>
    scf.reduce(%x, %x : f64, f64) {
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %a, %b : f64
      scf.reduce.return %s : f64
    }, {
    ^bb0(%a: f64, %b: f64):
      %s = arith.mulf %a, %b : f64
      scf.reduce.return %s : f64
    }
  }
  return %r#0, %r#1 : f64, f64
}

// run: forall [[0, 0, 0, 0, 0, 0]]
func.func @forall(%m: memref<6xindex>) {
  scf.forall (%i) = (1) to (6) step (2) {
    %x = arith.muli %i, %i : index
    memref.store %x, %m[%i] : memref<6xindex>
  }
  return
}

// run: fact [10]
func.func @fact(%n: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %b = arith.cmpi sle, %n, %c1 : i64
  %r = scf.if %b -> i64 {
    scf.yield %c1 : i64
  } else {
    %m = arith.subi %n, %c1 : i64
    %f = func.call @fact(%m) : (i64) -> i64
    %p = arith.muli %n, %f : i64
    scf.yield %p : i64
  }
  return %r : i64
}

// run: prints [3]
// run: prints [0]
func.func @prints(%n: i32) -> i32 {
  %c10 = arith.constant 10 : i32
  %h = arith.constant 0.5 : f64
  special.print %h, %n : f64, i32
  %q = arith.divui %c10, %n : i32
  special.print %q : i32
  return %q : i32
}

// run: indirect [true, 7]
// run: indirect [false, 7]
func.func @indirect(%c: i1, %n: i64) -> i64 {
  %f = func.constant @fact : (i64) -> i64
  %g = func.constant @collatz : (i64) -> i64
  %h = arith.select %c, %f, %g : (i64) -> i64
  %r = func.call_indirect %h(%n) : (i64) -> i64
  return %r : i64
}
