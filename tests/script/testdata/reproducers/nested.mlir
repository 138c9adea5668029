module {
  func.func @f(%arg0: f64, %arg1: memref<?xf64>, %arg2: index, %arg3: i1) -> f64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.mulf %arg0, %arg0 : f64
    %1 = arith.addf %0, %0 : f64
    scf.for %arg4 = %c0 to %arg2 step %c1 {
      memref.store %1, %arg1[%arg4] : memref<?xf64>
    }
    %2 = arith.mulf %arg0, %arg0 : f64
    %3 = scf.if %arg3 -> (f64) {
      %4 = arith.mulf %2, %2 : f64
      scf.yield %4 : f64
    } else {
      scf.yield %arg0 : f64
    }
    return %3 : f64
  }
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(any(func.func(canonicalize{  max-iterations=3 max-num-rewrites=-1 region-simplify=disabled test-convergence=true top-down=true},cse),inline{default-pipeline= inlining-threshold=4294967295 max-iterations=4 },symbol-dce,any(loop-invariant-code-motion)))",
      disable_threading: false,
      verify_each: false
    }
  }
#-}
