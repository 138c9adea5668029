// Sum, count and largest of the values of each string key.

!row = !loop.struct<key: !loop.string, value: f64>

func.func @text(%rows: !loop.array<!row>) -> (!loop.buckets<!loop.string>, !loop.array<f64>, !loop.array<i64>, !loop.array<f64>) {
  %one = arith.constant 1 : i64
  %n = loop.len %rows : !loop.array<!row>
  %groups, %sum, %count, %most = loop.for %i < %n -> bucket(!loop.string, [reduce(add : f64), reduce(add : i64), reduce(max : f64)]) {
    %row = loop.at %rows[%i] : !loop.array<!row>
    %key = loop.field %row["key"] : !row
    %v = loop.field %row["value"] : !row
    loop.yield %key, %v, %one, %v : !loop.string, f64, i64, f64
  }
  return %groups, %sum, %count, %most : !loop.buckets<!loop.string>, !loop.array<f64>, !loop.array<i64>, !loop.array<f64>
}
