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
      %6 = arith.mulf %4, %5 : f32
      %7 = arith.addf %6, %cst : f32
      %8 = arith.addi %arg4, %c1_i64 : i64
      %9 = arith.index_cast %8 : i64 to index
      %10 = memref.load %arg1[%9] : memref<?xf32>
      %11 = memref.load %arg2[%c1] : memref<?xf32>
      %12 = arith.mulf %10, %11 : f32
      %13 = arith.addf %7, %12 : f32
      %14 = arith.addi %arg4, %c2_i64 : i64
      %15 = arith.index_cast %14 : i64 to index
      %16 = memref.load %arg1[%15] : memref<?xf32>
      %17 = memref.load %arg2[%c2] : memref<?xf32>
      %18 = arith.mulf %16, %17 : f32
      %19 = arith.addf %13, %18 : f32
      %20 = arith.addi %arg4, %c3_i64 : i64
      %21 = arith.index_cast %20 : i64 to index
      %22 = memref.load %arg1[%21] : memref<?xf32>
      %23 = memref.load %arg2[%c3] : memref<?xf32>
      %24 = arith.mulf %22, %23 : f32
      %25 = arith.addf %19, %24 : f32
      %26 = arith.addi %arg4, %c4_i64 : i64
      %27 = arith.index_cast %26 : i64 to index
      %28 = memref.load %arg1[%27] : memref<?xf32>
      %29 = memref.load %arg2[%c4] : memref<?xf32>
      %30 = arith.mulf %28, %29 : f32
      %31 = arith.addf %25, %30 : f32
      %32 = arith.addi %arg4, %c5_i64 : i64
      %33 = arith.index_cast %32 : i64 to index
      %34 = memref.load %arg1[%33] : memref<?xf32>
      %35 = memref.load %arg2[%c5] : memref<?xf32>
      %36 = arith.mulf %34, %35 : f32
      %37 = arith.addf %31, %36 : f32
      %38 = arith.addi %arg4, %c6_i64 : i64
      %39 = arith.index_cast %38 : i64 to index
      %40 = memref.load %arg1[%39] : memref<?xf32>
      %41 = memref.load %arg2[%c6] : memref<?xf32>
      %42 = arith.mulf %40, %41 : f32
      %43 = arith.addf %37, %42 : f32
      %44 = arith.addi %arg4, %c7_i64 : i64
      %45 = arith.index_cast %44 : i64 to index
      %46 = memref.load %arg1[%45] : memref<?xf32>
      %47 = memref.load %arg2[%c7] : memref<?xf32>
      %48 = arith.mulf %46, %47 : f32
      %49 = arith.addf %43, %48 : f32
      %50 = arith.addi %arg4, %c8_i64 : i64
      %51 = arith.index_cast %50 : i64 to index
      %52 = memref.load %arg1[%51] : memref<?xf32>
      %53 = memref.load %arg2[%c8] : memref<?xf32>
      %54 = arith.mulf %52, %53 : f32
      %55 = arith.addf %49, %54 : f32
      %56 = arith.cmpf ogt, %55, %cst_0 : f32
      %57 = arith.select %56, %55, %cst : f32
      memref.store %57, %arg3[%3] : memref<?xf32>
      scf.yield %8 : i64
    }
    return
  }
}
