// Column by column, as each element needs the one above; then row by row, as they lie in memory.
func.func @scan(%A: memref<64x512xf64>) {
  affine.for %j = 0 to 512 {
    affine.for %i = 1 to 64 {
      %above = affine.load %A[%i - 1, %j] : memref<64x512xf64>
      %here = affine.load %A[%i, %j] : memref<64x512xf64>
      %sum = arith.addf %above, %here : f64
      affine.store %sum, %A[%i, %j] : memref<64x512xf64>
    }
  }
  return
}
