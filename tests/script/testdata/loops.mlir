func.func @whole(%n: index, %a: memref<?x?xf64>, %x: f64) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.store %x, %a[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @part(%n: index, %a: memref<?xf64>, %x: f64) {
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf64>
  }
  return
}
