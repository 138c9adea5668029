func.func @matvec(%A: memref<62x64xf64> {llvm.noalias}, %x: memref<64xf64> {llvm.noalias}, %y: memref<62xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 62 {
    %s = affine.for %j = 0 to 64 iter_args(%sum = %zero) -> (f64) {
      %a = affine.load %A[%i, %j] : memref<62x64xf64>
      %b = affine.load %x[%j] : memref<64xf64>
      %c = arith.mulf %a, %b : f64
      %d = arith.addf %sum, %c : f64
      affine.yield %d : f64
    }
    affine.store %s, %y[%i] : memref<62xf64>
  }
  return
}
