// Subscripts that are linear forms, however they are written: shifts are products.
func.func @f(%a: memref<100xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() {dep.name = "m"} : memref<100xf64>
  %z = arith.constant 0.0 : f64
  memref.store %z, %m[%c0] {dep.operator} : memref<100xf64>
  scf.for %i = %c1 to %n step %c1 {
    %even = arith.shli %i, %c1 : index
    %i1 = arith.subi %i, %c1 : index
    %before = arith.muli %c2, %i1 : index
    %x = memref.load %m[%before] : memref<100xf64>
    memref.store %x, %m[%even] {dep.operator} : memref<100xf64>
  }
  %y = memref.load %m[%c0] : memref<100xf64>
  memref.store %y, %a[%c0] : memref<100xf64>
  return
}
