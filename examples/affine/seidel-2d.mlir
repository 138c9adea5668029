// The mean of nine neighbours, in place
func.func @init(%A: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %f2 = arith.constant 2.0 : f64
  %n = memref.dim %A, %c0 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      // A[i, j] = (f64(i)*f64(j+2)+2.0)/f64(n)
      %0 = arith.index_cast %i : index to i64
      %1 = arith.sitofp %0 : i64 to f64
      %2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%j)
      %3 = arith.index_cast %2 : index to i64
      %4 = arith.sitofp %3 : i64 to f64
      %5 = arith.mulf %1, %4 fastmath<fast> : f64
      %6 = arith.addf %5, %f2 fastmath<fast> : f64
      %7 = arith.index_cast %n : index to i64
      %8 = arith.sitofp %7 : i64 to f64
      %9 = arith.divf %6, %8 fastmath<fast> : f64
      affine.store %9, %A[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @kernel(%A: memref<?x?xf64> {llvm.noalias}, %steps: index) {
  %c0 = arith.constant 0 : index
  %f9 = arith.constant 9.0 : f64
  %n = memref.dim %A, %c0 : memref<?x?xf64>
  affine.for %t = 0 to %steps {
    affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      affine.for %j = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
        // A[i, j] = (A[i-1, j-1]+A[i-1, j]+A[i-1, j+1]+A[i, j-1]+A[i, j]+A[i, j+1]+A[i+1, j-1]+A[i+1, j]+A[i+1, j+1])/9.0
        %0 = affine.load %A[%i - 1, %j - 1] : memref<?x?xf64>
        %1 = affine.load %A[%i - 1, %j] : memref<?x?xf64>
        %2 = arith.addf %0, %1 fastmath<fast> : f64
        %3 = affine.load %A[%i - 1, %j + 1] : memref<?x?xf64>
        %4 = arith.addf %2, %3 fastmath<fast> : f64
        %5 = affine.load %A[%i, %j - 1] : memref<?x?xf64>
        %6 = arith.addf %4, %5 fastmath<fast> : f64
        %7 = affine.load %A[%i, %j] : memref<?x?xf64>
        %8 = arith.addf %6, %7 fastmath<fast> : f64
        %9 = affine.load %A[%i, %j + 1] : memref<?x?xf64>
        %10 = arith.addf %8, %9 fastmath<fast> : f64
        %11 = affine.load %A[%i + 1, %j - 1] : memref<?x?xf64>
        %12 = arith.addf %10, %11 fastmath<fast> : f64
        %13 = affine.load %A[%i + 1, %j] : memref<?x?xf64>
        %14 = arith.addf %12, %13 fastmath<fast> : f64
        %15 = affine.load %A[%i + 1, %j + 1] : memref<?x?xf64>
        %16 = arith.addf %14, %15 fastmath<fast> : f64
        %17 = arith.divf %16, %f9 fastmath<fast> : f64
        affine.store %17, %A[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
func.func @check(%A: memref<?x?xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %n = memref.dim %A, %c0 : memref<?x?xf64>
  %r0 = affine.for %i = 0 to %n iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to %n iter_args(%sum2 = %sum1) -> f64 {
      // sum += A[i, j]*f64(1+(i+3*j)%7)
      %0 = affine.load %A[%i, %j] : memref<?x?xf64>
      %1 = arith.muli %c3, %j : index
      %2 = arith.addi %i, %1 : index
      %3 = arith.remsi %2, %c7 : index
      %4 = arith.addi %c1, %3 : index
      %5 = arith.index_cast %4 : index to i64
      %6 = arith.sitofp %5 : i64 to f64
      %7 = arith.mulf %0, %6 fastmath<fast> : f64
      %8 = arith.addf %sum2, %7 fastmath<fast> : f64
      affine.yield %8 : f64
    }
    affine.yield %r1 : f64
  }
  return %r0 : f64
}
func.func @main(%n: index, %steps: index) -> f64 {
  %A = memref.alloc(%n, %n) : memref<?x?xf64>
  call @init(%A) : (memref<?x?xf64>) -> ()
  call @kernel(%A, %steps) : (memref<?x?xf64>, index) -> ()
  %total = call @check(%A) : (memref<?x?xf64>) -> f64
  memref.dealloc %A : memref<?x?xf64>
  return %total : f64
}
