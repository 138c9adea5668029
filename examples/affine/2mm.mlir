// D := 1.2 D + 1.5 A B C
func.func @init(%T: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}, %C: memref<?x?xf64> {llvm.noalias}, %D: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ni = memref.dim %T, %c0 : memref<?x?xf64>
  %nj = memref.dim %T, %c1 : memref<?x?xf64>
  %nk = memref.dim %A, %c1 : memref<?x?xf64>
  %nl = memref.dim %C, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nk {
      // A[i, j] = f64((i*j+1)%ni)/f64(ni)
      %0 = arith.muli %i, %j : index
      %1 = arith.addi %0, %c1 : index
      %2 = arith.remsi %1, %ni : index
      %3 = arith.index_cast %2 : index to i64
      %4 = arith.sitofp %3 : i64 to f64
      %5 = arith.index_cast %ni : index to i64
      %6 = arith.sitofp %5 : i64 to f64
      %7 = arith.divf %4, %6 fastmath<fast> : f64
      affine.store %7, %A[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %nk {
    affine.for %j = 0 to %nj {
      // B[i, j] = f64(i*(j+1)%nj)/f64(nj)
      %8 = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
      %9 = arith.muli %i, %8 : index
      %10 = arith.remsi %9, %nj : index
      %11 = arith.index_cast %10 : index to i64
      %12 = arith.sitofp %11 : i64 to f64
      %13 = arith.index_cast %nj : index to i64
      %14 = arith.sitofp %13 : i64 to f64
      %15 = arith.divf %12, %14 fastmath<fast> : f64
      affine.store %15, %B[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %nj {
    affine.for %j = 0 to %nl {
      // C[i, j] = f64((i*(j+3)+1)%nl)/f64(nl)
      %16 = affine.apply affine_map<(d0) -> (d0 + 3)>(%j)
      %17 = arith.muli %i, %16 : index
      %18 = arith.addi %17, %c1 : index
      %19 = arith.remsi %18, %nl : index
      %20 = arith.index_cast %19 : index to i64
      %21 = arith.sitofp %20 : i64 to f64
      %22 = arith.index_cast %nl : index to i64
      %23 = arith.sitofp %22 : i64 to f64
      %24 = arith.divf %21, %23 fastmath<fast> : f64
      affine.store %24, %C[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nl {
      // D[i, j] = f64(i*(j+2)%nk)/f64(nk)
      %25 = affine.apply affine_map<(d0) -> (d0 + 2)>(%j)
      %26 = arith.muli %i, %25 : index
      %27 = arith.remsi %26, %nk : index
      %28 = arith.index_cast %27 : index to i64
      %29 = arith.sitofp %28 : i64 to f64
      %30 = arith.index_cast %nk : index to i64
      %31 = arith.sitofp %30 : i64 to f64
      %32 = arith.divf %29, %31 fastmath<fast> : f64
      affine.store %32, %D[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @kernel(%T: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}, %C: memref<?x?xf64> {llvm.noalias}, %D: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  %f1_2 = arith.constant 1.2 : f64
  %f1_5 = arith.constant 1.5 : f64
  %ni = memref.dim %T, %c0 : memref<?x?xf64>
  %nj = memref.dim %T, %c1 : memref<?x?xf64>
  %nk = memref.dim %A, %c1 : memref<?x?xf64>
  %nl = memref.dim %C, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nj {
      // T[i, j] = 0.0
      affine.store %f0, %T[%i, %j] : memref<?x?xf64>
      affine.for %k = 0 to %nk {
        // T[i, j] += 1.5*A[i, k]*B[k, j]
        %0 = affine.load %T[%i, %j] : memref<?x?xf64>
        %1 = affine.load %A[%i, %k] : memref<?x?xf64>
        %2 = arith.mulf %f1_5, %1 fastmath<fast> : f64
        %3 = affine.load %B[%k, %j] : memref<?x?xf64>
        %4 = arith.mulf %2, %3 fastmath<fast> : f64
        %5 = arith.addf %0, %4 fastmath<fast> : f64
        affine.store %5, %T[%i, %j] : memref<?x?xf64>
      }
    }
  }
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nl {
      // D[i, j] *= 1.2
      %6 = affine.load %D[%i, %j] : memref<?x?xf64>
      %7 = arith.mulf %6, %f1_2 fastmath<fast> : f64
      affine.store %7, %D[%i, %j] : memref<?x?xf64>
      affine.for %k = 0 to %nj {
        // D[i, j] += T[i, k]*C[k, j]
        %8 = affine.load %D[%i, %j] : memref<?x?xf64>
        %9 = affine.load %T[%i, %k] : memref<?x?xf64>
        %10 = affine.load %C[%k, %j] : memref<?x?xf64>
        %11 = arith.mulf %9, %10 fastmath<fast> : f64
        %12 = arith.addf %8, %11 fastmath<fast> : f64
        affine.store %12, %D[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
func.func @check(%T: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}, %C: memref<?x?xf64> {llvm.noalias}, %D: memref<?x?xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %ni = memref.dim %T, %c0 : memref<?x?xf64>
  %nl = memref.dim %C, %c1 : memref<?x?xf64>
  %r0 = affine.for %i = 0 to %ni iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to %nl iter_args(%sum2 = %sum1) -> f64 {
      // sum += D[i, j]*f64(1+(i+3*j)%7)
      %0 = affine.load %D[%i, %j] : memref<?x?xf64>
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
func.func @main(%ni: index, %nj: index, %nk: index, %nl: index) -> f64 {
  %T = memref.alloc(%ni, %nj) : memref<?x?xf64>
  %A = memref.alloc(%ni, %nk) : memref<?x?xf64>
  %B = memref.alloc(%nk, %nj) : memref<?x?xf64>
  %C = memref.alloc(%nj, %nl) : memref<?x?xf64>
  %D = memref.alloc(%ni, %nl) : memref<?x?xf64>
  call @init(%T, %A, %B, %C, %D) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  call @kernel(%T, %A, %B, %C, %D) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %total = call @check(%T, %A, %B, %C, %D) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> f64
  memref.dealloc %T : memref<?x?xf64>
  memref.dealloc %A : memref<?x?xf64>
  memref.dealloc %B : memref<?x?xf64>
  memref.dealloc %C : memref<?x?xf64>
  memref.dealloc %D : memref<?x?xf64>
  return %total : f64
}
