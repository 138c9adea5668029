// A step of k-means: each point goes to the nearest centre (an inner loop whose reduce keeps the lesser of two
// distances, and the first of equal ones), and each centre moves to the mean of its points. The
// groups come in the order in which points first choose them; a centre that nothing chose is not
// among them.
//
// run: echo '[[{"x": 1, "y": 1}, {"x": 1.5, "y": 2}, {"x": 8, "y": 8}, {"x": 9, "y": 9}, {"x": 1, "y": 0}], [{"x": 0, "y": 0}, {"x": 10, "y": 10}]]' | irc run examples/loop/kmeans.mlir -args=-
//  -> {"results": [[0, 1], [{"x": 1.1666666666666667, "y": 1}, {"x": 8.5, "y": 8.5}]], "args": []}
// see: irc -emit=llvm examples/loop/kmeans.mlir
!point = !loop.struct<x: f64, y: f64>
func.func @main(%points: !loop.array<!point>, %centres: !loop.array<!point>) -> (!loop.array<index>, !loop.array<!point>) {
  %zero = arith.constant 0 : index
  %far = arith.constant 0x7FF0000000000000 : f64
  %one = arith.constant 1.0 : f64
  %n = loop.len %points : !loop.array<!point>
  %k = loop.len %centres : !loop.array<!point>
  %groups, %sx, %sy, %count = loop.for %i < %n -> bucket(index, [reduce(add : f64), reduce(add : f64), reduce(add : f64)]) {
    %p = loop.at %points[%i] : !loop.array<!point>
    %px = loop.field %p["x"] : !point
    %py = loop.field %p["y"] : !point
    %d, %nearest = loop.for %j < %k -> reduce(%far, %zero : f64, index) {
      %c = loop.at %centres[%j] : !loop.array<!point>
      %cx = loop.field %c["x"] : !point
      %cy = loop.field %c["y"] : !point
      %dx = arith.subf %px, %cx : f64
      %dy = arith.subf %py, %cy : f64
      %dx2 = arith.mulf %dx, %dx : f64
      %dy2 = arith.mulf %dy, %dy : f64
      %d2 = arith.addf %dx2, %dy2 : f64
      loop.yield %d2, %j : f64, index
    } combine(%d0: f64, %j0: index, %d1: f64, %j1: index) {
      %less = arith.cmpf olt, %d1, %d0 : f64
      %dm = arith.select %less, %d1, %d0 : f64
      %jm = arith.select %less, %j1, %j0 : index
      loop.yield %dm, %jm : f64, index
    }
    loop.yield %nearest, %px, %py, %one : index, f64, f64, f64
  }
  %which = loop.keys %groups : !loop.buckets<index>
  %m = loop.len %groups : !loop.buckets<index>
  %moved = loop.for %g < %m -> collect(!point) {
    %x = loop.at %sx[%g] : !loop.array<f64>
    %y = loop.at %sy[%g] : !loop.array<f64>
    %c = loop.at %count[%g] : !loop.array<f64>
    %mx = arith.divf %x, %c : f64
    %my = arith.divf %y, %c : f64
    %p = loop.struct %mx, %my : !point
    loop.yield %p : !point
  }
  return %which, %moved : !loop.array<index>, !loop.array<!point>
}
