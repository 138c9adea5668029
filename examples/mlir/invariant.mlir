// What does not change in a loop leaves it: the products, the load of %p (nothing
// in the loop writes it), and the conversion. The division stays: it may trap, and
// the loop may not run at all.
//
// see: irc examples/mlir/invariant.mlir
// run: echo '[3, 4, 10]' | irc run examples/mlir/invariant.mlir -entry=main -args=-
//  -> {"results": [900], "args": []}
func.func @sum(%a: i64, %b: i64, %n: index, %p: memref<i64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (i64) {
    %ab = arith.muli %a, %b : i64
    %abb = arith.muli %ab, %b : i64
    %q = arith.divsi %abb, %a : i64
    %m = memref.load %p[] : memref<i64>
    %i64 = arith.index_cast %i : index to i64
    %s = arith.addi %q, %m : i64
    %t = arith.muli %s, %i64 : i64
    %new = arith.addi %acc, %t : i64
    scf.yield %new : i64
  }
  return %r : i64
}

func.func @main(%a: i64, %b: i64, %n: index) -> i64 {
  %p = memref.alloca() : memref<i64>
  memref.store %b, %p[] : memref<i64>
  %r = call @sum(%a, %b, %n, %p) : (i64, i64, index, memref<i64>) -> i64
  return %r : i64
}
