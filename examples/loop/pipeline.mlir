// A revenue in three steps, as one writes it who thinks of collections: the lines that count, what
// each costs, and the sum. It is what docs/loops.md shows: `-passes=fuse` makes one loop of the
// three, without an array in between.
//
// run: irc run examples/loop/pipeline.mlir -args=examples/loop/lineitem.csv
//  -> {"results": [25103.987399999998], "args": []}
// see: irc -passes=fuse examples/loop/pipeline.mlir
!line = !loop.struct<l_quantity: f64, l_extendedprice: f64, l_discount: f64>
func.func @main(%lines: !loop.array<!line>) -> f64 {
  %few = arith.constant 24.0 : f64
  %n = loop.len %lines : !loop.array<!line>
  %small = loop.for %i < %n -> collect(!line) {
    %l = loop.at %lines[%i] : !loop.array<!line>
    %q = loop.field %l["l_quantity"] : !line
    %is = arith.cmpf olt, %q, %few : f64
    %e = scf.if %is -> (!loop.emit<!line>) {
      %o = loop.emit %l : !line
      scf.yield %o : !loop.emit<!line>
    } else {
      %o = loop.none : !loop.emit<!line>
      scf.yield %o : !loop.emit<!line>
    }
    loop.yield %e : !loop.emit<!line>
  }
  %m = loop.len %small : !loop.array<!line>
  %costs = loop.for %i < %m -> collect(f64) {
    %l = loop.at %small[%i] : !loop.array<!line>
    %price = loop.field %l["l_extendedprice"] : !line
    %discount = loop.field %l["l_discount"] : !line
    %x = arith.mulf %price, %discount : f64
    loop.yield %x : f64
  }
  %sum = loop.for %i < %m -> reduce(add : f64) {
    %x = loop.at %costs[%i] : !loop.array<f64>
    loop.yield %x : f64
  }
  return %sum : f64
}
