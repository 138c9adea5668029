module {
  func.func @network(%arg0: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    %0 = arith.index_cast %dim : index to i64
    %c8_i64 = arith.constant 8 : i64
    %1 = arith.subi %0, %c8_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %c1_i64 = arith.constant 1 : i64
    %c1 = arith.constant 1 : index
    %c2_i64 = arith.constant 2 : i64
    %c2 = arith.constant 2 : index
    %c3_i64 = arith.constant 3 : i64
    %c3 = arith.constant 3 : index
    %c4_i64 = arith.constant 4 : i64
    %c4 = arith.constant 4 : index
    %c5_i64 = arith.constant 5 : i64
    %c5 = arith.constant 5 : index
    %c6_i64 = arith.constant 6 : i64
    %c6 = arith.constant 6 : index
    %c7_i64 = arith.constant 7 : i64
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %cst_0 = arith.constant 1.350000e+00 : f32
    %2 = scf.while (%arg4 = %c0_i64) : (i64) -> i64 {
      %3 = arith.cmpi slt, %arg4, %1 : i64
      scf.condition(%3) %arg4 : i64
    } do {
    ^bb0(%arg4: i64):
      %3 = arith.index_cast %arg4 : i64 to index
      %4 = memref.load %arg1[%3] : memref<?xf32>
      %5 = memref.load %arg2[%c0] : memref<?xf32>
      %6 = math.fma %4, %5, %cst : f32
      %7 = arith.addi %arg4, %c1_i64 : i64
      %8 = arith.index_cast %7 : i64 to index
      %9 = memref.load %arg1[%8] : memref<?xf32>
      %10 = memref.load %arg2[%c1] : memref<?xf32>
      %11 = math.fma %9, %10, %6 : f32
      %12 = arith.addi %arg4, %c2_i64 : i64
      %13 = arith.index_cast %12 : i64 to index
      %14 = memref.load %arg1[%13] : memref<?xf32>
      %15 = memref.load %arg2[%c2] : memref<?xf32>
      %16 = math.fma %14, %15, %11 : f32
      %17 = arith.addi %arg4, %c3_i64 : i64
      %18 = arith.index_cast %17 : i64 to index
      %19 = memref.load %arg1[%18] : memref<?xf32>
      %20 = memref.load %arg2[%c3] : memref<?xf32>
      %21 = math.fma %19, %20, %16 : f32
      %22 = arith.addi %arg4, %c4_i64 : i64
      %23 = arith.index_cast %22 : i64 to index
      %24 = memref.load %arg1[%23] : memref<?xf32>
      %25 = memref.load %arg2[%c4] : memref<?xf32>
      %26 = math.fma %24, %25, %21 : f32
      %27 = arith.addi %arg4, %c5_i64 : i64
      %28 = arith.index_cast %27 : i64 to index
      %29 = memref.load %arg1[%28] : memref<?xf32>
      %30 = memref.load %arg2[%c5] : memref<?xf32>
      %31 = math.fma %29, %30, %26 : f32
      %32 = arith.addi %arg4, %c6_i64 : i64
      %33 = arith.index_cast %32 : i64 to index
      %34 = memref.load %arg1[%33] : memref<?xf32>
      %35 = memref.load %arg2[%c6] : memref<?xf32>
      %36 = math.fma %34, %35, %31 : f32
      %37 = arith.addi %arg4, %c7_i64 : i64
      %38 = arith.index_cast %37 : i64 to index
      %39 = memref.load %arg1[%38] : memref<?xf32>
      %40 = memref.load %arg2[%c7] : memref<?xf32>
      %41 = math.fma %39, %40, %36 : f32
      %42 = arith.addi %arg4, %c8_i64 : i64
      %43 = arith.index_cast %42 : i64 to index
      %44 = memref.load %arg1[%43] : memref<?xf32>
      %45 = memref.load %arg2[%c8] : memref<?xf32>
      %46 = math.fma %44, %45, %41 : f32
      %47 = arith.cmpf ogt, %46, %cst_0 : f32
      %48 = arith.select %47, %46, %cst : f32
      memref.store %48, %arg3[%3] : memref<?xf32>
      scf.yield %7 : i64
    }
    return
  }
}
