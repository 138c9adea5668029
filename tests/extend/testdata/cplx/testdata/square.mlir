// run: -passes=cplx-square %s
// check: %[[sum:.*]] = arith.addf %[[a:.*]], %[[b:.*]] : f64
// check-next: arith.subf %[[a]], %[[b]] : f64
// check-not: cplx.mul
func.func @f(%x: f64, %y: f64) -> (f64, f64) {
  %z = cplx.make %x, %y : f64
  %q = cplx.mul %z, %z
  %re = cplx.re %q
  %im = cplx.im %q
  return %re, %im : f64, f64
}

// run: irc run -engine=eval -entry=f -args=testdata/args.json %s
// check: {"results": [3, 4], "args": []}
