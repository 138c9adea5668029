// A[r, q, p] := the sum over s of A[r, q, s] C4[s, p]
func.func @init(%A: memref<?x?x?xf64> {llvm.noalias}, %C4: memref<?x?xf64> {llvm.noalias}, %sum: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %q = memref.dim %A, %c1 : memref<?x?x?xf64>
  %r = memref.dim %A, %c0 : memref<?x?x?xf64>
  %p = memref.dim %A, %c2 : memref<?x?x?xf64>
  affine.for %i = 0 to %r {
    affine.for %j = 0 to %q {
      affine.for %k = 0 to %p {
        // A[i, j, k] = f64((i*j+k)%p)/f64(p)
        %0 = arith.muli %i, %j : index
        %1 = arith.addi %0, %k : index
        %2 = arith.remsi %1, %p : index
        %3 = arith.index_cast %2 : index to i64
        %4 = arith.sitofp %3 : i64 to f64
        %5 = arith.index_cast %p : index to i64
        %6 = arith.sitofp %5 : i64 to f64
        %7 = arith.divf %4, %6 fastmath<fast> : f64
        affine.store %7, %A[%i, %j, %k] : memref<?x?x?xf64>
      }
    }
  }
  affine.for %i = 0 to %p {
    affine.for %j = 0 to %p {
      // C4[i, j] = f64(i*j%p)/f64(p)
      %8 = arith.muli %i, %j : index
      %9 = arith.remsi %8, %p : index
      %10 = arith.index_cast %9 : index to i64
      %11 = arith.sitofp %10 : i64 to f64
      %12 = arith.index_cast %p : index to i64
      %13 = arith.sitofp %12 : i64 to f64
      %14 = arith.divf %11, %13 fastmath<fast> : f64
      affine.store %14, %C4[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @kernel(%A: memref<?x?x?xf64> {llvm.noalias}, %C4: memref<?x?xf64> {llvm.noalias}, %sum: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f0 = arith.constant 0.0 : f64
  %q = memref.dim %A, %c1 : memref<?x?x?xf64>
  %r = memref.dim %A, %c0 : memref<?x?x?xf64>
  %p = memref.dim %A, %c2 : memref<?x?x?xf64>
  affine.for %i = 0 to %r {
    affine.for %j = 0 to %q {
      affine.for %k = 0 to %p {
        // sum[k] = 0.0
        affine.store %f0, %sum[%k] : memref<?xf64>
        affine.for %s = 0 to %p {
          // sum[k] += A[i, j, s]*C4[s, k]
          %0 = affine.load %sum[%k] : memref<?xf64>
          %1 = affine.load %A[%i, %j, %s] : memref<?x?x?xf64>
          %2 = affine.load %C4[%s, %k] : memref<?x?xf64>
          %3 = arith.mulf %1, %2 fastmath<fast> : f64
          %4 = arith.addf %0, %3 fastmath<fast> : f64
          affine.store %4, %sum[%k] : memref<?xf64>
        }
      }
      affine.for %k = 0 to %p {
        // A[i, j, k] = sum[k]
        %5 = affine.load %sum[%k] : memref<?xf64>
        affine.store %5, %A[%i, %j, %k] : memref<?x?x?xf64>
      }
    }
  }
  return
}
func.func @check(%A: memref<?x?x?xf64> {llvm.noalias}, %C4: memref<?x?xf64> {llvm.noalias}, %sum: memref<?xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %f0 = arith.constant 0.0 : f64
  %q = memref.dim %A, %c1 : memref<?x?x?xf64>
  %r = memref.dim %A, %c0 : memref<?x?x?xf64>
  %p = memref.dim %A, %c2 : memref<?x?x?xf64>
  %r0 = affine.for %i = 0 to %r iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to %q iter_args(%sum2 = %sum1) -> f64 {
      %r2 = affine.for %k = 0 to %p iter_args(%sum3 = %sum2) -> f64 {
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
func.func @main(%q: index, %r: index, %p: index) -> f64 {
  %A = memref.alloc(%r, %q, %p) : memref<?x?x?xf64>
  %C4 = memref.alloc(%p, %p) : memref<?x?xf64>
  %sum = memref.alloc(%p) : memref<?xf64>
  call @init(%A, %C4, %sum) : (memref<?x?x?xf64>, memref<?x?xf64>, memref<?xf64>) -> ()
  call @kernel(%A, %C4, %sum) : (memref<?x?x?xf64>, memref<?x?xf64>, memref<?xf64>) -> ()
  %total = call @check(%A, %C4, %sum) : (memref<?x?x?xf64>, memref<?x?xf64>, memref<?xf64>) -> f64
  memref.dealloc %A : memref<?x?x?xf64>
  memref.dealloc %C4 : memref<?x?xf64>
  memref.dealloc %sum : memref<?xf64>
  return %total : f64
}
