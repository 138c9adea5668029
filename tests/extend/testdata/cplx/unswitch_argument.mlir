func.func @f(%c: i1, %n: index, %m: memref<?xf64>, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      memref.store %x, %m[%i] : memref<?xf64>
    }
    memref.store %x, %m[%c0] : memref<?xf64>
  }
  return
}
