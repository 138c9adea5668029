// x.zip(y).map(x * y).sum

!point = !loop.struct<x: f64, y: f64>

func.func @dot(%points: !loop.array<!point>) -> f64 {
  %n = loop.len %points : !loop.array<!point>
  %products = loop.for %i < %n -> collect(f64) {
    %p = loop.at %points[%i] : !loop.array<!point>
    %x = loop.field %p["x"] : !point
    %y = loop.field %p["y"] : !point
    %xy = arith.mulf %x, %y : f64
    loop.yield %xy : f64
  }
  %m = loop.len %products : !loop.array<f64>
  %sum = loop.for %i < %m -> reduce(add reassoc : f64) {
    %xy = loop.at %products[%i] : !loop.array<f64>
    loop.yield %xy : f64
  }
  return %sum : f64
}
