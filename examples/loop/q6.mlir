// TPC-H Q6, the revenue that small discounts cost: one loop with a filter and a sum, that reads four of
// the eight columns of the table.
//
// run: irc run examples/loop/q6.mlir -args=examples/loop/lineitem.csv
//  -> {"results": [527.4555], "args": []}
// see: irc -emit=llvm examples/loop/q6.mlir
!line = !loop.struct<l_quantity: f64, l_extendedprice: f64, l_discount: f64, l_shipdate: i32>
func.func @main(%lineitem: !loop.array<!line>) -> f64 {
  %from = arith.constant 8766 : i32    // 1994-01-01
  %to = arith.constant 9131 : i32      // 1995-01-01
  %low = arith.constant 0.05 : f64
  %high = arith.constant 0.07 : f64
  %most = arith.constant 24.0 : f64
  %n = loop.len %lineitem : !loop.array<!line>
  %revenue = loop.for %i < %n -> reduce(add reassoc : f64) {
    %r = loop.at %lineitem[%i] : !loop.array<!line>
    %quantity = loop.field %r["l_quantity"] : !line
    %price = loop.field %r["l_extendedprice"] : !line
    %discount = loop.field %r["l_discount"] : !line
    %date = loop.field %r["l_shipdate"] : !line
    %c0 = arith.cmpi sge, %date, %from : i32
    %c1 = arith.cmpi slt, %date, %to : i32
    %c2 = arith.cmpf oge, %discount, %low : f64
    %c3 = arith.cmpf ole, %discount, %high : f64
    %c4 = arith.cmpf olt, %quantity, %most : f64
    %a = arith.andi %c0, %c1 : i1
    %b = arith.andi %c2, %c3 : i1
    %c = arith.andi %a, %b : i1
    %keep = arith.andi %c, %c4 : i1
    %e = scf.if %keep -> (!loop.emit<f64>) {
      %x = arith.mulf %price, %discount : f64
      %o = loop.emit %x : f64
      scf.yield %o : !loop.emit<f64>
    } else {
      %o = loop.none : !loop.emit<f64>
      scf.yield %o : !loop.emit<f64>
    }
    loop.yield %e : !loop.emit<f64>
  }
  return %revenue : f64
}
