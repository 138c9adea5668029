// x.zip(y).map(|x - y|).zipWithIndex.max: the first largest and where it is

!point = !loop.struct<x: f64, y: f64>

func.func @farthest(%points: !loop.array<!point>) -> (f64, index) {
  %least = arith.constant -1.0 : f64
  %nowhere = arith.constant -1 : index
  %n = loop.len %points : !loop.array<!point>
  %distances = loop.for %i < %n -> collect(f64) {
    %p = loop.at %points[%i] : !loop.array<!point>
    %x = loop.field %p["x"] : !point
    %y = loop.field %p["y"] : !point
    %xy = arith.subf %x, %y : f64
    %d = math.absf %xy : f64
    loop.yield %d : f64
  }
  %m = loop.len %distances : !loop.array<f64>
  %most, %at = loop.for %i < %m -> reduce(%least, %nowhere : f64, index) {
    %d = loop.at %distances[%i] : !loop.array<f64>
    loop.yield %d, %i : f64, index
  } combine(%a: f64, %i: index, %b: f64, %j: index) {
    %more = arith.cmpf ogt, %b, %a : f64
    %d = arith.select %more, %b, %a : f64
    %k = arith.select %more, %j, %i : index
    loop.yield %d, %k : f64, index
  }
  return %most, %at : f64, index
}
