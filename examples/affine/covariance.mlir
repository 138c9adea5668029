// C := the covariance of the columns of D, which loses their means
func.func @init(%D: memref<?x?xf64> {llvm.noalias}, %C: memref<?x?xf64> {llvm.noalias}, %mean: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c97 = arith.constant 97 : index
  %m = memref.dim %D, %c1 : memref<?x?xf64>
  %n = memref.dim %D, %c0 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      // D[i, j] = f64(i*j%97)/f64(m)
      %0 = arith.muli %i, %j : index
      %1 = arith.remsi %0, %c97 : index
      %2 = arith.index_cast %1 : index to i64
      %3 = arith.sitofp %2 : i64 to f64
      %4 = arith.index_cast %m : index to i64
      %5 = arith.sitofp %4 : i64 to f64
      %6 = arith.divf %3, %5 fastmath<fast> : f64
      affine.store %6, %D[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @kernel(%D: memref<?x?xf64> {llvm.noalias}, %C: memref<?x?xf64> {llvm.noalias}, %mean: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  %f1 = arith.constant 1.0 : f64
  %m = memref.dim %D, %c1 : memref<?x?xf64>
  %n = memref.dim %D, %c0 : memref<?x?xf64>
  affine.for %j = 0 to %m {
    // mean[j] = 0.0
    affine.store %f0, %mean[%j] : memref<?xf64>
    affine.for %i = 0 to %n {
      // mean[j] += D[i, j]
      %0 = affine.load %mean[%j] : memref<?xf64>
      %1 = affine.load %D[%i, %j] : memref<?x?xf64>
      %2 = arith.addf %0, %1 fastmath<fast> : f64
      affine.store %2, %mean[%j] : memref<?xf64>
    }
    // mean[j] /= f64(n)
    %3 = affine.load %mean[%j] : memref<?xf64>
    %4 = arith.index_cast %n : index to i64
    %5 = arith.sitofp %4 : i64 to f64
    %6 = arith.divf %3, %5 fastmath<fast> : f64
    affine.store %6, %mean[%j] : memref<?xf64>
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      // D[i, j] -= mean[j]
      %7 = affine.load %D[%i, %j] : memref<?x?xf64>
      %8 = affine.load %mean[%j] : memref<?xf64>
      %9 = arith.subf %7, %8 fastmath<fast> : f64
      affine.store %9, %D[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %m {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to %m {
      // C[i, j] = 0.0
      affine.store %f0, %C[%i, %j] : memref<?x?xf64>
      affine.for %k = 0 to %n {
        // C[i, j] += D[k, i]*D[k, j]
        %10 = affine.load %C[%i, %j] : memref<?x?xf64>
        %11 = affine.load %D[%k, %i] : memref<?x?xf64>
        %12 = affine.load %D[%k, %j] : memref<?x?xf64>
        %13 = arith.mulf %11, %12 fastmath<fast> : f64
        %14 = arith.addf %10, %13 fastmath<fast> : f64
        affine.store %14, %C[%i, %j] : memref<?x?xf64>
      }
      // C[i, j] /= f64(n)-1.0
      %15 = affine.load %C[%i, %j] : memref<?x?xf64>
      %16 = arith.index_cast %n : index to i64
      %17 = arith.sitofp %16 : i64 to f64
      %18 = arith.subf %17, %f1 fastmath<fast> : f64
      %19 = arith.divf %15, %18 fastmath<fast> : f64
      affine.store %19, %C[%i, %j] : memref<?x?xf64>
      // C[j, i] = C[i, j]
      %20 = affine.load %C[%i, %j] : memref<?x?xf64>
      affine.store %20, %C[%j, %i] : memref<?x?xf64>
    }
  }
  return
}
func.func @check(%D: memref<?x?xf64> {llvm.noalias}, %C: memref<?x?xf64> {llvm.noalias}, %mean: memref<?xf64> {llvm.noalias}) -> f64 {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %m = memref.dim %D, %c1 : memref<?x?xf64>
  %r0 = affine.for %i = 0 to %m iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to %m iter_args(%sum2 = %sum1) -> f64 {
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
func.func @main(%m: index, %n: index) -> f64 {
  %D = memref.alloc(%n, %m) : memref<?x?xf64>
  %C = memref.alloc(%m, %m) : memref<?x?xf64>
  %mean = memref.alloc(%m) : memref<?xf64>
  call @init(%D, %C, %mean) : (memref<?x?xf64>, memref<?x?xf64>, memref<?xf64>) -> ()
  call @kernel(%D, %C, %mean) : (memref<?x?xf64>, memref<?x?xf64>, memref<?xf64>) -> ()
  %total = call @check(%D, %C, %mean) : (memref<?x?xf64>, memref<?x?xf64>, memref<?xf64>) -> f64
  memref.dealloc %D : memref<?x?xf64>
  memref.dealloc %C : memref<?x?xf64>
  memref.dealloc %mean : memref<?xf64>
  return %total : f64
}
