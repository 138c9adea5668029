module {
  func.func private @square(%arg0: f64) -> f64 {
    %0 = arith.mulf %arg0, %arg0 : f64
    return %0 : f64
  }
  func.func @f(%arg0: f64, %arg1: memref<?xf64>, %arg2: index, %arg3: i1) -> f64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant dense<[1, 2, 3, 4]> : vector<4xi64>
    scf.for %arg4 = %c0 to %arg2 step %c1 {
      %2 = arith.mulf %arg0, %arg0 : f64
      %3 = arith.mulf %arg0, %arg0 : f64
      %4 = arith.addf %2, %3 : f64
      memref.store %4, %arg1[%arg4] : memref<?xf64>
    }
    %0 = call @square(%arg0) : (f64) -> f64
    %1 = scf.if %arg3 -> (f64) {
      %2 = func.call @square(%0) : (f64) -> f64
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
      pipeline: "builtin.module(any(symbol-dce))",
      disable_threading: false,
      verify_each: false
    }
  }
#-}
