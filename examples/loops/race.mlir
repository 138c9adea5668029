func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %a = memref.alloc() : memref<10xi64>
  scf.parallel (%i) = (%c0) to (%c9) step (%c1) {
    %j = arith.addi %i, %c1 : index
    %x = arith.index_cast %i : index to i64
    memref.store %x, %a[%i] : memref<10xi64>
    memref.store %x, %a[%j] : memref<10xi64>
  }
  %last = memref.load %a[%c9] : memref<10xi64>
  special.print %last : i64
  memref.dealloc %a : memref<10xi64>
  return
}
