// C = A B, a tile of 16 x 16 at a time: the threads of a block load a tile of A and
// one of B into shared memory, meet, multiply them, and meet again before the next.
device.kernel @matmul_kernel(%m: index, %n: index, %k: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %as = device.shared : memref<16x16xf32, 3>
  %bs = device.shared : memref<16x16xf32, 3>
  %bx = device.block_id x
  %by = device.block_id y
  %tx = device.thread_id x
  %ty = device.thread_id y
  %i0 = arith.muli %by, %c16 : index
  %i = arith.addi %i0, %ty : index
  %j0 = arith.muli %bx, %c16 : index
  %j = arith.addi %j0, %tx : index
  %in_i = arith.cmpi ult, %i, %m : index
  %in_j = arith.cmpi ult, %j, %n : index
  %sum = scf.for %t = %c0 to %k step %c16 iter_args(%acc = %zero) -> (f32) {
    %ka = arith.addi %t, %tx : index
    %kb = arith.addi %t, %ty : index
    %in_ka = arith.cmpi ult, %ka, %k : index
    %in_kb = arith.cmpi ult, %kb, %k : index
    %has_a = arith.andi %in_i, %in_ka : i1
    %has_b = arith.andi %in_j, %in_kb : i1
    %av = scf.if %has_a -> (f32) {
      %v = memref.load %a[%i, %ka] : memref<?x?xf32>
      scf.yield %v : f32
    } else {
      scf.yield %zero : f32
    }
    %bv = scf.if %has_b -> (f32) {
      %v = memref.load %b[%kb, %j] : memref<?x?xf32>
      scf.yield %v : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %av, %as[%ty, %tx] : memref<16x16xf32, 3>
    memref.store %bv, %bs[%ty, %tx] : memref<16x16xf32, 3>
    device.barrier
    %part = scf.for %l = %c0 to %c16 step %c1 iter_args(%s = %acc) -> (f32) {
      %x = memref.load %as[%ty, %l] : memref<16x16xf32, 3>
      %y = memref.load %bs[%l, %tx] : memref<16x16xf32, 3>
      %xy = arith.mulf %x, %y : f32
      %next = arith.addf %s, %xy : f32
      scf.yield %next : f32
    }
    device.barrier
    scf.yield %part : f32
  }
  %in = arith.andi %in_i, %in_j : i1
  scf.if %in {
    memref.store %sum, %c[%i, %j] : memref<?x?xf32>
  }
  device.return
}

func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  %gx = arith.ceildivui %n, %c16 : index
  %gy = arith.ceildivui %m, %c16 : index
  device.launch @matmul_kernel blocks(%gx, %gy) threads(%c16, %c16) args(%m, %n, %k, %a, %b, %c : index, index, index, memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>)
  return
}
