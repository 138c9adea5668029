// An integer square root, by Newton's method, that says what it wants: a negative
// number ends the program at line 9 with the message, on every engine.
//
// run: echo '[1000000]' | irc run examples/mlir/assert.mlir -entry=isqrt -args=-
//  -> {"results": [1000], "args": []}
func.func @isqrt(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %fine = arith.cmpi sge, %n, %c0 : i64
  cf.assert %fine, "isqrt of a negative number"
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %start = arith.addi %n, %c1 : i64
  %r = scf.while (%x = %start) : (i64) -> (i64) {
    %xx = arith.divsi %n, %x : i64
    %more = arith.cmpi slt, %xx, %x : i64
    scf.condition(%more) %x : i64
  } do {
  ^bb0(%x: i64):
    %q = arith.divsi %n, %x : i64
    %s = arith.addi %x, %q : i64
    %h = arith.divsi %s, %c2 : i64
    scf.yield %h : i64
  }
  return %r : i64
}
