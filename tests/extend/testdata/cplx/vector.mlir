// Sizes that have a name: both vectors of dot are equally long, and so callers say.
func.func @dot(%x: !cplx.vector<n, f64>, %y: !cplx.vector<n, f64>) -> !cplx.number<f64> {
  %r = cplx.dot %x, %y
  return %r : !cplx.number<f64>
}

func.func @twice(%x: !cplx.vector<m, f64>, %y: !cplx.vector<m, f64>, %z: !cplx.vector<3, f64>) -> (!cplx.number<f64>, !cplx.number<f64>) {
  %a = func.call @dot(%x, %y) : (!cplx.vector<m, f64>, !cplx.vector<m, f64>) -> !cplx.number<f64>
  %b = func.call @dot(%z, %z) : (!cplx.vector<3, f64>, !cplx.vector<3, f64>) -> !cplx.number<f64>
  return %a, %b : !cplx.number<f64>, !cplx.number<f64>
}
