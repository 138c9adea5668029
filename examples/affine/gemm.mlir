// C := 1.2 C + 1.5 A B, row by row
func.func @init(%C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ni = memref.dim %C, %c0 : memref<?x?xf64>
  %nj = memref.dim %C, %c1 : memref<?x?xf64>
  %nk = memref.dim %A, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nj {
      // C[i, j] = f64((i*j+1)%ni)/f64(ni)
      %0 = arith.muli %i, %j : index
      %1 = arith.addi %0, %c1 : index
      %2 = arith.remsi %1, %ni : index
      %3 = arith.index_cast %2 : index to i64
      %4 = arith.sitofp %3 : i64 to f64
      %5 = arith.index_cast %ni : index to i64
      %6 = arith.sitofp %5 : i64 to f64
      %7 = arith.divf %4, %6 fastmath<fast> : f64
      affine.store %7, %C[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nk {
      // A[i, j] = f64(i*(j+1)%nk)/f64(nk)
      %8 = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
      %9 = arith.muli %i, %8 : index
      %10 = arith.remsi %9, %nk : index
      %11 = arith.index_cast %10 : index to i64
      %12 = arith.sitofp %11 : i64 to f64
      %13 = arith.index_cast %nk : index to i64
      %14 = arith.sitofp %13 : i64 to f64
      %15 = arith.divf %12, %14 fastmath<fast> : f64
      affine.store %15, %A[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %nk {
    affine.for %j = 0 to %nj {
      // B[i, j] = f64(i*(j+2)%nj)/f64(nj)
      %16 = affine.apply affine_map<(d0) -> (d0 + 2)>(%j)
      %17 = arith.muli %i, %16 : index
      %18 = arith.remsi %17, %nj : index
      %19 = arith.index_cast %18 : index to i64
      %20 = arith.sitofp %19 : i64 to f64
      %21 = arith.index_cast %nj : index to i64
      %22 = arith.sitofp %21 : i64 to f64
      %23 = arith.divf %20, %22 fastmath<fast> : f64
      affine.store %23, %B[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @kernel(%C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1_2 = arith.constant 1.2 : f64
  %f1_5 = arith.constant 1.5 : f64
  %ni = memref.dim %C, %c0 : memref<?x?xf64>
  %nj = memref.dim %C, %c1 : memref<?x?xf64>
  %nk = memref.dim %A, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nj {
      // C[i, j] *= 1.2
      %0 = affine.load %C[%i, %j] : memref<?x?xf64>
      %1 = arith.mulf %0, %f1_2 fastmath<fast> : f64
      affine.store %1, %C[%i, %j] : memref<?x?xf64>
    }
    affine.for %k = 0 to %nk {
      affine.for %j = 0 to %nj {
        // C[i, j] += 1.5*A[i, k]*B[k, j]
        %2 = affine.load %C[%i, %j] : memref<?x?xf64>
        %3 = affine.load %A[%i, %k] : memref<?x?xf64>
        %4 = arith.mulf %f1_5, %3 fastmath<fast> : f64
        %5 = affine.load %B[%k, %j] : memref<?x?xf64>
        %6 = arith.mulf %4, %5 fastmath<fast> : f64
        %7 = arith.addf %2, %6 fastmath<fast> : f64
        affine.store %7, %C[%i, %j] : memref<?x?xf64>
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
