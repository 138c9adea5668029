// TPC-H Q3, the ten orders with the most revenue that are not shipped: two hash joins, a group an order, a
// sort and a slice. A join looks each row of the larger table up in the groups of the smaller one.
//
// run: echo '[{"file": "examples/loop/customer.csv"}, {"file": "examples/loop/orders.csv"}, {"file": "examples/loop/lineitem.csv"}]' | irc run examples/loop/q3.mlir -args=-
//  -> {"results": [[{"l_orderkey": 11, "revenue": 79894.548, "o_orderdate": 9163, "o_shippriority": 0}, {"l_orderkey": 7, "revenue": 64256.9904, "o_orderdate": 9086, "o_shippriority": 0}, {"l_orderkey": 17, "revenue": 49735.274399999995, "o_orderdate": 9078, "o_shippriority": 0}]], "args": []}
// see: irc -emit=llvm examples/loop/q3.mlir
!customer = !loop.struct<c_custkey: i64, c_mktsegment: !loop.string>
!order = !loop.struct<o_orderkey: i64, o_custkey: i64, o_orderdate: i32, o_shippriority: i32>
!line = !loop.struct<l_orderkey: i64, l_extendedprice: f64, l_discount: f64, l_shipdate: i32>
!out = !loop.struct<l_orderkey: i64, revenue: f64, o_orderdate: i32, o_shippriority: i32>
func.func @main(%customer: !loop.array<!customer>, %orders: !loop.array<!order>, %lineitem: !loop.array<!line>) -> !loop.array<!out> {
  %zero = arith.constant 0 : index
  %ten = arith.constant 10 : index
  %one = arith.constant 1.0 : f64
  %day = arith.constant 9204 : i32     // 1995-03-15
  %segment = loop.constant "BUILDING"

  // The customers of the segment, by key.
  %nc = loop.len %customer : !loop.array<!customer>
  %buyers = loop.for %i < %nc -> bucket(i64, []) {
    %r = loop.at %customer[%i] : !loop.array<!customer>
    %key = loop.field %r["c_custkey"] : !customer
    %s = loop.field %r["c_mktsegment"] : !customer
    %is = loop.compare eq, %s, %segment
    %e = scf.if %is -> (!loop.emit<i64>) {
      %o = loop.emit %key : i64
      scf.yield %o : !loop.emit<i64>
    } else {
      %o = loop.none : !loop.emit<i64>
      scf.yield %o : !loop.emit<i64>
    }
    loop.yield %e : !loop.emit<i64>
  }

  // Their orders before the day, by key, and where in the table they stand.
  %no = loop.len %orders : !loop.array<!order>
  %open, %places = loop.for %i < %no -> bucket(i64, [reduce(max : index)]) {
    %r = loop.at %orders[%i] : !loop.array<!order>
    %key = loop.field %r["o_orderkey"] : !order
    %buyer = loop.field %r["o_custkey"] : !order
    %date = loop.field %r["o_orderdate"] : !order
    %at = loop.find %buyers, %buyer : !loop.buckets<i64>
    %known = arith.cmpi sge, %at, %zero : index
    %early = arith.cmpi slt, %date, %day : i32
    %keep = arith.andi %known, %early : i1
    %e = scf.if %keep -> (!loop.emit<i64, index>) {
      %o = loop.emit %key, %i : i64, index
      scf.yield %o : !loop.emit<i64, index>
    } else {
      %o = loop.none : !loop.emit<i64, index>
      scf.yield %o : !loop.emit<i64, index>
    }
    loop.yield %e : !loop.emit<i64, index>
  }

  // The revenue of their lines after the day, by order.
  %nl = loop.len %lineitem : !loop.array<!line>
  %found, %sums = loop.for %i < %nl -> bucket(i64, [reduce(add : f64)]) {
    %r = loop.at %lineitem[%i] : !loop.array<!line>
    %key = loop.field %r["l_orderkey"] : !line
    %price = loop.field %r["l_extendedprice"] : !line
    %discount = loop.field %r["l_discount"] : !line
    %date = loop.field %r["l_shipdate"] : !line
    %at = loop.find %open, %key : !loop.buckets<i64>
    %known = arith.cmpi sge, %at, %zero : index
    %late = arith.cmpi sgt, %date, %day : i32
    %keep = arith.andi %known, %late : i1
    %e = scf.if %keep -> (!loop.emit<i64, f64>) {
      %rest = arith.subf %one, %discount : f64
      %x = arith.mulf %price, %rest : f64
      %o = loop.emit %key, %x : i64, f64
      scf.yield %o : !loop.emit<i64, f64>
    } else {
      %o = loop.none : !loop.emit<i64, f64>
      scf.yield %o : !loop.emit<i64, f64>
    }
    loop.yield %e : !loop.emit<i64, f64>
  }

  // The first ten, by revenue and then by day.
  %keys = loop.keys %found : !loop.buckets<i64>
  %m = loop.len %found : !loop.buckets<i64>
  %rows, %dates = loop.for %g < %m -> collect(!out), collect(i32) {
    %key = loop.at %keys[%g] : !loop.array<i64>
    %revenue = loop.at %sums[%g] : !loop.array<f64>
    %at = loop.find %open, %key : !loop.buckets<i64>
    %place = loop.at %places[%at] : !loop.array<index>
    %r = loop.at %orders[%place] : !loop.array<!order>
    %date = loop.field %r["o_orderdate"] : !order
    %priority = loop.field %r["o_shippriority"] : !order
    %row = loop.struct %key, %revenue, %date, %priority : !out
    loop.yield %row, %date : !out, i32
  }
  %order = loop.sort %sums desc, %dates asc : !loop.array<f64>, !loop.array<i32>
  %some = arith.minsi %m, %ten : index
  %first = loop.for %g < %some -> collect(!out) {
    %k = loop.at %order[%g] : !loop.array<index>
    %row = loop.at %rows[%k] : !loop.array<!out>
    loop.yield %row : !out
  }
  return %first : !loop.array<!out>
}
