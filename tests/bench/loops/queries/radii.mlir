// x.zip(y).map(x * x + y * y).filter(< 0.5).map(sqrt)

!point = !loop.struct<x: f64, y: f64>

func.func @radii(%points: !loop.array<!point>) -> !loop.array<f64> {
  %half = arith.constant 0.5 : f64
  %n = loop.len %points : !loop.array<!point>
  %squares = loop.for %i < %n -> collect(f64) {
    %p = loop.at %points[%i] : !loop.array<!point>
    %x = loop.field %p["x"] : !point
    %y = loop.field %p["y"] : !point
    %xx = arith.mulf %x, %x : f64
    %yy = arith.mulf %y, %y : f64
    %r = arith.addf %xx, %yy : f64
    loop.yield %r : f64
  }
  %m = loop.len %squares : !loop.array<f64>
  %near = loop.for %i < %m -> collect(f64) {
    %r = loop.at %squares[%i] : !loop.array<f64>
    %take = arith.cmpf olt, %r, %half : f64
    %kept = scf.if %take -> (!loop.emit<f64>) {
      %one = loop.emit %r : f64
      scf.yield %one : !loop.emit<f64>
    } else {
      %none = loop.none : !loop.emit<f64>
      scf.yield %none : !loop.emit<f64>
    }
    loop.yield %kept : !loop.emit<f64>
  }
  %k = loop.len %near : !loop.array<f64>
  %roots = loop.for %i < %k -> collect(f64) {
    %r = loop.at %near[%i] : !loop.array<f64>
    %s = math.sqrt %r : f64
    loop.yield %s : f64
  }
  return %roots : !loop.array<f64>
}
