// t[i, j] := the most pairs among the bases from i to j of a chain of RNA
func.func @init(%seq: memref<?xi32> {llvm.noalias}, %t: memref<?x?xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c0_i32 = arith.constant 0 : i32
  %n = memref.dim %seq, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    // seq[i] = i32((i+1)%4)
    %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %1 = arith.remsi %0, %c4 : index
    %2 = arith.index_cast %1 : index to i32
    affine.store %2, %seq[%i] : memref<?xi32>
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      // t[i, j] = 0
      affine.store %c0_i32, %t[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
func.func @kernel(%seq: memref<?xi32> {llvm.noalias}, %t: memref<?x?xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c3_i32 = arith.constant 3 : i32
  %n = memref.dim %seq, %c0 : memref<?xi32>
  affine.for %back = 0 to %n {
    %i = affine.apply affine_map<(d0)[s0] -> (s0 - 1 - d0)>(%back)[%n]
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to %n {
      // if (j - 1 >= 0)
      affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%j) {
        // t[i, j] = max(t[i, j], t[i, j-1])
        %0 = affine.load %t[%i, %j] : memref<?x?xi32>
        %1 = affine.load %t[%i, %j - 1] : memref<?x?xi32>
        %2 = arith.maxsi %0, %1 : i32
        affine.store %2, %t[%i, %j] : memref<?x?xi32>
      }
      // if (n - 2 - i >= 0)
      affine.if affine_set<(d0)[s0] : (s0 - 2 - d0 >= 0)>(%i)[%n] {
        // t[i, j] = max(t[i, j], t[i+1, j])
        %3 = affine.load %t[%i, %j] : memref<?x?xi32>
        %4 = affine.load %t[%i + 1, %j] : memref<?x?xi32>
        %5 = arith.maxsi %3, %4 : i32
        affine.store %5, %t[%i, %j] : memref<?x?xi32>
      }
      // if (j - 1 >= 0 and n - 2 - i >= 0)
      affine.if affine_set<(d0, d1)[s0] : (d0 - 1 >= 0, s0 - 2 - d1 >= 0)>(%j, %i)[%n] {
        // if (j - 2 - i >= 0)
        affine.if affine_set<(d0, d1) : (d0 - 2 - d1 >= 0)>(%j, %i) {
          // t[i, j] = max(t[i, j], t[i+1, j-1]+(1 if seq[i]+seq[j] == 3 else 0))
          %6 = affine.load %t[%i, %j] : memref<?x?xi32>
          %7 = affine.load %t[%i + 1, %j - 1] : memref<?x?xi32>
          %8 = affine.load %seq[%i] : memref<?xi32>
          %9 = affine.load %seq[%j] : memref<?xi32>
          %10 = arith.addi %8, %9 : i32
          %11 = arith.cmpi eq, %10, %c3_i32 : i32
          %12 = arith.select %11, %c1_i32, %c0_i32 : i32
          %13 = arith.addi %7, %12 : i32
          %14 = arith.maxsi %6, %13 : i32
          affine.store %14, %t[%i, %j] : memref<?x?xi32>
        } else {
          // t[i, j] = max(t[i, j], t[i+1, j-1])
          %15 = affine.load %t[%i, %j] : memref<?x?xi32>
          %16 = affine.load %t[%i + 1, %j - 1] : memref<?x?xi32>
          %17 = arith.maxsi %15, %16 : i32
          affine.store %17, %t[%i, %j] : memref<?x?xi32>
        }
      }
      affine.for %k = affine_map<(d0) -> (d0 + 1)>(%i) to affine_map<(d0) -> (d0)>(%j) {
        // t[i, j] = max(t[i, j], t[i, k]+t[k+1, j])
        %18 = affine.load %t[%i, %j] : memref<?x?xi32>
        %19 = affine.load %t[%i, %k] : memref<?x?xi32>
        %20 = affine.load %t[%k + 1, %j] : memref<?x?xi32>
        %21 = arith.addi %19, %20 : i32
        %22 = arith.maxsi %18, %21 : i32
        affine.store %22, %t[%i, %j] : memref<?x?xi32>
      }
    }
  }
  return
}
func.func @check(%seq: memref<?xi32> {llvm.noalias}, %t: memref<?x?xi32> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %n = memref.dim %seq, %c0 : memref<?xi32>
  %r0 = affine.for %i = 0 to %n iter_args(%sum1 = %f0) -> f64 {
    %r1 = affine.for %j = 0 to %n iter_args(%sum2 = %sum1) -> f64 {
      // sum += t[i, j]*i32(1+(i+3*j)%7)
      %0 = affine.load %t[%i, %j] : memref<?x?xi32>
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
  %seq = memref.alloc(%n) : memref<?xi32>
  %t = memref.alloc(%n, %n) : memref<?x?xi32>
  call @init(%seq, %t) : (memref<?xi32>, memref<?x?xi32>) -> ()
  call @kernel(%seq, %t) : (memref<?xi32>, memref<?x?xi32>) -> ()
  %total = call @check(%seq, %t) : (memref<?xi32>, memref<?x?xi32>) -> f64
  memref.dealloc %seq : memref<?xi32>
  memref.dealloc %t : memref<?x?xi32>
  return %total : f64
}
