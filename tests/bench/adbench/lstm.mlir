// The loss of a recurrent network of cells with a long and a short memory, whose weights are diagonal, on a sequence of vectors of 14 bits: as in ADBench.
// Of each layer there are weights and biases of its four gates, main, and what it holds at first, state: its short memory and its long one.
func.func @lstm(%main: memref<?x8x14xf64> {llvm.noalias}, %extra: memref<3x14xf64> {llvm.noalias}, %state: memref<?x2x14xf64> {llvm.noalias}, %sequence: memref<?x14xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c14 = arith.constant 14 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %layers = memref.dim %main, %c0 : memref<?x8x14xf64>
  %length = memref.dim %sequence, %c0 : memref<?x14xf64>
  %last = arith.subi %length, %c1 : index
  %short = memref.alloc(%layers) {memref.owned} : memref<?x14xf64>
  %long = memref.alloc(%layers) {memref.owned} : memref<?x14xf64>
  scf.for %l = %c0 to %layers step %c1 {
    scf.for %i = %c0 to %c14 step %c1 {
      %0 = memref.load %state[%l, %c0, %i] : memref<?x2x14xf64>
      memref.store %0, %short[%l, %i] : memref<?x14xf64>
      %1 = memref.load %state[%l, %c1, %i] : memref<?x2x14xf64>
      memref.store %1, %long[%l, %i] : memref<?x14xf64>
    }
  }
  %total = scf.for %t = %c0 to %last step %c1 iter_args(%sum = %zero) -> f64 {
    %v = memref.alloc() {memref.owned} : memref<14xf64>
    scf.for %i = %c0 to %c14 step %c1 {
      %0 = memref.load %sequence[%t, %i] : memref<?x14xf64>
      %1 = memref.load %extra[%c0, %i] : memref<3x14xf64>
      %2 = arith.mulf %0, %1 fastmath<fast> : f64
      memref.store %2, %v[%i] : memref<14xf64>
    }
    scf.for %l = %c0 to %layers step %c1 {
      scf.for %i = %c0 to %c14 step %c1 {
        %x = memref.load %v[%i] : memref<14xf64>
        %h = memref.load %short[%l, %i] : memref<?x14xf64>
        %c = memref.load %long[%l, %i] : memref<?x14xf64>
        %11 = memref.load %main[%l, %c0, %i] : memref<?x8x14xf64>
        %12 = memref.load %main[%l, %c4, %i] : memref<?x8x14xf64>
        %13 = arith.mulf %x, %11 fastmath<fast> : f64
        %14 = arith.addf %13, %12 fastmath<fast> : f64
        %15 = arith.negf %14 fastmath<fast> : f64
        %16 = math.exp %15 fastmath<fast> : f64
        %17 = arith.addf %16, %one fastmath<fast> : f64
        %18 = arith.divf %one, %17 fastmath<fast> : f64
        %19 = memref.load %main[%l, %c1, %i] : memref<?x8x14xf64>
        %20 = memref.load %main[%l, %c5, %i] : memref<?x8x14xf64>
        %21 = arith.mulf %h, %19 fastmath<fast> : f64
        %22 = arith.addf %21, %20 fastmath<fast> : f64
        %23 = arith.negf %22 fastmath<fast> : f64
        %24 = math.exp %23 fastmath<fast> : f64
        %25 = arith.addf %24, %one fastmath<fast> : f64
        %26 = arith.divf %one, %25 fastmath<fast> : f64
        %27 = memref.load %main[%l, %c2, %i] : memref<?x8x14xf64>
        %28 = memref.load %main[%l, %c6, %i] : memref<?x8x14xf64>
        %29 = arith.mulf %x, %27 fastmath<fast> : f64
        %30 = arith.addf %29, %28 fastmath<fast> : f64
        %31 = arith.negf %30 fastmath<fast> : f64
        %32 = math.exp %31 fastmath<fast> : f64
        %33 = arith.addf %32, %one fastmath<fast> : f64
        %34 = arith.divf %one, %33 fastmath<fast> : f64
        %35 = memref.load %main[%l, %c3, %i] : memref<?x8x14xf64>
        %36 = memref.load %main[%l, %c7, %i] : memref<?x8x14xf64>
        %37 = arith.mulf %h, %35 fastmath<fast> : f64
        %38 = arith.addf %37, %36 fastmath<fast> : f64
        %39 = math.tanh %38 fastmath<fast> : f64
        %40 = arith.mulf %c, %18 fastmath<fast> : f64
        %41 = arith.mulf %26, %39 fastmath<fast> : f64
        %42 = arith.addf %40, %41 fastmath<fast> : f64
        memref.store %42, %long[%l, %i] : memref<?x14xf64>
        %43 = math.tanh %42 fastmath<fast> : f64
        %44 = arith.mulf %34, %43 fastmath<fast> : f64
        memref.store %44, %short[%l, %i] : memref<?x14xf64>
        memref.store %44, %v[%i] : memref<14xf64>
      }
    }
    %next = arith.addi %t, %c1 : index
    %e, %p, %s = scf.for %i = %c0 to %c14 step %c1 iter_args(%a = %two, %b = %zero, %d = %zero) -> (f64, f64, f64) {
      %0 = memref.load %v[%i] : memref<14xf64>
      %1 = memref.load %extra[%c1, %i] : memref<3x14xf64>
      %2 = memref.load %extra[%c2, %i] : memref<3x14xf64>
      %3 = arith.mulf %0, %1 fastmath<fast> : f64
      %4 = arith.addf %3, %2 fastmath<fast> : f64
      %5 = math.exp %4 fastmath<fast> : f64
      %6 = memref.load %sequence[%next, %i] : memref<?x14xf64>
      %7 = arith.mulf %6, %4 fastmath<fast> : f64
      %8 = arith.addf %a, %5 fastmath<fast> : f64
      %9 = arith.addf %b, %7 fastmath<fast> : f64
      %10 = arith.addf %d, %6 fastmath<fast> : f64
      scf.yield %8, %9, %10 : f64, f64, f64
    }
    %log = math.log %e fastmath<fast> : f64
    %q = arith.mulf %s, %log fastmath<fast> : f64
    %r = arith.subf %p, %q fastmath<fast> : f64
    %u = arith.addf %sum, %r fastmath<fast> : f64
    scf.yield %u : f64
  }
  %count = arith.muli %last, %c14 : index
  %long1 = arith.index_cast %count : index to i64
  %float = arith.sitofp %long1 : i64 to f64
  %neg = arith.negf %total fastmath<fast> : f64
  %result = arith.divf %neg, %float fastmath<fast> : f64
  return %result : f64
}
