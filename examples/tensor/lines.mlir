// A convolutional network that tells which way a line goes in an image of 8 x 8: 0 along rows, 1 along columns, 2 and 3 along the
// diagonals. Kernels of 3 x 3 and a relu, the greatest of 2 x 2, the mean of each channel, and a layer to four classes, whose weights are the
// least squares of 400 noisy images. Weights and images are .npy files, as NumPy saves them.
//
// run: echo '[{"file": "examples/tensor/lines-images.npy"}, {"file": "examples/tensor/lines-kernels.npy"}, {"file": "examples/tensor/lines-layer.npy"}, {"file": "examples/tensor/lines-bias.npy"}]' | irc run examples/tensor/lines.mlir -args=-
//  -> {"results": [[0, 1, 2, 3, 0, 1, 2, 3]], "args": []}
// see: irc -passes=simplify-tensors examples/tensor/lines.mlir
func.func @main(%x: tensor<?x1x8x8xf32>, %k: tensor<6x1x3x3xf32>, %w: tensor<6x4xf32>, %b: tensor<4xf32>) -> tensor<?xi64> {
  %y = ten.conv %x by %k low [1, 1] high [1, 1] strides [1, 1] dilations [1, 1] groups 1 : tensor<?x1x8x8xf32>, tensor<6x1x3x3xf32> -> tensor<?x6x8x8xf32>
  %one = arith.constant 1.0 : f32
  %t = ten.map (%e = %y : tensor<?x6x8x8xf32>) -> tensor<?x6x8x8xf32> {
    %0 = arith.subf %e, %one : f32
    ten.yield %0 : f32
  }
  %r = ten.relu %t above 0.0 : f64 : tensor<?x6x8x8xf32>
  %m = ten.pool max %r window [2, 2] low [0, 0] high [0, 0] strides [2, 2] dilations [1, 1] : tensor<?x6x8x8xf32> -> tensor<?x6x4x4xf32>
  %a = ten.pool average %m window [4, 4] low [0, 0] high [0, 0] strides [1, 1] dilations [1, 1] : tensor<?x6x4x4xf32> -> tensor<?x6x1x1xf32>
  %n = ten.dim %x, 0 : tensor<?x1x8x8xf32>
  %f = ten.reshape %a[%n] : tensor<?x6x1x1xf32> -> tensor<?x6xf32>
  %z = ten.einsum "nc,ck->nk" %f, %w : tensor<?x6xf32>, tensor<6x4xf32> -> tensor<?x4xf32>
  %s = ten.map (%e = %z : tensor<?x4xf32>, %g = %b : tensor<4xf32>) -> tensor<?x4xf32> {
    %0 = arith.addf %e, %g : f32
    ten.yield %0 : f32
  }
  %class = ten.argmax %s along 1 : tensor<?x4xf32>
  return %class : tensor<?xi64>
}
