// A sum of three products of one factor, and a sum that is written with bits. `irc -passes=saturate` finds one
// multiplication and one addition.
func.func @products(%a: i32, %b: i32, %c: i32, %d: i32) -> i32 {
  %1 = arith.muli %a, %b : i32
  %2 = arith.muli %a, %c : i32
  %3 = arith.muli %a, %d : i32
  %4 = arith.addi %1, %2 : i32
  %5 = arith.addi %4, %3 : i32
  return %5 : i32
}
func.func @sum(%x: i32, %y: i32) -> i32 {
  %1 = arith.constant 1 : i32
  %2 = arith.xori %x, %y : i32
  %3 = arith.andi %x, %y : i32
  %4 = arith.shli %3, %1 : i32
  %5 = arith.addi %2, %4 : i32
  return %5 : i32
}
