// A step of a nonlinear diffusion. Each derivative of %y is by a neighbour, so three runs have all of them; so it is with the
// derivatives of the second order of their sum.
//
// run: irc run -jacobian=arg1/arg0 -args=examples/derivatives/diffusion.json examples/derivatives/diffusion.mlir
//  -> {"results": [278], "args": [[1, 2, 3, 4, 5, 6, 7, 8], [0, 8, 18, 32, 50, 72, 98, 0]], "jacobian": {"shape":[8,8],"rows":[1,1,1,2,2,2,3,3,3,4,4,4,5,5,5,6,6,6],"columns":[0,1,2,1,2,3,2,3,4,3,4,5,4,5,6,5,6,7],"values":[2,4,2,3,6,3,4,8,4,5,10,5,6,12,6,7,14,7],"forward":3,"reverse":0}}
// run: irc run -hessian=arg0 -args=examples/derivatives/diffusion.json examples/derivatives/diffusion.mlir
//  -> {"results": [278], "args": [[1, 2, 3, 4, 5, 6, 7, 8], [0, 8, 18, 32, 50, 72, 98, 0]], "hessian": {"shape":[8,8],"rows":[0,1,1,2,2,3,3,4,4,5,5,6,6,7],"columns":[1,0,2,1,3,2,4,3,5,4,6,5,7,6],"values":[1,1,2,2,2,2,2,2,2,2,2,2,1,1],"forward":3,"reverse":0}}
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
