// x.filter(> 0).map(x * x).sum

func.func @squares(%xs: !loop.array<f64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = loop.len %xs : !loop.array<f64>
  %positive = loop.for %i < %n -> collect(f64) {
    %x = loop.at %xs[%i] : !loop.array<f64>
    %take = arith.cmpf ogt, %x, %zero : f64
    %kept = scf.if %take -> (!loop.emit<f64>) {
      %one = loop.emit %x : f64
      scf.yield %one : !loop.emit<f64>
    } else {
      %none = loop.none : !loop.emit<f64>
      scf.yield %none : !loop.emit<f64>
    }
    loop.yield %kept : !loop.emit<f64>
  }
  %m = loop.len %positive : !loop.array<f64>
  %squares = loop.for %i < %m -> collect(f64) {
    %x = loop.at %positive[%i] : !loop.array<f64>
    %y = arith.mulf %x, %x : f64
    loop.yield %y : f64
  }
  %k = loop.len %squares : !loop.array<f64>
  %sum = loop.for %i < %k -> reduce(add reassoc : f64) {
    %y = loop.at %squares[%i] : !loop.array<f64>
    loop.yield %y : f64
  }
  return %sum : f64
}
