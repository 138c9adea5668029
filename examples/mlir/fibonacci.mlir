// Fibonacci numbers twice: by recursion and by a loop.
//
// run: echo '[20]' | irc run examples/mlir/fibonacci.mlir -entry=recursive -args=-
//  -> {"results": [6765], "args": []}
// run: echo '[90]' | irc run examples/mlir/fibonacci.mlir -entry=loop -args=-
//  -> {"results": [2880067194370816120], "args": []}
func.func @recursive(%n: i32) -> i64 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %small = arith.cmpi sle, %n, %c1 : i32
  %r = scf.if %small -> (i64) {
    %n64 = arith.extsi %n : i32 to i64
    scf.yield %n64 : i64
  } else {
    %n1 = arith.subi %n, %c1 : i32
    %n2 = arith.subi %n, %c2 : i32
    %f1 = func.call @recursive(%n1) : (i32) -> i64
    %f2 = func.call @recursive(%n2) : (i32) -> i64
    %f = arith.addi %f1, %f2 : i64
    scf.yield %f : i64
  }
  return %r : i64
}

func.func @loop(%n: index) -> i64 {
  %lo = arith.constant 0 : index
  %step = arith.constant 1 : index
  %f0 = arith.constant 0 : i64
  %f1 = arith.constant 1 : i64
  %r:2 = scf.for %i = %lo to %n step %step iter_args(%a = %f0, %b = %f1) -> (i64, i64) {
    %c = arith.addi %a, %b : i64
    scf.yield %b, %c : i64, i64
  }
  return %r#0 : i64
}
