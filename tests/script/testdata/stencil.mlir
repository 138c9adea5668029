// A step of a nonlinear diffusion: each derivative is by a neighbour, so three runs have all of them.
func.func @main(%x: memref<8xf64>, %y: memref<8xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 1 to 7 {
    %a = affine.load %x[%i - 1] : memref<8xf64>
    %b = affine.load %x[%i] : memref<8xf64>
    %c = affine.load %x[%i + 1] : memref<8xf64>
    %d = arith.addf %a, %c : f64
    %e = arith.mulf %d, %b : f64
    affine.store %e, %y[%i] : memref<8xf64>
  }
  %sum = affine.for %i = 1 to 7 iter_args(%s = %zero) -> (f64) {
    %v = affine.load %y[%i] : memref<8xf64>
    %t = arith.addf %s, %v : f64
    affine.yield %t : f64
  }
  return %sum : f64
}
