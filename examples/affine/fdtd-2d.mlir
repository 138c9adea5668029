// Electric and magnetic fields in two dimensions (finite differences in time)
func.func @init(%ex: memref<?x?xf64> {llvm.noalias}, %ey: memref<?x?xf64> {llvm.noalias}, %hz: memref<?x?xf64> {llvm.noalias}, %fict: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1 = arith.constant 1.0 : f64
  %f2 = arith.constant 2.0 : f64
  %f3 = arith.constant 3.0 : f64
  %nx = memref.dim %ex, %c0 : memref<?x?xf64>
  %ny = memref.dim %ex, %c1 : memref<?x?xf64>
  %steps = memref.dim %fict, %c0 : memref<?xf64>
  affine.for %t = 0 to %steps {
    // fict[t] = f64(t)
    %0 = arith.index_cast %t : index to i64
    %1 = arith.sitofp %0 : i64 to f64
    affine.store %1, %fict[%t] : memref<?xf64>
  }
  affine.for %i = 0 to %nx {
    affine.for %j = 0 to %ny {
      // ex[i, j] = f64(i)*f64(j+1)/f64(nx), ey[i, j] = f64(i)*f64(j+2)/f64(ny), hz[i, j] = f64(i)*f64(j+3)/f64(nx)
      %0 = arith.index_cast %i : index to i64
      %1 = arith.sitofp %0 : i64 to f64
      %2 = arith.index_cast %j : index to i64
      %3 = arith.sitofp %2 : i64 to f64
      %4 = arith.index_cast %nx : index to i64
      %5 = arith.sitofp %4 : i64 to f64
      %6 = arith.index_cast %ny : index to i64
      %7 = arith.sitofp %6 : i64 to f64
      %8 = arith.addf %3, %f1 fastmath<fast> : f64
      %9 = arith.mulf %1, %8 fastmath<fast> : f64
      %10 = arith.divf %9, %5 fastmath<fast> : f64
      affine.store %10, %ex[%i, %j] : memref<?x?xf64>
      %11 = arith.addf %3, %f2 fastmath<fast> : f64
      %12 = arith.mulf %1, %11 fastmath<fast> : f64
      %13 = arith.divf %12, %7 fastmath<fast> : f64
      affine.store %13, %ey[%i, %j] : memref<?x?xf64>
      %14 = arith.addf %3, %f3 fastmath<fast> : f64
      %15 = arith.mulf %1, %14 fastmath<fast> : f64
      %16 = arith.divf %15, %5 fastmath<fast> : f64
      affine.store %16, %hz[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @kernel(%ex: memref<?x?xf64> {llvm.noalias}, %ey: memref<?x?xf64> {llvm.noalias}, %hz: memref<?x?xf64> {llvm.noalias}, %fict: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant -0.5 : f64
  %most = arith.constant -0.7 : f64
  %nx = memref.dim %ex, %c0 : memref<?x?xf64>
  %ny = memref.dim %ex, %c1 : memref<?x?xf64>
  %steps = memref.dim %fict, %c0 : memref<?xf64>
  affine.for %t = 0 to %steps {
    affine.for %j = 0 to %ny {
      // ey[0, j] = fict[t]
      %0 = affine.load %fict[%t] : memref<?xf64>
      affine.store %0, %ey[0, %j] : memref<?x?xf64>
    }
    affine.for %i = 1 to %nx {
      affine.for %j = 0 to %ny {
        // ey[i, j] += -0.5*(hz[i, j]-hz[i-1, j])
        %0 = affine.load %ey[%i, %j] : memref<?x?xf64>
        %1 = affine.load %hz[%i, %j] : memref<?x?xf64>
        %2 = affine.load %hz[%i - 1, %j] : memref<?x?xf64>
        %3 = arith.subf %1, %2 fastmath<fast> : f64
        %4 = arith.mulf %half, %3 fastmath<fast> : f64
        %5 = arith.addf %0, %4 fastmath<fast> : f64
        affine.store %5, %ey[%i, %j] : memref<?x?xf64>
      }
    }
    affine.for %i = 0 to %nx {
      affine.for %j = 1 to %ny {
        // ex[i, j] += -0.5*(hz[i, j]-hz[i, j-1])
        %0 = affine.load %ex[%i, %j] : memref<?x?xf64>
        %1 = affine.load %hz[%i, %j] : memref<?x?xf64>
        %2 = affine.load %hz[%i, %j - 1] : memref<?x?xf64>
        %3 = arith.subf %1, %2 fastmath<fast> : f64
        %4 = arith.mulf %half, %3 fastmath<fast> : f64
        %5 = arith.addf %0, %4 fastmath<fast> : f64
        affine.store %5, %ex[%i, %j] : memref<?x?xf64>
      }
    }
    affine.for %i = 0 to affine_map<()[s0] -> (s0 - 1)>()[%nx] {
      affine.for %j = 0 to affine_map<()[s0] -> (s0 - 1)>()[%ny] {
        // hz[i, j] += -0.7*(ex[i, j+1]-ex[i, j]+ey[i+1, j]-ey[i, j])
        %0 = affine.load %hz[%i, %j] : memref<?x?xf64>
        %1 = affine.load %ex[%i, %j + 1] : memref<?x?xf64>
        %2 = affine.load %ex[%i, %j] : memref<?x?xf64>
        %3 = arith.subf %1, %2 fastmath<fast> : f64
        %4 = affine.load %ey[%i + 1, %j] : memref<?x?xf64>
        %5 = arith.addf %3, %4 fastmath<fast> : f64
        %6 = affine.load %ey[%i, %j] : memref<?x?xf64>
        %7 = arith.subf %5, %6 fastmath<fast> : f64
        %8 = arith.mulf %most, %7 fastmath<fast> : f64
        %9 = arith.addf %0, %8 fastmath<fast> : f64
        affine.store %9, %hz[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
func.func @check(%ex: memref<?x?xf64> {llvm.noalias}, %ey: memref<?x?xf64> {llvm.noalias}, %hz: memref<?x?xf64> {llvm.noalias}, %fict: memref<?xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %nx = memref.dim %hz, %c0 : memref<?x?xf64>
  %ny = memref.dim %hz, %c1 : memref<?x?xf64>
  %r0 = affine.for %i = 0 to %nx iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to %ny iter_args(%sum2 = %sum1) -> f64 {
      // sum += hz[i, j]*f64(1+(i+3*j)%7)
      %0 = affine.load %hz[%i, %j] : memref<?x?xf64>
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
func.func @main(%nx: index, %ny: index, %steps: index) -> f64 {
  %ex = memref.alloc(%nx, %ny) : memref<?x?xf64>
  %ey = memref.alloc(%nx, %ny) : memref<?x?xf64>
  %hz = memref.alloc(%nx, %ny) : memref<?x?xf64>
  %fict = memref.alloc(%steps) : memref<?xf64>
  call @init(%ex, %ey, %hz, %fict) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?xf64>) -> ()
  call @kernel(%ex, %ey, %hz, %fict) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?xf64>) -> ()
  %total = call @check(%ex, %ey, %hz, %fict) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?xf64>) -> f64
  memref.dealloc %ex : memref<?x?xf64>
  memref.dealloc %ey : memref<?x?xf64>
  memref.dealloc %hz : memref<?x?xf64>
  memref.dealloc %fict : memref<?xf64>
  return %total : f64
}
