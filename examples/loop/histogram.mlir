// How many numbers fall into each bin of a width: a group a bin. What stands in no bin is not listed, so that the
// bins are as many as the data have, wherever they are.
//
// run: echo '[[0.1, 2.5, 2.6, -0.5, 0.9, 2.0], 0.5]' | irc run examples/loop/histogram.mlir -args=-
//  -> {"results": [[0, 5, -1, 1, 4], [1, 2, 1, 1, 1]], "args": []}
// see: irc -emit=llvm examples/loop/histogram.mlir
func.func @main(%xs: !loop.array<f64>, %width: f64) -> (!loop.array<i64>, !loop.array<index>) {
  %one = arith.constant 1 : index
  %n = loop.len %xs : !loop.array<f64>
  %groups, %counts = loop.for %i < %n -> bucket(i64, [reduce(add : index)]) {
    %x = loop.at %xs[%i] : !loop.array<f64>
    %q = arith.divf %x, %width : f64
    %fl = math.floor %q : f64
    %bin = arith.fptosi %fl : f64 to i64
    loop.yield %bin, %one : i64, index
  }
  %bins = loop.keys %groups : !loop.buckets<i64>
  return %bins, %counts : !loop.array<i64>, !loop.array<index>
}
