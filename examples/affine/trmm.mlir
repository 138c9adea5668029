// B := 1.5 A' B, where A is lower triangular with a diagonal of ones
func.func @init(%A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  %f1 = arith.constant 1.0 : f64
  %m = memref.dim %A, %c0 : memref<?x?xf64>
  %n = memref.dim %B, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %m {
      // A[i, j] = (f64((i+j)%m)/f64(m) if j < i else (1.0 if i == j else 0.0))
      %0 = arith.cmpi slt, %j, %i : index
      %1 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
      %2 = arith.remsi %1, %m : index
      %3 = arith.index_cast %2 : index to i64
      %4 = arith.sitofp %3 : i64 to f64
      %5 = arith.index_cast %m : index to i64
      %6 = arith.sitofp %5 : i64 to f64
      %7 = arith.divf %4, %6 fastmath<fast> : f64
      %8 = arith.cmpi eq, %i, %j : index
      %9 = arith.select %8, %f1, %f0 : f64
      %10 = arith.select %0, %7, %9 : f64
      affine.store %10, %A[%i, %j] : memref<?x?xf64>
    }
    affine.for %j = 0 to %n {
      // B[i, j] = f64((n+(i-j))%n)/f64(n)
      %11 = affine.apply affine_map<(d0, d1)[s0] -> (s0 + d0 - d1)>(%i, %j)[%n]
      %12 = arith.remsi %11, %n : index
      %13 = arith.index_cast %12 : index to i64
      %14 = arith.sitofp %13 : i64 to f64
      %15 = arith.index_cast %n : index to i64
      %16 = arith.sitofp %15 : i64 to f64
      %17 = arith.divf %14, %16 fastmath<fast> : f64
      affine.store %17, %B[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @kernel(%A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1_5 = arith.constant 1.5 : f64
  %m = memref.dim %A, %c0 : memref<?x?xf64>
  %n = memref.dim %B, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %k = affine_map<(d0) -> (d0 + 1)>(%i) to %m {
        // B[i, j] += A[k, i]*B[k, j]
        %0 = affine.load %B[%i, %j] : memref<?x?xf64>
        %1 = affine.load %A[%k, %i] : memref<?x?xf64>
        %2 = affine.load %B[%k, %j] : memref<?x?xf64>
        %3 = arith.mulf %1, %2 fastmath<fast> : f64
        %4 = arith.addf %0, %3 fastmath<fast> : f64
        affine.store %4, %B[%i, %j] : memref<?x?xf64>
      }
      // B[i, j] *= 1.5
      %5 = affine.load %B[%i, %j] : memref<?x?xf64>
      %6 = arith.mulf %5, %f1_5 fastmath<fast> : f64
      affine.store %6, %B[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @check(%A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %m = memref.dim %A, %c0 : memref<?x?xf64>
  %n = memref.dim %B, %c1 : memref<?x?xf64>
  %r0 = affine.for %i = 0 to %m iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to %n iter_args(%sum2 = %sum1) -> f64 {
      // sum += B[i, j]*f64(1+(i+3*j)%7)
      %0 = affine.load %B[%i, %j] : memref<?x?xf64>
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
func.func @main(%m: index, %n: index) -> f64 {
  %A = memref.alloc(%m, %m) : memref<?x?xf64>
  %B = memref.alloc(%m, %n) : memref<?x?xf64>
  call @init(%A, %B) : (memref<?x?xf64>, memref<?x?xf64>) -> ()
  call @kernel(%A, %B) : (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %total = call @check(%A, %B) : (memref<?x?xf64>, memref<?x?xf64>) -> f64
  memref.dealloc %A : memref<?x?xf64>
  memref.dealloc %B : memref<?x?xf64>
  return %total : f64
}
