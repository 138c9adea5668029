func.func @rows(%A: memref<1024x512xf64>, %x: memref<512xf64> {llvm.noalias}, %y: memref<1024xf64> {llvm.noalias}) {
  affine.for %i = 0 to 1024 {
    %y0 = affine.load %y[%i] : memref<1024xf64>
    %s = affine.for %j = 0 to 512 iter_args(%t = %y0) -> (f64) {
      %a = affine.load %A[%i, %j] : memref<1024x512xf64>
      %b = affine.load %x[%j] : memref<512xf64>
      %p = arith.mulf %a, %b : f64
      %q = arith.addf %t, %p : f64
      affine.yield %q : f64
    }
    affine.store %s, %y[%i] : memref<1024xf64>
  }
  return
}
