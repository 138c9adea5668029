// y := A' A x, again and again
func.func @init(%A: memref<?x?xf64> {llvm.noalias}, %x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}, %t: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %f1 = arith.constant 1.0 : f64
  %m = memref.dim %A, %c0 : memref<?x?xf64>
  %n = memref.dim %A, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    // x[i] = 1.0+f64(i)/f64(n)
    %0 = arith.index_cast %i : index to i64
    %1 = arith.sitofp %0 : i64 to f64
    %2 = arith.index_cast %n : index to i64
    %3 = arith.sitofp %2 : i64 to f64
    %4 = arith.divf %1, %3 fastmath<fast> : f64
    %5 = arith.addf %f1, %4 fastmath<fast> : f64
    affine.store %5, %x[%i] : memref<?xf64>
  }
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      // A[i, j] = f64((i+j)%n)/f64(5*m)
      %6 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
      %7 = arith.remsi %6, %n : index
      %8 = arith.index_cast %7 : index to i64
      %9 = arith.sitofp %8 : i64 to f64
      %10 = arith.muli %c5, %m : index
      %11 = arith.index_cast %10 : index to i64
      %12 = arith.sitofp %11 : i64 to f64
      %13 = arith.divf %9, %12 fastmath<fast> : f64
      affine.store %13, %A[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @atax(%A: memref<?x?xf64> {llvm.noalias}, %x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}, %t: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  %m = memref.dim %A, %c0 : memref<?x?xf64>
  %n = memref.dim %A, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    // y[i] = 0.0
    affine.store %f0, %y[%i] : memref<?xf64>
  }
  affine.for %i = 0 to %m {
    // t[i] = 0.0
    affine.store %f0, %t[%i] : memref<?xf64>
    affine.for %j = 0 to %n {
      // t[i] += A[i, j]*x[j]
      %0 = affine.load %t[%i] : memref<?xf64>
      %1 = affine.load %A[%i, %j] : memref<?x?xf64>
      %2 = affine.load %x[%j] : memref<?xf64>
      %3 = arith.mulf %1, %2 fastmath<fast> : f64
      %4 = arith.addf %0, %3 fastmath<fast> : f64
      affine.store %4, %t[%i] : memref<?xf64>
    }
    affine.for %j = 0 to %n {
      // y[j] += A[i, j]*t[i]
      %5 = affine.load %y[%j] : memref<?xf64>
      %6 = affine.load %A[%i, %j] : memref<?x?xf64>
      %7 = affine.load %t[%i] : memref<?xf64>
      %8 = arith.mulf %6, %7 fastmath<fast> : f64
      %9 = arith.addf %5, %8 fastmath<fast> : f64
      affine.store %9, %y[%j] : memref<?xf64>
    }
  }
  return
}
func.func @kernel(%A: memref<?x?xf64> {llvm.noalias}, %x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}, %t: memref<?xf64> {llvm.noalias}, %repetitions: index) {
  affine.for %r = 0 to %repetitions {
    func.call @atax(%A, %x, %y, %t) : (memref<?x?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  }
  return
}
func.func @check(%A: memref<?x?xf64> {llvm.noalias}, %x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}, %t: memref<?xf64> {llvm.noalias}) -> f64 {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %n = memref.dim %A, %c1 : memref<?x?xf64>
  %r0 = affine.for %i = 0 to %n iter_args(%sum1 = %f0) -> f64 {
    // sum += y[i]*f64(i%7)
    %0 = affine.load %y[%i] : memref<?xf64>
    %1 = arith.remsi %i, %c7 : index
    %2 = arith.index_cast %1 : index to i64
    %3 = arith.sitofp %2 : i64 to f64
    %4 = arith.mulf %0, %3 fastmath<fast> : f64
    %5 = arith.addf %sum1, %4 fastmath<fast> : f64
    affine.yield %5 : f64
  }
  return %r0 : f64
}
func.func @main(%m: index, %n: index, %repetitions: index) -> f64 {
  %A = memref.alloc(%m, %n) : memref<?x?xf64>
  %x = memref.alloc(%n) : memref<?xf64>
  %y = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%m) : memref<?xf64>
  call @init(%A, %x, %y, %t) : (memref<?x?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  call @kernel(%A, %x, %y, %t, %repetitions) : (memref<?x?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>, index) -> ()
  %total = call @check(%A, %x, %y, %t) : (memref<?x?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> f64
  memref.dealloc %A : memref<?x?xf64>
  memref.dealloc %x : memref<?xf64>
  memref.dealloc %y : memref<?xf64>
  memref.dealloc %t : memref<?xf64>
  return %total : f64
}
