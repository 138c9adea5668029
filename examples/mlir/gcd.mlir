// Euclid's algorithm: a loop whose test comes first.
//
// run: echo '[1071, 462]' | irc run examples/mlir/gcd.mlir -entry=gcd -args=-
//  -> {"results": [21], "args": []}
func.func @gcd(%a: i64, %b: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%x = %a, %y = %b) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %y, %zero : i64
    scf.condition(%more) %x, %y : i64, i64
  } do {
  ^bb0(%x: i64, %y: i64):
    %rest = arith.remui %x, %y : i64
    scf.yield %y, %rest : i64, i64
  }
  return %r#0 : i64
}
