// How long each point of a square stays near: rows are parallel.
func.func @main(%n: index, %most: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %o = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f64
  %four = arith.constant 4.0 : f64
  %two = arith.constant 2.0 : f64
  %scale = arith.constant 0.0025 : f64
  %off = arith.constant 2.0 : f64
  %off2 = arith.constant 1.25 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (i64) {
    %r2 = scf.for %j = %c0 to %n step %c1 iter_args(%acc2 = %acc) -> (i64) {
      %ii = arith.index_cast %i : index to i64
      %jj = arith.index_cast %j : index to i64
      %x0 = arith.sitofp %ii : i64 to f64
      %y0 = arith.sitofp %jj : i64 to f64
      %x1 = arith.mulf %x0, %scale : f64
      %y1 = arith.mulf %y0, %scale : f64
      %cx = arith.subf %x1, %off : f64
      %cy = arith.subf %y1, %off2 : f64
      %w:3 = scf.while (%x = %zero, %y = %zero, %k = %z) : (f64, f64, i64) -> (f64, f64, i64) {
        %xx = arith.mulf %x, %x : f64
        %yy = arith.mulf %y, %y : f64
        %s = arith.addf %xx, %yy : f64
        %in = arith.cmpf ole, %s, %four : f64
        %few = arith.cmpi slt, %k, %most : i64
        %go = arith.andi %in, %few : i1
        scf.condition(%go) %x, %y, %k : f64, f64, i64
      } do {
      ^bb0(%x: f64, %y: f64, %k: i64):
        %xx = arith.mulf %x, %x : f64
        %yy = arith.mulf %y, %y : f64
        %d = arith.subf %xx, %yy : f64
        %nx = arith.addf %d, %cx : f64
        %xy = arith.mulf %x, %y : f64
        %xy2 = arith.mulf %xy, %two : f64
        %ny = arith.addf %xy2, %cy : f64
        %nk = arith.addi %k, %o : i64
        scf.yield %nx, %ny, %nk : f64, f64, i64
      }
      %t = arith.addi %acc2, %w#2 : i64
      scf.yield %t : i64
    }
    scf.yield %r2 : i64
  }
  return %r : i64
}
