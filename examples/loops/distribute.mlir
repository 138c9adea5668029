// A vector, and with it a matrix whose loop cannot be exchanged with that around it as long as the vector is there.
func.func @both(%A: memref<64x512xf64> {llvm.noalias}, %x: memref<512xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  affine.for %j = 0 to 512 {
    affine.store %two, %x[%j] : memref<512xf64>
    affine.for %i = 0 to 64 {
      affine.store %zero, %A[%i, %j] : memref<64x512xf64>
    }
  }
  return
}
