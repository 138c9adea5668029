// Softmax of each row: the greatest, the sum of what is left, and the quotients.
//
// run: echo '[[[0, 0, 0, 0], [1000, 1000, 0, 0]]]' | irc run -entry=softmax -args=- examples/linalg/softmax.mlir
//  -> {"results": [[[0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0, 0]]], "args": []}
// see: irc examples/linalg/softmax.mlir

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @softmax(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %least = arith.constant 0xFFF0000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %rows = tensor.dim %x, %c0 : tensor<?x?xf64>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf64>
  %e = tensor.empty(%rows) : tensor<?xf64>
  %m0 = linalg.fill ins(%least : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf64>) outs(%m0 : tensor<?xf64>) dimensions = [1]
  %w = tensor.empty(%rows, %columns) : tensor<?x?xf64>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<?x?xf64>, tensor<?xf64>) outs(%w : tensor<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %d = arith.subf %a, %b : f64
    %q = math.exp %d : f64
    linalg.yield %q : f64
  } -> tensor<?x?xf64>
  %s0 = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %s = linalg.reduce { arith.addf } ins(%p : tensor<?x?xf64>) outs(%s0 : tensor<?xf64>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<?x?xf64>, tensor<?xf64>) outs(%w : tensor<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %q = arith.divf %a, %b : f64
    linalg.yield %q : f64
  } -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}
