// The product of two lists.
func.func @dot(%x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}, %z: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f64) {
    %p = affine.load %x[%i] : memref<?xf64>
    %q = affine.load %y[%i] : memref<?xf64>
    %r = arith.mulf %p, %q fastmath<fast> : f64
    %t = arith.addf %s, %r fastmath<fast> : f64
    affine.yield %t : f64
  }
  %old = affine.load %z[0] : memref<?xf64>
  %new = arith.addf %old, %sum : f64
  affine.store %new, %z[0] : memref<?xf64>
  return
}

func.func @kernel(%x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}, %z: memref<?xf64> {llvm.noalias}, %times: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %times step %c1 {
    func.call @dot(%x, %y, %z) : (memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
    func.call @touch(%x, %t) : (memref<?xf64>, index) -> ()
  }
  return
}

// The data change from time to time, so that nothing is done but once.
func.func @touch(%x: memref<?xf64>, %t: index) {
  %c0 = arith.constant 0 : index
  %c1000 = arith.constant 1000 : index
  %i = arith.remui %t, %c1000 : index
  %k = arith.index_cast %t : index to i64
  %f = arith.sitofp %k : i64 to f64
  memref.store %f, %x[%i] : memref<?xf64>
  return
}

func.func @check(%x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}, %z: memref<?xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %z, %c0 : memref<?xf64>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %v = memref.load %z[%i] : memref<?xf64>
    %m = arith.remui %i, %c7 : index
    %m1 = arith.addi %m, %c1 : index
    %k = arith.index_cast %m1 : index to i64
    %f = arith.sitofp %k : i64 to f64
    %p = arith.mulf %v, %f : f64
    %r = arith.addf %s, %p : f64
    scf.yield %r : f64
  }
  return %sum : f64
}
