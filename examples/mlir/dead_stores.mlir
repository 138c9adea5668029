// Stores that are overwritten before anyone looks, loads of what was just stored,
// and memory that nobody reads: one store is left, and the constant is returned.
//
// see: irc examples/mlir/dead_stores.mlir
// run: echo '[[1, 2, 3, 4]]' | irc run examples/mlir/dead_stores.mlir -entry=twice -args=-
//  -> {"results": [8], "args": [[1, 2, 8, 4]]}
func.func @twice(%m: memref<4xi32>) -> i32 {
  %c2 = arith.constant 2 : index
  %seven = arith.constant 7 : i32
  %eight = arith.constant 8 : i32
  memref.store %seven, %m[%c2] : memref<4xi32>
  memref.store %eight, %m[%c2] : memref<4xi32>
  %v = memref.load %m[%c2] : memref<4xi32>
  %scratch = memref.alloc() : memref<4xi32>
  memref.store %v, %scratch[%c2] : memref<4xi32>
  %w = memref.load %scratch[%c2] : memref<4xi32>
  memref.dealloc %scratch : memref<4xi32>
  return %w : i32
}
