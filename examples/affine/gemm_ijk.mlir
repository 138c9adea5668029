// C := A B, in the order of textbooks
func.func @init(%C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  %ni = memref.dim %C, %c0 : memref<?x?xf64>
  %nj = memref.dim %C, %c1 : memref<?x?xf64>
  %nk = memref.dim %A, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nj {
      // C[i, j] = 0.0
      affine.store %f0, %C[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nk {
      // A[i, j] = f64(i*(j+1)%nk)/f64(nk)
      %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
      %1 = arith.muli %i, %0 : index
      %2 = arith.remsi %1, %nk : index
      %3 = arith.index_cast %2 : index to i64
      %4 = arith.sitofp %3 : i64 to f64
      %5 = arith.index_cast %nk : index to i64
      %6 = arith.sitofp %5 : i64 to f64
      %7 = arith.divf %4, %6 fastmath<fast> : f64
      affine.store %7, %A[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %nk {
    affine.for %j = 0 to %nj {
      // B[i, j] = f64(i*(j+2)%nj)/f64(nj)
      %8 = affine.apply affine_map<(d0) -> (d0 + 2)>(%j)
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
  return
}
func.func @kernel(%C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  %ni = memref.dim %C, %c0 : memref<?x?xf64>
  %nj = memref.dim %C, %c1 : memref<?x?xf64>
  %nk = memref.dim %A, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nj {
      // C[i, j] = 0.0
      affine.store %f0, %C[%i, %j] : memref<?x?xf64>
      affine.for %k = 0 to %nk {
        // C[i, j] += A[i, k]*B[k, j]
        %0 = affine.load %C[%i, %j] : memref<?x?xf64>
        %1 = affine.load %A[%i, %k] : memref<?x?xf64>
        %2 = affine.load %B[%k, %j] : memref<?x?xf64>
        %3 = arith.mulf %1, %2 fastmath<fast> : f64
        %4 = arith.addf %0, %3 fastmath<fast> : f64
        affine.store %4, %C[%i, %j] : memref<?x?xf64>
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
  %ni = memref.dim %C, %c0 : memref<?x?xf64>
  %nj = memref.dim %C, %c1 : memref<?x?xf64>
  %r0 = affine.for %i = 0 to %ni iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to %nj iter_args(%sum2 = %sum1) -> f64 {
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
func.func @main(%ni: index, %nj: index, %nk: index) -> f64 {
  %C = memref.alloc(%ni, %nj) : memref<?x?xf64>
  %A = memref.alloc(%ni, %nk) : memref<?x?xf64>
  %B = memref.alloc(%nk, %nj) : memref<?x?xf64>
  call @init(%C, %A, %B) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  call @kernel(%C, %A, %B) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %total = call @check(%C, %A, %B) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> f64
  memref.dealloc %C : memref<?x?xf64>
  memref.dealloc %A : memref<?x?xf64>
  memref.dealloc %B : memref<?x?xf64>
  return %total : f64
}
