// The heat equation on a cube, from A to B and back
func.func @init(%A: memref<?x?x?xf64> {llvm.noalias}, %B: memref<?x?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %f10 = arith.constant 10.0 : f64
  %n = memref.dim %A, %c0 : memref<?x?x?xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %n {
        // A[i, j, k] = f64(i+j+(n-k))*10.0/f64(n)
        %0 = affine.apply affine_map<(d0, d1, d2)[s0] -> (d0 + d1 + s0 - d2)>(%i, %j, %k)[%n]
        %1 = arith.index_cast %0 : index to i64
        %2 = arith.sitofp %1 : i64 to f64
        %3 = arith.mulf %2, %f10 fastmath<fast> : f64
        %4 = arith.index_cast %n : index to i64
        %5 = arith.sitofp %4 : i64 to f64
        %6 = arith.divf %3, %5 fastmath<fast> : f64
        affine.store %6, %A[%i, %j, %k] : memref<?x?x?xf64>
        // B[i, j, k] = A[i, j, k]
        %7 = affine.load %A[%i, %j, %k] : memref<?x?x?xf64>
        affine.store %7, %B[%i, %j, %k] : memref<?x?x?xf64>
      }
    }
  }
  return
}
func.func @kernel(%A: memref<?x?x?xf64> {llvm.noalias}, %B: memref<?x?x?xf64> {llvm.noalias}, %steps: index) {
  %c0 = arith.constant 0 : index
  %f0_125 = arith.constant 0.125 : f64
  %f2 = arith.constant 2.0 : f64
  %n = memref.dim %A, %c0 : memref<?x?x?xf64>
  affine.for %t = 0 to %steps {
    affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      affine.for %j = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
        affine.for %k = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
          // B[i, j, k] = 0.125*(A[i+1, j, k]-2.0*A[i, j, k]+A[i-1, j, k])+0.125*(A[i, j+1, k]-2.0*A[i, j, k]+A[i, j-1, k])+0.125*(A[i, j, k+1]-2.0*A[i, j, k]+A[i, j, k-1])+A[i, j, k]
          %0 = affine.load %A[%i + 1, %j, %k] : memref<?x?x?xf64>
          %1 = affine.load %A[%i, %j, %k] : memref<?x?x?xf64>
          %2 = arith.mulf %f2, %1 fastmath<fast> : f64
          %3 = arith.subf %0, %2 fastmath<fast> : f64
          %4 = affine.load %A[%i - 1, %j, %k] : memref<?x?x?xf64>
          %5 = arith.addf %3, %4 fastmath<fast> : f64
          %6 = arith.mulf %f0_125, %5 fastmath<fast> : f64
          %7 = affine.load %A[%i, %j + 1, %k] : memref<?x?x?xf64>
          %8 = affine.load %A[%i, %j, %k] : memref<?x?x?xf64>
          %9 = arith.mulf %f2, %8 fastmath<fast> : f64
          %10 = arith.subf %7, %9 fastmath<fast> : f64
          %11 = affine.load %A[%i, %j - 1, %k] : memref<?x?x?xf64>
          %12 = arith.addf %10, %11 fastmath<fast> : f64
          %13 = arith.mulf %f0_125, %12 fastmath<fast> : f64
          %14 = arith.addf %6, %13 fastmath<fast> : f64
          %15 = affine.load %A[%i, %j, %k + 1] : memref<?x?x?xf64>
          %16 = affine.load %A[%i, %j, %k] : memref<?x?x?xf64>
          %17 = arith.mulf %f2, %16 fastmath<fast> : f64
          %18 = arith.subf %15, %17 fastmath<fast> : f64
          %19 = affine.load %A[%i, %j, %k - 1] : memref<?x?x?xf64>
          %20 = arith.addf %18, %19 fastmath<fast> : f64
          %21 = arith.mulf %f0_125, %20 fastmath<fast> : f64
          %22 = arith.addf %14, %21 fastmath<fast> : f64
          %23 = affine.load %A[%i, %j, %k] : memref<?x?x?xf64>
          %24 = arith.addf %22, %23 fastmath<fast> : f64
          affine.store %24, %B[%i, %j, %k] : memref<?x?x?xf64>
        }
      }
    }
    affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      affine.for %j = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
        affine.for %k = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
          // A[i, j, k] = 0.125*(B[i+1, j, k]-2.0*B[i, j, k]+B[i-1, j, k])+0.125*(B[i, j+1, k]-2.0*B[i, j, k]+B[i, j-1, k])+0.125*(B[i, j, k+1]-2.0*B[i, j, k]+B[i, j, k-1])+B[i, j, k]
          %25 = affine.load %B[%i + 1, %j, %k] : memref<?x?x?xf64>
          %26 = affine.load %B[%i, %j, %k] : memref<?x?x?xf64>
          %27 = arith.mulf %f2, %26 fastmath<fast> : f64
          %28 = arith.subf %25, %27 fastmath<fast> : f64
          %29 = affine.load %B[%i - 1, %j, %k] : memref<?x?x?xf64>
          %30 = arith.addf %28, %29 fastmath<fast> : f64
          %31 = arith.mulf %f0_125, %30 fastmath<fast> : f64
          %32 = affine.load %B[%i, %j + 1, %k] : memref<?x?x?xf64>
          %33 = affine.load %B[%i, %j, %k] : memref<?x?x?xf64>
          %34 = arith.mulf %f2, %33 fastmath<fast> : f64
          %35 = arith.subf %32, %34 fastmath<fast> : f64
          %36 = affine.load %B[%i, %j - 1, %k] : memref<?x?x?xf64>
          %37 = arith.addf %35, %36 fastmath<fast> : f64
          %38 = arith.mulf %f0_125, %37 fastmath<fast> : f64
          %39 = arith.addf %31, %38 fastmath<fast> : f64
          %40 = affine.load %B[%i, %j, %k + 1] : memref<?x?x?xf64>
          %41 = affine.load %B[%i, %j, %k] : memref<?x?x?xf64>
          %42 = arith.mulf %f2, %41 fastmath<fast> : f64
          %43 = arith.subf %40, %42 fastmath<fast> : f64
          %44 = affine.load %B[%i, %j, %k - 1] : memref<?x?x?xf64>
          %45 = arith.addf %43, %44 fastmath<fast> : f64
          %46 = arith.mulf %f0_125, %45 fastmath<fast> : f64
          %47 = arith.addf %39, %46 fastmath<fast> : f64
          %48 = affine.load %B[%i, %j, %k] : memref<?x?x?xf64>
          %49 = arith.addf %47, %48 fastmath<fast> : f64
          affine.store %49, %A[%i, %j, %k] : memref<?x?x?xf64>
        }
      }
    }
  }
  return
}
func.func @check(%A: memref<?x?x?xf64> {llvm.noalias}, %B: memref<?x?x?xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %f0 = arith.constant 0.0 : f64
  %n = memref.dim %A, %c0 : memref<?x?x?xf64>
  %r0 = affine.for %i = 0 to %n iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to %n iter_args(%sum2 = %sum1) -> f64 {
      %r2 = affine.for %k = 0 to %n iter_args(%sum3 = %sum2) -> f64 {
        // sum += A[i, j, k]*f64((i+j+k)%5)
        %0 = affine.load %A[%i, %j, %k] : memref<?x?x?xf64>
        %1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2)>(%i, %j, %k)
        %2 = arith.remsi %1, %c5 : index
        %3 = arith.index_cast %2 : index to i64
        %4 = arith.sitofp %3 : i64 to f64
        %5 = arith.mulf %0, %4 fastmath<fast> : f64
        %6 = arith.addf %sum3, %5 fastmath<fast> : f64
        affine.yield %6 : f64
      }
      affine.yield %r2 : f64
    }
    affine.yield %r1 : f64
  }
  return %r0 : f64
}
func.func @main(%n: index, %steps: index) -> f64 {
  %A = memref.alloc(%n, %n, %n) : memref<?x?x?xf64>
  %B = memref.alloc(%n, %n, %n) : memref<?x?x?xf64>
  call @init(%A, %B) : (memref<?x?x?xf64>, memref<?x?x?xf64>) -> ()
  call @kernel(%A, %B, %steps) : (memref<?x?x?xf64>, memref<?x?x?xf64>, index) -> ()
  %total = call @check(%A, %B) : (memref<?x?x?xf64>, memref<?x?x?xf64>) -> f64
  memref.dealloc %A : memref<?x?x?xf64>
  memref.dealloc %B : memref<?x?x?xf64>
  return %total : f64
}
