// Counts of the low three bits: stores to places that depend on the data, which
// no compiler may reorder.
//
// run: echo '[[7, 3, 15, 7, 0, 8, 23, 1], [0, 0, 0, 0, 0, 0, 0, 0]]' | irc run examples/mlir/histogram.mlir -entry=histogram -args=-
//  -> {"results": [], "args": [[7, 3, 15, 7, 0, 8, 23, 1], [2, 1, 0, 1, 0, 0, 0, 4]]}
func.func @histogram(%data: memref<8xi32>, %counts: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %data[%i] : memref<8xi32>
    %low = arith.andi %v, %seven : i32
    %bin = arith.index_castui %low : i32 to index
    %old = memref.load %counts[%bin] : memref<8xi32>
    %new = arith.addi %old, %one : i32
    memref.store %new, %counts[%bin] : memref<8xi32>
  }
  return
}
