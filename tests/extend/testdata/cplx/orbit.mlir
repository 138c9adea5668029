// Complex numbers in signatures, in what loops carry and in memory.

// n steps of z*z + c from 0, and how many of them stay within the circle of radius 2.
func.func @orbit(%c: !cplx.number<f64>, %n: index) -> (!cplx.number<f64>, index) {
  %zero = cplx.constant <0.0, 0.0 : f64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %four = arith.constant 4.0 : f64
  %z, %k = scf.for %i = %c0 to %n step %c1 iter_args(%w = %zero, %m = %c0) -> (!cplx.number<f64>, index) {
    %q = cplx.mul %w, %w
    %s = cplx.add %q, %c
    %re = cplx.re %s
    %im = cplx.im %s
    %re2 = arith.mulf %re, %re : f64
    %im2 = arith.mulf %im, %im : f64
    %abs = arith.addf %re2, %im2 : f64
    %in = arith.cmpf ole, %abs, %four : f64
    %t, %u = scf.if %in -> (!cplx.number<f64>, index) {
      %m1 = arith.addi %m, %c1 : index
      scf.yield %s, %m1 : !cplx.number<f64>, index
    } else {
      scf.yield %w, %m : !cplx.number<f64>, index
    }
    scf.yield %t, %u : !cplx.number<f64>, index
  }
  return %z, %k : !cplx.number<f64>, index
}

// z to the power of n, by recursion.
func.func @power(%z: !cplx.number<f64>, %n: i64) -> !cplx.number<f64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %done = arith.cmpi sle, %n, %zero : i64
  %r = scf.if %done -> (!cplx.number<f64>) {
    %i = cplx.constant <1.0, 0.0 : f64>
    scf.yield %i : !cplx.number<f64>
  } else {
    %m = arith.subi %n, %one : i64
    %p = func.call @power(%z, %m) : (!cplx.number<f64>, i64) -> !cplx.number<f64>
    %q = cplx.mul %p, %z
    scf.yield %q : !cplx.number<f64>
  }
  return %r : !cplx.number<f64>
}

// Squares z until its real part is not less than the limit; by a function value.
func.func private @square(%z: !cplx.number<f32>) -> !cplx.number<f32> {
  %q = cplx.mul %z, %z
  return %q : !cplx.number<f32>
}

func.func @grow(%z: !cplx.number<f32>, %limit: f32) -> !cplx.number<f32> {
  %f = func.constant @square : (!cplx.number<f32>) -> !cplx.number<f32>
  %r = scf.while (%w = %z) : (!cplx.number<f32>) -> !cplx.number<f32> {
    %re = cplx.re %w
    %more = arith.cmpf olt, %re, %limit : f32
    scf.condition(%more) %w : !cplx.number<f32>
  } do {
  ^bb0(%w: !cplx.number<f32>):
    %q = func.call_indirect %f(%w) : (!cplx.number<f32>) -> !cplx.number<f32>
    scf.yield %q : !cplx.number<f32>
  }
  return %r : !cplx.number<f32>
}

// Adds z to each number of an array, and returns the last one of before.
func.func @shift(%a: memref<?x!cplx.number<f64>>, %z: !cplx.number<f64>) -> !cplx.number<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x!cplx.number<f64>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%w = %z) -> (!cplx.number<f64>) {
    %x = memref.load %a[%i] : memref<?x!cplx.number<f64>>
    %s = cplx.add %x, %z
    memref.store %s, %a[%i] : memref<?x!cplx.number<f64>>
    scf.yield %x : !cplx.number<f64>
  }
  return %last : !cplx.number<f64>
}
