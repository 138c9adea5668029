// Each row of a matrix divided by its sum: a loop whose iterations are independent.
func.func @normalize(%a: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = memref.dim %a, %c0 : memref<?x?xf64>
  %columns = memref.dim %a, %c1 : memref<?x?xf64>
  scf.parallel (%i) = (%c0) to (%rows) step (%c1) {
    %sum = scf.for %j = %c0 to %columns step %c1 iter_args(%s = %zero) -> (f64) {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      %t = arith.addf %s, %x : f64
      scf.yield %t : f64
    }
    scf.for %j = %c0 to %columns step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      %y = arith.divf %x, %sum : f64
      memref.store %y, %a[%i, %j] : memref<?x?xf64>
    }
    scf.reduce
  }
  return
}
