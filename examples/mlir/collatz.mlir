// How many steps of the 3n+1 game lead to 1, and the longest such way below a bound.
//
// run: echo '[27]' | irc run examples/mlir/collatz.mlir -entry=steps -args=-
//  -> {"results": [111], "args": []}
// run: echo '[1000]' | irc run examples/mlir/collatz.mlir -entry=longest -args=-
//  -> {"results": [871, 178], "args": []}
func.func @steps(%start: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %r:2 = scf.while (%n = %start, %k = %zero) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ugt, %n, %one : i64
    scf.condition(%more) %n, %k : i64, i64
  } do {
  ^bb0(%n: i64, %k: i64):
    %bit = arith.andi %n, %one : i64
    %odd = arith.cmpi eq, %bit, %one : i64
    %next = scf.if %odd -> (i64) {
      %t = arith.muli %n, %three : i64
      %t1 = arith.addi %t, %one : i64
      scf.yield %t1 : i64
    } else {
      %h = arith.divui %n, %two : i64
      scf.yield %h : i64
    }
    %k1 = arith.addi %k, %one : i64
    scf.yield %next, %k1 : i64, i64
  }
  return %r#1 : i64
}

func.func @longest(%bound: i64) -> (i64, i64) {
  %lo = arith.constant 1 : index
  %hi = arith.index_cast %bound : i64 to index
  %zero = arith.constant 0 : i64
  %best:2 = scf.for %i = %lo to %hi step %lo iter_args(%at = %zero, %most = %zero) -> (i64, i64) {
    %n = arith.index_cast %i : index to i64
    %k = func.call @steps(%n) : (i64) -> i64
    %better = arith.cmpi ugt, %k, %most : i64
    %at1 = arith.select %better, %n, %at : i64
    %most1 = arith.maxui %k, %most : i64
    scf.yield %at1, %most1 : i64, i64
  }
  return %best#0, %best#1 : i64, i64
}
