// z^(2^4), and z^2: a body that runs four times, and one that runs once.
func.func @powers(%z: !cplx.number<f64>) -> (!cplx.number<f64>, !cplx.number<f64>) {
  %a = cplx.repeat 4 times %z {
  ^bb0(%w: !cplx.number<f64>):
    %q = cplx.mul %w, %w
    cplx.yield %q
  }
  %b = cplx.repeat 1 times %z {
  ^bb0(%w: !cplx.number<f64>):
    %q = cplx.mul %w, %w
    cplx.yield %q
  }
  return %a, %b : !cplx.number<f64>, !cplx.number<f64>
}

// What does not change leaves a loop; a body that runs once keeps it.
func.func @hoist(%z: !cplx.number<f64>, %y: !cplx.number<f64>) -> (!cplx.number<f64>, !cplx.number<f64>) {
  %a, %b = cplx.repeat 3 times %z, %y {
  ^bb0(%w: !cplx.number<f64>, %v: !cplx.number<f64>):
    %s = cplx.mul %y, %y
    %q = cplx.mul %w, %s
    cplx.yield %q, %v
  }
  return %a, %b : !cplx.number<f64>, !cplx.number<f64>
}
