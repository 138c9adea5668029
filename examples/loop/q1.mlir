// TPC-H Q1, the pricing summary: eight aggregates of the lines shipped by a day, by two strings. The
// averages are a second loop, over the groups; the result is a table, so that `-o q1.csv` writes it.
// The order is that in which the groups first appear.
//
// run: irc run examples/loop/q1.mlir -args=examples/loop/lineitem.csv
//  -> {"results": [[{"flag": "R", "status": "F", "sum_qty": 422, "sum_base_price": 676895.83, "sum_disc_price": 641197.0505, "sum_charge": 665537.2799119999, "avg_qty": 21.1, "avg_price": 33844.7915, "avg_disc": 0.05000000000000001, "count_order": 20}, {"flag": "A", "status": "F", "sum_qty": 597, "sum_base_price": 877717.9400000002, "sum_disc_price": 837854.1900000001, "sum_charge": 866271.7802200001, "avg_qty": 22.11111111111111, "avg_price": 32508.07185185186, "avg_disc": 0.04481481481481482, "count_order": 27}, {"flag": "N", "status": "O", "sum_qty": 97, "sum_base_price": 158886.93, "sum_disc_price": 147890.1337, "sum_charge": 152002.85098, "avg_qty": 16.166666666666668, "avg_price": 26481.155, "avg_disc": 0.06999999999999999, "count_order": 6}]], "args": []}
// see: irc -emit=llvm examples/loop/q1.mlir
!line = !loop.struct<l_quantity: f64, l_extendedprice: f64, l_discount: f64, l_tax: f64, l_returnflag: !loop.string, l_linestatus: !loop.string, l_shipdate: i32>
!out = !loop.struct<flag: !loop.string, status: !loop.string, sum_qty: f64, sum_base_price: f64, sum_disc_price: f64, sum_charge: f64, avg_qty: f64, avg_price: f64, avg_disc: f64, count_order: i64>
func.func @main(%lineitem: !loop.array<!line>) -> !loop.array<!out> {
  %last = arith.constant 10471 : i32   // 1998-09-02
  %one = arith.constant 1.0 : f64
  %count1 = arith.constant 1 : i64
  %n = loop.len %lineitem : !loop.array<!line>
  %groups, %qty, %price, %net, %charge, %disc, %count = loop.for %i < %n
      -> bucket(!loop.string, !loop.string, [reduce(add : f64), reduce(add : f64), reduce(add : f64), reduce(add : f64), reduce(add : f64), reduce(add : i64)]) {
    %r = loop.at %lineitem[%i] : !loop.array<!line>
    %flag = loop.field %r["l_returnflag"] : !line
    %status = loop.field %r["l_linestatus"] : !line
    %q = loop.field %r["l_quantity"] : !line
    %p = loop.field %r["l_extendedprice"] : !line
    %d = loop.field %r["l_discount"] : !line
    %t = loop.field %r["l_tax"] : !line
    %date = loop.field %r["l_shipdate"] : !line
    %keep = arith.cmpi sle, %date, %last : i32
    %e = scf.if %keep -> (!loop.emit<!loop.string, !loop.string, f64, f64, f64, f64, f64, i64>) {
      %rest = arith.subf %one, %d : f64
      %plus = arith.addf %one, %t : f64
      %discounted = arith.mulf %p, %rest : f64
      %charged = arith.mulf %discounted, %plus : f64
      %o = loop.emit %flag, %status, %q, %p, %discounted, %charged, %d, %count1 : !loop.string, !loop.string, f64, f64, f64, f64, f64, i64
      scf.yield %o : !loop.emit<!loop.string, !loop.string, f64, f64, f64, f64, f64, i64>
    } else {
      %o = loop.none : !loop.emit<!loop.string, !loop.string, f64, f64, f64, f64, f64, i64>
      scf.yield %o : !loop.emit<!loop.string, !loop.string, f64, f64, f64, f64, f64, i64>
    }
    loop.yield %e : !loop.emit<!loop.string, !loop.string, f64, f64, f64, f64, f64, i64>
  }
  %flags = loop.keys %groups[0] : !loop.buckets<!loop.string, !loop.string>
  %statuses = loop.keys %groups[1] : !loop.buckets<!loop.string, !loop.string>
  %m = loop.len %groups : !loop.buckets<!loop.string, !loop.string>
  %rows = loop.for %g < %m -> collect(!out) {
    %flag = loop.at %flags[%g] : !loop.array<!loop.string>
    %status = loop.at %statuses[%g] : !loop.array<!loop.string>
    %q = loop.at %qty[%g] : !loop.array<f64>
    %p = loop.at %price[%g] : !loop.array<f64>
    %s = loop.at %net[%g] : !loop.array<f64>
    %c = loop.at %charge[%g] : !loop.array<f64>
    %d = loop.at %disc[%g] : !loop.array<f64>
    %k = loop.at %count[%g] : !loop.array<i64>
    %f = arith.sitofp %k : i64 to f64
    %aq = arith.divf %q, %f : f64
    %ap = arith.divf %p, %f : f64
    %ad = arith.divf %d, %f : f64
    %row = loop.struct %flag, %status, %q, %p, %s, %c, %aq, %ap, %ad, %k : !out
    loop.yield %row : !out
  }
  return %rows : !loop.array<!out>
}
