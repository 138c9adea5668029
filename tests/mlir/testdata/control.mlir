// Loops, conditions, switches, recursion.

// in: -5..40, -5..40, 1..7
func.func @triangle(%lo: index, %hi: index, %step: index) -> (index, i32) {
  %zero = arith.constant 0 : index
  %n0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %lo to %hi step %step iter_args(%s = %zero, %n = %n0) -> (index, i32) {
    %t = arith.addi %s, %i : index
    %m = arith.addi %n, %one : i32
    scf.yield %t, %m : index, i32
  }
  return %r#0, %r#1 : index, i32
}

// in: any, -9..20
func.func @nested(%x: i64, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i64) {
    %s = scf.for %j = %i to %n step %c1 iter_args(%b = %a) -> (i64) {
      %j64 = arith.index_cast %j : index to i64
      %p = arith.muli %b, %c3 : i64
      %q = arith.xori %p, %j64 : i64
      scf.yield %q : i64
    }
    %i64 = arith.index_cast %i : index to i64
    %t = arith.addi %s, %i64 : i64
    scf.yield %t : i64
  }
  return %r : i64
}

// What the loops carry changes places, and one of them never changes.
// in: any, any, any, 0..9
func.func @rotate(%a: i32, %b: f64, %c: f64, %n: index) -> (i32, f64, f64, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %c, %w = %a) -> (i32, f64, f64, i32) {
    %x1 = arith.addi %x, %one : i32
    scf.yield %x1, %z, %y, %w : i32, f64, f64, i32
  }
  return %r#0, %r#1, %r#2, %r#3 : i32, f64, f64, i32
}

func.func @gcd(%a: i64, %b: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%x = %a, %y = %b) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %y, %zero : i64
    scf.condition(%more) %x, %y : i64, i64
  } do {
  ^bb0(%x: i64, %y: i64):
    %m = arith.remui %x, %y : i64
    scf.yield %y, %m : i64, i64
  }
  return %r#0 : i64
}

// A do-while: the work is before the test, and the results are not what the loop carries.
// in: 0..1000
func.func @digits(%n: i64) -> (i32, i64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %r:2 = scf.while (%x = %n, %k = %zero, %s = %none) : (i64, i32, i64) -> (i32, i64) {
    %d = arith.remui %x, %ten : i64
    %q = arith.divui %x, %ten : i64
    %s1 = arith.addi %s, %d : i64
    %k1 = arith.addi %k, %one : i32
    %more = arith.cmpi ne, %q, %none : i64
    scf.condition(%more) %k1, %s1 : i32, i64
  } do {
  ^bb0(%k1: i32, %s1: i64):
    %c = arith.constant 7 : i64
    %k64 = arith.extui %k1 : i32 to i64
    %p = arith.subi %c, %k64 : i64
    %m = arith.maxsi %p, %none : i64
    scf.yield %m, %k1, %s1 : i64, i32, i64
  }
  return %r#0, %r#1 : i32, i64
}

func.func @branches(%a: i32, %b: i32, %c: i1) -> (i32, i32) {
  %r:2 = scf.if %c -> (i32, i32) {
    %lt = arith.cmpi slt, %a, %b : i32
    %s = scf.if %lt -> (i32) {
      %x = arith.addi %a, %b : i32
      scf.yield %x : i32
    } else {
      %x = arith.subi %a, %b : i32
      scf.yield %x : i32
    }
    scf.yield %s, %a : i32, i32
  } else {
    %d = arith.muli %a, %b : i32
    scf.yield %b, %d : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// The division is guarded: it must not be moved above the test.
func.func @guarded(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %m1 = arith.constant -1 : i32
  %p = arith.cmpi ne, %b, %zero : i32
  %q = arith.cmpi ne, %b, %m1 : i32
  %ok = arith.andi %p, %q : i1
  %r = scf.if %ok -> (i32) {
    %x = arith.divsi %a, %b : i32
    %y = arith.remsi %a, %b : i32
    %z = arith.xori %x, %y : i32
    scf.yield %z : i32
  } else {
    scf.yield %a : i32
  }
  return %r : i32
}

// Also in a loop that may not run.
// in: any, -1..3, 0..5
func.func @guarded_loop(%a: i64, %b: i64, %n0: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %pos = arith.cmpi sgt, %b, %zero : i64
  %n = arith.select %pos, %n0, %c0 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %q = arith.divsi %a, %b : i64
    %t = arith.addi %s, %q : i64
    scf.yield %t : i64
  }
  return %r : i64
}

// in: -3..6, any
func.func @switch(%i: index, %x: i32) -> (i32, f64) {
  %r:2 = scf.index_switch %i -> i32, f64
  case -1 {
    %a = arith.constant 10 : i32
    %f = arith.constant -0.0 : f64
    scf.yield %a, %f : i32, f64
  }
  case 2 {
    %f = arith.sitofp %x : i32 to f64
    scf.yield %x, %f : i32, f64
  }
  case 4 {
    %p = arith.muli %x, %x : i32
    %f = arith.uitofp %p : i32 to f64
    scf.yield %p, %f : i32, f64
  }
  default {
    %a = arith.index_cast %i : index to i32
    %f = arith.constant 0.5 : f64
    scf.yield %a, %f : i32, f64
  }
  return %r#0, %r#1 : i32, f64
}

// in: any, any
func.func @execute(%a: i32, %b: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    %c = arith.cmpi ult, %a, %b : i32
    %x = scf.if %c -> (i32) {
      scf.yield %b : i32
    } else {
      %y = arith.addi %a, %b : i32
      scf.yield %y : i32
    }
    scf.yield %x : i32
  }
  return %r : i32
}

// in: 0..18
func.func @fib(%n: i32) -> i64 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %small = arith.cmpi sle, %n, %c1 : i32
  %r = scf.if %small -> (i64) {
    %w = arith.extsi %n : i32 to i64
    scf.yield %w : i64
  } else {
    %a = arith.subi %n, %c1 : i32
    %b = arith.subi %n, %c2 : i32
    %x = func.call @fib(%a) : (i32) -> i64
    %y = func.call @fib(%b) : (i32) -> i64
    %s = arith.addi %x, %y : i64
    scf.yield %s : i64
  }
  return %r : i64
}

// in: 0..2, 0..4
func.func @ackermann(%m: i64, %n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %m0 = arith.cmpi eq, %m, %zero : i64
  %r = scf.if %m0 -> (i64) {
    %x = arith.addi %n, %one : i64
    scf.yield %x : i64
  } else {
    %n0 = arith.cmpi eq, %n, %zero : i64
    %m1 = arith.subi %m, %one : i64
    %inner = scf.if %n0 -> (i64) {
      scf.yield %one : i64
    } else {
      %n1 = arith.subi %n, %one : i64
      %y = func.call @ackermann(%m, %n1) : (i64, i64) -> i64
      scf.yield %y : i64
    }
    %z = func.call @ackermann(%m1, %inner) : (i64, i64) -> i64
    scf.yield %z : i64
  }
  return %r : i64
}

// Two functions that call each other.
// in: 0..50
func.func @is_even(%n: i32) -> i1 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.cmpi eq, %n, %zero : i32
  %r = scf.if %end -> (i1) {
    %t = arith.constant true
    scf.yield %t : i1
  } else {
    %m = arith.subi %n, %one : i32
    %x = func.call @is_odd(%m) : (i32) -> i1
    scf.yield %x : i1
  }
  return %r : i1
}

// in: 0..50
func.func @is_odd(%n: i32) -> i1 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.cmpi eq, %n, %zero : i32
  %r = scf.if %end -> (i1) {
    %f = arith.constant false
    scf.yield %f : i1
  } else {
    %m = arith.subi %n, %one : i32
    %x = func.call @is_even(%m) : (i32) -> i1
    scf.yield %x : i1
  }
  return %r : i1
}

// Calls with several results, in a loop.
// in: any, 0..12
func.func @calls(%x: i64, %n: index) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i64, i64) {
    %k = arith.index_cast %i : index to i64
    %s:2 = func.call @mix(%a, %k) : (i64, i64) -> (i64, i64)
    scf.yield %s#1, %s#0 : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}

func.func @mix(%a: i64, %b: i64) -> (i64, i64) {
  %c5 = arith.constant 5 : i64
  %p = arith.muli %a, %c5 : i64
  %q = arith.xori %p, %b : i64
  %r = arith.subi %q, %a : i64
  return %q, %r : i64, i64
}

// in: any, 0..30
func.func @logistic(%x0: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r = arith.constant 3.7 : f64
  %lo = arith.constant 0.0 : f64
  %a = arith.maxnumf %x0, %lo : f64
  %b = arith.minnumf %a, %one : f64
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%x = %b) -> (f64) {
    %y = arith.subf %one, %x : f64
    %p = arith.mulf %x, %y : f64
    %q = arith.mulf %r, %p : f64
    scf.yield %q : f64
  }
  return %x : f64
}
