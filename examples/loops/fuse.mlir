func.func @norm(%n: index, %x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
  %two = arith.constant 2.0 : f64
  affine.for %i = 0 to %n {
    %a = affine.load %x[%i] : memref<?xf64>
    %b = arith.mulf %a, %two : f64
    affine.store %b, %y[%i] : memref<?xf64>
  }
  affine.for %i = 0 to %n {
    %a = affine.load %y[%i] : memref<?xf64>
    %b = arith.addf %a, %two : f64
    affine.store %b, %x[%i] : memref<?xf64>
  }
  return
}
