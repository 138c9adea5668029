// The elements below a number, one behind the other, and how many there are.
func.func @filter(%n: index, %most: f64, %x: memref<?xf64>, %y: memref<?xf64> {llvm.noalias}) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> (index) {
    %v = memref.load %x[%i] : memref<?xf64>
    %few = arith.cmpf olt, %v, %most : f64
    %next = scf.if %few -> (index) {
      memref.store %v, %y[%k] : memref<?xf64>
      %l = arith.addi %k, %c1 : index
      scf.yield %l : index
    } else {
      scf.yield %k : index
    }
    scf.yield %next : index
  }
  return %count : index
}
