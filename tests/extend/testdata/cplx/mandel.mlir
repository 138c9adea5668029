// One step of z*z + c, and the real part of the result.
func.func @step(%zr: f64, %zi: f64, %cr: f64, %ci: f64) -> f64 {
  %z = cplx.make %zr, %zi : f64
  %c = cplx.make %cr, %ci : f64
  %q = cplx.mul %z, %z
  %s = cplx.add %q, %c
  %r = cplx.re %s
  return %r : f64
}
