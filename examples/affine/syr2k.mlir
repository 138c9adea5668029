// C := 1.2 C + 1.5 (A B' + B A'), the lower triangle
func.func @init(%C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %C, %c0 : memref<?x?xf64>
  %m = memref.dim %A, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      // A[i, j] = f64((i*j+1)%n)/f64(n)
      %0 = arith.muli %i, %j : index
      %1 = arith.addi %0, %c1 : index
      %2 = arith.remsi %1, %n : index
      %3 = arith.index_cast %2 : index to i64
      %4 = arith.sitofp %3 : i64 to f64
      %5 = arith.index_cast %n : index to i64
      %6 = arith.sitofp %5 : i64 to f64
      %7 = arith.divf %4, %6 fastmath<fast> : f64
      affine.store %7, %A[%i, %j] : memref<?x?xf64>
      // B[i, j] = f64((i*j+2)%m)/f64(m)
      %8 = arith.muli %i, %j : index
      %9 = arith.addi %8, %c2 : index
      %10 = arith.remsi %9, %m : index
      %11 = arith.index_cast %10 : index to i64
      %12 = arith.sitofp %11 : i64 to f64
      %13 = arith.index_cast %m : index to i64
      %14 = arith.sitofp %13 : i64 to f64
      %15 = arith.divf %12, %14 fastmath<fast> : f64
      affine.store %15, %B[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      // C[i, j] = f64((i*j+3)%n)/f64(m)
      %16 = arith.muli %i, %j : index
      %17 = arith.addi %16, %c3 : index
      %18 = arith.remsi %17, %n : index
      %19 = arith.index_cast %18 : index to i64
      %20 = arith.sitofp %19 : i64 to f64
      %21 = arith.index_cast %m : index to i64
      %22 = arith.sitofp %21 : i64 to f64
      %23 = arith.divf %20, %22 fastmath<fast> : f64
      affine.store %23, %C[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @kernel(%C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1_2 = arith.constant 1.2 : f64
  %f1_5 = arith.constant 1.5 : f64
  %n = memref.dim %C, %c0 : memref<?x?xf64>
  %m = memref.dim %A, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      // C[i, j] *= 1.2
      %0 = affine.load %C[%i, %j] : memref<?x?xf64>
      %1 = arith.mulf %0, %f1_2 fastmath<fast> : f64
      affine.store %1, %C[%i, %j] : memref<?x?xf64>
    }
    affine.for %k = 0 to %m {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        // C[i, j] += A[j, k]*1.5*B[i, k]+B[j, k]*1.5*A[i, k]
        %2 = affine.load %C[%i, %j] : memref<?x?xf64>
        %3 = affine.load %A[%j, %k] : memref<?x?xf64>
        %4 = arith.mulf %3, %f1_5 fastmath<fast> : f64
        %5 = affine.load %B[%i, %k] : memref<?x?xf64>
        %6 = arith.mulf %4, %5 fastmath<fast> : f64
        %7 = affine.load %B[%j, %k] : memref<?x?xf64>
        %8 = arith.mulf %7, %f1_5 fastmath<fast> : f64
        %9 = affine.load %A[%i, %k] : memref<?x?xf64>
        %10 = arith.mulf %8, %9 fastmath<fast> : f64
        %11 = arith.addf %6, %10 fastmath<fast> : f64
        %12 = arith.addf %2, %11 fastmath<fast> : f64
        affine.store %12, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
func.func @check(%C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %n = memref.dim %C, %c0 : memref<?x?xf64>
  %r0 = affine.for %i = 0 to %n iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to %n iter_args(%sum2 = %sum1) -> f64 {
      // sum += C[i, j]*f64(1+(i+3*j)%7)
      %0 = affine.load %C[%i, %j] : memref<?x?xf64>
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
func.func @main(%n: index, %m: index) -> f64 {
  %C = memref.alloc(%n, %n) : memref<?x?xf64>
  %A = memref.alloc(%n, %m) : memref<?x?xf64>
  %B = memref.alloc(%n, %m) : memref<?x?xf64>
  call @init(%C, %A, %B) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  call @kernel(%C, %A, %B) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %total = call @check(%C, %A, %B) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> f64
  memref.dealloc %C : memref<?x?xf64>
  memref.dealloc %A : memref<?x?xf64>
  memref.dealloc %B : memref<?x?xf64>
  return %total : f64
}
