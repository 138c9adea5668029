// TPC-H Q6: the lines of 1994 with little discount and few pieces, and what they would give.

!line = !loop.struct<quantity: f64, price: f64, discount: f64, shipped: i32>

func.func @q6(%lines: !loop.array<!line>) -> f64 {
  %from = arith.constant 8766 : i32
  %to = arith.constant 9131 : i32
  %low = arith.constant 0.05 : f64
  %high = arith.constant 0.07 : f64
  %most = arith.constant 24.0 : f64
  %n = loop.len %lines : !loop.array<!line>
  %taken = loop.for %i < %n -> collect(!line) {
    %line = loop.at %lines[%i] : !loop.array<!line>
    %shipped = loop.field %line["shipped"] : !line
    %discount = loop.field %line["discount"] : !line
    %quantity = loop.field %line["quantity"] : !line
    %a = arith.cmpi sge, %shipped, %from : i32
    %b = arith.cmpi slt, %shipped, %to : i32
    %c = arith.cmpf oge, %discount, %low : f64
    %d = arith.cmpf ole, %discount, %high : f64
    %e = arith.cmpf olt, %quantity, %most : f64
    %ab = arith.andi %a, %b : i1
    %cd = arith.andi %c, %d : i1
    %abcd = arith.andi %ab, %cd : i1
    %take = arith.andi %abcd, %e : i1
    %kept = scf.if %take -> (!loop.emit<!line>) {
      %one = loop.emit %line : !line
      scf.yield %one : !loop.emit<!line>
    } else {
      %none = loop.none : !loop.emit<!line>
      scf.yield %none : !loop.emit<!line>
    }
    loop.yield %kept : !loop.emit<!line>
  }
  %m = loop.len %taken : !loop.array<!line>
  %revenues = loop.for %i < %m -> collect(f64) {
    %line = loop.at %taken[%i] : !loop.array<!line>
    %price = loop.field %line["price"] : !line
    %discount = loop.field %line["discount"] : !line
    %revenue = arith.mulf %price, %discount : f64
    loop.yield %revenue : f64
  }
  %k = loop.len %revenues : !loop.array<f64>
  %sum = loop.for %i < %k -> reduce(add reassoc : f64) {
    %revenue = loop.at %revenues[%i] : !loop.array<f64>
    loop.yield %revenue : f64
  }
  return %sum : f64
}
