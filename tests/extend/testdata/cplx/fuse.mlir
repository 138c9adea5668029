// The first two become one loop; the third needs the first, and the fourth what the third writes.
func.func @f(%x: !cplx.number<f64>, %y: !cplx.number<f64>) -> (!cplx.number<f64>, !cplx.number<f64>, !cplx.number<f64>) {
  %m = memref.alloca() : memref<f64>
  %a = cplx.repeat 3 times %x {
  ^bb0(%w: !cplx.number<f64>):
    %q = cplx.mul %w, %w
    cplx.yield %q
  }
  %b = cplx.repeat 3 times %y {
  ^bb0(%w: !cplx.number<f64>):
    %q = cplx.mul %w, %x
    cplx.yield %q
  }
  %c = cplx.repeat 3 times %a {
  ^bb0(%w: !cplx.number<f64>):
    %q = cplx.mul %w, %x
    %re = cplx.re %q
    memref.store %re, %m[] : memref<f64>
    cplx.yield %q
  }
  %d = cplx.repeat 3 times %y {
  ^bb0(%w: !cplx.number<f64>):
    %re = memref.load %m[] : memref<f64>
    %s = cplx.make %re, %re : f64
    %q = cplx.mul %w, %s
    cplx.yield %q
  }
  return %b, %c, %d : !cplx.number<f64>, !cplx.number<f64>, !cplx.number<f64>
}
