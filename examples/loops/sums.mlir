// Running sums, each of which needs the one before.
func.func @sums(%n: index, %x: memref<?xf64>) {
  affine.for %i = 1 to %n {
    %a = affine.load %x[%i - 1] : memref<?xf64>
    %b = affine.load %x[%i] : memref<?xf64>
    %c = arith.addf %a, %b : f64
    affine.store %c, %x[%i] : memref<?xf64>
  }
  return
}
