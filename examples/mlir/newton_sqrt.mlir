// Square root by Newton's iteration, to the last bit or 50 steps, beside math.sqrt.
//
// run: echo '[2.0]' | irc run examples/mlir/newton_sqrt.mlir -entry=newton -args=-
//  -> {"results": [1.414213562373095], "args": []}
// run: echo '[2.0]' | irc run examples/mlir/newton_sqrt.mlir -entry=error -args=-
//  -> {"results": [2.220446049250313e-16], "args": []}
func.func @newton(%a: f64) -> f64 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %most = arith.constant 50 : i32
  %half = arith.constant 0.5 : f64
  %never = arith.constant -1.0 : f64
  %r:3 = scf.while (%x = %a, %last = %never, %n = %zero) : (f64, f64, i32) -> (f64, f64, i32) {
    %moved = arith.cmpf une, %x, %last : f64
    %short = arith.cmpi slt, %n, %most : i32
    %more = arith.andi %moved, %short : i1
    scf.condition(%more) %x, %last, %n : f64, f64, i32
  } do {
  ^bb0(%x: f64, %last: f64, %n: i32):
    %q = arith.divf %a, %x : f64
    %s = arith.addf %x, %q : f64
    %new = arith.mulf %s, %half : f64
    %n1 = arith.addi %n, %one : i32
    scf.yield %new, %x, %n1 : f64, f64, i32
  }
  return %r#0 : f64
}

func.func @error(%a: f64) -> f64 {
  %mine = call @newton(%a) : (f64) -> f64
  %right = math.sqrt %a : f64
  %d = arith.subf %mine, %right : f64
  %abs = math.absf %d : f64
  return %abs : f64
}
