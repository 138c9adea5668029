// How often each number can be halved until it is at most 1.
func.func @halve(%x: memref<64xf64>, %y: memref<64xi64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %half = arith.constant 0.5 : f64
  %end = arith.constant 1.0 : f64
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xf64>
    %r:2 = scf.while (%a = %v, %k = %zero) : (f64, i64) -> (f64, i64) {
      %go = arith.cmpf ogt, %a, %end : f64
      scf.condition(%go) %a, %k : f64, i64
    } do {
    ^bb0(%a: f64, %k: i64):
      %b = arith.mulf %a, %half : f64
      %l = arith.addi %k, %one : i64
      scf.yield %b, %l : f64, i64
    }
    memref.store %r#1, %y[%i] : memref<64xi64>
  }
  return
}
