func.func @scale(%n: index, %x: memref<?xf64>) {
  %two = arith.constant 2.0 : f64
  affine.for %i = 0 to %n {
    %a = affine.load %x[%i] : memref<?xf64>
    %b = arith.mulf %a, %two : f64
    affine.store %b, %x[%i] : memref<?xf64>
  }
  return
}
