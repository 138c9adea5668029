// Functions of libm: two implementations agree within a few units in the last place.
// MLIR's own lowering of expm1 is exp(x) - 1, so here its conversion to libm comes first.
// pipeline: libm

// ulp: 2
func.func @exponentials(%a: f64) -> (f64, f64, f64) {
  %e = math.exp %a : f64
  %e2 = math.exp2 %a : f64
  %m = math.expm1 %a : f64
  return %e, %e2, %m : f64, f64, f64
}

// ulp: 2
func.func @logarithms(%a: f64) -> (f64, f64, f64, f64) {
  %x = math.absf %a : f64
  %l = math.log %x : f64
  %l2 = math.log2 %x : f64
  %l10 = math.log10 %x : f64
  %p = math.log1p %x : f64
  return %l, %l2, %l10, %p : f64, f64, f64, f64
}

// ulp: 2
func.func @trigonometry(%a: f64) -> (f64, f64, f64) {
  %s = math.sin %a : f64
  %c = math.cos %a : f64
  %t = math.tan %a : f64
  return %s, %c, %t : f64, f64, f64
}

// ulp: 2
func.func @inverses(%a: f64, %b: f64) -> (f64, f64, f64, f64) {
  %s = math.asin %a : f64
  %c = math.acos %a : f64
  %t = math.atan %a : f64
  %t2 = math.atan2 %a, %b : f64
  return %s, %c, %t, %t2 : f64, f64, f64, f64
}

// ulp: 2
func.func @hyperbolic(%a: f64) -> (f64, f64, f64) {
  %s = math.sinh %a : f64
  %c = math.cosh %a : f64
  %t = math.tanh %a : f64
  return %s, %c, %t : f64, f64, f64
}

// ulp: 2
func.func @power(%a: f64, %b: f64) -> f64 {
  %p = math.powf %a, %b : f64
  return %p : f64
}

// ulp: 2
func.func @others(%a: f64) -> (f64, f64) {
  %c = math.cbrt %a : f64
  %e = math.erf %a : f64
  return %c, %e : f64, f64
}

// ulp: 2
func.func @single(%a: f32) -> (f32, f32, f32, f32, f32) {
  %x = math.absf %a : f32
  %e = math.exp %a : f32
  %l = math.log %x : f32
  %s = math.sin %a : f32
  %c = math.cos %a : f32
  %t = math.tanh %a : f32
  return %e, %l, %s, %c, %t : f32, f32, f32, f32, f32
}
