// The mean and the variance of x, of its sum and that of its squares.

func.func @variance(%xs: !loop.array<f64>) -> (f64, f64) {
  %n = loop.len %xs : !loop.array<f64>
  %squares = loop.for %i < %n -> collect(f64) {
    %x = loop.at %xs[%i] : !loop.array<f64>
    %y = arith.mulf %x, %x : f64
    loop.yield %y : f64
  }
  %sum = loop.for %i < %n -> reduce(add reassoc : f64) {
    %x = loop.at %xs[%i] : !loop.array<f64>
    loop.yield %x : f64
  }
  %m = loop.len %squares : !loop.array<f64>
  %all = loop.for %i < %m -> reduce(add reassoc : f64) {
    %y = loop.at %squares[%i] : !loop.array<f64>
    loop.yield %y : f64
  }
  %one = arith.constant 1.0 : f64
  %k = arith.index_cast %n : index to i64
  %rows = arith.sitofp %k : i64 to f64
  %mean = arith.divf %sum, %rows : f64
  %square = arith.mulf %sum, %mean : f64
  %rest = arith.subf %all, %square : f64
  %less = arith.subf %rows, %one : f64
  %variance = arith.divf %rest, %less : f64
  return %mean, %variance : f64, f64
}
