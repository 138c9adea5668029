// y += a * x, and the sum of y.
func.func @saxpy(%n: index, %a: f64, %x: memref<?xf64>, %y: memref<?xf64> {llvm.noalias}) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f64) {
    %p = affine.load %x[%i] : memref<?xf64>
    %q = affine.load %y[%i] : memref<?xf64>
    %r = arith.mulf %a, %p : f64
    %t = arith.addf %r, %q : f64
    affine.store %t, %y[%i] : memref<?xf64>
    %u = arith.addf %s, %t fastmath<reassoc> : f64
    affine.yield %u : f64
  }
  return %sum : f64
}
