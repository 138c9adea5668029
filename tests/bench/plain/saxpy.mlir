// y += a x.
func.func @saxpy(%x: memref<?xf32> {llvm.noalias}, %y: memref<?xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %a = arith.constant 0.5 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %p = affine.load %x[%i] : memref<?xf32>
    %q = affine.load %y[%i] : memref<?xf32>
    %r = arith.mulf %a, %p fastmath<fast> : f32
    %s = arith.addf %r, %q fastmath<fast> : f32
    affine.store %s, %y[%i] : memref<?xf32>
  }
  return
}

func.func @kernel(%x: memref<?xf32> {llvm.noalias}, %y: memref<?xf32> {llvm.noalias}, %times: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %times step %c1 {
    func.call @saxpy(%x, %y) : (memref<?xf32>, memref<?xf32>) -> ()
    func.call @touch(%x, %t) : (memref<?xf32>, index) -> ()
  }
  return
}

// The data change from time to time, so that nothing is done but once.
func.func @touch(%x: memref<?xf32>, %t: index) {
  %c0 = arith.constant 0 : index
  %c1000 = arith.constant 1000 : index
  %i = arith.remui %t, %c1000 : index
  %k = arith.index_cast %t : index to i64
  %f = arith.sitofp %k : i64 to f32
  memref.store %f, %x[%i] : memref<?xf32>
  return
}

func.func @check(%x: memref<?xf32> {llvm.noalias}, %y: memref<?xf32> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %y, %c0 : memref<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %v = memref.load %y[%i] : memref<?xf32>
    %w = arith.extf %v : f32 to f64
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
