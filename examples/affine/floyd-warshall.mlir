// P[i, j] := the length of the shortest path from i to j
func.func @init(%P: memref<?x?xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %c13 = arith.constant 13 : index
  %c7 = arith.constant 7 : index
  %c999_i32 = arith.constant 999 : i32
  %n = memref.dim %P, %c0 : memref<?x?xi32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      // P[i, j] = (999 if (i+j)%13 == 0 or (i+j)%7 == 0 or (i+j)%11 == 0 else i32(i*j%7+1))
      %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
      %1 = arith.remsi %0, %c13 : index
      %2 = arith.cmpi eq, %1, %c0 : index
      %3 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
      %4 = arith.remsi %3, %c7 : index
      %5 = arith.cmpi eq, %4, %c0 : index
      %6 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
      %7 = arith.remsi %6, %c11 : index
      %8 = arith.cmpi eq, %7, %c0 : index
      %9 = arith.ori %2, %5 : i1
      %10 = arith.ori %9, %8 : i1
      %11 = arith.muli %i, %j : index
      %12 = arith.remsi %11, %c7 : index
      %13 = arith.addi %12, %c1 : index
      %14 = arith.index_cast %13 : index to i32
      %15 = arith.select %10, %c999_i32, %14 : i32
      affine.store %15, %P[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
func.func @kernel(%P: memref<?x?xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %P, %c0 : memref<?x?xi32>
  affine.for %k = 0 to %n {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        // P[i, j] = min(P[i, j], P[i, k]+P[k, j])
        %0 = affine.load %P[%i, %j] : memref<?x?xi32>
        %1 = affine.load %P[%i, %k] : memref<?x?xi32>
        %2 = affine.load %P[%k, %j] : memref<?x?xi32>
        %3 = arith.addi %1, %2 : i32
        %4 = arith.minsi %0, %3 : i32
        affine.store %4, %P[%i, %j] : memref<?x?xi32>
      }
    }
  }
  return
}
func.func @check(%P: memref<?x?xi32> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %n = memref.dim %P, %c0 : memref<?x?xi32>
  %r0 = affine.for %i = 0 to %n iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to %n iter_args(%sum2 = %sum1) -> f64 {
      // sum += P[i, j]*i32(1+(i+3*j)%7)
      %0 = affine.load %P[%i, %j] : memref<?x?xi32>
      %1 = arith.muli %c3, %j : index
      %2 = arith.addi %i, %1 : index
      %3 = arith.remsi %2, %c7 : index
      %4 = arith.addi %c1, %3 : index
      %5 = arith.index_cast %4 : index to i32
      %6 = arith.muli %0, %5 : i32
      %7 = arith.sitofp %6 : i32 to f64
      %8 = arith.addf %sum2, %7 fastmath<fast> : f64
      affine.yield %8 : f64
    }
    affine.yield %r1 : f64
  }
  return %r0 : f64
}
func.func @main(%n: index) -> f64 {
  %P = memref.alloc(%n, %n) : memref<?x?xi32>
  call @init(%P) : (memref<?x?xi32>) -> ()
  call @kernel(%P) : (memref<?x?xi32>) -> ()
  %total = call @check(%P) : (memref<?x?xi32>) -> f64
  memref.dealloc %P : memref<?x?xi32>
  return %total : f64
}
