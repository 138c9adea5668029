// Each element needs the one above to the right.
func.func @skewed(%A: memref<64x64xf64>) {
  affine.for %i = 1 to 64 {
    affine.for %j = 0 to 63 {
      %x = affine.load %A[%i - 1, %j + 1] : memref<64x64xf64>
      affine.store %x, %A[%i, %j] : memref<64x64xf64>
    }
  }
  return
}
