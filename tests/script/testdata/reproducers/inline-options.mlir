module {
  memref.global "private" constant @table : memref<4xf64> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
  func.func @f(%arg0: f64, %arg1: memref<?xf64>, %arg2: index, %arg3: i1) -> f64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg4 = %c0 to %arg2 step %c1 {
      %2 = arith.mulf %arg0, %arg0 : f64
      %3 = arith.addf %2, %2 : f64
      memref.store %3, %arg1[%arg4] : memref<?xf64>
    }
    %0 = arith.mulf %arg0, %arg0 : f64
    %1 = scf.if %arg3 -> (f64) {
      %2 = arith.mulf %0, %0 : f64
      scf.yield %2 : f64
    } else {
      scf.yield %arg0 : f64
    }
    return %1 : f64
  }
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(any(inline{default-pipeline=canonicalize inlining-threshold=50 max-iterations=4 op-pipelines=func.func(canonicalize{  max-iterations=10 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true},cse)}))",
      disable_threading: false,
      verify_each: false
    }
  }
#-}
