// Dot product: a loop that carries its sum.
//
// run: echo '[[1, 2, 3, 4], [4, 3, 2, 1]]' | irc run examples/mlir/dot.mlir -entry=dot -args=-
//  -> {"results": [20], "args": [[1, 2, 3, 4], [4, 3, 2, 1]]}
func.func @dot(%x: memref<4xf64>, %y: memref<4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (f64) {
    %xi = memref.load %x[%i] : memref<4xf64>
    %yi = memref.load %y[%i] : memref<4xf64>
    %p = arith.mulf %xi, %yi : f64
    %s = arith.addf %acc, %p : f64
    scf.yield %s : f64
  }
  return %sum : f64
}
