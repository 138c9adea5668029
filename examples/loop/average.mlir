// The moving average of the last %w numbers, at first of as many as there are: the sums up to each place (scan), and their
// differences.
//
// run: echo '[[1, 2, 3, 4, 5, 6], 3]' | irc run examples/loop/average.mlir -args=-
//  -> {"results": [[1, 1.5, 2, 3, 4, 5]], "args": []}
// see: irc -emit=llvm examples/loop/average.mlir
func.func @main(%xs: !loop.array<f64>, %w: index) -> !loop.array<f64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1 : index
  %n = loop.len %xs : !loop.array<f64>
  %sums = loop.for %i < %n -> scan(add : f64) {
    %x = loop.at %xs[%i] : !loop.array<f64>
    loop.yield %x : f64
  }
  %means = loop.for %i < %n -> collect(f64) {
    %to = loop.at %sums[%i] : !loop.array<f64>
    %full = arith.cmpi sge, %i, %w : index
    %from, %count = scf.if %full -> (f64, index) {
      %before = arith.subi %i, %w : index
      %b = loop.at %sums[%before] : !loop.array<f64>
      scf.yield %b, %w : f64, index
    } else {
      %k = arith.addi %i, %one : index
      scf.yield %zero, %k : f64, index
    }
    %s = arith.subf %to, %from : f64
    %k = arith.index_cast %count : index to i64
    %f = arith.sitofp %k : i64 to f64
    %m = arith.divf %s, %f : f64
    loop.yield %m : f64
  }
  return %means : !loop.array<f64>
}
