// The lower triangle of A := its factor L, where A = L L'
func.func @init(%A: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c17 = arith.constant 17 : index
  %f17 = arith.constant 17.0 : f64
  %n = memref.dim %A, %c0 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      // A[i, j] = (f64(n) if i == j else f64(i*j%17)/17.0)
      %0 = arith.cmpi eq, %i, %j : index
      %1 = arith.index_cast %n : index to i64
      %2 = arith.sitofp %1 : i64 to f64
      %3 = arith.muli %i, %j : index
      %4 = arith.remsi %3, %c17 : index
      %5 = arith.index_cast %4 : index to i64
      %6 = arith.sitofp %5 : i64 to f64
      %7 = arith.divf %6, %f17 fastmath<fast> : f64
      %8 = arith.select %0, %2, %7 : f64
      affine.store %8, %A[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @kernel(%A: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        // A[i, j] -= A[i, k]*A[j, k]
        %0 = affine.load %A[%i, %j] : memref<?x?xf64>
        %1 = affine.load %A[%i, %k] : memref<?x?xf64>
        %2 = affine.load %A[%j, %k] : memref<?x?xf64>
        %3 = arith.mulf %1, %2 fastmath<fast> : f64
        %4 = arith.subf %0, %3 fastmath<fast> : f64
        affine.store %4, %A[%i, %j] : memref<?x?xf64>
      }
      // A[i, j] /= A[j, j]
      %5 = affine.load %A[%i, %j] : memref<?x?xf64>
      %6 = affine.load %A[%j, %j] : memref<?x?xf64>
      %7 = arith.divf %5, %6 fastmath<fast> : f64
      affine.store %7, %A[%i, %j] : memref<?x?xf64>
    }
    affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
      // A[i, i] -= A[i, k]*A[i, k]
      %8 = affine.load %A[%i, %i] : memref<?x?xf64>
      %9 = affine.load %A[%i, %k] : memref<?x?xf64>
      %10 = affine.load %A[%i, %k] : memref<?x?xf64>
      %11 = arith.mulf %9, %10 fastmath<fast> : f64
      %12 = arith.subf %8, %11 fastmath<fast> : f64
      affine.store %12, %A[%i, %i] : memref<?x?xf64>
    }
    // A[i, i] = sqrt(A[i, i])
    %13 = affine.load %A[%i, %i] : memref<?x?xf64>
    %14 = math.sqrt %13 fastmath<fast> : f64
    affine.store %14, %A[%i, %i] : memref<?x?xf64>
  }
  return
}
func.func @check(%A: memref<?x?xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %n = memref.dim %A, %c0 : memref<?x?xf64>
  %r0 = affine.for %i = 0 to %n iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%sum2 = %sum1) -> f64 {
      // sum += A[i, j]*f64((i+j)%7)
      %0 = affine.load %A[%i, %j] : memref<?x?xf64>
      %1 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
      %2 = arith.remsi %1, %c7 : index
      %3 = arith.index_cast %2 : index to i64
      %4 = arith.sitofp %3 : i64 to f64
      %5 = arith.mulf %0, %4 fastmath<fast> : f64
      %6 = arith.addf %sum2, %5 fastmath<fast> : f64
      affine.yield %6 : f64
    }
    affine.yield %r1 : f64
  }
  return %r0 : f64
}
func.func @main(%n: index) -> f64 {
  %A = memref.alloc(%n, %n) : memref<?x?xf64>
  call @init(%A) : (memref<?x?xf64>) -> ()
  call @kernel(%A) : (memref<?x?xf64>) -> ()
  %total = call @check(%A) : (memref<?x?xf64>) -> f64
  memref.dealloc %A : memref<?x?xf64>
  return %total : f64
}
