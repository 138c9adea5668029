// Everything here folds: written twice, computed from constants, undone, unused.
// What is left is one addition.
//
// see: irc examples/mlir/redundant.mlir
// see: irc explain examples/mlir/redundant.mlir
func.func @redundant(%x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %a = arith.addi %x, %y : i32
  %b = arith.addi %y, %x : i32
  %d = arith.subi %a, %b : i32
  %e = arith.addi %d, %a : i32
  %unused = arith.muli %e, %c2 : i32
  %f = arith.muli %e, %c1 : i32
  %g = arith.xori %f, %c0 : i32
  %same = arith.cmpi eq, %a, %b : i32
  %both = arith.andi %same, %true : i1
  %h = scf.if %both -> (i32) {
    scf.yield %g : i32
  } else {
    %z = arith.divsi %g, %c2 : i32
    scf.yield %z : i32
  }
  return %h : i32
}
