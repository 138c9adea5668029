// An image, padded, through a convolution with a bias, a relu and a pool; then flattened, and a layer of weights.
//
// run: echo '[[[[[1], [2], [0], [1]], [[0], [1], [3], [0]], [[2], [0], [1], [1]], [[1], [1], [0], [2]]]]]' | irc run -entry=convnet -args=- examples/linalg/convnet.mlir
//  -> {"results": [[[90, 34, -22]]], "args": []}
// see: irc -passes=lower{to=affine} examples/linalg/convnet.mlir

func.func @convnet(%image: tensor<1x4x4x1xf32>) -> tensor<1x3xf32> {
  %kernel = arith.constant dense<[[[[1.0, 0.0]], [[0.5, -1.0]], [[0.0, 1.0]]], [[[0.0, 1.0]], [[1.0, 0.0]], [[0.5, 0.0]]], [[[-1.0, 0.5]], [[0.0, 0.0]], [[1.0, -0.5]]]]> : tensor<3x3x1x2xf32>
  %bias = arith.constant dense<[0.5, -0.5]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32

  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x4x4x1xf32> to tensor<1x6x6x1xf32>
  %e = tensor.empty() : tensor<1x4x4x2xf32>
  %biases = linalg.broadcast ins(%bias : tensor<2xf32>) outs(%e : tensor<1x4x4x2xf32>) dimensions = [0, 1, 2]
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %kernel : tensor<1x6x6x1xf32>, tensor<3x3x1x2xf32>) outs(%biases : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %relu = linalg.map ins(%conv : tensor<1x4x4x2xf32>) outs(%e : tensor<1x4x4x2xf32>) (%x: f32) {
    %r = arith.maximumf %x, %zero : f32
    linalg.yield %r : f32
  }

  %window = tensor.empty() : tensor<2x2xf32>
  %p = tensor.empty() : tensor<1x2x2x2xf32>
  %low = linalg.fill ins(%least : f32) outs(%p : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %pool = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%relu, %window : tensor<1x4x4x2xf32>, tensor<2x2xf32>) outs(%low : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>

  %flat = tensor.collapse_shape %pool [[0], [1, 2, 3]] : tensor<1x2x2x2xf32> into tensor<1x8xf32>
  %weights = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c2 = arith.constant 2 : index
    %k = arith.muli %j, %c2 : index
    %d = arith.subi %i, %k : index
    %n = arith.index_cast %d : index to i32
    %f = arith.sitofp %n : i32 to f32
    tensor.yield %f : f32
  } : tensor<8x3xf32>
  %s = tensor.splat %zero : tensor<1x3xf32>
  %y = linalg.matmul ins(%flat, %weights : tensor<1x8xf32>, tensor<8x3xf32>) outs(%s : tensor<1x3xf32>) -> tensor<1x3xf32>
  return %y : tensor<1x3xf32>
}
