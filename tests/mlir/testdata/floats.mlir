// Corners of floating point: NaN, infinities, -0.0, denormals, rounding.

func.func @arith_f64(%a: f64, %b: f64) -> (f64, f64, f64, f64) {
  %s = arith.addf %a, %b : f64
  %d = arith.subf %a, %b : f64
  %p = arith.mulf %a, %b : f64
  %q = arith.divf %a, %b : f64
  return %s, %d, %p, %q : f64, f64, f64, f64
}

func.func @arith_f32(%a: f32, %b: f32) -> (f32, f32, f32, f32) {
  %s = arith.addf %a, %b : f32
  %d = arith.subf %a, %b : f32
  %p = arith.mulf %a, %b : f32
  %q = arith.divf %a, %b : f32
  return %s, %d, %p, %q : f32, f32, f32, f32
}

// What looks like an identity and is none: x + 0.0, x - x, x * 0.0, 0.0 - x.
func.func @no_identities(%a: f64) -> (f64, f64, f64, f64, f64, f64) {
  %zero = arith.constant 0.0 : f64
  %mzero = arith.constant -0.0 : f64
  %one = arith.constant 1.0 : f64
  %s = arith.addf %a, %zero : f64
  %t = arith.addf %a, %mzero : f64
  %d = arith.subf %a, %a : f64
  %p = arith.mulf %a, %zero : f64
  %n = arith.subf %zero, %a : f64
  %q = arith.divf %a, %one : f64
  return %s, %t, %d, %p, %n, %q : f64, f64, f64, f64, f64, f64
}

func.func @maximum(%a: f64, %b: f64) -> (f64, f64) {
  %max = arith.maximumf %a, %b : f64
  %min = arith.minimumf %a, %b : f64
  return %max, %min : f64, f64
}

// The number wins over NaN. (Which zero wins is not fixed: the sign is dropped.)
func.func @maxnum(%a: f64, %b: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %max = arith.maxnumf %a, %b : f64
  %min = arith.minnumf %a, %b : f64
  %x = arith.addf %max, %zero : f64
  %y = arith.addf %min, %zero : f64
  return %x, %y : f64, f64
}

func.func @maximum_f32(%a: f32, %b: f32, %c: f32) -> f32 {
  %x = arith.maximumf %a, %b : f32
  %y = arith.minimumf %x, %c : f32
  return %y : f32
}

func.func @compare_ordered(%a: f64, %b: f64) -> (i1, i1, i1, i1, i1, i1, i1) {
  %eq = arith.cmpf oeq, %a, %b : f64
  %gt = arith.cmpf ogt, %a, %b : f64
  %ge = arith.cmpf oge, %a, %b : f64
  %lt = arith.cmpf olt, %a, %b : f64
  %le = arith.cmpf ole, %a, %b : f64
  %ne = arith.cmpf one, %a, %b : f64
  %ord = arith.cmpf ord, %a, %b : f64
  return %eq, %gt, %ge, %lt, %le, %ne, %ord : i1, i1, i1, i1, i1, i1, i1
}

func.func @compare_unordered(%a: f32, %b: f32) -> (i1, i1, i1, i1, i1, i1, i1) {
  %eq = arith.cmpf ueq, %a, %b : f32
  %gt = arith.cmpf ugt, %a, %b : f32
  %ge = arith.cmpf uge, %a, %b : f32
  %lt = arith.cmpf ult, %a, %b : f32
  %le = arith.cmpf ule, %a, %b : f32
  %ne = arith.cmpf une, %a, %b : f32
  %uno = arith.cmpf uno, %a, %b : f32
  return %eq, %gt, %ge, %lt, %le, %ne, %uno : i1, i1, i1, i1, i1, i1, i1
}

func.func @signs(%a: f64, %b: f64) -> (f64, f64, f64) {
  %n = arith.negf %a : f64
  %x = math.absf %b : f64
  %c = math.copysign %x, %n : f64
  return %n, %x, %c : f64, f64, f64
}

func.func @rounding(%a: f64) -> (f64, f64, f64, f64, f64) {
  %f = math.floor %a : f64
  %c = math.ceil %a : f64
  %t = math.trunc %a : f64
  %r = math.round %a : f64
  %e = math.roundeven %a : f64
  return %f, %c, %t, %r, %e : f64, f64, f64, f64, f64
}

func.func @rounding_f32(%a: f32) -> (f32, f32, f32, f32, f32) {
  %f = math.floor %a : f32
  %c = math.ceil %a : f32
  %t = math.trunc %a : f32
  %r = math.round %a : f32
  %e = math.roundeven %a : f32
  return %f, %c, %t, %r, %e : f32, f32, f32, f32, f32
}

// Halfway cases, where the ways of rounding differ.
func.func @halves(%n: i8) -> (f64, f64, f32) {
  %half = arith.constant 0.5 : f64
  %x = arith.sitofp %n : i8 to f64
  %h = arith.mulf %x, %half : f64
  %r = math.round %h : f64
  %e = math.roundeven %h : f64
  %t = arith.truncf %h : f64 to f32
  %z = math.roundeven %t : f32
  return %r, %e, %z : f64, f64, f32
}

// One rounding, not two.
func.func @fused(%a: f64, %b: f64, %c: f64, %x: f32, %y: f32, %z: f32) -> (f64, f32, f64) {
  %f = math.fma %a, %b, %c : f64
  %g = math.fma %x, %y, %z : f32
  %p = arith.mulf %a, %b : f64
  %s = arith.addf %p, %c : f64
  return %f, %g, %s : f64, f32, f64
}

func.func @roots(%a: f64, %b: f32) -> (f64, f32) {
  %x = math.sqrt %a : f64
  %y = math.sqrt %b : f32
  return %x, %y : f64, f32
}

func.func @widths_f(%a: f64, %b: f32) -> (f32, f64, f64) {
  %t = arith.truncf %a : f64 to f32
  %e = arith.extf %b : f32 to f64
  %back = arith.extf %t : f32 to f64
  return %t, %e, %back : f32, f64, f64
}

func.func @from_ints(%a: i64, %b: i8, %c: i1) -> (f64, f32, f64, f32, f64, f64) {
  %s = arith.sitofp %a : i64 to f64
  %t = arith.sitofp %a : i64 to f32
  %u = arith.uitofp %a : i64 to f64
  %v = arith.uitofp %b : i8 to f32
  %w = arith.sitofp %c : i1 to f64
  %x = arith.uitofp %c : i1 to f64
  return %s, %t, %u, %v, %w, %x : f64, f32, f64, f32, f64, f64
}

// Truncation towards zero; clamped first, as out of range is undefined.
func.func @to_ints(%a: f64) -> (i32, i8, i64, i32) {
  %lo = arith.constant -100.0 : f64
  %hi = arith.constant 100.5 : f64
  %zero = arith.constant 0.0 : f64
  %x = arith.maxnumf %a, %lo : f64
  %y = arith.minnumf %x, %hi : f64
  %p = arith.maxnumf %y, %zero : f64
  %i = arith.fptosi %y : f64 to i32
  %j = arith.fptosi %y : f64 to i8
  %k = arith.fptosi %y : f64 to i64
  %u = arith.fptoui %p : f64 to i32
  return %i, %j, %k, %u : i32, i8, i64, i32
}

// The pattern itself, so that -0.0 and denormals are seen. NaN is left out, as
// its payload is free.
func.func @patterns(%a: i64, %b: i32) -> (i64, i32, f64, f32) {
  %x = arith.bitcast %a : i64 to f64
  %y = arith.bitcast %b : i32 to f32
  %n = arith.negf %x : f64
  %m = arith.negf %y : f32
  %ok = arith.cmpf ord, %x, %x : f64
  %ok2 = arith.cmpf ord, %y, %y : f32
  %zero = arith.constant 0 : i64
  %zero32 = arith.constant 0 : i32
  %p = arith.bitcast %n : f64 to i64
  %q = arith.bitcast %m : f32 to i32
  %r = arith.select %ok, %p, %zero : i64
  %s = arith.select %ok2, %q, %zero32 : i32
  return %r, %s, %x, %y : i64, i32, f64, f32
}

// Sums of numbers of very different size: the order of additions shows.
func.func @order(%a: f64, %b: f64, %c: f64, %d: f64) -> (f64, f64, f64) {
  %x = arith.addf %a, %b : f64
  %y = arith.addf %x, %c : f64
  %z = arith.addf %y, %d : f64
  %p = arith.addf %c, %d : f64
  %q = arith.addf %x, %p : f64
  %m = arith.mulf %a, %b : f64
  %n = arith.mulf %m, %c : f64
  return %z, %q, %n : f64, f64, f64
}

// 1/sqrt: two roundings there, perhaps one here.
// ulp: 2
func.func @reciprocal_root(%a: f64) -> f64 {
  %x = math.absf %a : f64
  %r = math.rsqrt %x : f64
  return %r : f64
}
