// How long each point of a square stays near.
func.func @mandelbrot(%x: memref<?xf64> {llvm.noalias}, %y: memref<?xi64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = arith.constant 1 : i64
  %z = arith.constant 0 : i64
  %most = arith.constant 200 : i64
  %zero = arith.constant 0.0 : f64
  %four = arith.constant 4.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %cy = memref.load %x[%i] : memref<?xf64>
    %row = arith.muli %i, %n : index
    scf.for %j = %c0 to %n step %c1 {
      %cx = memref.load %x[%j] : memref<?xf64>
      %w:3 = scf.while (%a = %zero, %b = %zero, %k = %z) : (f64, f64, i64) -> (f64, f64, i64) {
        %aa = arith.mulf %a, %a fastmath<fast> : f64
        %bb = arith.mulf %b, %b fastmath<fast> : f64
        %s = arith.addf %aa, %bb fastmath<fast> : f64
        %in = arith.cmpf ole, %s, %four : f64
        %few = arith.cmpi slt, %k, %most : i64
        %go = arith.andi %in, %few : i1
        scf.condition(%go) %a, %b, %k : f64, f64, i64
      } do {
      ^bb0(%a: f64, %b: f64, %k: i64):
        %aa = arith.mulf %a, %a fastmath<fast> : f64
        %bb = arith.mulf %b, %b fastmath<fast> : f64
        %d = arith.subf %aa, %bb fastmath<fast> : f64
        %na = arith.addf %d, %cx fastmath<fast> : f64
        %ab = arith.mulf %a, %b fastmath<fast> : f64
        %ab2 = arith.addf %ab, %ab fastmath<fast> : f64
        %nb = arith.addf %ab2, %cy fastmath<fast> : f64
        %nk = arith.addi %k, %o : i64
        scf.yield %na, %nb, %nk : f64, f64, i64
      }
      %at = arith.addi %row, %j : index
      memref.store %w#2, %y[%at] : memref<?xi64>
    }
  }
  return
}

func.func @kernel(%x: memref<?xf64> {llvm.noalias}, %y: memref<?xi64> {llvm.noalias}, %times: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %times step %c1 {
    func.call @mandelbrot(%x, %y) : (memref<?xf64>, memref<?xi64>) -> ()
    func.call @touch(%x, %t) : (memref<?xf64>, index) -> ()
  }
  return
}

// The data change from time to time, so that nothing is done but once.
func.func @touch(%x: memref<?xf64>, %t: index) {
  %c0 = arith.constant 0 : index
  %c1000 = arith.constant 1000 : index
  %i = arith.remui %t, %c1000 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %j = arith.remui %i, %n : index
  %p = memref.load %x[%j] : memref<?xf64>
  %near = arith.constant 1.0e-9 : f64
  %q = arith.addf %p, %near : f64
  memref.store %q, %x[%j] : memref<?xf64>
  return
}

func.func @check(%x: memref<?xf64> {llvm.noalias}, %y: memref<?xi64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %y, %c0 : memref<?xi64>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %v = memref.load %y[%i] : memref<?xi64>
    %w = arith.sitofp %v : i64 to f64
    %m = arith.remui %i, %c7 : index
    %m1 = arith.addi %m, %c1 : index
    %k = arith.index_cast %m1 : index to i64
    %f = arith.sitofp %k : i64 to f64
    %p = arith.mulf %w, %f : f64
    %r = arith.addf %s, %p : f64
    scf.yield %r : f64
  }
  return %sum : f64
}
