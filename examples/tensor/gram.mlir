// The Gram matrix of the rows of a matrix, G = X X^T, and what is left of it when the mean of each row is taken off
// first: both products become register tiles.
//
// run: echo '[[[1, 2, 3], [4, 5, 6]]]' | irc run examples/tensor/gram.mlir -args=-
//  -> {"results": [[[14, 32], [32, 77]], [[2, 2], [2, 2]]], "args": []}
// see: irc -passes=lower{to=affine} examples/tensor/gram.mlir
func.func @main(%x: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %g = ten.einsum "ik,jk->ij" %x, %x : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  %n = ten.dim %x, 1 : tensor<?x?xf64>
  %k = arith.index_cast %n : index to i64
  %count = arith.sitofp %k : i64 to f64
  %sum = ten.reduce add %x along [1] : tensor<?x?xf64>
  %rows = ten.dim %x, 0 : tensor<?x?xf64>
  %column = ten.reshape %sum[%rows] : tensor<?xf64> -> tensor<?x1xf64>
  %c = ten.map (%e = %x : tensor<?x?xf64>, %s = %column : tensor<?x1xf64>) -> tensor<?x?xf64> {
    %mean = arith.divf %s, %count : f64
    %d = arith.subf %e, %mean : f64
    ten.yield %d : f64
  }
  %centred = ten.einsum "ik,jk->ij" %c, %c : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  return %g, %centred : tensor<?x?xf64>, tensor<?x?xf64>
}
