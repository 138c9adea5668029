// How often each of 256 numbers comes.
func.func @histogram(%x: memref<?xi32> {llvm.noalias}, %y: memref<?xi64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = arith.constant 1 : i64
  %n = memref.dim %x, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %x[%i] : memref<?xi32>
    %j = arith.index_cast %k : i32 to index
    %h = memref.load %y[%j] : memref<?xi64>
    %g = arith.addi %h, %o : i64
    memref.store %g, %y[%j] : memref<?xi64>
  }
  return
}

func.func @kernel(%x: memref<?xi32> {llvm.noalias}, %y: memref<?xi64> {llvm.noalias}, %times: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %times step %c1 {
    func.call @histogram(%x, %y) : (memref<?xi32>, memref<?xi64>) -> ()
    func.call @touch(%x, %t) : (memref<?xi32>, index) -> ()
  }
  return
}

// The data change from time to time, so that nothing is done but once.
func.func @touch(%x: memref<?xi32>, %t: index) {
  %c0 = arith.constant 0 : index
  %c1000 = arith.constant 1000 : index
  %i = arith.remui %t, %c1000 : index
  %c256 = arith.constant 256 : index
  %j = arith.remui %t, %c256 : index
  %k = arith.index_cast %j : index to i32
  memref.store %k, %x[%i] : memref<?xi32>
  return
}

func.func @check(%x: memref<?xi32> {llvm.noalias}, %y: memref<?xi64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %y, %c0 : memref<?xi64>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %v = memref.load %y[%i] : memref<?xi64>
    %w = arith.sitofp %v : i64 to f64
    %m = arith.remui %i, %c7 : index
    %m1 = arith.addi %m, %c1 : index
    %k = arith.index_cast %m1 : index to i64
    %f = arith.sitofp %k : i64 to f64
    %p = arith.mulf %w, %f : f64
    %r = arith.addf %s, %p : f64
    scf.yield %r : f64
  }
  return %sum : f64
}
