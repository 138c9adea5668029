// Each element is made of the one before.
func.func @recurrence(%n: index, %a: memref<?xf64>) {
  affine.for %i = 1 to %n {
    %x = affine.load %a[%i - 1] : memref<?xf64>
    %y = affine.load %a[%i] : memref<?xf64>
    %z = arith.addf %x, %y : f64
    affine.store %z, %a[%i] : memref<?xf64>
  }
  return
}
