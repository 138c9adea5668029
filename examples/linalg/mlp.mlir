// A network of two layers on a batch of any size, as exporters write it: weights are constants, sizes `?`.
//
// run: echo '[[[1, 2], [0.5, -1], [-3, 4]]]' | irc run -entry=mlp -args=- examples/linalg/mlp.mlir
//  -> {"results": [[[2.25, 0.5], [0.25, -1], [0.25, 6.5]]], "args": []}
// see: irc -passes=lower{to=affine} examples/linalg/mlp.mlir

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

func.func @mlp(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %w1 = arith.constant dense<[[1.0, -1.0, 0.5], [0.5, 1.0, 0.0]]> : tensor<2x3xf32>
  %b1 = arith.constant dense<[0.0, 0.5, -1.0]> : tensor<3xf32>
  %w2 = arith.constant dense<[[1.0, 0.0], [0.0, 1.0], [0.5, -1.0]]> : tensor<3x2xf32>
  %b2 = arith.constant dense<[0.25, -1.0]> : tensor<2xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>

  %e1 = tensor.empty(%n) : tensor<?x3xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x3xf32>) -> tensor<?x3xf32>
  %m1 = linalg.matmul ins(%x, %w1 : tensor<?x2xf32>, tensor<2x3xf32>) outs(%z1 : tensor<?x3xf32>) -> tensor<?x3xf32>
  %h = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m1, %b1 : tensor<?x3xf32>, tensor<3xf32>) outs(%e1 : tensor<?x3xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %s = arith.addf %in, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x3xf32>

  %e2 = tensor.empty(%n) : tensor<?x2xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x2xf32>) -> tensor<?x2xf32>
  %m2 = linalg.matmul ins(%h, %w2 : tensor<?x3xf32>, tensor<3x2xf32>) outs(%z2 : tensor<?x2xf32>) -> tensor<?x2xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m2, %b2 : tensor<?x2xf32>, tensor<2xf32>) outs(%e2 : tensor<?x2xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %s = arith.addf %in, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}
