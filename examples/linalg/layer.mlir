// A layer on memory: y = |x w + b|.
//
// run: echo '[[[1, 2], [0, 0]], [[1, 0, 2], [0.5, 0, -1]], [-2, 0, 0.5], [[0, 0, 0], [0, 0, 0]]]' | irc run -entry=layer -args=- examples/linalg/layer.mlir
//  -> {"results": [], "args": [[[1, 2], [0, 0]], [[1, 0, 2], [0.5, 0, -1]], [-2, 0, 0.5], [[0, 0, 0.5], [2, 0, 0.5]]]}
// see: irc -passes=lower{to=affine} examples/linalg/layer.mlir

func.func @layer(%x: memref<?x2xf64>, %w: memref<2x3xf64>, %b: memref<3xf64>, %y: memref<?x3xf64>) {
  linalg.broadcast ins(%b : memref<3xf64>) outs(%y : memref<?x3xf64>) dimensions = [0]
  linalg.matmul ins(%x, %w : memref<?x2xf64>, memref<2x3xf64>) outs(%y : memref<?x3xf64>)
  linalg.map ins(%y : memref<?x3xf64>) outs(%y : memref<?x3xf64>) (%e: f64) {
    %t = math.absf %e : f64
    linalg.yield %t : f64
  }
  return
}
