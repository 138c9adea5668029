// The sum of squares of a memref, and a scale.
func.func private @square(%a: i32) -> i32 {
  %x = arith.muli %a, %a : i32
  return %x : i32
}
func.func @main(%m: memref<?xi32>, %scale: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %m, %c0 : memref<?xi32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (i32) {
    %x = memref.load %m[%i] : memref<?xi32>
    %q = func.call @square(%x) : (i32) -> i32
    %t = arith.addi %acc, %q : i32
    scf.yield %t : i32
  }
  memref.store %s, %m[%c0] : memref<?xi32>
  %r = arith.muli %s, %scale : i32
  return %r : i32
}
