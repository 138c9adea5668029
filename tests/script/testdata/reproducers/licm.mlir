module {
  memref.global "private" constant @table : memref<4xf64> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
  func.func private @unused(%arg0: f64) -> f64 {
    return %arg0 : f64
  }
  func.func private @square(%arg0: f64) -> f64 {
    %0 = arith.mulf %arg0, %arg0 : f64
    return %0 : f64
  }
  func.func @f(%arg0: f64, %arg1: memref<?xf64>, %arg2: index, %arg3: i1) -> f64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant dense<[1, 2, 3, 4]> : vector<4xi64>
    %0 = arith.mulf %arg0, %arg0 : f64
    %1 = arith.mulf %arg0, %arg0 : f64
    %2 = arith.addf %0, %1 : f64
    scf.for %arg4 = %c0 to %arg2 step %c1 {
      memref.store %2, %arg1[%arg4] : memref<?xf64>
    }
    %3 = call @square(%arg0) : (f64) -> f64
    %4 = scf.if %arg3 -> (f64) {
      %5 = func.call @square(%3) : (f64) -> f64
      scf.yield %5 : f64
    } else {
      scf.yield %arg0 : f64
    }
    return %4 : f64
  }
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(any(loop-invariant-code-motion))",
      disable_threading: false,
      verify_each: false
    }
  }
#-}
