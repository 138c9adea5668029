// x + y < x where the sum does not wrap: is y < 0 the same? docs/prove.md asks.
func.func @src(%x: i32, %y: i32) -> i1 {
  %s = arith.addi %x, %y overflow<nsw> : i32
  %c = arith.cmpi slt, %s, %x : i32
  return %c : i1
}
func.func @tgt(%x: i32, %y: i32) -> i1 {
  %z = arith.constant 0 : i32
  %c = arith.cmpi slt, %y, %z : i32
  return %c : i1
}
