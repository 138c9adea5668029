// How far z^3 is from 0, squared: the gradient is 6 |z|^4 (x, y).
func.func @main(%x: f64, %y: f64) -> f64 {
  %z = cplx.make %x, %y : f64
  %zz = cplx.mul %z, %z
  %zzz = cplx.mul %zz, %z
  %re = cplx.re %zzz
  %im = cplx.im %zzz
  %n = cplx.norm %re, %im : f64
  return %n : f64
}

func.func @norm(%x: f64, %y: f64) -> f64 {
  %n = cplx.norm %x, %y : f64
  return %n : f64
}
