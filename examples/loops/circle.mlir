// Each of the two arrays needs the other, one iteration before.
func.func @both(%x: memref<64xf64> {llvm.noalias}, %y: memref<64xf64> {llvm.noalias}) {
  affine.for %i = 1 to 64 {
    %a = affine.load %y[%i - 1] : memref<64xf64>
    affine.store %a, %x[%i] : memref<64xf64>
    %b = affine.load %x[%i - 1] : memref<64xf64>
    affine.store %b, %y[%i] : memref<64xf64>
  }
  return
}
