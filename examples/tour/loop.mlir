// A loop that does the same work in every round.
func.func @scale(%m: memref<?xf64> {llvm.noalias}, %k: memref<1xf64> {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %k[%c0] : memref<1xf64>
    %s = math.sqrt %a : f64
    %x = memref.load %m[%i] : memref<?xf64>
    memref.store %x, %m[%i] : memref<?xf64>
    %y = arith.mulf %x, %s : f64
    memref.store %y, %m[%i] : memref<?xf64>
  }
  return
}
