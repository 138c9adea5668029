// A transpose, whose elements lie apart in one of the two arrays.
func.func @transpose(%n: index, %A: memref<?x256xf64> {llvm.noalias}, %B: memref<256x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 256 {
      %x = affine.load %A[%i, %j] : memref<?x256xf64>
      affine.store %x, %B[%j, %i] : memref<256x?xf64>
    }
  }
  return
}
