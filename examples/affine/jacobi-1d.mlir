// The mean of three neighbours, from A to B and back
func.func @init(%A: memref<?xf64> {llvm.noalias}, %B: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %f2 = arith.constant 2.0 : f64
  %f3 = arith.constant 3.0 : f64
  %n = memref.dim %A, %c0 : memref<?xf64>
  affine.for %i = 0 to %n {
    // A[i] = (f64(i)+2.0)/f64(n)
    %0 = arith.index_cast %i : index to i64
    %1 = arith.sitofp %0 : i64 to f64
    %2 = arith.addf %1, %f2 fastmath<fast> : f64
    %3 = arith.index_cast %n : index to i64
    %4 = arith.sitofp %3 : i64 to f64
    %5 = arith.divf %2, %4 fastmath<fast> : f64
    affine.store %5, %A[%i] : memref<?xf64>
    // B[i] = (f64(i)+3.0)/f64(n)
    %6 = arith.addf %1, %f3 fastmath<fast> : f64
    %7 = arith.divf %6, %4 fastmath<fast> : f64
    affine.store %7, %B[%i] : memref<?xf64>
  }
  return
}
func.func @kernel(%A: memref<?xf64> {llvm.noalias}, %B: memref<?xf64> {llvm.noalias}, %steps: index) {
  %c0 = arith.constant 0 : index
  %third = arith.constant 0.33333 : f64
  %n = memref.dim %A, %c0 : memref<?xf64>
  affine.for %t = 0 to %steps {
    affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      // B[i] = 0.33333*(A[i-1]+A[i]+A[i+1])
      %0 = affine.load %A[%i - 1] : memref<?xf64>
      %1 = affine.load %A[%i] : memref<?xf64>
      %2 = arith.addf %0, %1 fastmath<fast> : f64
      %3 = affine.load %A[%i + 1] : memref<?xf64>
      %4 = arith.addf %2, %3 fastmath<fast> : f64
      %5 = arith.mulf %third, %4 fastmath<fast> : f64
      affine.store %5, %B[%i] : memref<?xf64>
    }
    affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      // A[i] = 0.33333*(B[i-1]+B[i]+B[i+1])
      %6 = affine.load %B[%i - 1] : memref<?xf64>
      %7 = affine.load %B[%i] : memref<?xf64>
      %8 = arith.addf %6, %7 fastmath<fast> : f64
      %9 = affine.load %B[%i + 1] : memref<?xf64>
      %10 = arith.addf %8, %9 fastmath<fast> : f64
      %11 = arith.mulf %third, %10 fastmath<fast> : f64
      affine.store %11, %A[%i] : memref<?xf64>
    }
  }
  return
}
func.func @check(%A: memref<?xf64> {llvm.noalias}, %B: memref<?xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %n = memref.dim %A, %c0 : memref<?xf64>
  %r = affine.for %i = 0 to %n iter_args(%sum = %f0) -> f64 {
    // sum += A[i]*f64(1+i%7)
    %0 = affine.load %A[%i] : memref<?xf64>
    %1 = arith.remsi %i, %c7 : index
    %2 = arith.addi %c1, %1 : index
    %3 = arith.index_cast %2 : index to i64
    %4 = arith.sitofp %3 : i64 to f64
    %5 = arith.mulf %0, %4 fastmath<fast> : f64
    %6 = arith.addf %sum, %5 fastmath<fast> : f64
    affine.yield %6 : f64
  }
  return %r : f64
}
func.func @main(%n: index, %steps: index) -> f64 {
  %A = memref.alloc(%n) : memref<?xf64>
  %B = memref.alloc(%n) : memref<?xf64>
  call @init(%A, %B) : (memref<?xf64>, memref<?xf64>) -> ()
  call @kernel(%A, %B, %steps) : (memref<?xf64>, memref<?xf64>, index) -> ()
  %total = call @check(%A, %B) : (memref<?xf64>, memref<?xf64>) -> f64
  memref.dealloc %A : memref<?xf64>
  memref.dealloc %B : memref<?xf64>
  return %total : f64
}
