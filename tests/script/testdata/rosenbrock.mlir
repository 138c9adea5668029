// Rosenbrock's valley, whose gradient is 0 where x = y = 1.
func.func @main(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %hundred = arith.constant 100.0 : f64
  %a = arith.subf %one, %x : f64
  %aa = arith.mulf %a, %a : f64
  %xx = arith.mulf %x, %x : f64
  %b = arith.subf %y, %xx : f64
  %bb = arith.mulf %b, %b : f64
  %c = arith.mulf %hundred, %bb : f64
  %z = arith.addf %aa, %c : f64
  return %z : f64
}
