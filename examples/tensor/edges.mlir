// A convolution, as of a first layer: an image of 4 x 4 by two kernels that find edges, with a rim of zeros around it, and
// what of it is more than 1.
//
// run: echo '[[[[[0, 0, 3, 3], [0, 0, 3, 3], [0, 0, 3, 3], [0, 0, 3, 3]]]]]' | irc run examples/tensor/edges.mlir -args=-
//  -> {"results": [[[[[0, 2, 2, 0], [0, 2, 2, 0], [0, 2, 2, 0], [0, 2, 2, 0]], [[0, 0, 2, 2], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]]]], "args": []}
// see: irc -passes=lower{to=affine} examples/tensor/edges.mlir
func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %w = arith.constant dense<[[[[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]], [[[0.0, -1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]]> : tensor<2x1x3x3xf32>
  %y = ten.conv %x by %w low [1, 1] high [1, 1] strides [1, 1] dilations [1, 1] groups 1 : tensor<1x1x4x4xf32>, tensor<2x1x3x3xf32> -> tensor<1x2x4x4xf32>
  %r = ten.map (%a = %y : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
    %0 = arith.subf %a, %one : f32
    %1 = arith.maximumf %0, %zero : f32
    ten.yield %1 : f32
  }
  return %r : tensor<1x2x4x4xf32>
}
