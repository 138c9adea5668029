// How many steps of z := z*z + c, at most 50, leave |z| <= 2, on a grid of %w times %h points: a loop of loops around a
// while, and no memory but the result. No number of steps is known before, so it is a while of scf.
//
// run: echo '[7, 3]' | irc run examples/loop/mandelbrot.mlir -args=-
//  -> {"results": [[[3, 3, 4, 11, 50, 13, 3], [50, 50, 50, 50, 50, 8, 3], [3, 3, 4, 11, 50, 13, 3]]], "args": []}
// see: irc -emit=llvm examples/loop/mandelbrot.mlir
func.func @main(%w: index, %h: index) -> !loop.array<!loop.array<i64>> {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %four = arith.constant 4.0 : f64
  %no = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %most = arith.constant 50 : i64
  %left = arith.constant -2.0 : f64
  %wide = arith.constant 3.0 : f64
  %low = arith.constant -1.0 : f64
  %high = arith.constant 2.0 : f64
  %wi = arith.index_cast %w : index to i64
  %wf = arith.sitofp %wi : i64 to f64
  %hi = arith.index_cast %h : index to i64
  %hf = arith.sitofp %hi : i64 to f64
  %rows = loop.for %y < %h -> collect(!loop.array<i64>) {
    %yi = arith.index_cast %y : index to i64
    %yf = arith.sitofp %yi : i64 to f64
    %ym = arith.addf %yf, %half : f64
    %yq = arith.divf %ym, %hf : f64
    %ys = arith.mulf %yq, %high : f64
    %ci = arith.addf %low, %ys : f64
    %row = loop.for %x < %w -> collect(i64) {
      %xi = arith.index_cast %x : index to i64
      %xf = arith.sitofp %xi : i64 to f64
      %xm = arith.addf %xf, %half : f64
      %xq = arith.divf %xm, %wf : f64
      %xs = arith.mulf %xq, %wide : f64
      %cr = arith.addf %left, %xs : f64
      %r, %i, %steps = scf.while (%a = %zero, %b = %zero, %k = %no) : (f64, f64, i64) -> (f64, f64, i64) {
        %aa = arith.mulf %a, %a : f64
        %bb = arith.mulf %b, %b : f64
        %size = arith.addf %aa, %bb : f64
        %in = arith.cmpf ole, %size, %four : f64
        %more = arith.cmpi slt, %k, %most : i64
        %go = arith.andi %in, %more : i1
        scf.condition(%go) %a, %b, %k : f64, f64, i64
      } do {
      ^bb0(%a: f64, %b: f64, %k: i64):
        %aa = arith.mulf %a, %a : f64
        %bb = arith.mulf %b, %b : f64
        %ab = arith.mulf %a, %b : f64
        %d = arith.subf %aa, %bb : f64
        %a1 = arith.addf %d, %cr : f64
        %ab2 = arith.addf %ab, %ab : f64
        %b1 = arith.addf %ab2, %ci : f64
        %k1 = arith.addi %k, %one : i64
        scf.yield %a1, %b1, %k1 : f64, f64, i64
      }
      loop.yield %steps : i64
    }
    loop.yield %row : !loop.array<i64>
  }
  return %rows : !loop.array<!loop.array<i64>>
}
