// The solution y of a Yule-Walker system of correlations r: PolyBench's durbin.
func.func @kernel(%r: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = memref.dim %r, %c0 : memref<?xf64>
  %z = memref.alloc(%n) {memref.owned} : memref<?xf64>
  %first = affine.load %r[0] : memref<?xf64>
  %alpha0 = arith.negf %first fastmath<fast> : f64
  affine.store %alpha0, %y[0] : memref<?xf64>
  %a, %b = affine.for %k = 1 to %n iter_args(%alpha = %alpha0, %beta = %one) -> (f64, f64) {
    %0 = arith.mulf %alpha, %alpha fastmath<fast> : f64
    %1 = arith.subf %one, %0 fastmath<fast> : f64
    %2 = arith.mulf %1, %beta fastmath<fast> : f64
    %sum = affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) iter_args(%s = %zero) -> f64 {
      %3 = affine.load %r[%k - %i - 1] : memref<?xf64>
      %4 = affine.load %y[%i] : memref<?xf64>
      %5 = arith.mulf %3, %4 fastmath<fast> : f64
      %6 = arith.addf %s, %5 fastmath<fast> : f64
      affine.yield %6 : f64
    }
    %7 = affine.load %r[%k] : memref<?xf64>
    %8 = arith.addf %7, %sum fastmath<fast> : f64
    %9 = arith.negf %8 fastmath<fast> : f64
    %10 = arith.divf %9, %2 fastmath<fast> : f64
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      %11 = affine.load %y[%i] : memref<?xf64>
      %12 = affine.load %y[%k - %i - 1] : memref<?xf64>
      %13 = arith.mulf %10, %12 fastmath<fast> : f64
      %14 = arith.addf %11, %13 fastmath<fast> : f64
      affine.store %14, %z[%i] : memref<?xf64>
    }
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      %15 = affine.load %z[%i] : memref<?xf64>
      affine.store %15, %y[%i] : memref<?xf64>
    }
    affine.store %10, %y[%k] : memref<?xf64>
    affine.yield %10, %2 : f64, f64
  }
  return
}
