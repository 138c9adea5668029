// Inclusive prefix sum in place.
//
// run: echo '[[3, 1, 4, 1, 5, 9, 2, 6]]' | irc run examples/mlir/prefix_sum.mlir -entry=prefix_sum -args=-
//  -> {"results": [31], "args": [[3, 4, 8, 9, 14, 23, 25, 31]]}
func.func @prefix_sum(%x: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %total = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (i32) {
    %v = memref.load %x[%i] : memref<8xi32>
    %s = arith.addi %acc, %v : i32
    memref.store %s, %x[%i] : memref<8xi32>
    scf.yield %s : i32
  }
  return %total : i32
}
