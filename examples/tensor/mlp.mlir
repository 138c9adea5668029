// A network of two layers for a batch of inputs: relu(x A + a) B + b, and which of its outputs is the greatest, by the
// softmax of it. Bias and relu are one loop, over the memory of the product.
//
// run: echo '[[[1, 2], [-1, 0.5]], [[1, -1, 0.5], [0.5, 1, 0]], [0, 0.5, 0], [[1, 0], [0, 1], [1, 1]], [0.5, -0.5]]' | irc run examples/tensor/mlp.mlir -args=-
//  -> {"results": [[0, 1]], "args": []}
// see: irc -passes=lower{to=affine} examples/tensor/mlp.mlir
func.func @main(%x: tensor<?x2xf32>, %A: tensor<2x3xf32>, %a: tensor<3xf32>, %B: tensor<3x2xf32>, %b: tensor<2xf32>) -> tensor<?xi64> {
  %zero = arith.constant 0.0 : f32
  %n = ten.dim %x, 0 : tensor<?x2xf32>
  %0 = ten.einsum "ij,jk->ik" %x, %A : tensor<?x2xf32>, tensor<2x3xf32> -> tensor<?x3xf32>
  %h = ten.map (%p = %0 : tensor<?x3xf32>, %q = %a : tensor<3xf32>) -> tensor<?x3xf32> {
    %s = arith.addf %p, %q : f32
    %r = arith.maximumf %s, %zero : f32
    ten.yield %r : f32
  }
  %1 = ten.einsum "ij,jk->ik" %h, %B : tensor<?x3xf32>, tensor<3x2xf32> -> tensor<?x2xf32>
  %z = ten.map (%p = %1 : tensor<?x2xf32>, %q = %b : tensor<2xf32>) -> tensor<?x2xf32> {
    %s = arith.addf %p, %q : f32
    ten.yield %s : f32
  }
  %y = ten.softmax %z along 1 : tensor<?x2xf32>
  %class = ten.argmax %y along 1 : tensor<?x2xf32>
  return %class : tensor<?xi64>
}
