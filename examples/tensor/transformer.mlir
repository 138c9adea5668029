// A block of a transformer: attention of two heads over what layer norm gives, and a network of two layers with gelu, each added to
// what went into it. Attention has no memory for its scores, gelu is one loop with its bias.
//
// run: echo '[[[1, 0, -1, 2], [0, 1, 1, 0], [2, -1, 0, 1]], [1, 1, 1, 1], [0, 0, 0, 0], [[[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1, 1], [0, 0]], [[0, 0], [1, 1]]], [[[0, 1], [1, 0]], [[1, 0], [0, 1]], [[1, 0], [1, 0]], [[0, 1], [0, 1]]], [[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 0], [1, 0]], [[0, 0], [0, 1]]], [[[1, 0, 0, 0], [0, 1, 0, 0]], [[0, 0, 1, 0], [0, 0, 0, 1]]], [[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 0, 1], [1, 1, 1, 0, 0, 0]], [0, 0.5, 0, 0, 0, 0], [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]]]' | irc run examples/tensor/transformer.mlir -args=-
//  -> {"results": [[[1.502, 2.609, -1.486, 2.42], [0.898, 0.703, 0.8, 1.173], [2.586, 1.138, -0.964, 2.275]]], "args": []}
// see: irc explain -passes=lower{to=affine} examples/tensor/transformer.mlir
func.func @main(%x: tensor<?x4xf64>, %scale: tensor<4xf64>, %shift: tensor<4xf64>, %Q: tensor<4x2x2xf64>, %K: tensor<4x2x2xf64>, %V: tensor<4x2x2xf64>, %O: tensor<2x2x4xf64>,
    %A: tensor<4x6xf64>, %a: tensor<6xf64>, %B: tensor<6x4xf64>) -> tensor<?x4xf64> {
  %n = ten.layer_norm %x scale %scale bias %shift epsilon 1.0e-5 : f64 : tensor<?x4xf64>, tensor<4xf64>, tensor<4xf64>
  %q = ten.einsum "ie,ehd->hid" %n, %Q : tensor<?x4xf64>, tensor<4x2x2xf64> -> tensor<2x?x2xf64>
  %k = ten.einsum "ie,ehd->hid" %n, %K : tensor<?x4xf64>, tensor<4x2x2xf64> -> tensor<2x?x2xf64>
  %v = ten.einsum "ie,ehd->hid" %n, %V : tensor<?x4xf64>, tensor<4x2x2xf64> -> tensor<2x?x2xf64>
  %s = ten.einsum "hid,hjd->hij" %q, %k : tensor<2x?x2xf64>, tensor<2x?x2xf64> -> tensor<2x?x?xf64>
  %t = ten.map (%u = %s : tensor<2x?x?xf64>) -> tensor<2x?x?xf64> {
    %root = arith.constant 0.7071067811865476 : f64
    %0 = arith.mulf %u, %root : f64
    ten.yield %0 : f64
  }
  %p = ten.softmax %t along 2 : tensor<2x?x?xf64>
  %h = ten.einsum "hij,hjd->hid" %p, %v : tensor<2x?x?xf64>, tensor<2x?x2xf64> -> tensor<2x?x2xf64>
  %o = ten.einsum "hid,hde->ie" %h, %O : tensor<2x?x2xf64>, tensor<2x2x4xf64> -> tensor<?x4xf64>
  %y = arith.addf %o, %x : tensor<?x4xf64>
  %m = ten.layer_norm %y scale %scale bias %shift epsilon 1.0e-5 : f64 : tensor<?x4xf64>, tensor<4xf64>, tensor<4xf64>
  %1 = ten.einsum "ie,ef->if" %m, %A : tensor<?x4xf64>, tensor<4x6xf64> -> tensor<?x6xf64>
  %g = ten.map (%u = %1 : tensor<?x6xf64>, %w = %a : tensor<6xf64>) -> tensor<?x6xf64> {
    %half = arith.constant 0.5 : f64
    %one = arith.constant 1.0 : f64
    %root = arith.constant 0.7071067811865476 : f64
    %0 = arith.addf %u, %w : f64
    %2 = arith.mulf %0, %root : f64
    %3 = math.erf %2 : f64
    %4 = arith.addf %3, %one : f64
    %5 = arith.mulf %0, %half : f64
    %6 = arith.mulf %5, %4 : f64
    ten.yield %6 : f64
  }
  %f = ten.einsum "if,fe->ie" %g, %B : tensor<?x6xf64>, tensor<6x4xf64> -> tensor<?x4xf64>
  %z = arith.addf %f, %y : tensor<?x4xf64>
  // Of doubles the last digits depend on the order of sums: three are shown.
  %r = ten.map (%u = %z : tensor<?x4xf64>) -> tensor<?x4xf64> {
    %k3 = arith.constant 1000.0 : f64
    %0 = arith.mulf %u, %k3 : f64
    %2 = math.round %0 : f64
    %3 = arith.divf %2, %k3 : f64
    ten.yield %3 : f64
  }
  return %r : tensor<?x4xf64>
}
