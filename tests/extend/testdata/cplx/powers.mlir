// The sum of both parts of (k + iy)(x + ik) for k = 0 .. n - 1.
func.func @powers(%x: f64, %y: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %k = arith.index_cast %i : index to i64
    %d = arith.sitofp %k : i64 to f64
    %u = cplx.make %d, %y : f64
    %v = cplx.make %x, %d : f64
    %w = cplx.mul %u, %v
    %re = cplx.re %w
    %im = cplx.im %w
    %b = arith.addf %re, %im : f64
    %t = arith.addf %a, %b : f64
    scf.yield %t : f64
  }
  return %s : f64
}
