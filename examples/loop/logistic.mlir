// The gradient of logistic regression, sum over i of (1 / (1 + exp(-x_i . w)) - y_i) x_i: written as a map to
// residuals and, for each weight, a sum over the points. The rows of the matrix are an array of arrays.
//
// run: echo '[[[1, 2], [1, -1], [1, 0.5]], [1, 0, 1], [0, 0]]' | irc run examples/loop/logistic.mlir -args=-
//  -> {"results": [[-0.5, -1.75]], "args": []}
// see: irc -emit=llvm examples/loop/logistic.mlir
!row = !loop.array<f64>
func.func @main(%x: !loop.array<!row>, %y: !row, %w: !row) -> !row {
  %one = arith.constant 1.0 : f64
  %n = loop.len %x : !loop.array<!row>
  %k = loop.len %w : !row
  %residuals = loop.for %i < %n -> collect(f64) {
    %xi = loop.at %x[%i] : !loop.array<!row>
    %dot = loop.for %j < %k -> reduce(add : f64) {
      %a = loop.at %xi[%j] : !row
      %b = loop.at %w[%j] : !row
      %c = arith.mulf %a, %b : f64
      loop.yield %c : f64
    }
    %minus = arith.negf %dot : f64
    %e = math.exp %minus : f64
    %d = arith.addf %one, %e : f64
    %p = arith.divf %one, %d : f64
    %yi = loop.at %y[%i] : !row
    %r = arith.subf %p, %yi : f64
    loop.yield %r : f64
  }
  %gradient = loop.for %j < %k -> collect(f64) {
    %s = loop.for %i < %n -> reduce(add : f64) {
      %r = loop.at %residuals[%i] : !row
      %xi = loop.at %x[%i] : !loop.array<!row>
      %a = loop.at %xi[%j] : !row
      %g = arith.mulf %r, %a : f64
      loop.yield %g : f64
    }
    loop.yield %s : f64
  }
  return %gradient : !row
}
