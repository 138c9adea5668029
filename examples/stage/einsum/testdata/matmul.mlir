module {
  device.kernel @set_C(%arg0: memref<?xf32, 1>, %arg1: memref<?xf32, 1>, %arg2: memref<?xf32, 1>) {
    %0 = device.block_id x
    %1 = arith.index_cast %0 : index to i64
    %2 = device.thread_id x
    %3 = arith.index_cast %2 : index to i64
    %c256_i64 = arith.constant 256 : i64
    %4 = arith.muli %1, %c256_i64 : i64
    %5 = arith.addi %4, %3 : i64
    %c8_i64 = arith.constant 8 : i64
    %6 = arith.cmpi slt, %5, %c8_i64 : i64
    scf.if %6 {
      %c4_i64 = arith.constant 4 : i64
      %c0_i64 = arith.constant 0 : i64
      %c1_i64 = arith.constant 1 : i64
      %7 = arith.remsi %5, %c4_i64 : i64
      %8 = arith.divsi %5, %c4_i64 : i64
      %c2_i64 = arith.constant 2 : i64
      %9 = arith.remsi %8, %c2_i64 : i64
      %cst = arith.constant 0.000000e+00 : f32
      %c3_i64 = arith.constant 3 : i64
      %10 = arith.muli %9, %c3_i64 : i64
      %11:2 = scf.while (%arg3 = %cst, %arg4 = %c0_i64) : (f32, i64) -> (f32, i64) {
        %17 = arith.cmpi slt, %arg4, %c3_i64 : i64
        scf.condition(%17) %arg3, %arg4 : f32, i64
      } do {
      ^bb0(%arg3: f32, %arg4: i64):
        %17 = arith.addi %10, %arg4 : i64
        %18 = arith.index_cast %17 : i64 to index
        %19 = memref.load %arg1[%18] : memref<?xf32, 1>
        %20 = arith.muli %arg4, %c4_i64 : i64
        %21 = arith.addi %20, %7 : i64
        %22 = arith.index_cast %21 : i64 to index
        %23 = memref.load %arg2[%22] : memref<?xf32, 1>
        %24 = arith.mulf %19, %23 : f32
        %25 = arith.addf %arg3, %24 : f32
        %26 = arith.addi %arg4, %c1_i64 : i64
        scf.yield %25, %26 : f32, i64
      }
      %12 = arith.muli %9, %c4_i64 : i64
      %13 = arith.addi %12, %7 : i64
      %14 = arith.index_cast %13 : i64 to index
      %15 = memref.load %arg0[%14] : memref<?xf32, 1>
      %16 = arith.addf %15, %11#0 : f32
      memref.store %16, %arg0[%14] : memref<?xf32, 1>
    } else {
    }
    device.return
  }
  func.func @matmul(%arg0: memref<?xf32>) {
    %c6 = arith.constant 6 : index
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() {memref.owned} : memref<6xf32>
    %cast = memref.cast %alloc : memref<6xf32> to memref<?xf32>
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    scf.for %arg1 = %c0 to %c6 step %c1 {
      memref.store %cst, %alloc[%arg1] : memref<6xf32>
    }
    %alloc_0 = memref.alloc() {memref.owned} : memref<6xf32, 1>
    %cast_1 = memref.cast %alloc_0 : memref<6xf32, 1> to memref<?xf32, 1>
    %c12 = arith.constant 12 : index
    %alloc_2 = memref.alloc() {memref.owned} : memref<12xf32>
    %cast_3 = memref.cast %alloc_2 : memref<12xf32> to memref<?xf32>
    scf.for %arg1 = %c0 to %c12 step %c1 {
      memref.store %cst, %alloc_2[%arg1] : memref<12xf32>
    }
    %alloc_4 = memref.alloc() {memref.owned} : memref<12xf32, 1>
    %cast_5 = memref.cast %alloc_4 : memref<12xf32, 1> to memref<?xf32, 1>
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %alloc_6 = memref.alloc(%dim) {memref.owned} : memref<?xf32, 1>
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %c3_i64 = arith.constant 3 : i64
    %cst_7 = arith.constant 3.000000e+00 : f32
    %c1_i64 = arith.constant 1 : i64
    %0 = scf.while (%arg1 = %c0_i64) : (i64) -> i64 {
      %2 = arith.cmpi slt, %arg1, %c2_i64 : i64
      scf.condition(%2) %arg1 : i64
    } do {
    ^bb0(%arg1: i64):
      %2 = arith.muli %arg1, %c3_i64 : i64
      %3 = scf.while (%arg2 = %c0_i64) : (i64) -> i64 {
        %5 = arith.cmpi slt, %arg2, %c3_i64 : i64
        scf.condition(%5) %arg2 : i64
      } do {
      ^bb0(%arg2: i64):
        %5 = arith.addi %2, %arg2 : i64
        %6 = arith.index_cast %5 : i64 to index
        memref.store %cst_7, %alloc[%6] : memref<6xf32>
        %7 = arith.addi %arg2, %c1_i64 : i64
        scf.yield %7 : i64
      }
      %4 = arith.addi %arg1, %c1_i64 : i64
      scf.yield %4 : i64
    }
    %c4_i64 = arith.constant 4 : i64
    %cst_8 = arith.constant 4.000000e+00 : f32
    %1 = scf.while (%arg1 = %c0_i64) : (i64) -> i64 {
      %2 = arith.cmpi slt, %arg1, %c3_i64 : i64
      scf.condition(%2) %arg1 : i64
    } do {
    ^bb0(%arg1: i64):
      %2 = arith.sitofp %arg1 : i64 to f32
      %3 = arith.addf %2, %cst_8 : f32
      %4 = arith.muli %arg1, %c4_i64 : i64
      %5 = scf.while (%arg2 = %c0_i64) : (i64) -> i64 {
        %7 = arith.cmpi slt, %arg2, %c4_i64 : i64
        scf.condition(%7) %arg2 : i64
      } do {
      ^bb0(%arg2: i64):
        %7 = arith.sitofp %arg2 : i64 to f32
        %8 = arith.addf %3, %7 : f32
        %9 = arith.addf %8, %cst : f32
        %10 = arith.addi %4, %arg2 : i64
        %11 = arith.index_cast %10 : i64 to index
        memref.store %9, %alloc_2[%11] : memref<12xf32>
        %12 = arith.addi %arg2, %c1_i64 : i64
        scf.yield %12 : i64
      }
      %6 = arith.addi %arg1, %c1_i64 : i64
      scf.yield %6 : i64
    }
    %subview = memref.subview %cast[%c0] [%c6] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %subview_9 = memref.subview %cast_1[%c0] [%c6] [1] : memref<?xf32, 1> to memref<?xf32, strided<[1], offset: ?>, 1>
    memref.copy %subview, %subview_9 : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>, 1>
    %subview_10 = memref.subview %cast_3[%c0] [%c12] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %subview_11 = memref.subview %cast_5[%c0] [%c12] [1] : memref<?xf32, 1> to memref<?xf32, strided<[1], offset: ?>, 1>
    memref.copy %subview_10, %subview_11 : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>, 1>
    %subview_12 = memref.subview %arg0[%c0] [%dim] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %subview_13 = memref.subview %alloc_6[%c0] [%dim] [1] : memref<?xf32, 1> to memref<?xf32, strided<[1], offset: ?>, 1>
    memref.copy %subview_12, %subview_13 : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>, 1>
    %c256 = arith.constant 256 : index
    device.launch @set_C blocks(%c1) threads(%c256) args(%alloc_6, %cast_1, %cast_5 : memref<?xf32, 1>, memref<?xf32, 1>, memref<?xf32, 1>)
    memref.copy %subview_13, %subview_12 : memref<?xf32, strided<[1], offset: ?>, 1> to memref<?xf32, strided<[1], offset: ?>>
    return
  }
}
