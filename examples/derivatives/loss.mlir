// The loss of a small network, relu(x w), and how it changes with each weight: what gradient descent goes down by. The
// network is lowered to loops, and these are differentiated.
//
// run: echo '[[[1, 0], [0, 2]], [[0.5], [1]], [[1], [0]]]' | irc run -gradient examples/derivatives/loss.mlir -args=-
//  -> {"results": [4.25], "args": [], "gradient": [[[-0.5, -1], [2, 4]], [[-1], [8]], [[1], [-4]]]}
// see: irc -target=interpreter -passes=lower{to=affine},lower-affine,lower{to=scf},differentiate{of=main} examples/derivatives/loss.mlir
func.func @main(%x: tensor<?x2xf64>, %w: tensor<2x1xf64>, %y: tensor<?x1xf64>) -> f64 {
  %h = ten.einsum "ij,jk->ik" %x, %w : tensor<?x2xf64>, tensor<2x1xf64> -> tensor<?x1xf64>
  %p = ten.relu %h above 0.0 : f64 : tensor<?x1xf64>
  %d = arith.subf %p, %y : tensor<?x1xf64>
  %s = ten.einsum "ij,ij->" %d, %d : tensor<?x1xf64>, tensor<?x1xf64> -> tensor<f64>
  %l = ten.extract %s[] : tensor<f64>
  return %l : f64
}
