// TPC-H Q1: sums and means of the lines that were shipped in time, by their two flags.

!line = !loop.struct<quantity: f64, price: f64, discount: f64, tax: f64, returned: i8, status: i8, shipped: i32>
!charged = !loop.struct<line: !line, net: f64, charge: f64>

func.func @q1(%lines: !loop.array<!line>) -> (!loop.buckets<i8, i8>, !loop.array<f64>, !loop.array<f64>, !loop.array<f64>, !loop.array<f64>,
    !loop.array<f64>, !loop.array<f64>, !loop.array<f64>, !loop.array<i64>) {
  %last = arith.constant 10471 : i32
  %unit = arith.constant 1.0 : f64
  %one = arith.constant 1 : i64
  %n = loop.len %lines : !loop.array<!line>
  %taken = loop.for %i < %n -> collect(!line) {
    %line = loop.at %lines[%i] : !loop.array<!line>
    %shipped = loop.field %line["shipped"] : !line
    %take = arith.cmpi sle, %shipped, %last : i32
    %kept = scf.if %take -> (!loop.emit<!line>) {
      %it = loop.emit %line : !line
      scf.yield %it : !loop.emit<!line>
    } else {
      %none = loop.none : !loop.emit<!line>
      scf.yield %none : !loop.emit<!line>
    }
    loop.yield %kept : !loop.emit<!line>
  }
  %m = loop.len %taken : !loop.array<!line>
  %charged = loop.for %i < %m -> collect(!charged) {
    %line = loop.at %taken[%i] : !loop.array<!line>
    %price = loop.field %line["price"] : !line
    %discount = loop.field %line["discount"] : !line
    %tax = loop.field %line["tax"] : !line
    %rest = arith.subf %unit, %discount : f64
    %net = arith.mulf %price, %rest : f64
    %more = arith.addf %unit, %tax : f64
    %charge = arith.mulf %net, %more : f64
    %both = loop.struct %line, %net, %charge : !charged
    loop.yield %both : !charged
  }
  %k = loop.len %charged : !loop.array<!charged>
  %groups, %quantity, %price, %net, %charge, %discount, %count = loop.for %i < %k -> bucket(i8, i8,
      [reduce(add : f64), reduce(add : f64), reduce(add : f64), reduce(add : f64), reduce(add : f64), reduce(add : i64)]) {
    %row = loop.at %charged[%i] : !loop.array<!charged>
    %line = loop.field %row["line"] : !charged
    %f = loop.field %line["returned"] : !line
    %s = loop.field %line["status"] : !line
    %q = loop.field %line["quantity"] : !line
    %p = loop.field %line["price"] : !line
    %d = loop.field %line["discount"] : !line
    %x = loop.field %row["net"] : !charged
    %y = loop.field %row["charge"] : !charged
    loop.yield %f, %s, %q, %p, %x, %y, %d, %one : i8, i8, f64, f64, f64, f64, f64, i64
  }
  %size = loop.len %count : !loop.array<i64>
  %quantities, %prices, %discounts = loop.for %i < %size -> collect(f64), collect(f64), collect(f64) {
    %c = loop.at %count[%i] : !loop.array<i64>
    %f = arith.sitofp %c : i64 to f64
    %q = loop.at %quantity[%i] : !loop.array<f64>
    %p = loop.at %price[%i] : !loop.array<f64>
    %d = loop.at %discount[%i] : !loop.array<f64>
    %qs = arith.divf %q, %f : f64
    %ps = arith.divf %p, %f : f64
    %ds = arith.divf %d, %f : f64
    loop.yield %qs, %ps, %ds : f64, f64, f64
  }
  return %groups, %quantity, %price, %net, %charge, %quantities, %prices, %discounts, %count : !loop.buckets<i8, i8>, !loop.array<f64>,
    !loop.array<f64>, !loop.array<f64>, !loop.array<f64>, !loop.array<f64>, !loop.array<f64>, !loop.array<f64>, !loop.array<i64>
}
